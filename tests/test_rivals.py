"""Track-and-Stop, TTUCB and Exponential-Gap Elimination: twins, guarantees, where they stop.

What they rest on, evidence and costs from counts, is tested in tests/test_transport.py, and answers
within epsilon in tests/test_epsilon.py.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cbai
from cbai.results.limit import limit_of
from cbai.simulation.families import advance
from cbai.simulation.loops import state
from cbai.simulation.loops.exponential_gap import rounds_of
from cbai.simulation.plan import game_of, plan_for
from cbai.simulation.rules.choices import Leader, Stopping
from tests.effort import examples, quick_or_full
from tests.reference import philox as reference_philox
from tests.reference import rivals
from tests.strategies import SEEDS, draw_rewards, make_problem

BY_RATIO = {"track_and_stop": rivals.track_and_stop, "ttucb": rivals.ttucb}
NAMES = [*BY_RATIO, "exp_gap"]
HASTY = (0.02, 0.04)
"""A hundredth of the pulls in a phase and in a stage, so that several phases are seen."""
EXAMPLES = examples(40)
FALSE_ALARM = 1e-6
TRIALS = {
    0.01: quick_or_full(250, 2000),
    0.1: quick_or_full(250, 2000),
    0.3: quick_or_full(500, 2000),
}
"""By delta. The quick number finds every bug that this file plants; the full one smaller ones."""


def outcome(trial):
    return (
        trial.status, int(trial.best_arm), int(trial.samples), int(trial.rounds),
        list(map(int, trial.pulls)), list(map(int, trial.eliminated_at)),
    )  # fmt: skip


# ---------------------------------------------------------------- the twins


@EXAMPLES
@given(
    n_arms=st.integers(2, 6),
    kind=st.sampled_from(["valid", "ties"]),
    support=st.sampled_from(["ratings", "halves", "from zero", "anywhere"]),
    delta=st.sampled_from([0.9, 0.3, 0.1, 0.01]),
    max_samples=st.integers(12, 160),
    share=st.sampled_from([0.0, 0.0, 0.1, 0.4]),
    seed=SEEDS,
)
def test_replay_agrees_with_the_twins(n_arms, kind, support, delta, max_samples, share, seed):
    problem = make_problem(n_arms, 2 + seed % 4, kind, support, seed % 2 == 0, seed)
    rewards = draw_rewards(problem, max_samples, seed, twins=seed % 5 == 0)
    table, epsilon = rewards.tolist(), share * problem.reward_max
    for name, play in BY_RATIO.items():
        want = play(
            problem.values.tolist(), n_arms, problem.reward_max, lambda k, j: table[k][j], delta,
            max_samples, epsilon,
        )  # fmt: skip
        trial = cbai.replay(problem, name, delta, rewards, max_samples, epsilon)
        assert outcome(trial) == outcome(want), name


@pytest.mark.parametrize("name", BY_RATIO)
def test_a_longer_trial_agrees_with_the_twin(name):
    problem = cbai.load_problem("drug-trial")
    trials = cbai.simulate(problem, [name], 0.1, trials=1, seed=11)
    draw = reference_philox.drawer(problem.probabilities.tolist(), 11, 0)
    want = BY_RATIO[name](problem.values.tolist(), 5, 10.0, draw, 0.1, 10**6)
    assert (trials.samples[0, 0], trials.best_arm[0, 0]) == (want.samples, want.best_arm)
    assert trials.pulls[0, 0].tolist() == want.pulls


@EXAMPLES
@given(n_arms=st.integers(2, 6), max_samples=st.integers(10, 40_000), seed=SEEDS)
def test_exponential_gap_agrees_with_its_twin(n_arms, max_samples, seed):
    problem = make_problem(n_arms, 3, "valid", "ratings", False, seed)
    draw = reference_philox.drawer(problem.probabilities.tolist(), seed, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "PULLS", HASTY)
        trials = cbai.simulate(problem, ["exp_gap"], 0.1, 1, seed=seed, max_samples=max_samples)
    want = rivals.exp_gap(
        problem.values.tolist(), n_arms, problem.reward_max, draw, 0.1, max_samples, 0.0, HASTY
    )
    assert trials.status[0, 0] == want.status
    assert trials.best_arm[0, 0] == want.best_arm
    assert trials.pulls[0, 0].tolist() == want.pulls
    assert trials.eliminated_at[0, 0].tolist() == want.eliminated_at


def test_exponential_gap_with_its_own_constants_agrees_with_its_twin():
    problem = coins([0.9, 0.3])
    rewards = draw_rewards(problem, 120_000, 3, twins=False)
    table = rewards.tolist()
    want = rivals.exp_gap([0.0, 1.0], 2, 1.0, lambda k, j: table[k][j], 0.3, 10**6)
    assert want.status == "identified"
    assert outcome(cbai.replay(problem, "exp_gap", 0.3, rewards)) == outcome(want)


def test_the_pulls_of_a_phase_are_those_of_the_paper():
    """Karnin, Koren and Somekh 2013, Algorithm 3, and Even-Dar et al. 2002: worked out by hand."""
    cases = [(1, 0), (2, 0), (1, 1), (1, 2)]
    pulls = [rounds_of(*case, -math.log(0.01), np.array(state.PULLS)) for case in cases]
    expected = [
        2 / 0.125**2 * math.log(2 * 50 / 0.01),
        2 / 0.0625**2 * math.log(2 * 50 * 8 / 0.01),
        4 / (1 / 64) ** 2 * math.log(3 * 2 * 50 / 0.01),
        4 / (3 / 256) ** 2 * math.log(3 * 4 * 50 / 0.01),
    ]
    assert pulls == [math.ceil(number) for number in expected]


@pytest.mark.parametrize("name", NAMES)
def test_a_trial_that_is_paused_is_the_same_trial(name, monkeypatch):
    """After every round, now and then, or never: all that is remembered is the same at the end."""
    monkeypatch.setattr(state, "PULLS", HASTY)
    problem = make_problem(5, 4, "valid", "ratings", False, seed=3)
    plan = plan_for(problem, name, 0.1, 0.0, 0.0, 7, 1500)
    ends = []
    for step in (1, 17, 10**9):
        now, last = state.new_state(5, 4), 0
        while now.clock[state.STATUS] == state.RUNNING:
            last += step
            advance(game_of(plan, 2), now, last)
        ends.append(now)
    for one in ends[1:]:
        for name_of, ours in one._asdict().items():
            if name_of != "followed":  # which no family remembers from one call to the next
                np.testing.assert_array_equal(ours, getattr(ends[0], name_of), name_of)


# ---------------------------------------------------------------- the guarantee


def coins(means):
    """Return independent arms of rewards 0 and 1 with nothing known of their correlation."""
    means = np.array(means)
    known = np.ones((means.size, means.size, 2))
    known[np.arange(means.size), np.arange(means.size)] = [0.0, 1.0]
    probabilities = np.column_stack([1.0 - means, means])
    return cbai.Problem([f"arm {k}" for k in range(means.size)], [0.0, 1.0], probabilities, known)


PROBLEMS = {
    "two near coins": coins([0.5, 0.42]),
    "five coins": coins([0.9, 0.8, 0.8, 0.7, 0.5]),
    "treatments": cbai.load_problem("drug-trial"),
}
ALPHA = FALSE_ALARM / (2 * len(PROBLEMS) * len(BY_RATIO) + 2)


def too_many(wrong, delta, trials=None):
    """Return whether so many errors refute an error probability of delta."""
    trials = trials or TRIALS[delta]
    return stats.binomtest(int(wrong), trials, delta, alternative="greater").pvalue < ALPHA


def errors(problem, delta):
    """Return each algorithm's errors in as many trials as refute an error probability of delta."""
    trials = cbai.simulate(problem, list(BY_RATIO), delta, TRIALS[delta], seed=4)
    assert trials.identified.all()
    return trials.wrong.sum(axis=1)


@pytest.mark.parametrize(
    ("title", "delta"),
    [
        *((title, 0.1) for title in PROBLEMS),
        ("two near coins", 0.3),
        pytest.param("five coins", 0.3, marks=pytest.mark.full),
        pytest.param("treatments", 0.3, marks=pytest.mark.full),
    ],
)
def test_the_error_rate_is_at_most_delta(title, delta):
    """A right library fails here with probability at most `FALSE_ALARM` over all cases."""
    for wrong in errors(PROBLEMS[title], delta):
        assert not too_many(wrong, delta)


@pytest.mark.parametrize("name", BY_RATIO)
def test_epsilon_saves_on_the_film_genres(name):
    problem = cbai.load_problem("movielens-1m")
    exact, loose = (
        cbai.simulate(problem, [name], 0.01, 10, seed=0, epsilon=epsilon) for epsilon in (0.0, 0.15)
    )
    assert (loose.samples <= exact.samples).all()
    assert loose.samples.mean() < 0.9 * exact.samples.mean()


def test_exponential_gap_ends_with_the_phase_that_is_fine_enough():
    """epsilon_1 / 2 = 1/16: the reference of the first phase is the answer."""
    trials = cbai.simulate(coins([0.52, 0.5]), ["exp_gap"], 0.1, 5, seed=5, epsilon=0.07)
    level, factors = -math.log(0.1), np.array(state.PULLS)
    per_arm = sum(rounds_of(1, stage, level, factors) for stage in (0, 1))
    assert (trials.samples == 2 * per_arm).all()
    assert not trials.wrong.any()


def test_exponential_gap_errs_seldom_on_an_easy_problem():
    problem = coins([0.95, 0.1])
    trials = cbai.simulate(problem, ["exp_gap"], 0.1, 100, seed=4, max_samples=10**7)
    assert trials.identified.all()
    assert not trials.wrong.any()


@pytest.mark.parametrize("delta", TRIALS)
def test_a_threshold_too_low_is_found_out(delta, monkeypatch):
    honest = state.log_wealth_needed
    monkeypatch.setattr(state, "log_wealth_needed", lambda d: 0.1 * honest(d))
    monkeypatch.setattr(state, "REGRET", (0.0, 0.0))
    for wrong in errors(PROBLEMS["two near coins"], delta):
        assert too_many(wrong, delta)


def test_too_few_pulls_in_a_phase_are_found_out(monkeypatch):
    monkeypatch.setattr(state, "PULLS", (0.001, 0.001))
    trials = cbai.simulate(PROBLEMS["two near coins"], ["exp_gap"], 0.01, 1000, seed=4)
    assert too_many(trials.wrong.sum(), 0.01, 1000)


def test_they_come_nearer_to_the_limit_as_delta_falls():
    """On the film genres: samples over T* log(1 / delta), which tends to 1 for Track-and-Stop."""
    problem = cbai.load_problem("movielens-1m")
    characteristic = limit_of(problem, 0.01).characteristic_time
    ratios = []
    for delta in (1e-2, 1e-8):
        trials = cbai.simulate(problem, list(BY_RATIO), delta, quick_or_full(10, 30), seed=0)
        assert not trials.wrong.any()
        ratios.append(trials.samples.mean(axis=1) / (characteristic * math.log(1.0 / delta)))
    assert (ratios[1] < 0.6 * ratios[0]).all()
    assert (ratios[1] > 1.0).all()


def test_exponential_gap_runs_out_on_the_film_genres():
    problem = cbai.load_problem("movielens-1m")
    trials = cbai.simulate(problem, ["exp_gap"], 0.01, 1, seed=0)
    assert trials.status[0, 0] == "budget"


# ---------------------------------------------------------------- what a trace shows


@pytest.mark.parametrize("name", BY_RATIO)
def test_the_bounds_of_a_trace_are_apart_when_it_stops(name):
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, name, 0.01, seed=1)
    trial = cbai.simulate(problem, [name], 0.01, 1, seed=1)
    assert trace.samples[-1] == trial.samples[0, 0]
    assert trace.status == "identified"
    assert not trace.eliminations
    others = np.delete(trace.own_upper[-1], trace.best_arm)
    assert (others < trace.lower[-1, trace.best_arm]).all()
    assert (trace.lower <= trace.mean + 1e-12).all()
    assert (trace.mean <= trace.own_upper + 1e-12).all()
    np.testing.assert_array_equal(trace.own_upper, trace.cross_upper)


def test_a_trace_of_phases_shows_the_means_that_decide():
    trace = cbai.trace(coins([0.9, 0.4, 0.3]), "exp_gap", 0.1, seed=1)
    assert trace.status == "identified"
    assert (trace.lower[0] == 0.0).all()
    assert (trace.own_upper[0] == 1.0).all()
    assert trace.own_upper[-1] - trace.lower[-1] == pytest.approx(0.125)
    assert {event.arm for event in trace.eliminations} == {1, 2}
    for event in trace.eliminations:
        assert event.by == event.arm
        assert trace.own_upper[-1, event.arm] < trace.lower[-1, 0]


# ---------------------------------------------------------------- rules that go together only


@pytest.mark.parametrize("name", NAMES)
def test_they_are_wholes_and_have_no_confidence_sequence(name):
    row = cbai.ALGORITHMS[name]
    assert row.beyond
    assert not row.uses_correlation
    with pytest.raises(ValueError, match="has no confidence sequence to exchange"):
        cbai.simulation.find(f"{name}@kl_lucb")


def test_their_rules_are_not_to_be_mixed():
    with pytest.raises(ValueError, match="Tracking must have the leader tracking"):
        replace(cbai.ALGORITHMS["lucb_pp"], leader=Leader.TRACKING)
    with pytest.raises(ValueError, match="stopping rule glr"):
        replace(cbai.ALGORITHMS["lucb"], stopping=Stopping.GLR)
    with pytest.raises(ValueError, match="leader must be one of"):
        cbai.simulation.find("lab:tracking-none-1-none-1-glr-1-1-howard")
