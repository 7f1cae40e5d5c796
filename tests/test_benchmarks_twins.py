"""What the benchmark compares does the same work: plain NumPy and kernel take the same samples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cbai
from benchmarks import plain_numpy
from cbai.simulation.plan import plan_for, pseudo_rewards_of
from tests.strategies import SEEDS, deltas, draw_rewards, problems

names = pytest.mark.parametrize("name", plain_numpy.ALGORITHMS)


def both(problem, name, delta, rewards, max_samples):
    table = rewards.tolist()
    plain = plain_numpy.ALGORITHMS[name](
        problem, lambda arm, pull: table[arm][pull], delta, max_samples
    )
    kernel = cbai.replay(problem, name, delta, rewards, max_samples=max_samples)
    return [
        (
            trial.status,
            trial.best_arm,
            trial.samples,
            trial.rounds,
            list(trial.pulls),
            list(trial.eliminated_at),
        )
        for trial in (plain, kernel)
    ]


@names
@settings(max_examples=60, deadline=None, derandomize=True)
@given(problem=problems, delta=deltas, max_samples=st.integers(12, 2000), seed=SEEDS)
def test_they_agree_on_random_problems(name, problem, delta, max_samples, seed):
    rewards = draw_rewards(problem, max_samples, seed, twins=False)
    plain, kernel = both(problem, name, delta, rewards, max_samples)
    assert plain == kernel


@names
@pytest.mark.parametrize("trial", range(2))
def test_they_agree_to_the_end_of_a_trial_that_is_measured(name, trial):
    """The very problem that the benchmark measures, with a mask, until the best arm is named."""
    problem = cbai.load_problem("movielens-1m")
    plan = plan_for(problem, name, 0.01, 0.2, 0.0, 0, 5_000_000)
    masked = problem.with_pseudo_rewards(pseudo_rewards_of(plan, trial))
    rewards = draw_rewards(masked, 60_000, trial, twins=False)
    plain, kernel = both(masked, name, 0.01, rewards, 5_000_000)
    assert kernel[0] == "identified"
    assert plain == kernel


def test_rewards_drawn_in_blocks_follow_the_probabilities():
    problem = cbai.load_problem("movielens-1m")
    draw = plain_numpy.in_blocks(problem, seed=0, block=100)
    drawn = np.bincount([draw(3, pull) for pull in range(20_000)], minlength=problem.n_values)
    assert drawn / 20_000 == pytest.approx(problem.probabilities[3], abs=0.02)
