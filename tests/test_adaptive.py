"""Bounds that adapt, and the guard: coverage, the twin, the guarantees, what they save."""

from __future__ import annotations

import math
from dataclasses import replace
from math import inf

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import zeta

import cbai
from cbai.results.alarm import find_alarm
from cbai.simulation import find
from cbai.simulation.bounds import adaptive_bounds, pairs
from cbai.simulation.bounds.adaptive_bounds import ADAPTIVE
from cbai.simulation.bounds.mean_bounds import growth_table
from cbai.simulation.guarantee import cover
from cbai.simulation.rules.choices import Challenger, Elimination, Leader, Stopping
from tests.arms import coins, outcome, tight
from tests.effort import examples, quick_or_full
from tests.reference import adaptive, bandit, philox
from tests.strategies import KINDS, SEEDS, compositions, draw_rewards, make_problem

EXAMPLES = examples(40)
PAIRS = [f"{base}@{name}" for base in bandit.ALGORITHMS for name in ADAPTIVE]
SHORT = [
    f"{base}_{name}" for base in ("lucb", "lucb_pp", "c_lucb", "c_lucb_pp") for name in ADAPTIVE
]
FALSE_ALARM = 1e-6
TRIALS = {0.1: quick_or_full(400, 2000), 0.01: quick_or_full(1000, 2000)}
"""By delta. The quick number finds every bug that this file plants; the full one smaller ones."""
whole_sums = st.builds(
    make_problem,
    n_arms=st.integers(2, 8),
    n_values=st.integers(2, 6),
    kind=st.sampled_from(KINDS),
    support_kind=st.sampled_from(["ratings", "halves"]),
    room=st.booleans(),
    seed=SEEDS,
)
"""Problems whose sums of rewards are exact, so that equal means are equal in both versions."""


# ---------------------------------------------------------------- the bounds


@given(
    name=st.sampled_from(sorted(ADAPTIVE)),
    n=st.integers(1, 10**9),
    d=st.sampled_from([0.5, 0.1, 1e-6]),
    span=st.sampled_from([0.0, 0.3, 4.0]),
    share=st.floats(0.0, 1.0),
)
def test_a_radius_is_the_printed_formula(name, n, d, span, share):
    squares = share * n * span**2
    ours = float(ADAPTIVE[name].radius(n, d, span, squares))
    assert ours == pytest.approx(adaptive.radius(name, n, d, span, squares), rel=1e-9, abs=0.0)
    assert (ours == 0.0) == (span == 0.0)
    assert np.isfinite(ours)


def test_the_constant_is_the_zeta_function_rounded_up():
    assert zeta(1.4) < adaptive_bounds.ZETA < zeta(1.4) + 1e-5


def test_the_known_range_is_the_papers_bound_for_a_range_of_two():
    """And so proven: at a span of 2 the intrinsic time is the number of values."""
    howard = cbai.simulation.CONFIDENCE["howard"]
    for n in (1, 2, 50, 10**6):
        assert float(ADAPTIVE["range"].radius(n, 0.05, 2.0)) == pytest.approx(
            float(howard.radius(n, 0.05, 2.0)), rel=1e-12
        )


def misses(name, rng, d, factor=1.0, n_streams=2000, n_max=4000):
    """Return in how many streams of values 0, 0.3, 1 the mean was ever below the bounds."""
    values, chances = np.array([0.0, 0.3, 1.0]), np.array([0.6, 0.35, 0.05])
    seen = values[rng.choice(3, p=chances, size=(n_streams, n_max))]
    n = np.arange(1, n_max + 1)
    means = np.cumsum(seen, axis=1) / n
    before = np.concatenate([np.full((n_streams, 1), 0.5), means[:, :-1]], axis=1)
    squares = np.cumsum((seen - before) ** 2, axis=1)
    at = np.unique(np.geomspace(1, n_max, 60).astype(int)) - 1
    half = factor * ADAPTIVE[name].radius(n[at][None], d, 1.0, squares[:, at])
    return int((means[:, at] - half > values @ chances).any(axis=1).sum())


@pytest.mark.parametrize("name", ADAPTIVE)
def test_the_mean_is_seldom_ever_outside(name):
    """A right bound fails here with probability at most 1e-6, half of it for each; planted ones
    of a third of the width are found out."""
    d = 0.1
    for factor, found in ((1.0, False), (0.33, True)):
        count = misses(name, np.random.default_rng(1), d, factor)
        pvalue = stats.binomtest(count, 2000, d, alternative="greater").pvalue
        assert (pvalue < FALSE_ALARM / 2) == found, (factor, count)


def pair_misses(name, factor, d=0.1, n_streams=2000, n_max=4000):
    """Return in how many streams the mean of s_{l,k}(R_k) was ever above its upper bounds.

    By the compiled code of the loop: rewards 0 and 1 of chances 0.9 and 0.1, which say at most 0.2
    and at most 0.7 of the other arm.
    """
    pseudo = np.array([[[0.0, 1.0], [0.2, 0.7]], [[1.0, 1.0], [0.0, 1.0]]])
    shape = np.append(ADAPTIVE[name].shape(1.0), inf)
    growths = growth_table(*shape[:7])
    level, rng, truth = ADAPTIVE[name].level_term(d), np.random.default_rng(5), 0.25
    by_value = np.ascontiguousarray(pseudo.transpose(1, 2, 0))
    span, middle = pairs.spans_of(by_value)
    assert (span[0, 1], middle[0, 1]) == pytest.approx((0.5, 0.45))
    count = 0
    for _ in range(n_streams):
        sums, phi, squares = np.zeros((2, 2)), np.full((2, 2), inf), np.zeros((2, 2))
        count += ever_above(
            rng.random(n_max) < 0.1, by_value, shape, growths, span, middle, sums, phi, squares,
            level, factor, truth,
        )  # fmt: skip
    return count


@numba.njit
def ever_above(
    rewards, by_value, shape, growths, span, middle, sums, phi, squares, level, factor, truth
):
    for i in range(rewards.size):
        n, value = i + 1, int(rewards[i])
        growth = pairs.observe(
            0, 1, by_value[1, value, 0], n, shape, growths, span, middle, sums, phi, squares
        )
        half = adaptive_bounds.radius(
            n, growth, squares[0, 1], span[0, 1], level, shape[adaptive_bounds.BY_VARIANCE] > 0.0
        )
        if phi[0, 1] + factor * half < truth:
            return True
    return False


@pytest.mark.parametrize("name", ADAPTIVE)
def test_a_bound_by_another_arms_rewards_is_seldom_ever_too_low(name):
    """At every n. A right bound fails here with probability at most 1e-6, half of it for each."""
    for factor, found in ((1.0, False), (0.33, True)):
        count = pair_misses(name, factor)
        pvalue = stats.binomtest(count, 2000, 0.1, alternative="greater").pvalue
        assert (pvalue < FALSE_ALARM / 2) == found, (factor, count)


@pytest.mark.parametrize("span", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("d", [0.5, 0.05, 1e-4])
def test_empirical_bernstein_is_nowhere_below_the_lines_that_it_stitches(d, span):
    """Howard et al. 2021, Theorem 1, from what each line is proven to do.

    In the epoch v from m eta^k to m eta^(k + 1) the line (r + psi(x) v) / x with psi the sub-gamma
    function, r = log(h(k) / d) and h(k) = zeta(s) (k + 1)^s is crossed with probability d / h(k) at
    most, for any x in (0, 1 / c). The sum of 1 / h(k) over all k is 1. So the boundary is valid if
    for some x of each epoch the line is at most the boundary at all v of it.
    """
    eta, s, least = adaptive_bounds.ETA, adaptive_bounds.STITCH, span**2 / 4
    for k in range(40):
        r = math.log(zeta(s) * (k + 1) ** s / d)
        v = np.geomspace(least * eta**k, least * eta ** (k + 1), 200)
        n = 1e9  # any: the boundary is the radius times n
        boundary = n * ADAPTIVE["eb"].radius(n, d, span, v)
        x = np.geomspace(1e-9, 0.999, 5000)[:, None] / span
        line = (r + x**2 / (2.0 * (1.0 - span * x)) * v) / x
        excess = (line / boundary - 1.0).max(axis=1).min()
        assert excess <= 0.0, k
    assert excess > -0.002, "late epochs have no room left: a smaller boundary would be found out"


# ---------------------------------------------------------------- the twin


def play(problem, name, rewards, delta, max_samples, epsilon=0.0, tolerance=None):
    base, _, confidence = name.partition("@")
    values, pseudo = problem.values.tolist(), problem.pseudo_rewards.tolist()
    state = adaptive.Adaptive(
        confidence, values, pseudo, problem.reward_max, delta / (2 * problem.n_arms), tolerance
    )
    return bandit.play(
        values, pseudo, problem.reward_max, rewards.tolist(), base, delta, max_samples,
        epsilon=epsilon, state=state,
    )  # fmt: skip


@EXAMPLES
@given(
    problem=whole_sums,
    delta=st.sampled_from([0.3, 0.1, 0.01]),
    max_samples=st.integers(12, 300),
    epsilon=st.sampled_from([0.0, 0.2]),
    seed=SEEDS,
)
def test_replay_agrees_with_the_twin(problem, delta, max_samples, epsilon, seed):
    rewards = draw_rewards(problem, max_samples, seed, twins=False)
    epsilon = min(epsilon, problem.reward_max)
    for name in PAIRS:
        want = play(problem, name, rewards, delta, max_samples, epsilon)
        trial = cbai.replay(problem, name, delta, rewards, max_samples, epsilon)
        assert outcome(trial) == outcome(want), name


@EXAMPLES
@given(
    problem=whole_sums,
    tolerance=st.sampled_from([0.0, 0.05, 0.3, inf]),
    max_samples=st.integers(12, 400),
    seed=SEEDS,
)
def test_the_guard_agrees_with_the_twin(problem, tolerance, max_samples, seed):
    rewards = draw_rewards(problem, max_samples, seed, twins=False)
    row = replace(find("c_lucb_guard"), tolerance=tolerance)  # samples as 2-LUCB does
    want = play(
        problem, "two_lucb@eb", rewards, 0.3, max_samples, tolerance=tolerance * problem.reward_max
    )
    assert outcome(cbai.replay(problem, row, 0.3, rewards, max_samples)) == outcome(want)


def test_a_long_trial_on_movielens_agrees_with_the_twin():
    problem = cbai.load_problem("movielens-1m")
    rewards = draw_rewards(problem, 4000, 3, twins=False)
    for name in ("c_lucb@eb", "lucb_pp@range"):
        want = play(problem, name, rewards, 0.01, 4000)
        assert outcome(cbai.replay(problem, name, 0.01, rewards, 4000)) == outcome(want)


# ---------------------------------------------------------------- any composition


def play_composition(problem, row, rewards, delta, max_samples, epsilon):
    """Play one trial of any composition in plain Python."""
    values, pseudo = problem.values.tolist(), problem.pseudo_rewards.tolist()
    state = adaptive.Adaptive(row.confidence, values, pseudo, problem.reward_max)

    def level(share):
        return share.of(delta, state.n_arms)

    naming, deciding = level(row.sampling_share), level(row.elimination_share)
    first = {
        Leader.MEAN: state.mean,
        Leader.OWN_UCB: lambda arm: state.own_ucb(arm, naming),
        Leader.PSEUDO_UCB: state.pseudo_ucb,
        Leader.MIN_PSEUDO_REWARD: state.smallest_pseudo_reward,
    }
    second = {
        Challenger.OWN_UCB: lambda arm: state.own_ucb(arm, naming),
        Challenger.OWN_AND_PSEUDO_UCB: lambda arm: min(
            state.own_ucb(arm, naming), state.pseudo_ucb(arm)
        ),
        Challenger.CROSS_UCB: lambda arm: state.cross_ucb(arm, naming),
    }
    kinds = {Elimination.NONE: "none", Elimination.OWN_UCB: "own", Elimination.CROSS_UCB: "cross"}
    kind = kinds[row.elimination]
    named = list(range(state.n_arms))
    while True:
        for arm in named:
            state.pull(arm, rewards[arm][state.pulls[arm]], pseudo, values)
        state.rounds += 1
        state.eliminate(kind, deciding)
        if len(state.active) == 1:
            return state.result("identified", state.active[0], [])
        near = state.near_best(kind, deciding, epsilon) if epsilon > 0 and kind != "none" else None
        if near is not None:
            return state.result("identified", near, [])
        if row.leader is Leader.ALL:
            named = list(state.active)
        else:
            named = [state.largest(first[row.leader])]
        if row.challenger is not Challenger.NONE:
            named.append(state.largest(second[row.challenger], without=named))
        if row.stopping is Stopping.PULL_SHARE:
            most = state.largest(lambda arm: state.pulls[arm])
            if state.pulls[most] >= 9 * (state.samples - state.pulls[most]):
                return state.result("identified", most, [])
        elif row.stopping is Stopping.LEADER_ABOVE_ALL:
            low = state.lcb(named[0], level(row.leader_share))
            rivals = [arm for arm in state.active if arm != named[0]]
            high = max(state.own_ucb(arm, level(row.challenger_share)) for arm in rivals)
            if low + epsilon > high:
                return state.result("identified", named[0], [])
        if state.samples + len(named) > max_samples:
            return state.result("budget", state.largest(state.mean), [])


@examples(150)
@given(
    problem=whole_sums,
    row=compositions,
    confidence=st.sampled_from(sorted(ADAPTIVE)),
    epsilon=st.sampled_from([0.0, 0.2]),
    max_samples=st.integers(12, 300),
    seed=SEEDS,
)
def test_any_composition_agrees_with_the_twin(problem, row, confidence, epsilon, max_samples, seed):
    rewards = draw_rewards(problem, max_samples, seed, twins=False)
    row = replace(row, confidence=confidence)
    epsilon = min(epsilon, problem.reward_max)
    want = play_composition(problem, row, rewards.tolist(), 0.3, max_samples, epsilon)
    assert outcome(cbai.replay(problem, row, 0.3, rewards, max_samples, epsilon)) == outcome(want)


# ---------------------------------------------------------------- the guarantee


PROBLEMS = {
    "two near coins": coins([0.1, 0.05]),
    "four arms of rewards 0 and 1": tight(4, [0.0, 1.0], 188),
    "five arms of ratings": tight(5, [1.0, 2.0, 3.0, 4.0, 5.0], 168),
}
NAMES = [*SHORT, "c_lucb_guard"]
ALPHA = FALSE_ALARM / (len(PROBLEMS) * len(NAMES) + 2)


def too_many(wrong, delta):
    """Return whether so many errors refute an error probability of delta."""
    return stats.binomtest(int(wrong), TRIALS[delta], delta, alternative="greater").pvalue < ALPHA


@pytest.mark.parametrize("title", PROBLEMS)
def test_the_error_rate_is_at_most_delta(title):
    """A right library fails here with probability at most `FALSE_ALARM` over all cases."""
    trials = cbai.simulate(PROBLEMS[title], NAMES, 0.1, TRIALS[0.1], seed=7)
    assert trials.identified.all()
    for wrong in trials.wrong.sum(axis=1):
        assert not too_many(wrong, 0.1)


@pytest.mark.parametrize(
    ("title", "delta", "names"),
    [
        ("two near coins", 0.01, ["lucb_eb", "lucb_range"]),
        ("five arms of ratings", 0.1, [name for name in NAMES if name != "lucb_pp_range"]),
    ],
)
def test_bounds_too_narrow_are_found_out(title, delta, names, monkeypatch):
    """All but one algorithm at the delta and in the trials that the right ones are tried in."""
    for name, row in ADAPTIVE.items():
        monkeypatch.setitem(ADAPTIVE, name, replace(row, weight=0.01 * row.weight, level=1.05))
    trials = cbai.simulate(PROBLEMS[title], names, delta, TRIALS[delta], seed=7)
    for wrong in trials.wrong.sum(axis=1):
        assert too_many(wrong, delta)


def false_bounds():
    """Return coins of which the best is bounded far below its mean by all others."""
    problem = coins([0.9, 0.5, 0.82, 0.4])
    pseudo = problem.pseudo_rewards.copy()
    pseudo[0, 1:] = 0.05
    return problem.with_pseudo_rewards(pseudo)


def test_a_guarded_answer_is_never_far_below_the_best_however_false_the_bounds():
    """The theorem's tolerance is 0.05 of the scale, the next best arm is 0.08 below the best.

    Without the guard it is named nearly always, so the same test finds out a guard that is missing.
    """
    problem = false_bounds()
    trials = cbai.simulate(problem, ["c_lucb_eb", "c_lucb_guard"], 0.1, TRIALS[0.1], seed=2)
    assert trials.identified.all()
    bare, guarded = problem.means.max() - problem.means[trials.best_arm]
    assert too_many((bare > 0.05).sum(), 0.1)
    assert not too_many((guarded > 0.05).sum(), 0.1)


def test_without_the_tolerance_the_alarm_alone_is_not_enough():
    """An arm that is ruled out at once is pulled no more, so nothing contradicts the bound."""
    problem = coins([0.9, 0.5, 0.6, 0.4])
    pseudo = problem.pseudo_rewards.copy()
    pseudo[0, 1:] = 0.05
    row = replace(find("c_lucb_guard"), tolerance=inf)
    trials = cbai.simulate(problem.with_pseudo_rewards(pseudo), [row], 0.1, TRIALS[0.1], seed=2)
    assert too_many(trials.wrong.sum(), 0.1)


def test_a_contradicted_bound_is_dropped():
    """Pulled often enough, the arm's own rewards refute the bound, and it is found to be best."""
    problem = coins([0.9, 0.5, 0.6, 0.4])
    pseudo = problem.pseudo_rewards.copy()
    pseudo[0, 1:] = 0.05
    trials = cbai.simulate(problem.with_pseudo_rewards(pseudo), ["c_lucb_guard"], 0.1, 200, seed=2)
    assert not trials.wrong.any()


# ---------------------------------------------------------------- around it


def test_it_takes_a_sixth_of_the_samples_of_c_lucb_on_movielens():
    problem = cbai.load_problem("movielens-1m")
    names = ["c_lucb", "c_lucb_eb", "lucb", "lucb_eb", "lucb_range", "c_lucb_range"]
    trials = cbai.simulate(problem, names, 0.01, 60, seed=0, p=0.2, q=0.2)
    paper, adapted, classical, own, known, cross = trials.samples.mean(axis=1)
    assert not trials.wrong.any()
    assert 6.0 * adapted < paper
    assert 3.0 * own < classical
    assert known < classical
    assert 2.0 * cross < paper


@pytest.mark.parametrize("name", SHORT)
def test_short_names_are_pairs(name):
    base, confidence = name.rsplit("_", 1)
    row = find(name)
    assert row.confidence == confidence
    assert row.leader is find(base).leader
    assert cover(row, 18, 0.01).covered


@pytest.mark.parametrize("name", ["c_lucb_eb", "c_lucb_guard", "lucb_pp_range", "racing@eb"])
def test_the_trace_shows_the_bounds_that_decide(name):
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, name, 0.01, seed=1, p=0.2, q=0.2)
    assert trace.status == "identified"
    assert (trace.cross_upper <= trace.own_upper + 1e-12).all()
    if trace.algorithm.elimination is not Elimination.NONE:
        dropped = ~trace.active[-1]
        assert (trace.upper[-1][dropped] < trace.lower[-1].max()).all()
    assert find_alarm(trace) is None


@pytest.mark.parametrize("name", ["c_lucb_eb", "c_lucb_guard", "c_lucb_range", "racing@eb"])
def test_the_trace_shows_the_bounds_of_the_twin(name):
    """Also of arms that are out, whose bounds stay what they were then."""
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, name, 0.01, seed=1, p=0.2, q=0.2, max_rounds=40)
    used, row = trace.problem, trace.algorithm
    values, pseudo = used.values.tolist(), used.pseudo_rewards.tolist()
    d = row.elimination_share.of(0.01, used.n_arms)
    tolerance = row.tolerance * used.reward_max if row.guarded else None
    state = adaptive.Adaptive(row.confidence, values, pseudo, used.reward_max, d, tolerance)
    draw = philox.drawer(used.probabilities.tolist(), 1, 0)
    for i in range(trace.rounds.size):
        for k in range(used.n_arms):
            while state.pulls[k] < trace.pulls[i, k]:
                state.pull(k, draw(k, state.pulls[k]), pseudo, values)
        arms, active = range(used.n_arms), trace.active[i]
        assert trace.lower[i] == pytest.approx([state.lcb(arm, d) for arm in arms])
        assert trace.own_upper[i] == pytest.approx([state.own_ucb(arm, d) for arm in arms])
        if row.uses_correlation:
            cross = np.array([state.cross_ucb(arm, d) for arm in arms])
            assert trace.cross_upper[i][active] == pytest.approx(cross[active])
    assert not trace.active[-1].all()


def test_an_arm_is_not_said_to_be_out_by_a_bound_that_was_dropped():
    """Arm 1 is bounded at 0.05 by arm 0, which its own rewards refute; it is rightly out later."""
    problem = coins([0.9, 0.6, 0.4])
    pseudo = np.ones((3, 3, 2))
    pseudo[1, 0] = 0.05
    pseudo[np.arange(3), np.arange(3)] = [0.0, 1.0]
    problem = problem.with_pseudo_rewards(pseudo)
    for trial in range(5):
        trace = cbai.trace(problem, "c_lucb_guard", 0.1, seed=2, trial=trial)
        (out,) = (one for one in trace.eliminations if one.arm == 1)
        assert trace.lower[-1, 1] > 0.05
        assert out.by == 1
        assert (trace.cross_upper[-1] >= trace.lower[-1]).all()
    believing = cbai.trace(problem, "c_lucb_eb", 0.1, seed=2)
    assert any((one.arm, one.by) == (1, 0) for one in believing.eliminations)


def test_lil_ucb_shows_the_bounds_that_it_pulls_by():
    """It eliminates nothing, so that only the share for sampling says anything."""
    problem = coins([0.9, 0.5])
    trace = cbai.trace(problem, "lil_ucb@range", 0.1, seed=1, max_rounds=20)
    half = ADAPTIVE["range"].radius(trace.pulls[0], 0.1, 1.0)
    assert trace.own_upper[0] == pytest.approx(trace.mean[0] + half)
    assert trace.lower[0] == pytest.approx(trace.mean[0] - half)


def test_a_guard_needs_bounds_that_adapt_and_elimination_by_others():
    row = find("c_lucb_guard")
    with pytest.raises(ValueError, match="confidence of a guarded algorithm must be one of"):
        replace(row, confidence="howard")
    with pytest.raises(ValueError, match="must eliminate by cross_ucb"):
        replace(row, elimination=Elimination.OWN_UCB)
    with pytest.raises(ValueError, match="tolerance"):
        replace(row, tolerance=-0.1)
    with pytest.raises(ValueError, match="no confidence sequence to exchange"):
        find("c_lucb_guard@howard")
    with pytest.raises(ValueError, match="span must be at least 0"):
        ADAPTIVE["eb"].radius(5, 0.1, -1.0)
