"""Transport costs and the stopping rule by generalised likelihood ratios, compiled.

The claim is "arm l is better than arm i by more than epsilon". The rewards of both are evidence
against it. In nats this is

    min over x of n_i KL_inf(down to x) + n_l KL_inf(up to x + epsilon),

for all distributions on [0, b]. See docs/lower-bound.md for the threshold and its proof.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds.divergence import kl_inf, safe_step, sharpness

EDGE = 1e-12
"""The smallest distance of a meeting point from the ends of [0, b], relative to b."""
PRECISION = 1e-10
"""A cost may be too small by this share of it, or by this many nats if that is more."""
ROUNDING = 1e-6
"""This many nats more are needed than is proven to be enough, because sums are rounded."""
LONGEST = 200


@numba.njit(**compiled.LEAN)
def cost(i, other, counts, values, means, reward_max, epsilon):
    """Return a number that is at most the transport cost from arm i to another, and close to it.

    The sum is convex in x, so each of its tangents bounds the minimum from below.
    """
    left, right = max(means[other] - epsilon, 0.0), min(means[i], reward_max - epsilon)
    if epsilon >= reward_max:
        return math.inf
    if left > right:
        return 0.0
    edge = EDGE * reward_max
    low, high = max(left, edge), min(right, reward_max - epsilon - edge)
    if low >= high:
        # Each part is monotone, so each is taken at the end that makes it smaller.
        down, _, _ = kl_inf(counts[i], values, -1.0, -right, 0.0)
        up, _, _ = kl_inf(counts[other], values, 1.0, left + epsilon, reward_max)
        return down + up
    ours = sharpness(counts[i], values, means[i])
    theirs = sharpness(counts[other], values, means[other])
    x = (ours * means[i] + theirs * (means[other] - epsilon)) / (ours + theirs)
    x, bound, last = min(max(x, low), high), 0.0, 2.0 * (high - low)
    for _ in range(LONGEST):
        down, fall, down_bend = kl_inf(counts[i], values, -1.0, -x, 0.0)
        up, rise, up_bend = kl_inf(counts[other], values, 1.0, x + epsilon, reward_max)
        slope, bend = rise - fall, down_bend + up_bend
        reach = slope * (x - left) if slope > 0.0 else -slope * (right - x)
        bound = max(bound, down + up - reach)
        if reach <= PRECISION * max(down + up, 1.0):
            break
        if slope > 0.0:
            high = right = x
        else:
            low = left = x
        step = safe_step(x, x - slope / bend if bend > 0.0 else math.inf, low, high, last)
        last = abs(step - x)
        x = step
    return bound


@numba.njit(**compiled.LEAN)
def unrefuted_rival(
    best, first, counts, values, pulls, means, reward_max, epsilon, level, regret,
):  # fmt: skip
    """Return an arm that may still be better than `best` by more than epsilon, -1 if none may.

    The arm `first` is checked first. `level` is log((K - 1) / delta). A bet on n rewards may win
    regret[0] log(n) + regret[1] less than the best fixed one.
    """
    needed = level + regret[0] * math.log(pulls[best]) + regret[1] + ROUNDING
    for j in range(-1, pulls.size):
        arm = first if j < 0 else j
        if arm == best or (arm == first and j >= 0):
            continue
        enough = needed + regret[0] * math.log(pulls[arm]) + regret[1]
        if cost(best, arm, counts, values, means, reward_max, epsilon) <= enough:
            return arm
    return -1
