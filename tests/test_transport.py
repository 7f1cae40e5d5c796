"""Likelihood ratios from counts: against NumPy's limit, a scan, and the game that proves them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cbai.results.kl_inf import kl_above, kl_below
from cbai.results.limit import limit_of, transport_costs
from cbai.simulation.bounds import divergence, proportions, transport
from cbai.simulation.loops.state import REGRET
from tests.effort import examples
from tests.reference import rivals
from tests.strategies import SEEDS
from tests.unknown import problem_of

EXAMPLES = examples(80)


def sample(seed, n_arms, most=2000):
    """Return counts of shape (K, V), values and b; some values unseen, some arms with one only."""
    rng = np.random.default_rng(seed)
    n_values = int(rng.integers(2, 7))
    values = np.cumsum(rng.uniform(0.1, 1.0, n_values))
    values[0] *= seed % 3 > 0
    top = float(values[-1] * (1.0 + 0.3 * (seed % 2)))
    weights = rng.dirichlet(np.full(n_values, rng.choice([0.2, 1.0, 5.0])), n_arms)
    sizes = rng.integers(1, most, n_arms)
    counts = np.array([rng.multinomial(n, p) for n, p in zip(sizes, weights, strict=True)])
    return counts.astype(np.int64), values, top


def optimal(counts, values, top):
    pulls = counts.sum(axis=1)
    means = counts @ values / pulls
    lows, places, weights = np.zeros((3, len(pulls)))
    best = int(means.argmax())
    proportions.optimal(best, counts, values, pulls, means, top, lows, places, weights)
    return weights, (best, pulls, means)


def empirical(counts, values, top):
    return problem_of(values, counts / counts.sum(axis=1, keepdims=True), top)


# ---------------------------------------------------------------- divergence


@EXAMPLES
@given(SEEDS, st.floats(0.0, 1.0))
def test_the_divergence_is_that_of_the_limit(seed, part):
    counts, values, top = sample(seed, 1)
    n, mean = counts.sum(), counts[0] @ values / counts.sum()
    for sign, end, side in [(1.0, top, kl_above), (-1.0, 0.0, kl_below)]:
        x = mean + part * (end - mean) * 0.999
        value, slope, _ = divergence.kl_inf(counts[0], values, sign, sign * x, sign * end)
        want = side(values, counts / n, np.array([x]), end)
        assert value == pytest.approx(n * want.value[0], rel=1e-8, abs=1e-8)
        assert slope == pytest.approx(n * want.slope[0], rel=1e-6, abs=1e-6)


@EXAMPLES
@given(SEEDS, st.floats(0.05, 0.9))
def test_slope_and_bend_are_derivatives(seed, part):
    counts, values, top = sample(seed, 1, most=60)
    mean = counts[0] @ values / counts.sum()
    x, h = mean + part * (top - mean), 1e-5 * (top - mean)
    if h <= 0.0:
        return
    at = [divergence.kl_inf(counts[0], values, 1.0, x + j * h, top) for j in (-1, 0, 1)]
    slope = (at[2][0] - at[0][0]) / (2 * h)
    bend = (at[2][1] - at[0][1]) / (2 * h)
    assert at[1][1] == pytest.approx(slope, rel=1e-4)
    assert at[1][2] == pytest.approx(bend, rel=1e-2)


@EXAMPLES
@given(SEEDS, st.floats(0.01, 30.0))
def test_an_upper_bound_is_where_the_evidence_is_as_allowed(seed, allowed):
    counts, values, top = sample(seed, 1)
    mean = counts[0] @ values / counts.sum()
    found = divergence.upper_bound(counts[0], values, 1.0, mean, top, allowed)
    want = rivals.upper(counts[0].tolist(), values.tolist(), top, allowed)
    assert found == pytest.approx(want, abs=1e-7 * top)


def test_an_upper_bound_that_the_first_guess_hits_is_found():
    """Three rewards of 1 and b = 1.25: log(8) is said of x = 1.125, half way to b."""
    values, counts = np.array([0.0, 1.0]), np.array([0, 3])
    found = divergence.upper_bound(counts, values, 1.0, 1.0, 1.25, math.log(8.0))
    assert found == pytest.approx(1.125)


# ---------------------------------------------------------------- costs and the split


@EXAMPLES
@given(SEEDS, st.integers(2, 6), st.floats(0.0, 0.5))
def test_a_cost_is_the_minimum_and_never_more(seed, n_arms, share):
    """No more than a scan of meeting points finds, and as much as the twin's root."""
    counts, values, top = sample(seed, n_arms, most=400)
    means = counts @ values / counts.sum(axis=1)
    epsilon = share * top
    for i, other in itertools.permutations(range(n_arms), 2):
        found = transport.cost(i, other, counts, values, means, top, epsilon)
        if means[other] - epsilon > means[i]:
            assert found == 0.0
            continue
        ours, theirs = counts[i].tolist(), counts[other].tolist()
        want = rivals.cost(ours, theirs, values.tolist(), top, epsilon)
        assert found == pytest.approx(want, rel=1e-7, abs=1e-7)
        low, high = max(means[other] - epsilon, 0.0), min(means[i], top - epsilon)
        for x in np.linspace(low, high, 23):
            scan = (
                divergence.kl_inf(counts[i], values, -1.0, -x, 0.0)[0]
                + divergence.kl_inf(counts[other], values, 1.0, x + epsilon, top)[0]
            )
            if low < x < high:
                assert found <= scan + 1e-9


@EXAMPLES
@given(SEEDS, st.integers(2, 12))
def test_the_split_and_the_costs_are_those_of_the_limit(seed, n_arms):
    """Of the problem whose distributions are the rewards seen so far."""
    counts, values, top = sample(seed, n_arms)
    limit = limit_of(empirical(counts, values, top), 0.1)
    weights, (best, pulls, means) = optimal(counts, values, top)
    others = np.sort(np.delete(means, best))
    assert weights.sum() == pytest.approx(1.0)
    if means[best] - others[-1] < 1e-6 * top:
        return
    np.testing.assert_allclose(weights, limit.proportions, atol=1e-6)
    want = pulls.sum() * transport_costs(empirical(counts, values, top), pulls / pulls.sum())
    for arm in set(range(n_arms)) - {best}:
        found = transport.cost(best, arm, counts, values, means, top, 0.0)
        assert found == pytest.approx(want[arm], rel=1e-6, abs=1e-6)
        assert found <= want[arm] + 1e-8 * (1.0 + want[arm])


@EXAMPLES
@given(SEEDS, st.integers(2, 6))
def test_the_split_does_not_depend_on_where_the_search_begins(seed, n_arms):
    counts, values, top = sample(seed, n_arms, most=100)
    cold, (best, pulls, means) = optimal(counts, values, top)
    rng = np.random.default_rng(seed)
    for _ in range(20):
        lows, places = rng.uniform(0.0, top, (2, n_arms))
        lows[best] = rng.uniform(0.0, 0.3)
        warm = np.zeros(n_arms)
        proportions.optimal(best, counts, values, pulls, means, top, lows, places, warm)
        np.testing.assert_allclose(warm, cold, atol=1e-7)


def test_a_slope_that_jumps_does_not_send_the_search_to_and_fro():
    """The best arm never gave less than 1: low meeting points need all that can be staked."""
    counts = np.array([[0, 23, 7], [4, 29, 0], [2, 40, 0]])
    values = np.array([0.0, 1.0, 3.0])
    pulls = counts.sum(axis=1)
    lows, places = np.array([0.226, 1.121, 1.143]), np.array([0.0, 1.194, 1.170])
    weights = np.zeros(3)
    proportions.optimal(
        0, counts, values, pulls, counts @ values / pulls, 3.0, lows, places, weights
    )
    want = limit_of(empirical(counts, values, 3.0), 0.1).proportions
    np.testing.assert_allclose(weights, want, atol=1e-7)


def test_tied_arms_share_and_equal_arms_get_the_same():
    values = np.array([0.0, 1.0])
    weights, _ = optimal(np.array([[2, 3], [4, 6], [5, 5]]), values, 1.0)
    assert weights.tolist() == [0.5, 0.5, 0.0]
    weights, _ = optimal(np.array([[2, 8], [6, 4], [6, 4]]), values, 1.0)
    assert weights[1] == weights[2]


# ---------------------------------------------------------------- the proof


@EXAMPLES
@given(SEEDS, st.floats(0.01, 0.999))
def test_the_best_stake_wins_little_more_than_the_mixture(seed, part):
    """By no more than `REGRET`: the mixture is a polynomial, so that its integral is exact.

    The prior on the stake is the arcsine distribution, for which m Chebyshev nodes integrate
    polynomials of degree 2m - 1.
    """
    counts, values, top = sample(seed, 1, most=300)
    counts = counts[0]
    n = int(counts.sum())
    mean = counts @ values / n
    x = mean + part * (top - mean)
    if not mean < x < top:
        return
    nodes = np.sin((2 * np.arange(n) + 1) * math.pi / (4 * n)) ** 2
    gains = (x - values) / (top - x)
    logs = np.log1p(nodes[:, None] * gains) @ counts
    mixture = np.logaddexp.reduce(logs) - math.log(n)
    most, _, _ = divergence.kl_inf(counts, values, 1.0, x, top)
    assert most <= mixture + REGRET[0] * math.log(n) + REGRET[1] + 1e-9


def test_the_regret_is_as_small_as_it_can_be():
    """The lemma for all counts of two values up to 200 rewards, and that it is tight at one."""
    slack = []
    for n in range(1, 201):
        for a in range(n + 1):
            b = n - a
            mixture = (
                math.lgamma(a + 0.5) + math.lgamma(b + 0.5) - math.log(math.pi) - math.lgamma(n + 1)
            )
            best = sum(k * math.log(k / n) for k in (a, b) if k)
            slack.append(mixture + REGRET[0] * math.log(n) + REGRET[1] - best)
    assert min(slack) >= -1e-12
    assert slack[0] == pytest.approx(0.0, abs=1e-12)


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
        total += chance * math.exp(evidence - REGRET[0] * math.log(n) - REGRET[1])
        plain += chance * math.exp(evidence)
    assert total <= 1.0
    assert plain > 1.0
