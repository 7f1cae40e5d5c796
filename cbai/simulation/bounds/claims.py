"""The evidence against the claim "arm l is the best, with mean x", compiled.

If the claim is true, E[R_k] <= x and E[s_{l,k}(R_k)] >= x for every arm k, and E[R_l] = x. So no
bet on x - s_{l,k}(R_k), on R_k - x, or on a mix of the two wins on average. The wealth of all bets
is

    (0.6 + 0.4 U(x)) * J(x).

U bets that the rewards of l are below x. J bets on t (x - s) + (1 - t) (R - x), for three mixes t,
on the pulls of whichever other arm led. See docs/beyond.md for the theorem and its proof.

Every part either rises or falls with x. So the values at both ends of an interval give a number
that the log-wealth is at least on the whole interval.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba
import numpy as np

from cbai import compiled

FRACTIONS = 0.7 * 0.5 ** np.arange(12.0)
"""The fractions of the wealth that are bet side by side."""

PARTS = np.array([0.15, 0.3, 0.28, 0.12, 0.06, 0.03, 0.02, 0.015, 0.01, 0.006, 0.005, 0.004])
"""The wealth with which each fraction starts. Together they start with 1."""

MIXES = np.array([0.0, 0.5, 0.75])
"""The mixes t of the bets on the leader's rewards: the weight of x - s. The rest is on R - x."""

MIX_PARTS = np.array([0.7, 0.15, 0.15])
"""The wealth with which each mix starts."""

STAKED = 0.4
"""The share of the wealth that is bet on the own rewards of the arm. The rest is kept."""

EDGE = 1e-9
"""The least that a bet may lose, as a share of the reward range. A bet that cannot lose is played
as if it could lose this much. Otherwise one win would be infinite."""

MARGIN = 1e-6
"""The log-wealth must exceed what is needed by this much, far more than the rounding errors."""

FINEST = 2.0**-12
"""The narrowest interval of x that is tried, as a share of the reward range."""


@numba.njit(**compiled.LEAN)
def room_of(t, x, values, bounds):
    """Return the most that a bet at the mix t can lose, at least `EDGE` of the reward range."""
    room = EDGE * (values[-1] - values[0])
    for v in range(values.size):
        room = max(room, -(t * (x - bounds[v]) + (1.0 - t) * (values[v] - x)))
    return room


@numba.njit(**compiled.LEAN)
def moments(counts, t, x, values, bounds, room):
    """Return the sum of the gains and of their squares, in units of the room."""
    first, second = 0.0, 0.0
    for v in range(values.size):
        if counts[v] > 0:
            gain = (t * (x - bounds[v]) + (1.0 - t) * (values[v] - x)) / room
            first += counts[v] * gain
            second += counts[v] * gain * gain
    return first, second


@numba.njit(**compiled.LEAN)
def likely_best(first, second):
    """Return the fraction that would have won about the most, by the second-order growth rate.

    But at least about the largest one that would have lost no more than a nat by chance.
    """
    if first > 0.0:
        ratio = min(second / first, math.sqrt(second))
    else:
        ratio = max(-first, math.sqrt(second))
    if ratio <= 0.0:
        return 0
    nearest = math.floor(math.log2(FRACTIONS[0] * ratio) + 0.5)
    return min(max(nearest, 0), FRACTIONS.size - 1)


@numba.njit(**compiled.LEAN)
def log_won(counts, fraction, t, x, values, bounds, room):
    """Return the log-wealth of one fraction, which starts with 1."""
    total = 0.0
    for v in range(values.size):
        if counts[v] > 0:
            gain = (t * (x - bounds[v]) + (1.0 - t) * (values[v] - x)) / room
            total += counts[v] * math.log(1.0 + fraction * gain)
    return total


@numba.njit(**compiled.LEAN)
def together(before, likely, after, at):
    """Return the log-wealth of all fractions, at least, from that of the fraction `at`.

    That one and its two neighbours have won the given log-wealth. (`before` or `after` is -inf
    where there is no neighbour.) Larger fractions are left out. The log-wealth is a concave
    function of the fraction that is 0 at 0. So half the fraction has at least half the log-wealth.
    """
    top = max(0.0, before, likely, after)
    total = PARTS[at] * math.exp(likely - top)
    if at > 0:
        total += PARTS[at - 1] * math.exp(before - top)
    least = after
    for j in range(at + 1, FRACTIONS.size):
        total += PARTS[j] * math.exp(least - top)
        least *= 0.5
    return top + math.log(total)


@numba.njit(**compiled.LEAN)
def log_own(counts, x, values):
    """Return the log-wealth of the bets that the own rewards of an arm are below x."""
    room = room_of(1.0, x, values, values)
    first, second = moments(counts, 1.0, x, values, values, room)
    at = likely_best(first, second)
    before, after = -math.inf, -math.inf
    likely = log_won(counts, FRACTIONS[at], 1.0, x, values, values, room)
    if at > 0:
        before = log_won(counts, FRACTIONS[at - 1], 1.0, x, values, values, room)
    if at + 1 < FRACTIONS.size:
        after = log_won(counts, FRACTIONS[at + 1], 1.0, x, values, values, room)
    return together(before, likely, after, at)


@numba.njit(**compiled.LEAN)
def log_joint(arm, t, x, led, leaders, n_leaders, values, table):
    """Return the log-wealth of the bets at the mix t, on the pulls of other arms that led."""
    first, second = 0.0, 0.0
    for i in range(n_leaders):
        k = leaders[i]
        if k != arm:
            bounds = table[k, :, arm]
            room = room_of(t, x, values, bounds)
            one, square = moments(led[k], t, x, values, bounds, room)
            first += one
            second += square
    at = likely_best(first, second)
    before = 0.0 if at > 0 else -math.inf
    after = 0.0 if at + 1 < FRACTIONS.size else -math.inf
    likely = 0.0
    for i in range(n_leaders):
        k = leaders[i]
        if k != arm:
            bounds = table[k, :, arm]
            room = room_of(t, x, values, bounds)
            likely += log_won(led[k], FRACTIONS[at], t, x, values, bounds, room)
            if at > 0:
                before += log_won(led[k], FRACTIONS[at - 1], t, x, values, bounds, room)
            if at + 1 < FRACTIONS.size:
                after += log_won(led[k], FRACTIONS[at + 1], t, x, values, bounds, room)
    return together(before, likely, after, at)


@numba.njit(**compiled.LEAN)
def log_wealth(arm, low, high, counts, led, leaders, n_leaders, values, table):
    """Return a number that the log-wealth against the claim is at least, for all x in [low, high].

    Parameters
    ----------
    arm : int
        The arm l of the claim.
    low, high : float
        With low = high, the log-wealth itself, except for what is left out.
    counts, led : ndarray of int64, shape (K, V)
        How often each reward of each arm was seen: at all, and while the arm led.
    leaders : ndarray of int64, shape (K,)
        The arms that have led; the first `n_leaders` count.
    values : ndarray, shape (V,)
    table : ndarray, shape (K, V, K)
        The pseudo-rewards, indexed (arm pulled, value, arm bounded).
    """
    own = log_own(counts[arm], low, values)
    most = max(0.0, own)
    total = most + math.log((1.0 - STAKED) * math.exp(-most) + STAKED * math.exp(own - most))
    joint = 0.0
    top = -math.inf
    for m in range(MIXES.size):
        x = low if MIXES[m] > 0.5 else high
        by = log_joint(arm, MIXES[m], x, led, leaders, n_leaders, values, table)
        if by > top:
            joint = joint * math.exp(top - by) if m > 0 else 0.0
            top = by
        joint += MIX_PARTS[m] * math.exp(by - top)
    return total + top + math.log(joint)


@numba.njit(**compiled.LEAN)
def surpasses(arm, needed, cap, counts, led, leaders, n_leaders, values, table):
    """Return whether the log-wealth is proven to be at least `needed` for all x up to the cap.

    Goes from left to right in intervals that double after a success and are halved after a failure.
    The second value is an x at which it gave up.
    """
    x, end = values[0], cap
    least = FINEST * (values[-1] - values[0])
    width = 64.0 * least
    while x < end:
        high = min(x + width, end)
        lowest = log_wealth(arm, x, high, counts, led, leaders, n_leaders, values, table)
        if lowest >= needed + MARGIN:
            x = high
            width *= 2.0
        elif width <= least:
            return False, 0.5 * (x + high)
        else:
            width *= 0.5
    return True, end
