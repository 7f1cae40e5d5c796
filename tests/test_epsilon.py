"""Any arm within epsilon of the best: the twins, the guarantee, and what it saves."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cbai
from cbai.simulation.bounds import confidence
from cbai.simulation.loops import state
from cbai.simulation.rules.choices import Family
from tests.arms import coins, outcome
from tests.effort import examples, quick_or_full
from tests.reference import bandit, betting
from tests.strategies import SEEDS, draw_rewards, make_problem, problems

EXAMPLES = examples(60)
BETS = {"lucb_pp_bet": False, "c_lucb_bet": True}
BY_BOUNDS = [name for name in cbai.ALGORITHMS if name not in ("lil_ucb", "exp_gap", "c_lucb_claim")]
"""All that take notice of epsilon, but one that needs millions of samples."""
FALSE_ALARM = 1e-6
TRIALS = quick_or_full(250, 2000)
"""The quick number finds every bug that this file plants; the full one finds smaller ones too."""


@EXAMPLES
@given(
    problem=problems,
    delta=st.sampled_from([0.3, 0.1, 0.01]),
    share=st.floats(0.0, 1.0),
    max_samples=st.integers(12, 600),
    seed=SEEDS,
)
def test_replay_agrees_with_the_reference(problem, delta, share, max_samples, seed):
    epsilon = share * problem.reward_max
    rewards = draw_rewards(problem, max_samples, seed, twins=False)
    for name in bandit.ALGORITHMS:
        want = bandit.play(
            problem.values.tolist(), problem.pseudo_rewards.tolist(), problem.reward_max,
            rewards.tolist(), name, delta, max_samples, epsilon=epsilon,
        )  # fmt: skip
        trial = cbai.replay(problem, name, delta, rewards, max_samples, epsilon)
        assert outcome(trial) == outcome(want), name


@examples(25)
@given(
    n_arms=st.integers(2, 6),
    kind=st.sampled_from(["valid", "random"]),
    share=st.floats(0.01, 0.6),
    seed=SEEDS,
)
def test_betting_agrees_with_its_twin(n_arms, kind, share, seed):
    problem = make_problem(n_arms, 2 + seed % 4, kind, "ratings", False, seed)
    rewards = draw_rewards(problem, 200, seed, twins=False)
    table, epsilon = rewards.tolist(), share * problem.reward_max
    for name, pooled in BETS.items():
        want = betting.play(
            problem.values.tolist(), problem.pseudo_rewards.tolist(), lambda k, j: table[k][j],
            pooled, 0.2, 200, epsilon,
        )  # fmt: skip
        assert outcome(cbai.replay(problem, name, 0.2, rewards, 200, epsilon)) == outcome(want)


PROBLEMS = {
    "one just too poor": (coins([0.5, 0.39, 0.37, 0.35]), 0.1),
    "some good enough": (coins([0.5, 0.45, 0.39, 0.36, 0.1]), 0.1),
}
ALPHA = FALSE_ALARM / (len(PROBLEMS) * len(BY_BOUNDS))


def refuted(wrong, delta):
    """Return whether so many errors in `TRIALS` refute an error probability of delta."""
    return stats.binomtest(int(wrong), TRIALS, delta, alternative="greater").pvalue < ALPHA


@pytest.mark.parametrize("title", PROBLEMS)
def test_an_answer_is_within_epsilon_with_probability_1_minus_delta(title):
    """A right library fails here with probability at most `FALSE_ALARM` over all cases."""
    problem, epsilon = PROBLEMS[title]
    trials = cbai.simulate(problem, BY_BOUNDS, 0.1, TRIALS, seed=5, epsilon=epsilon)
    assert trials.identified.all()
    for wrong in trials.wrong.sum(axis=1):
        assert not refuted(wrong, 0.1)


@pytest.mark.parametrize("delta", [0.1, 0.01])
def test_bounds_too_narrow_are_found_out(delta, monkeypatch):
    problem, epsilon = PROBLEMS["one just too poor"]
    honest = state.log_wealth_needed
    monkeypatch.setattr(state, "log_wealth_needed", lambda d: 0.1 * honest(d))
    monkeypatch.setattr(state, "REGRET", (0.0, 0.0))
    rows = []
    for name in BY_BOUNDS:
        row = cbai.ALGORITHMS[name]
        if row.family is Family.ADAPTIVE:  # tests/test_adaptive.py plants bugs in those
            continue
        if (
            row.name in (*BETS, "c_lucb_bet_two") and delta > 0.01
        ):  # even a tenth of the wealth is seldom wrong by then
            continue
        if row.by_sequence:
            right = confidence.CONFIDENCE[row.confidence]
            planted = replace(right, scale=0.1 * right.scale)
            monkeypatch.setitem(confidence.CONFIDENCE, "planted", planted)
            row = replace(row, confidence="planted")
        rows.append(row)
    trials = cbai.simulate(problem, rows, delta, TRIALS, seed=5, epsilon=epsilon)
    for row, wrong in zip(rows, trials.wrong.sum(axis=1), strict=True):
        assert refuted(wrong, delta), row.name


def test_an_answer_counts_as_wrong_only_beyond_epsilon():
    problem = coins([0.5, 0.49, 0.3])
    assert list(problem.arms_within(0.1)) == [0, 1]
    trials = cbai.simulate(problem, ["lucb"], 0.1, 200, seed=5, epsilon=0.1)
    second = trials.best_arm[0] == 1
    assert second.any()
    assert not trials.wrong[0, second].any()
    assert (trials.to_frame()["epsilon"] == 0.1).all()


@pytest.mark.parametrize("name", BY_BOUNDS)
def test_it_never_takes_longer_and_saves_on_movielens(name):
    """The sampling does not depend on epsilon, so that each trial stops earlier or as before."""
    problem = cbai.load_problem("movielens-1m")
    exact, loose = (
        cbai.simulate(problem, [name], 0.01, 10, seed=0, p=0.2, q=0.2, epsilon=epsilon)
        for epsilon in (0.0, 0.15)
    )
    assert (loose.samples <= exact.samples).all()
    share = 1.0 if cbai.ALGORITHMS[name].guarded else 0.9  # a guard asks for more than epsilon here
    assert loose.samples.mean() < share * exact.samples.mean()


def test_lil_ucb_takes_no_notice():
    problem, _ = PROBLEMS["some good enough"]
    exact, loose = (
        cbai.simulate(problem, ["lil_ucb"], 0.1, 5, seed=0, epsilon=epsilon)
        for epsilon in (0.0, 0.1)
    )
    assert (loose.pulls == exact.pulls).all()


@pytest.mark.parametrize("epsilon", [-0.1, 1.1, float("nan")])
def test_epsilon_outside_its_range_is_named(epsilon):
    problem, _ = PROBLEMS["some good enough"]
    with pytest.raises(ValueError, match="epsilon must be"):
        cbai.simulate(problem, ["lucb"], 0.1, 5, epsilon=epsilon)


def test_a_trace_stops_where_the_trial_does():
    problem = cbai.load_problem("movielens-1m")
    for name in ("c_lucb", "c_lucb_bet"):
        trials = cbai.simulate(problem, [name], 0.01, 1, seed=0, p=0.2, q=0.2, epsilon=0.15)
        trace = cbai.trace(problem, name, 0.01, seed=0, p=0.2, q=0.2, epsilon=0.15)
        assert trace.samples[-1] == trials.samples[0, 0]
        assert trace.best_arm == trials.best_arm[0, 0]
