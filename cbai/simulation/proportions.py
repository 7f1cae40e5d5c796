"""The optimal split of the samples for the rewards seen so far, compiled.

w* of Garivier and Kaufmann (COLT 2016) with KL_inf; `cbai.results.limit` works it out for the
truth, and says why it is found like this.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.divergence import kl_inf
from cbai.simulation.transport import EDGE, LONGEST

TIED = 1e-9
"""Means that differ by no more, relative to b, count as equal."""
AT_THE_END = 1e-6
"""A place as near to the best mean, relative to the bracket, stays there as the evidence grows: so
it is where all rewards of the best arm were the same."""
PRECISION = 1e-8
"""Of steps relative to the bracket, and of the sum that is to be 1. As they are Newton's, what is
found is far nearer."""


@numba.njit(**compiled.OPTIONS)
def both(best, arm, x, counts, values, pulls, reward_max):
    """Return KL_inf per sample of the best arm down to x and of another up to x, each with slopes.

    As (value, slope, bend) of either: slope and bend as x moves away from the arm's mean.
    """
    down, fall, down_bend = kl_inf(counts[best], values, -1.0, -x, 0.0)
    up, rise, up_bend = kl_inf(counts[arm], values, 1.0, x, reward_max)
    n, m = pulls[best], pulls[arm]
    return down / n, fall / n, down_bend / n, up / m, rise / m, up_bend / m


@numba.njit(**compiled.OPTIONS)
def place_of_equal(best, arm, low, high, counts, values, pulls, reward_max):
    """Return the x where both divergences are the same."""
    x = 0.5 * (low + high)
    span = high - low
    for _ in range(LONGEST):
        down, fall, _, up, rise, _ = both(best, arm, x, counts, values, pulls, reward_max)
        if down > up:
            low = x
        else:
            high = x
        step = x + (down - up) / (fall + rise)
        if not low <= step <= high:
            step = 0.5 * (low + high)
        if abs(step - x) <= PRECISION * span:
            return step
        x = step
    return x


@numba.njit(**compiled.OPTIONS)
def place_of(y, best, arm, x, low, high, counts, values, pulls, reward_max):
    """Return the x in [low, high] where one unit of the best arm's samples gathers evidence y.

    With as many of the other's as make x the meeting point; it falls from `low` to `high`. The
    search begins at `x`.
    """
    span = high - low
    for _ in range(LONGEST):
        down, fall, down_bend, up, rise, up_bend = both(
            best, arm, x, counts, values, pulls, reward_max
        )
        excess = down + fall / rise * up - y
        if excess > 0.0:
            low = x
        else:
            high = x
        step = x + excess * rise * rise / ((down_bend * rise + fall * up_bend) * up)
        if not low <= step <= high:
            step = 0.5 * (low + high)
        if abs(step - x) <= PRECISION * span:
            return step
        x = step
    return x


@numba.njit(**compiled.OPTIONS)
def optimal(best, counts, values, pulls, means, reward_max, lows, places, weights):
    """Work out the optimal split into `weights`; `lows` and `places` are there to work with.

    Arms that are tied for the best get the same share each and the others none: what the optimal
    split tends to as the gap closes.
    """
    n_arms = pulls.size
    tied = 0
    for arm in range(n_arms):
        weights[arm] = means[arm] >= means[best] - TIED * reward_max
        tied += weights[arm] > 0.0
    if tied > 1:
        weights /= tied
        return
    edge = EDGE * reward_max
    high = min(means[best], reward_max - edge)
    inverse, last = 0.0, math.inf
    for arm in range(n_arms):
        if arm == best:
            continue
        low = max(means[arm], edge)
        x = place_of_equal(best, arm, low, high, counts, values, pulls, reward_max)
        down, fall, _, up, rise, _ = both(best, arm, x, counts, values, pulls, reward_max)
        lows[arm] = places[arm] = x
        inverse += 1.0 / up
        last = min(last, down + fall / rise * up)
    y_low, y_high = 1.0 / inverse, last
    y = y_high if n_arms == 2 else 0.5 * (y_low + y_high)
    for _ in range(LONGEST):
        total, growth = -1.0, 0.0
        for arm in range(n_arms):
            if arm == best:
                continue
            x = place_of(
                y, best, arm, places[arm], lows[arm], high, counts, values, pulls, reward_max
            )
            places[arm] = x
            down, fall, down_bend, up, rise, up_bend = both(
                best, arm, x, counts, values, pulls, reward_max
            )
            weights[arm] = (y - down) / up
            total += down / up
            if high - x > AT_THE_END * (high - lows[arm]):
                growth += (
                    (fall * up + down * rise) * rise * rise
                    / ((down_bend * rise + fall * up_bend) * up**3)
                )  # fmt: skip
        if n_arms == 2 or abs(total) <= PRECISION:
            break
        if total > 0.0:
            y_high = y
        else:
            y_low = y
        step = y - total / growth
        if not y_low < step < y_high:
            step = 0.5 * (y_low + y_high)
        if abs(step - y) <= PRECISION * y:
            break
        y = step
    weights[best] = 1.0
    weights /= weights.sum()
