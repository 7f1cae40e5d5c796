"""The alarm, the buffer's curve and the suggestion."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cbai
from cbai.problem.buffers import buffer_curve, shortfall, suggest_q
from cbai.problem.validity import VIOLATED, check_validity, smallest_buffers
from cbai.results import clopper_pearson
from cbai.results.alarm import find_alarm, strict_share, words
from tests.strategies import latent_model, problems


def first_contradiction(trace, d):
    """Return (round, lower, upper) of the first contradiction, one pair at a time."""
    problem, sequence = trace.problem, cbai.simulation.bounds.confidence.CONFIDENCE
    row = sequence[trace.algorithm.confidence]
    for i, number in enumerate(trace.rounds):
        found = []
        for bounded, pulled in np.ndindex(problem.n_arms, problem.n_arms):
            n_own, n = int(trace.pulls[i, bounded]), int(trace.pulls[i, pulled])
            own = sum(problem.values * trace.counts[i, bounded]) / n_own
            lower = float(row.lower(own, n_own, d, problem.reward_max))
            phi = sum(problem.pseudo_rewards[bounded, pulled] * trace.counts[i, pulled]) / n
            upper = float(row.upper(phi, n, d, problem.reward_max))
            if lower > upper:
                found.append((lower - upper, lower, upper, bounded, pulled))
        if found:
            _, lower, upper, bounded, pulled = max(found)
            return int(number), lower, upper, bounded, pulled
    return None


@pytest.mark.parametrize("together", [100_000, 7 * 18**2])
@pytest.mark.parametrize(
    ("algorithm", "fires"), [("racing", True), ("lucb", True), ("lil_ucb", None)]
)
def test_it_fires_on_movielens_without_a_buffer(algorithm, fires, together, monkeypatch):
    """However many bounds are computed together, the first contradiction is found."""
    monkeypatch.setattr(cbai.results.alarm, "MOST_PAIRS", together)
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, algorithm, 0.01, seed=1, max_rounds=60)
    alarm = find_alarm(trace)
    want = first_contradiction(trace, trace.algorithm.elimination_share.of(0.01, 18))
    if want is None:
        assert alarm is None
        assert not fires
        return
    assert (alarm.round, alarm.bounded, alarm.pulled) == (want[0], want[3], want[4])
    assert (alarm.lower, alarm.upper) == pytest.approx(want[1:3])
    assert trace.rounds[alarm.index] == alarm.round
    assert smallest_buffers(problem)[alarm.bounded, alarm.pulled] > 0.0, "it must be right"
    sentence = words(alarm, trace)
    assert problem.arms[alarm.bounded] in sentence
    assert f"{alarm.lower:.3f}" in sentence
    close = replace(alarm, lower=3.88342, upper=3.88339)
    assert "at least 3.88342. By the rewards of" in words(close, trace)
    assert "at most 3.88339." in words(close, trace)
    strict = find_alarm(trace, strict_share(trace))
    assert strict is None or strict.round >= alarm.round


def test_a_sufficient_buffer_silences_it():
    problem = cbai.load_problem("movielens-1m")
    q = check_validity(problem).smallest_q_all
    assert find_alarm(cbai.trace(problem, "racing", 0.01, seed=1, q=q, max_rounds=60)) is None


def test_an_algorithm_that_bets_is_watched_with_bounds_per_arm():
    """Its upper share, delta / 2, is for one game over all arms: as a radius it would cry wolf."""
    problem = cbai.load_problem("paper-two-arms")
    false = problem.pseudo_rewards.copy()
    false[0, 1] = 0.05
    trace = cbai.trace(problem.with_pseudo_rewards(false), "lucb_pp_bet", 0.01, seed=1)
    alarm = find_alarm(trace)
    assert alarm.share == 0.01 / 4
    assert (alarm.bounded, alarm.pulled) == (0, 1)


def valid_problem():
    """Return five arms with a hidden state; pseudo-rewards are the conditional means."""
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    probabilities, conditional, _ = latent_model(np.random.default_rng(168), values, 5)
    return cbai.Problem([f"arm {k}" for k in range(5)], values, probabilities, conditional)


def alarms(problem, share, trials=200):
    """Return in how many seeded trials of racing the alarm sounds."""
    return sum(
        find_alarm(cbai.trace(problem, "racing", 0.1, seed=7, trial=i, max_rounds=12), share)
        is not None
        for i in range(trials)
    )


def test_false_alarms_are_rare_and_true_ones_are_not():
    """At the elimination share the union bound is K^2 delta / K = 0.5 here; in 200 trials, none.

    With the strict share it is delta = 0.1; no alarm in 200 trials bounds the rate by 1.8 % (95 %).
    The same trials with pseudo-rewards lowered by 1 must sound, so that silence means something.
    """
    problem = valid_problem()
    assert alarms(problem, None) == 0
    assert clopper_pearson(0, 200).high < 0.0183
    lowered = np.maximum(problem.pseudo_rewards - 1.0, 0.0)
    diagonal = np.arange(5)
    lowered[diagonal, diagonal] = problem.values
    assert alarms(problem.with_pseudo_rewards(lowered), None, trials=20) >= 19


def test_it_says_whether_the_best_arm_is_concerned():
    """Arm A gives 1 always and is said to give 0 whenever B is pulled."""
    pseudo = [[[0, 1], [0, 0]], [[1, 1], [0, 1]]]
    problem = cbai.Problem(["A", "B"], [0, 1], [[0.0, 1.0], [0.5, 0.5]], pseudo)
    trace = cbai.trace(problem, "racing", 0.01, seed=3)
    alarm = find_alarm(trace)
    assert alarm is not None
    assert (alarm.bounded, alarm.pulled, alarm.concerns_best_arm) == (0, 1, True)


# ---------------------------------------------------------------- buffers


@given(problems, st.sampled_from([0.0, 0.3]))
@settings(max_examples=30)
def test_the_curve_is_the_check_at_each_buffer(problem, p):
    grid = np.linspace(0.0, problem.reward_max, 4)
    curve = buffer_curve(problem, grid, p, seed=3, masks=5)
    for i, q in enumerate(grid):
        found = check_validity(problem, p, q, seed=3, masks=5)
        assert curve.violated_share[i] == pytest.approx(found.violated_share)
        assert curve.best_arm_share[i] == pytest.approx(found.best_arm_share)
        assert curve.best_arm_ok[i] == (found.verdict != VIOLATED)
    assert (np.diff(curve.violated_share) <= 1e-12).all()
    assert curve.violated_share[-1] == 0.0


@given(problems)
@settings(max_examples=60)
def test_the_suggested_buffer_is_enough_and_not_much_more(problem):
    suggestion = suggest_q(problem)
    needed = check_validity(problem).smallest_q_best
    assert check_validity(problem, q=suggestion.q).verdict != VIOLATED
    assert needed - 1e-6 * problem.reward_max <= suggestion.q <= needed + problem.reward_max / 499
    assert problem.arms[problem.best_arm] in suggestion.words
    assert suggestion.words.endswith(".")
    assert (suggestion.q == 0.0) == suggestion.words.startswith("No buffer")


def test_the_words_of_a_suggestion():
    problem = cbai.load_problem("movielens-1m")
    suggestion = suggest_q(problem, p=0.2)
    assert f"q = {suggestion.q:g}" in suggestion.words
    assert "If 20\N{NARROW NO-BREAK SPACE}% of the pseudo-rewards are unknown" in suggestion.words
    assert suggestion.q == pytest.approx(
        math.ceil(100 * check_validity(problem).smallest_q_best) / 100
    )
    blind = suggest_q(problem, p=1.0)
    assert blind.q == 0.0
    assert "no pseudo-reward is known" in blind.words
    with pytest.raises(ValueError, match="p must be in"):
        suggest_q(problem, p=1.2)
    with pytest.raises(ValueError, match="q must be in"):
        buffer_curve(problem, [0.0, 6.0])


@given(problems)
@settings(max_examples=40)
def test_the_shortfall_is_what_is_missing(problem):
    missing = shortfall(problem)
    for bounded, pulled in np.ndindex(missing.shape):
        phi = problem.probabilities[pulled] @ problem.pseudo_rewards[bounded, pulled]
        want = max(problem.means[bounded] - phi, 0.0) if bounded != pulled else 0.0
        assert missing[bounded, pulled] == pytest.approx(want, abs=2e-9)
    assert ((missing > 0) == check_validity(problem).violated_pairs).all()
    assert (shortfall(problem, q=problem.reward_max) == 0.0).all()
