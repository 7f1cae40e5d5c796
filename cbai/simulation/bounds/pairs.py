"""Bounds on arm l by the rewards of arm k, for each pair (l, k) and bounds that adapt; compiled."""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import numba
import numpy as np

from cbai import compiled
from cbai.simulation.bounds import adaptive_bounds, mean_bounds
from cbai.simulation.bounds.adaptive_bounds import BY_VARIANCE


@numba.njit(**compiled.LEAN)
def extremes_of(pseudo_rewards, least, most):
    """Fill in the smallest and the largest s_{l,k} over the values, indexed (l, k)."""
    for k in range(pseudo_rewards.shape[0]):
        for arm in range(pseudo_rewards.shape[0]):
            low = high = pseudo_rewards[k, 0, arm]
            for v in range(1, pseudo_rewards.shape[1]):
                low = min(low, pseudo_rewards[k, v, arm])
                high = max(high, pseudo_rewards[k, v, arm])
            least[arm, k], most[arm, k] = low, high


@numba.njit(**compiled.OPTIONS)
def spans_of(pseudo_rewards):
    """Return the span and the middle of s_{l,k} over the values, indexed (l, k)."""
    n_arms = pseudo_rewards.shape[0]
    least, most = np.empty((n_arms, n_arms)), np.empty((n_arms, n_arms))
    extremes_of(pseudo_rewards, least, most)
    return most - least, 0.5 * (least + most)


@numba.njit(**compiled.LEAN)
def observe(arm, k, reward, n, shape, growths, span, middle, pseudo_sums, phi, squares):
    """Update the mean of one pair by its n-th value; return the growth of its exploration."""
    if shape[BY_VARIANCE] > 0.0:
        expected = phi[arm, k] if n > 1 else middle[arm, k]
        squares[arm, k] += (reward - expected) * (reward - expected)
    pseudo_sums[arm, k] += reward
    phi[arm, k] = pseudo_sums[arm, k] / n
    if span[arm, k] == 0.0:
        return 0.0
    if shape[BY_VARIANCE] > 0.0:
        return adaptive_bounds.variance_growth(squares[arm, k], span[arm, k])
    return growths[n] if n < growths.size else mean_bounds.growth(n, shape)


@numba.njit(**compiled.LEAN)
def lowest_uncontradicted(arm, lowest, lower):
    """Return the arm that bounds an arm lowest, among the bounds not below its own lower bound.

    In a tie, or if all other bounds are too low, that is the arm itself.
    """
    best = arm
    for k in range(lowest.shape[1]):
        if lower <= lowest[arm, k] < lowest[arm, best]:
            best = k
    return best


@numba.njit(**compiled.LEAN)
def guarded_upper(arm, lowest, lower, tolerance):
    """Return the upper bound on an arm that is guarded against invalid pseudo-rewards.

    A bound by another arm's rewards that is below the arm's own lower bound is contradicted. It no
    longer counts. All other bounds together lower its own upper bound by at most the tolerance.
    """
    k = lowest_uncontradicted(arm, lowest, lower)
    return max(lowest[arm, k], lowest[arm, arm] - tolerance)
