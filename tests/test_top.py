"""The best few arms: the twin, the guarantee, and what the correlation saves."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cbai
from cbai.simulation.bounds import confidence
from tests.arms import coins, outcome, tight
from tests.effort import examples, quick_or_full
from tests.reference import top as reference
from tests.strategies import SEEDS, draw_rewards, problems

NAMES = {"lucb": False, "c_lucb": True}
EXAMPLES = examples(80)
FALSE_ALARM = 1e-6
TRIALS = quick_or_full(200, 2000)
"""The quick number finds every bug that this file plants; the full one finds smaller ones too."""


@EXAMPLES
@given(
    problem=problems,
    share=st.floats(0.0, 1.0),
    delta=st.sampled_from([0.3, 0.1, 0.01]),
    epsilon=st.sampled_from([0.0, 0.1, 0.5]),
    max_samples=st.integers(12, 500),
    seed=SEEDS,
    twins=st.booleans(),
)
def test_replay_agrees_with_the_twin(problem, share, delta, epsilon, max_samples, seed, twins):
    n_best = 1 + round(share * (problem.n_arms - 2))
    if n_best == 1:  # one best arm is found by the algorithms themselves
        return
    rewards = draw_rewards(problem, max_samples, seed, twins)
    table, epsilon = rewards.tolist(), min(epsilon, problem.reward_max)
    for name, correlated in NAMES.items():
        want = reference.play(
            problem.values.tolist(), problem.pseudo_rewards.tolist(), problem.reward_max,
            lambda k, j: table[k][j], correlated, n_best, delta, max_samples, epsilon,
        )  # fmt: skip
        trial = cbai.replay(problem, name, delta, rewards, max_samples, epsilon, n_best)
        assert outcome(trial) == outcome(want), name


PROBLEMS = {
    "coins": (coins([0.7, 0.6, 0.5, 0.3]), 2, 0.0),
    "coins, nearly": (coins([0.7, 0.6, 0.59, 0.45, 0.3]), 2, 0.05),
    "six arms of ratings": (tight(6, [1.0, 2.0, 3.0, 4.0, 5.0], 5), 3, 0.3),
}
ALPHA = FALSE_ALARM / (len(PROBLEMS) * len(NAMES))


def too_many(wrong, delta):
    """Return whether so many errors refute an error probability of delta."""
    return stats.binomtest(int(wrong), TRIALS, delta, alternative="greater").pvalue < ALPHA


@pytest.mark.parametrize("title", PROBLEMS)
def test_each_arm_named_is_good_enough_with_probability_1_minus_delta(title):
    """A right library fails here with probability at most `FALSE_ALARM` over all cases."""
    problem, n_best, epsilon = PROBLEMS[title]
    trials = cbai.simulate(problem, list(NAMES), 0.1, TRIALS, seed=3, epsilon=epsilon, top=n_best)
    assert trials.identified.all()
    assert ((trials.eliminated_at == 0).sum(axis=2) == n_best).all()
    for wrong in trials.wrong.sum(axis=1):
        assert not too_many(wrong, 0.1)


def test_bounds_too_narrow_are_found_out(monkeypatch):
    problem, n_best, epsilon = PROBLEMS["coins"]
    right = confidence.CONFIDENCE["howard"]
    monkeypatch.setitem(confidence.CONFIDENCE, "howard", replace(right, scale=0.1 * right.scale))
    trials = cbai.simulate(problem, list(NAMES), 0.01, TRIALS, seed=3, epsilon=epsilon, top=n_best)
    for wrong in trials.wrong.sum(axis=1):
        assert too_many(wrong, 0.01)


def test_pseudo_rewards_that_are_too_low_are_found_out():
    problem, n_best, _ = PROBLEMS["coins"]
    false = problem.pseudo_rewards.copy()
    false[1, 0] = 0.3
    trials = cbai.simulate(
        problem.with_pseudo_rewards(false), list(NAMES), 0.1, TRIALS, seed=3, top=n_best
    )
    own, cross = trials.wrong.sum(axis=1)
    assert not too_many(own, 0.1)
    assert too_many(cross, 0.1)


def test_what_counts_as_wrong():
    problem = coins([0.7, 0.6, 0.59, 0.3])
    assert list(problem.arms_within(0.0, 2)) == [0, 1]
    assert list(problem.arms_within(0.02, 2)) == [0, 1, 2]
    trials = cbai.simulate(problem, ["lucb"], 0.1, 200, seed=1, epsilon=0.05, top=2)
    third = trials.eliminated_at[0, :, 2] == 0
    assert third.any()
    assert not trials.wrong[0, third].any()
    assert (trials.to_frame()["top"] == 2).all()


def test_the_correlation_saves_samples_on_movielens():
    problem = cbai.load_problem("movielens-1m")
    trials = cbai.simulate(
        problem, list(NAMES), 0.01, 10, seed=0, p=0.2, q=0.2, epsilon=0.05, top=3
    )
    own, cross = trials.samples.mean(axis=1)
    assert not trials.wrong.any()
    assert cross < own


@pytest.mark.parametrize("n_best", [0, 4, 1.5])
def test_a_number_of_best_arms_outside_its_range_is_named(n_best):
    with pytest.raises(ValueError, match=r"top must be a whole number from 1 to 3"):
        cbai.simulate(PROBLEMS["coins"][0], ["lucb"], 0.1, 1, top=n_best)


def test_other_algorithms_say_that_they_find_one():
    with pytest.raises(ValueError, match="must be lucb or c_lucb, got 'racing'"):
        cbai.simulate(PROBLEMS["coins"][0], ["racing"], 0.1, 1, top=2)
