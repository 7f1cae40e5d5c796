"""Pooled betting: the evidence of all arms' rewards against a candidate mean, compiled.

The claim is "the mean of arm l is at least x". Every pull of every arm k is a bet that s_{l,k}(R_k)
is below x. The wealth starts at 1. Each bet multiplies it by 1 + f (x - s) / (c - x), where c is
the largest value of s_{l,k} and f is a fraction of the wealth. If the claim is true, the wealth
does not grow on average. See docs/beyond.md for the theorem and its proof.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba
import numpy as np

from cbai import compiled

FRACTIONS = 0.95 * 0.5 ** np.arange(16.0)
"""The fractions that are bet side by side, because the best one is not known beforehand."""

PARTS = np.log(np.where(np.arange(16) < 5, 0.8 / 5, 0.2 / 11))
"""The logarithm of the wealth with which each fraction starts; together they start with 1."""

WINDOW = 2
"""How many fractions on either side of the probably best one are computed. The others are left out.
That only makes the wealth smaller."""

LOG_STAKED, LOG_KEPT = math.log(0.2), math.log(0.8)
"""The share of the wealth that is bet on the rewards of one other arm. The rest is kept."""

HEDGE = math.log(0.5)
"""The share that is bet on the arm's own rewards alone. The rest is bet on all arms' rewards."""

SURE = 1e6
"""Stands for infinite log-wealth."""

EDGE = 1e-9
"""A candidate closer than this to the largest possible value is treated as this far below it."""

HALVINGS = 24


@numba.njit(**compiled.LEAN)
def log_sum(a, b):
    """Return log(exp(a) + exp(b))."""
    top = max(a, b)
    return top + math.log(math.exp(a - top) + math.exp(b - top))


@numba.njit(**compiled.LEAN)
def likely_best(counts, values, sign, x, room):
    """Return the fraction that would have won about the most, by the second-order growth rate."""
    first, second = 0.0, 0.0
    for v in range(counts.size):
        gain = (x - sign * values[v]) / room
        first += counts[v] * gain
        second += counts[v] * gain * gain
    if first <= 0.0:
        return FRACTIONS.size - 1
    return min(max(int(math.log2(0.95 * second / first)) + 1, 0), FRACTIONS.size - 1)


@numba.njit(**compiled.LEAN)
def log_wealth_by(counts, values, sign, x, ceiling):
    """Return the log-wealth against "E[sign * value] >= x" from counts of values.

    `ceiling` is the largest possible sign * value. The log-wealth grows with x. So if a candidate
    is ruled out, all larger ones are too.
    """
    room = ceiling - x
    if room < -EDGE:
        return SURE
    if room < EDGE:
        x, room = ceiling - EDGE, EDGE
    likely = likely_best(counts, values, sign, x, room)
    log_wealth = -math.inf
    for j in range(max(likely - WINDOW, 0), min(likely + WINDOW, FRACTIONS.size)):
        one = PARTS[j]
        for v in range(counts.size):
            if counts[v] > 0:
                one += counts[v] * math.log1p(FRACTIONS[j] * (x - sign * values[v]) / room)
        log_wealth = one if log_wealth == -math.inf else log_sum(log_wealth, one)
    return log_wealth


@numba.njit(**compiled.LEAN)
def ceiling_of(values, sign):
    """Return the largest of values times sign."""
    most = -math.inf
    for value in values:
        most = max(most, sign * value)
    return most


@numba.njit(**compiled.LEAN)
def log_wealth(arm, x, counts, table, pooled, sign):
    """Return the log-wealth against "the mean of an arm, times sign, is at least x".

    `table` holds the bounds on an arm's mean, indexed (arm pulled, value, arm bounded): upper
    bounds for sign = 1, lower bounds for sign = -1. If not `pooled`, only own rewards count.
    """
    values = table[arm, :, arm]
    own = log_wealth_by(counts[arm], values, sign, x, ceiling_of(values, sign))
    if not pooled or own >= SURE:
        return own
    cross = 0.0
    for k in range(counts.shape[0]):
        if k != arm:
            bounds = table[k, :, arm]
            by = log_wealth_by(counts[k], bounds, sign, x, ceiling_of(bounds, sign))
            cross += log_sum(LOG_KEPT, LOG_STAKED + by)
    return min(own + log_sum(HEDGE, HEDGE + cross), SURE)


@numba.njit(**compiled.LEAN)
def lower_bound(arm, counts, table, pooled, mean, needed, known):
    """Return the largest mean that is ruled out for an arm, by bisection from below.

    `known` is a bound that already holds, and `mean` is a value that is not ruled out. `needed` is
    the log-wealth at which a claim is ruled out.
    """
    low, high = known, mean
    if log_wealth(arm, -low, counts, table, pooled, -1.0) < needed:
        return known
    for _ in range(HALVINGS):
        x = 0.5 * (low + high)
        if log_wealth(arm, -x, counts, table, pooled, -1.0) >= needed:
            low = x
        else:
            high = x
    return low


@numba.njit(**compiled.LEAN)
def upper_bound(arm, counts, table, pooled, needed, known):
    """Return the smallest mean that is ruled out for an arm, by bisection from above."""
    low, high = table[arm, 0, arm], known
    if log_wealth(arm, high, counts, table, pooled, 1.0) < needed:
        return known
    for _ in range(HALVINGS):
        x = 0.5 * (low + high)
        if log_wealth(arm, x, counts, table, pooled, 1.0) >= needed:
            high = x
        else:
            low = x
    return high
