"""Track-and-Stop, TTUCB and Exponential-Gap Elimination: twins, guarantees, what they rest on."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import cbai
from cbai.results.kl_inf import kl_above
from cbai.results.limit import limit_of
from cbai.simulation import divergence, proportions, state, transport
from cbai.simulation.algorithms import Leader, Stopping
from tests.reference import philox as reference_philox
from tests.reference import rivals
from tests.strategies import SEEDS, draw_rewards, make_problem

BY_RATIO = {"track_and_stop": rivals.track_and_stop, "ttucb": rivals.ttucb}
NAMES = [*BY_RATIO, "exp_gap"]
EXAMPLES = settings(max_examples=40, deadline=None, derandomize=True)
FALSE_ALARM = 1e-6
TRIALS = 2000


def outcome(trial):
    return (
        trial.status, int(trial.best_arm), int(trial.samples), int(trial.rounds),
        list(map(int, trial.pulls)), list(map(int, trial.eliminated_at)),
    )  # fmt: skip


# ---------------------------------------------------------------- the twins


@EXAMPLES
@given(
    n_arms=st.integers(2, 5),
    support=st.sampled_from(["ratings", "halves", "from zero"]),
    delta=st.sampled_from([0.3, 0.1, 0.01]),
    max_samples=st.integers(12, 160),
    epsilon=st.sampled_from([0.0, 0.2]),
    seed=SEEDS,
)
def test_replay_agrees_with_the_twins(n_arms, support, delta, max_samples, epsilon, seed):
    problem = make_problem(n_arms, 2 + seed % 3, "valid", support, seed % 2 == 0, seed)
    rewards = draw_rewards(problem, max_samples, seed, twins=False)
    table, epsilon = rewards.tolist(), min(epsilon, problem.reward_max)
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
    """With a hundredth of the pulls, so that several phases are seen."""
    problem = make_problem(n_arms, 3, "valid", "ratings", False, seed)
    draw = reference_philox.drawer(problem.probabilities.tolist(), seed, 0)
    factors = (0.02, 0.04)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "PULLS", factors)
        trials = cbai.simulate(problem, ["exp_gap"], 0.1, 1, seed=seed, max_samples=max_samples)
    want = rivals.exp_gap(
        problem.values.tolist(), n_arms, problem.reward_max, draw, 0.1, max_samples, 0.0, factors
    )
    assert trials.status[0, 0] == want.status
    assert trials.best_arm[0, 0] == want.best_arm
    assert trials.pulls[0, 0].tolist() == want.pulls
    assert trials.eliminated_at[0, 0].tolist() == want.eliminated_at


@pytest.mark.parametrize("name", NAMES)
def test_a_trial_can_be_paused_after_any_round(name):
    problem = cbai.load_problem("paper-two-arms")
    trials = cbai.simulate(problem, [name], 0.1, 1, seed=3, max_samples=20_000)
    trace = cbai.trace(problem, name, 0.1, seed=3, max_samples=20_000)
    assert trace.samples[-1] == trials.samples[0, 0]
    assert (trace.pulls[-1] == trials.pulls[0, 0]).all()
    assert (trace.lower <= trace.own_upper + 1e-9).all()


# ---------------------------------------------------------------- what they rest on


@EXAMPLES
@given(n_values=st.integers(2, 5), seed=SEEDS, share=st.floats(0.001, 0.999))
def test_the_evidence_is_that_of_the_limit(n_values, seed, share):
    """The compiled KL_inf is that of `cbai.results.kl_inf`, which has tests of its own."""
    problem = make_problem(2, n_values, "valid", "ratings", True, seed)
    counts = np.random.default_rng(seed).integers(0, 60, n_values)
    counts[0] += 1
    shares, b = counts / counts.sum(), problem.reward_max
    mean = float(shares @ problem.values)
    x = mean + share * (b - mean)
    ours, slope, _ = divergence.kl_inf(counts, problem.values, 1.0, x, b)
    want = kl_above(problem.values, shares[None], np.array([x]), b)
    assert ours / counts.sum() == pytest.approx(want.value[0], rel=1e-7, abs=1e-12)
    assert slope / counts.sum() == pytest.approx(want.slope[0], rel=1e-5, abs=1e-9)


@EXAMPLES
@given(n_arms=st.integers(2, 6), n_values=st.integers(2, 5), seed=SEEDS)
def test_the_split_is_that_of_the_limit(n_arms, n_values, seed):
    """Of a problem whose probabilities are the shares seen."""
    rng = np.random.default_rng(seed)
    problem = make_problem(n_arms, n_values, "valid", "ratings", True, seed)
    counts = rng.integers(1, 80, (n_arms, n_values))
    pulls = counts.sum(axis=1)
    seen = replace(problem, probabilities=counts / pulls[:, None])
    means = seen.means
    gaps = np.sort(means)[-1] - np.sort(means)[-2]
    if gaps < 1e-3 * problem.reward_max:
        return
    work = np.zeros((3, n_arms))
    proportions.optimal(
        int(means.argmax()), counts, problem.values, pulls, means, problem.reward_max, *work
    )
    assert work[2] == pytest.approx(limit_of(seen, 0.1).proportions, abs=2e-5)


@EXAMPLES
@given(n_values=st.integers(2, 4), seed=SEEDS, epsilon=st.sampled_from([0.0, 0.1]))
def test_a_transport_cost_is_never_above_the_minimum(n_values, seed, epsilon):
    """By a grid over the meeting point: it is at most what any point costs, and about the least."""
    problem = make_problem(2, n_values, "valid", "ratings", False, seed)
    counts = np.random.default_rng(seed).integers(1, 60, (2, n_values))
    values, b = problem.values, problem.reward_max
    means = counts @ values / counts.sum(axis=1)
    i, other = int(means.argmax()), int(means.argmin())
    ours = transport.cost(i, other, counts, values, means, b, epsilon)
    left, right = means[other] - epsilon, means[i]
    if left >= right:
        return
    grid = [
        divergence.kl_inf(counts[i], values, -1.0, -x, 0.0)[0]
        + divergence.kl_inf(counts[other], values, 1.0, x + epsilon, b)[0]
        for x in np.linspace(left, min(right, b - epsilon - 1e-9), 400)
    ]
    assert ours <= min(grid) + 1e-9
    assert ours == pytest.approx(min(grid), rel=1e-2, abs=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_the_game_behind_the_threshold_is_fair(seed):
    """Over every sequence of seven rewards of an arm at its true mean, enumerated.

    exp(n KL_inf - log(n) / 2 - log(2)) has a mean of at most 1, as it is at most the wealth of a
    mixture of bets; without the regret the mean is above 1, so the check has power.
    """
    rng = np.random.default_rng(seed)
    values, chances = np.array([0.0, 1.0, 2.0]), rng.dirichlet(np.ones(3))
    truth, n = float(chances @ values), 7
    total = plain = 0.0
    for rewards in itertools.product(range(3), repeat=n):
        counts = np.bincount(rewards, minlength=3)
        evidence, _, _ = divergence.kl_inf(counts, values, 1.0, truth, 2.0)
        chance = float(np.prod(chances[list(rewards)]))
        total += chance * math.exp(evidence - state.REGRET[0] * math.log(n) - state.REGRET[1])
        plain += chance * math.exp(evidence)
    assert total <= 1.0
    assert plain > 1.0


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
ALPHA = FALSE_ALARM / (2 * len(PROBLEMS) * len(BY_RATIO) + 1)


def too_many(wrong, delta):
    """Return whether so many errors refute an error probability of delta."""
    return stats.binomtest(int(wrong), TRIALS, delta, alternative="greater").pvalue < ALPHA


@pytest.mark.parametrize("delta", [0.1, 0.3])
@pytest.mark.parametrize("title", PROBLEMS)
def test_the_error_rate_is_at_most_delta(title, delta):
    """A right library fails here with probability at most `FALSE_ALARM` over all cases."""
    trials = cbai.simulate(PROBLEMS[title], list(BY_RATIO), delta, TRIALS, seed=4)
    assert trials.identified.all()
    for wrong in trials.wrong.sum(axis=1):
        assert not too_many(wrong, delta)


def test_exponential_gap_errs_seldom_on_an_easy_problem():
    problem = coins([0.95, 0.1])
    trials = cbai.simulate(problem, ["exp_gap"], 0.1, 100, seed=4, max_samples=10**7)
    assert trials.identified.all()
    assert not trials.wrong.any()


def test_a_threshold_too_low_is_found_out(monkeypatch):
    honest = state.log_wealth_needed
    monkeypatch.setattr(state, "log_wealth_needed", lambda d: 0.1 * honest(d))
    monkeypatch.setattr(state, "REGRET", (0.0, 0.0))
    trials = cbai.simulate(PROBLEMS["two near coins"], list(BY_RATIO), 0.01, TRIALS, seed=4)
    for wrong in trials.wrong.sum(axis=1):
        assert too_many(wrong, 0.01)


def test_too_few_pulls_in_a_phase_are_found_out(monkeypatch):
    monkeypatch.setattr(state, "PULLS", (0.001, 0.001))
    trials = cbai.simulate(PROBLEMS["two near coins"], ["exp_gap"], 0.01, TRIALS, seed=4)
    assert too_many(trials.wrong.sum(), 0.01)


def test_they_come_nearer_to_the_limit_as_delta_falls():
    """On the film genres: samples over T* log(1 / delta), which tends to 1 for Track-and-Stop."""
    problem = cbai.load_problem("movielens-1m")
    characteristic = limit_of(problem, 0.01).characteristic_time
    ratios = []
    for delta in (1e-2, 1e-8):
        trials = cbai.simulate(problem, list(BY_RATIO), delta, 30, seed=0)
        assert not trials.wrong.any()
        ratios.append(trials.samples.mean(axis=1) / (characteristic * math.log(1.0 / delta)))
    assert (ratios[1] < 0.6 * ratios[0]).all()
    assert (ratios[1] > 1.0).all()


def test_exponential_gap_runs_out_on_the_film_genres():
    problem = cbai.load_problem("movielens-1m")
    trials = cbai.simulate(problem, ["exp_gap"], 0.01, 1, seed=0)
    assert trials.status[0, 0] == "budget"


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
