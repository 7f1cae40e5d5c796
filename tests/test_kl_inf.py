"""KL_inf, against primal programmes, distributions that attain it and closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from cbai.results.kl_inf import kl_above, kl_below, root
from tests.strategies import SEEDS, distributions
from tests.unknown import kl


def primal(values, nu, x, end):
    """Return KL_inf(nu, x) by minimising over distributions on the values and the end."""
    points = np.append(values, end)

    def mixture(share):  # feasible, as it has mean x
        return np.append((1.0 - share) * nu, share)

    found = optimize.minimize(
        lambda other: -float(nu @ np.log(other[:-1] / nu)),
        mixture((x - nu @ values) / (end - nu @ values)),
        jac=lambda other: np.append(-nu / other[:-1], 0.0),
        bounds=[(1e-9, 1.0)] * len(values) + [(0.0, 1.0)],
        constraints=optimize.LinearConstraint([np.ones(len(points)), points], [1.0, x], [1.0, x]),
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    assert found.x.sum() == pytest.approx(1.0)
    assert found.x @ points == pytest.approx(x)
    return found.fun


@settings(max_examples=60)
@given(SEEDS, st.integers(2, 5), st.floats(0.05, 0.9), st.sampled_from([0.0, 0.4]))
def test_the_dual_is_the_primal(seed, n_values, part, room):
    rng = np.random.default_rng(seed)
    values = 1.0 + np.arange(n_values)
    nu = rng.dirichlet(np.full(n_values, 2.0)) * 0.9 + 0.1 / n_values
    mean = nu @ values
    for side, end in [(kl_above, values[-1] + room), (kl_below, values[0] - room)]:
        x = mean + part * (end - mean)
        found = side(values, nu[None], np.array([x]), end).value[0]
        assert found == pytest.approx(primal(values, nu, x, end), rel=1e-5, abs=1e-8)


@given(SEEDS, st.integers(1, 8), st.floats(1e-4, 0.999))
def test_a_distribution_attains_it(seed, n_values, part):
    """nu / (1 + lambda (x - R)), with what is missing at the end, has mean x and that divergence.

    So nothing smaller than the infimum is returned; nothing larger is as any lambda is a lower
    bound on it.
    """
    rng = np.random.default_rng(seed)
    values = np.sort(rng.uniform(0.0, 2.9, n_values))
    nu, top = distributions(rng, (1, n_values))[0], 3.0
    x = nu @ values + part * (top - nu @ values)
    found = kl_above(values, nu[None], np.array([x]), top)
    other = nu / (1.0 + found.slope[0] * (x - values))
    missing = 1.0 - other.sum()
    assert missing >= -1e-9
    assert other @ values + missing * top >= x - 1e-8
    assert stats.entropy(nu, other / other.sum()) - nu.sum() * math.log(other.sum()) == (
        pytest.approx(found.value[0], rel=1e-7, abs=1e-12)
    )


@given(SEEDS, st.integers(2, 8), st.floats(1e-6, 0.999))
def test_the_dual_is_at_its_maximum(seed, n_values, part):
    """A scan of lambda finds nothing above it."""
    rng = np.random.default_rng(seed)
    values = np.sort(rng.uniform(0.0, 3.0, n_values))
    nu = distributions(rng, (1, n_values))
    top = 3.0
    x = nu @ values + part * (top - nu @ values)
    assume(x[0] < top)
    found = kl_above(values, nu, x, top)
    lambdas = np.concatenate([np.linspace(0, 1, 2001), 1 - np.logspace(-1, -14, 200)]) / (top - x)
    with np.errstate(divide="ignore"):
        inside = np.log1p(lambdas[:, None] * (x - values)[None])
    scan = np.where(nu > 0.0, nu * inside, 0.0).sum(axis=1)
    assert scan.max() <= found.value[0] + 1e-12
    at = np.where(nu[0] > 0.0, nu[0] * np.log1p(found.slope[0] * (x - values)), 0.0).sum()
    assert at == pytest.approx(found.value[0], rel=1e-9, abs=1e-14)


@given(st.floats(0.01, 0.98), st.floats(0.01, 0.98))
def test_for_coin_flips_it_is_their_divergence(mean, x):
    nu, at = np.array([[1.0 - mean, mean]]), np.array([x])
    above, below = (side(np.array([0.0, 1.0]), nu, at, end) for side, end in
                    [(kl_above, 1.0), (kl_below, 0.0)])  # fmt: skip
    assert above.value[0] == pytest.approx(kl(mean, x) if x > mean else 0.0, rel=1e-9, abs=1e-15)
    assert below.value[0] == pytest.approx(kl(mean, x) if x < mean else 0.0, rel=1e-9, abs=1e-15)
    slope = abs(x - mean) / (x * (1.0 - x))
    assert above.slope[0] + below.slope[0] == pytest.approx(slope, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("x", [0.3, 0.5, 0.9])
def test_a_constant_reward_can_only_be_confused_by_mass_at_the_end(x):
    found = kl_above(np.array([0.2]), np.ones((1, 1)), np.array([x]), 1.0)
    assert found.value[0] == pytest.approx(math.log(0.8 / (1.0 - x)))


def test_small_steps_keep_their_digits():
    nu, values = np.array([[0.2, 0.5, 0.3]]), np.array([0.0, 0.5, 1.0])
    mean, variance = nu @ values, nu @ values**2 - (nu @ values) ** 2
    for step in (1e-5, 1e-7):
        found = kl_above(values, nu, mean + step, 1.0)
        assert found.value[0] == pytest.approx(step**2 / (2 * variance[0]), rel=5 * step + 1e-7)


def test_many_roots_at_once():
    target = np.array([0.1, 0.5, 2.0, 0.0])
    high = np.array([3.0, 5.0, 9.0, 1.0])
    found = root(lambda x: np.exp(-x) - np.exp(-target), np.zeros(4), high, 1e-13)
    np.testing.assert_allclose(found, target, atol=1e-11)
    assert root(lambda x: 1.0 + 0.0 * x, np.zeros(1), np.ones(1), 1e-9) == 1.0


@settings(max_examples=40)
@given(SEEDS, st.integers(2, 6))
def test_mirrored_rewards_have_the_same_divergences(seed, n_values):
    rng = np.random.default_rng(seed)
    values, nu = np.sort(rng.uniform(0, 1, n_values)), rng.dirichlet(np.ones(n_values), 3)
    x = rng.uniform(0.01, 0.99, 3)
    above, below = kl_above(values, nu, x, 1.0), kl_below(1 - values, nu, 1 - x, 0.0)
    np.testing.assert_allclose(above.value, below.value, rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(above.slope, below.slope, rtol=1e-7, atol=1e-9)
