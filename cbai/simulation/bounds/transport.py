"""Transport costs and the stopping rule by generalised likelihood ratios, compiled.

Against "arm l is better than arm i by more than epsilon" the rewards of both say, in nats,

    min over x of n_i KL_inf(down to x) + n_l KL_inf(up to x + epsilon),

for all distributions on [0, b]. See docs/beyond.md for the threshold and its proof.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds.divergence import kl_inf, safe_step, sharpness

EDGE = 1e-12
"""How near to the ends of [0, b], relative to it, a meeting point is looked for."""
PRECISION = 1e-10
"""Of a cost: up to so much of it, or so many nats if that is more, it may be too small."""
ROUNDING = 1e-6
"""So many nats more than proven to be enough are asked for, as sums are rounded."""
LONGEST = 200


@numba.njit(**compiled.OPTIONS)
def cost(i, other, counts, values, means, reward_max, epsilon):
    """Return a number that is at most the transport cost from arm i to another, and close to it.

    The sum is convex in x: wherever one looks, its tangent bounds the minimum from below.
    """
    left, right = max(means[other] - epsilon, 0.0), min(means[i], reward_max - epsilon)
    if epsilon >= reward_max:
        return math.inf
    if left > right:
        return 0.0
    edge = EDGE * reward_max
    low, high = max(left, edge), min(right, reward_max - epsilon - edge)
    if low >= high:
        # Each part is monotone, so that each may take the end that suits it less.
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


@numba.njit(**compiled.OPTIONS)
def unrefuted_rival(
    best, first, counts, values, pulls, means, reward_max, epsilon, level, regret,
):  # fmt: skip
    """Return an arm that may still be better than `best` by more than epsilon, -1 if none may.

    The arm `first` is looked at first. `level` is log((K - 1) / delta), and a bet on n rewards may
    have cost regret[0] log(n) + regret[1].
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
