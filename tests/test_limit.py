"""The information-theoretic limit, against closed forms, an older theorem and brute force."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from cbai.results.kl_inf import kl_above, kl_below
from cbai.results.limit import evidence, limit_of, split_factor, transport_costs
from tests.strategies import SEEDS, problems
from tests.unknown import bernoulli, kl, problem_of, random_problem

CLASSES = ["scale", "values"]


# ---------------------------------------------------------------- closed forms


@given(st.floats(0.02, 0.98), st.floats(0.02, 0.98))
def test_two_coins_meet_where_both_are_equally_far(one, two):
    """Garivier and Kaufmann 2016, section 2: 1 / T* = kl(mu1, m) = kl(mu2, m).

    The m of equal divergence is explicit: its log odds are the slope of the entropy between both.
    """
    assume(abs(one - two) > 1e-3)
    slope = (stats.entropy([two, 1 - two]) - stats.entropy([one, 1 - one])) / (one - two)
    m = 1.0 / (1.0 + math.exp(-slope))
    assert kl(one, m) == pytest.approx(kl(two, m), rel=1e-6)
    limit = limit_of(bernoulli([one, two]), 0.1)
    assert limit.characteristic_time == pytest.approx(1.0 / kl(one, m), rel=1e-6)


@pytest.mark.parametrize(
    ("means", "split"),
    [
        ([0.5, 0.45, 0.43, 0.4], [0.417, 0.390, 0.136, 0.057]),
        ([0.3, 0.21, 0.2, 0.19, 0.18], [0.336, 0.251, 0.177, 0.132, 0.104]),
    ],
)
def test_the_published_proportions_of_coins(means, split):
    """Section 6 of Garivier and Kaufmann 2016 prints these w* for its two Bernoulli problems."""
    limit = limit_of(bernoulli(means), 0.1)
    np.testing.assert_allclose(limit.proportions, split, atol=5.1e-4)


@pytest.mark.parametrize("n_others", [1, 2, 5, 12])
def test_small_gaps_are_gaussian(n_others):
    """K - 1 equal arms: T* gap^2 -> 2 s^2 (1 + sqrt(K - 1))^2.

    With n others and w the best arm's share, 1 / T* is gap^2 / 2 s^2 times the largest value of
    w (1 - w) / (w n + 1 - w), which is at w = 1 / (1 + sqrt(n)).

    The deviation is a power series in the gap, so two steps of Richardson's extrapolation at gaps
    of 0.02, 0.01, 0.005 leave an error of third order, some 1e-6.
    """

    def scaled(gap):
        high, low = [0.2 - gap / 2, 0.5, 0.3 + gap / 2], [0.2, 0.5, 0.3]
        problem = problem_of([0.0, 0.5, 1.0], [high] + [low] * n_others)
        return limit_of(problem, 0.1).characteristic_time * (gap / 2) ** 2

    rows = [scaled(gap) for gap in (0.02, 0.01, 0.005)]
    once = [2 * b - a for a, b in pairwise(rows)]
    twice = (4 * once[1] - once[0]) / 3
    variance = 0.125 + 0.3 - 0.55**2
    expected = 2 * variance * (1 + math.sqrt(n_others)) ** 2
    assert twice == pytest.approx(expected, rel=1e-5)
    assert rows[0] == pytest.approx(expected, rel=0.1)


def test_evidence():
    for delta in (0.3, 0.01, 1e-12):
        assert evidence(delta) == pytest.approx(kl(delta, 1 - delta), rel=1e-6)
    assert evidence(0.5) == 0.0
    assert evidence(1e-100) == pytest.approx(100 * math.log(10))


# ---------------------------------------------------------------- the optimum


@settings(max_examples=4)
@given(SEEDS, st.integers(3, 4), st.sampled_from(CLASSES))
def test_brute_force_finds_the_same(seed, n_arms, rewards):
    problem = random_problem(seed, n_arms)
    assume(np.ptp(np.sort(problem.means)[-2:]) > 0.02)
    limit = limit_of(problem, 0.1, rewards)

    def least(logits):
        w = np.exp(logits - logits.max())
        return -transport_costs(problem, w / w.sum(), rewards).min()

    best = optimize.minimize(
        least, np.log(limit.proportions) + 0.3, method="Nelder-Mead",
        options={"xatol": 1e-10, "fatol": 1e-14, "maxiter": 4000, "initial_simplex":
                 np.log(limit.proportions) + 0.7 * np.eye(n_arms + 1, n_arms, -1) - 0.2},
    )  # fmt: skip
    assert -best.fun <= (1 + 1e-9) / limit.characteristic_time
    assert -best.fun == pytest.approx(1.0 / limit.characteristic_time, rel=1e-6)


@settings(max_examples=20)
@given(SEEDS, st.sampled_from(CLASSES))
def test_a_transport_cost_is_a_minimum_over_meeting_points(seed, rewards):
    problem = random_problem(seed, 2)
    assume(np.ptp(problem.means) > 0.01)
    w = np.random.default_rng(seed).dirichlet(np.ones(2)) * 0.98 + 0.01
    best, other = problem.ranking
    ends = (problem.reward_max, 0.0) if rewards == "scale" else problem.values[[-1, 0]]
    x = np.linspace(problem.means[other], problem.means[best], 20_001)[1:-1]
    up = kl_above(problem.values, problem.probabilities[[other]], x, ends[0]).value
    down = kl_below(problem.values, problem.probabilities[[best]], x, ends[1]).value
    scan = (w[best] * down + w[other] * up).min()
    costs = transport_costs(problem, w, rewards)
    assert costs[best] == math.inf
    assert costs[other] <= scan
    assert costs[other] == pytest.approx(scan, rel=1e-4)


def theorem_5(means):
    """Return T* of Bernoulli arms as Garivier and Kaufmann compute it: the closest point is a mean.

    For one-parameter families arm l and the best meet at (mu_1 + z mu_l) / (1 + z).
    """
    first, *others = means

    def meet(y, mu):
        def cost(z):
            m = (first + z * mu) / (1 + z)
            return kl(first, m) + z * kl(mu, m) - y

        z = optimize.brentq(cost, 0.0, 1e9, xtol=1e-14, rtol=1e-14)
        return z, (first + z * mu) / (1 + z)

    def excess(y):
        met = [(mu, meet(y, mu)[1]) for mu in others]
        return sum(kl(first, m) / kl(mu, m) for mu, m in met) - 1.0

    ceiling = min(kl(first, mu) for mu in others)
    y = optimize.brentq(excess, 1e-6 * ceiling, (1 - 1e-6) * ceiling, xtol=1e-15, rtol=1e-14)
    return (1.0 + sum(meet(y, mu)[0] for mu in others)) / y


@pytest.mark.parametrize("means", [[0.5, 0.45, 0.43, 0.4], [0.95, 0.6, 0.1], [0.3, 0.2, 0.01]])
def test_coins_as_in_theorem_5(means):
    limit = limit_of(bernoulli(means), 0.1)
    assert limit.characteristic_time == pytest.approx(theorem_5(means), rel=1e-9)


@given(problems, st.sampled_from(CLASSES))
def test_optimality_conditions(problem, rewards):
    """At w* all costs are equal, and KL_inf down / KL_inf up at the meeting points sums to 1."""
    limit = limit_of(problem, 0.1, rewards)
    assert limit.tied == (len(problem.best_arms) > 1)
    if limit.tied or problem.n_values == 1:
        return
    w, best = limit.proportions, problem.best_arm
    assert w.sum() == pytest.approx(1.0)
    assert (w > 0.0).all()
    others = np.delete(limit.costs, best)
    gap = problem.means[best] - np.sort(problem.means)[-2]
    exact = 1e-8 if gap > 1e-4 * problem.reward_max else 1e-5
    np.testing.assert_allclose(others * limit.characteristic_time, 1.0, rtol=exact)
    rng = np.random.default_rng(0)
    for size in (1e-3, 0.1, 1.0):
        other = w * np.exp(size * rng.standard_normal(w.size))
        costs = transport_costs(problem, other / other.sum(), rewards)
        assert costs.min() <= (1.0 + exact) / limit.characteristic_time


@settings(max_examples=40)
@given(SEEDS, st.integers(2, 6), st.sampled_from(CLASSES))
def test_names_and_units_do_not_matter(seed, n_arms, rewards):
    problem = random_problem(seed, n_arms)
    assume(np.ptp(np.sort(problem.means)[-2:]) > 1e-3)
    limit = limit_of(problem, 0.1, rewards)
    order = np.random.default_rng(seed).permutation(n_arms)
    again = limit_of(
        problem_of(problem.values, problem.probabilities[order], problem.reward_max), 0.1, rewards
    )
    np.testing.assert_allclose(again.proportions, limit.proportions[order], rtol=1e-6)
    assert again.samples == pytest.approx(limit.samples, rel=1e-9)
    larger = limit_of(
        problem_of(7.0 * problem.values, problem.probabilities, 7.0 * problem.reward_max),
        0.1, rewards,
    )  # fmt: skip
    assert larger.samples == pytest.approx(limit.samples, rel=1e-9)


@settings(max_examples=40)
@given(SEEDS, st.integers(2, 5))
def test_a_smaller_class_is_never_harder(seed, n_arms):
    problem = random_problem(seed, n_arms)
    assume(np.ptp(np.sort(problem.means)[-2:]) > 1e-3)
    scale, values = (limit_of(problem, 0.1, rewards) for rewards in CLASSES)
    assert values.characteristic_time <= (1 + 1e-9) * scale.characteristic_time
    wider = problem_of(problem.values, problem.probabilities, 2 * problem.reward_max)
    assert limit_of(wider, 0.1).samples >= (1 - 1e-9) * scale.samples
    assert limit_of(wider, 0.1, "values").samples == pytest.approx(values.samples, rel=1e-9)


@settings(max_examples=25)
@given(st.floats(0.3, 0.6), st.floats(0.01, 0.28), st.floats(0.005, 0.1))
def test_larger_gaps_are_easier(second, third, step):
    near = limit_of(bernoulli([second + 0.05, second, third]), 0.1)
    better = limit_of(bernoulli([second + 0.05 + step, second, third]), 0.1)
    worse = limit_of(bernoulli([second + 0.05, second, max(third - step, 0.0)]), 0.1)
    assert better.samples < near.samples
    assert worse.samples <= near.samples
    assert limit_of(bernoulli([second + 0.05, second]), 0.1).samples <= near.samples


def test_extremes_are_finite():
    sure = limit_of(bernoulli([1.0, 0.0]), 0.1)
    assert sure.characteristic_time == pytest.approx(1.0 / math.log(2.0))
    for means in ([1.0, 0.5, 0.0], [1.0, 1.0 - 1e-6], [0.5, 0.0, 0.0], [1e-6, 0.0]):
        limit = limit_of(bernoulli(means), 0.1)
        others = np.delete(limit.costs, limit.best)
        np.testing.assert_allclose(others * limit.characteristic_time, 1.0, rtol=1e-6)


def test_a_tie_has_no_finite_limit():
    limit = limit_of(bernoulli([0.5, 0.2, 0.5]), 0.1)
    assert limit.tied
    assert limit.samples == math.inf
    assert np.isnan(limit.pulls).all()
    assert not limit.costs.any()


@pytest.mark.parametrize(
    ("change", "message"),
    [({"delta": 0.6}, "delta"), ({"delta": 0}, "delta"), ({"rewards": "all"}, "rewards must be")],
)
def test_bad_parameters_are_met_with_a_sentence(change, message):
    with pytest.raises(ValueError, match=message):
        limit_of(bernoulli([0.5, 0.4]), **({"delta": 0.1} | change))
    with pytest.raises(ValueError, match="weights must have shape"):
        transport_costs(bernoulli([0.5, 0.4]), np.ones(3))


# ---------------------------------------------------------------- splits


def test_the_best_split_has_no_factor_and_any_other_has():
    problem = bernoulli([0.6, 0.5, 0.3])
    limit = limit_of(problem, 0.1)
    assert split_factor(limit, problem, 123.0 * limit.proportions) == pytest.approx(1.0, rel=1e-9)
    assert split_factor(limit, problem, np.ones(3)) > 1.05
    uneven = limit.proportions * [1.0, 1.0, 1e-3]
    assert split_factor(limit, problem, uneven) > 10.0
