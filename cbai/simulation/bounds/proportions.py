"""The optimal split of the samples for the rewards seen so far, compiled.

This is w* of Garivier and Kaufmann (COLT 2016) with KL_inf. `cbai.results.limit` computes it for
the truth and explains the method.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds.divergence import kl_inf, safe_step
from cbai.simulation.bounds.transport import EDGE, LONGEST

TIED = 1e-9
"""Means that differ by at most this, relative to b, count as equal."""
AT_THE_END = 1e-6
"""A meeting point closer than this to the best mean, relative to the bracket, does not move as the
evidence grows. This happens if all rewards of the best arm were the same."""
QUICK, SURE = 1e-5, 1e-9
"""The size of the last step, relative to the bracket: of Newton's method and of halving."""
PRECISION, FLAT = 1e-8, 1e-13
"""The tolerance of the sum that must be 1, and of the evidence where that sum changes too fast."""


@numba.njit(**compiled.LEAN)
def both(best, arm, x, counts, values, pulls, reward_max):
    """Return KL_inf per sample of the best arm down to x and of another up to x, each with slopes.

    Each as (value, slope, bend). Slope and bend are taken as x moves away from the arm's mean.
    """
    down, fall, down_bend = kl_inf(counts[best], values, -1.0, -x, 0.0)
    up, rise, up_bend = kl_inf(counts[arm], values, 1.0, x, reward_max)
    n, m = pulls[best], pulls[arm]
    return down / n, fall / n, down_bend / n, up / m, rise / m, up_bend / m


@numba.njit(**compiled.LEAN)
def place_of_equal(best, arm, x, low, high, counts, values, pulls, reward_max):
    """Return the x where both divergences are the same; the search begins at `x`."""
    span = high - low
    last = 2.0 * span
    for _ in range(LONGEST):
        down, fall, _, up, rise, _ = both(best, arm, x, counts, values, pulls, reward_max)
        if down > up:
            low = x
        else:
            high = x
        newton = x + (down - up) / (fall + rise)
        step = safe_step(x, newton, low, high, last)
        last = abs(step - x)
        if last <= (QUICK if step == newton else SURE) * span:
            return step
        x = step
    return x


@numba.njit(**compiled.LEAN)
def place_of(y, best, arm, x, low, high, counts, values, pulls, reward_max):
    """Return the x in [low, high] where one unit of the best arm's samples gathers evidence y.

    The other arm has as many samples as make x the meeting point. The evidence falls from `low` to
    `high`. The search begins at `x`.
    """
    span = high - low
    last = 2.0 * span
    for _ in range(LONGEST):
        down, fall, down_bend, up, rise, up_bend = both(
            best, arm, x, counts, values, pulls, reward_max
        )
        excess = down + fall / rise * up - y
        if excess > 0.0:
            low = x
        else:
            high = x
        newton = x + excess * rise * rise / ((down_bend * rise + fall * up_bend) * up)
        step = safe_step(x, newton, low, high, last)
        last = abs(step - x)
        if last <= (QUICK if step == newton else SURE) * span:
            return step
        x = step
    return x


@numba.njit(**compiled.LEAN)
def optimal(best, counts, values, pulls, means, reward_max, lows, places, weights):
    """Compute the optimal split into `weights`.

    If several arms are tied for the best, they get equal shares and the others none. The optimal
    split tends to this as the gap closes. `lows` and `places` are working memory. The search begins
    where it ended the last time.
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
    inverse, least = 0.0, math.inf
    for arm in range(n_arms):
        if arm == best:
            continue
        low = max(means[arm], edge)
        x = lows[arm] if low < lows[arm] < high else 0.5 * (low + high)
        x = place_of_equal(best, arm, x, low, high, counts, values, pulls, reward_max)
        down, fall, _, up, rise, _ = both(best, arm, x, counts, values, pulls, reward_max)
        lows[arm] = x
        if not x <= places[arm] < high:
            places[arm] = x
        inverse += 1.0 / up
        least = min(least, down + fall / rise * up)
    y_low, y_high = 1.0 / inverse, least
    y = lows[best] if y_low < lows[best] < y_high else 0.5 * (y_low + y_high)
    if n_arms == 2:
        y = y_high
    last = 2.0 * (y_high - y_low)
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
        step = safe_step(y, y - total / growth, y_low, y_high, last)
        last = abs(step - y)
        if last <= FLAT * y:
            break
        y = step
    lows[best] = y
    weights[best] = 1.0
    weights /= weights.sum()
