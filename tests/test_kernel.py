"""The compiled kernel plays exactly the trials of the plain-Python reference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cbai
from cbai.problem import pseudo_rewards as pr
from cbai.simulation.rules.choices import Elimination, Share
from tests.effort import examples, quick_or_full
from tests.reference import bandit, bounds
from tests.reference import philox as reference_philox
from tests.strategies import KINDS, SEEDS, deltas, draw_rewards, make_problem, problems

EXACT = settings(
    examples(150),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def outcome(trial):
    return {
        "status": trial.status,
        "best_arm": int(trial.best_arm),
        "samples": int(trial.samples),
        "rounds": int(trial.rounds),
        "pulls": [int(n) for n in trial.pulls],
        "eliminated_at": [int(at) for at in trial.eliminated_at],
    }


def outcome_in(trials, a, i):
    return {
        "status": str(trials.status[a, i]),
        "best_arm": int(trials.best_arm[a, i]),
        "samples": int(trials.samples[a, i]),
        "rounds": int(trials.rounds[a, i]),
        "pulls": trials.pulls[a, i].tolist(),
        "eliminated_at": trials.eliminated_at[a, i].tolist(),
    }


def play(problem, pseudo, rewards, name, delta, max_samples, confidence=""):
    return bandit.play(
        problem.values.tolist(), pseudo.tolist(), problem.reward_max, rewards, name, delta,
        max_samples, confidence=confidence,
    )  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compile before the clock of any example starts."""
    problem = make_problem(2, 2, "random", "ratings", False, 0)
    cbai.simulate(problem, list(cbai.ALGORITHMS), delta=0.1, trials=1, max_samples=10)


@EXACT
@given(
    problem=problems,
    delta=deltas,
    max_samples=st.integers(12, 800),
    seed=SEEDS,
    twins=st.booleans(),
)
def test_replay_agrees_with_the_reference(problem, delta, max_samples, seed, twins):
    rewards = draw_rewards(problem, max_samples, seed, twins)
    for name in bandit.ALGORITHMS:
        expected = play(problem, problem.pseudo_rewards, rewards.tolist(), name, delta, max_samples)
        trial = cbai.replay(problem, name, delta, rewards, max_samples=max_samples)
        assert outcome(trial) == outcome(expected), name


@settings(EXACT, max_examples=quick_or_full(20, 60))
@given(
    problem=problems,
    delta=deltas,
    max_samples=st.integers(12, 500),
    seed=st.integers(0, 2**63 - 1),
    first_trial=st.sampled_from([0, 7, 2**20]),
    p=st.sampled_from([0.0, 0.2, 0.35, 1.0]),
    q=st.sampled_from([0.0, 0.1]),
)
def test_simulate_agrees_with_the_reference(problem, delta, max_samples, seed, first_trial, p, q):
    names = list(bandit.ALGORITHMS)
    trials = cbai.simulate(
        problem, names, delta, trials=2, seed=seed, p=p, q=q, max_samples=max_samples,
        first_trial=first_trial,
    )  # fmt: skip
    buffered = pr.add_buffer(problem.pseudo_rewards, q, problem.reward_max)
    for i in range(2):
        trial = first_trial + i
        unknown = pr.mask(problem.n_arms, problem.n_values, p, seed, trial)
        pseudo = pr.apply_mask(buffered, unknown, problem.reward_max)
        draw = reference_philox.drawer(problem.probabilities.tolist(), seed, trial)
        for a, name in enumerate(names):
            expected = play(problem, pseudo, draw, name, delta, max_samples)
            assert outcome_in(trials, a, i) == outcome(expected), name


@settings(EXACT, max_examples=10)
@given(
    n_arms=st.integers(2, 10),
    kind=st.sampled_from(["valid", "random", "nothing known"]),
    support=st.sampled_from(["ratings", "halves"]),
    delta=deltas,
    max_samples=st.integers(12, 80),
    seed=SEEDS,
)
def test_every_algorithm_agrees_with_every_bound(n_arms, kind, support, delta, max_samples, seed):
    """With rewards whose sums are exact, so that ties are ties and no last bit breaks them."""
    problem = make_problem(n_arms, 2 + seed % 6, kind, support, seed % 2 == 0, seed)
    rewards = draw_rewards(problem, max_samples, seed, twins=False)
    table = rewards.tolist()
    for name in bandit.ALGORITHMS:
        for bound in bounds.NAMES:
            expected = play(
                problem, problem.pseudo_rewards, table, name, delta, max_samples, confidence=bound
            )
            trial = cbai.replay(problem, f"{name}@{bound}", delta, rewards, max_samples=max_samples)
            assert outcome(trial) == outcome(expected), (name, bound)


@pytest.mark.parametrize("bound", bounds.NAMES)
@pytest.mark.parametrize("name", bandit.ALGORITHMS)
def test_long_trials_agree_with_every_bound(name, bound):
    problem = make_problem(5, 5, "valid", "ratings", False, seed=3)
    trials = cbai.simulate(problem, [f"{name}@{bound}"], 0.1, trials=1, seed=5, max_samples=1000)
    draw = reference_philox.drawer(problem.probabilities.tolist(), 5, 0)
    expected = play(problem, problem.pseudo_rewards, draw, name, 0.1, 1000, confidence=bound)
    assert outcome_in(trials, 0, 0) == outcome(expected)


LONG = quick_or_full(12_000, 20_000)
"""All arms that are ruled out within 20,000 samples are so within 11,000."""


@pytest.mark.parametrize("name", bandit.ALGORITHMS)
def test_long_trials_agree_with_the_reference(name):
    problem = make_problem(8, 5, "valid", "ratings", False, seed=3)
    trials = cbai.simulate(problem, [name], delta=0.01, trials=1, seed=5, max_samples=LONG)
    draw = reference_philox.drawer(problem.probabilities.tolist(), 5, 0)
    expected = play(problem, problem.pseudo_rewards, draw, name, 0.01, LONG)
    assert outcome_in(trials, 0, 0) == outcome(expected)


@pytest.mark.parametrize("name", bandit.ALGORITHMS)
@pytest.mark.parametrize("max_samples", [3, 4, 5, 6])
def test_a_budget_of_a_round_or_two_agrees_with_the_reference(name, max_samples):
    problem = make_problem(3, 2, "random", "ratings", False, seed=1)
    rewards = draw_rewards(problem, 10, 1, twins=False)
    expected = play(problem, problem.pseudo_rewards, rewards.tolist(), name, 0.1, max_samples)
    trial = cbai.replay(problem, name, 0.1, rewards, max_samples=max_samples)
    assert outcome(trial) == outcome(expected)


def test_the_random_problems_reach_every_outcome():
    """The comparisons above mean little if trials all end alike: here is what they contain."""
    ends = set()
    for seed in range(30):
        for kind in ("valid", "random", "ties"):
            problem = make_problem(2 + seed % 5, 3, kind, "ratings", False, seed)
            rewards = draw_rewards(problem, 800, seed, twins=False)
            for name in bandit.ALGORITHMS:
                trial = cbai.replay(problem, name, 0.1, rewards, max_samples=800)
                ends.add((name, trial.status, bool(np.any(trial.eliminated_at))))
    for name in bandit.ALGORITHMS:
        eliminates = name in bandit.ELIMINATION
        assert (name, "budget", False) in ends
        assert (name, "identified", eliminates) in ends


RULES = {"own": Elimination.OWN_UCB, "cross": Elimination.CROSS_UCB}


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("name", [name for name in bandit.ALGORITHMS if name != "lil_ucb"])
def test_every_sampling_rule_goes_with_every_elimination_rule(name, kind, monkeypatch):
    """A row is free to combine known rules: here with elimination at delta / K.

    Not lil'UCB, whose row would eliminate by its own radius, which the reference does not define.
    """
    monkeypatch.setitem(bandit.ELIMINATION, name, (kind, lambda delta, n_arms: delta / n_arms))
    row = replace(
        cbai.ALGORITHMS[name],
        name=f"{name}, {kind} elimination",
        elimination=RULES[kind],
        elimination_share=Share(1, per_arm=True),
    )
    for seed, problem_kind in enumerate(KINDS * 2):
        problem = make_problem(2 + seed % 3, 2, problem_kind, "ratings", False, seed)
        rewards = draw_rewards(problem, 1500, seed, twins=False)
        expected = play(problem, problem.pseudo_rewards, rewards.tolist(), name, 0.1, 1500)
        trial = cbai.replay(problem, row, 0.1, rewards, max_samples=1500)
        assert outcome(trial) == outcome(expected), (problem_kind, seed)
