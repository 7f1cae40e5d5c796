"""KL_inf from counts: the evidence of one arm's rewards against a candidate mean, compiled.

The same quantity as in `cbai.results.kl_inf`, for one arm at a time and with its derivatives.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled

LONGEST = 200
"""The most iterations; halving a bracket takes far fewer."""
SETTLED = 1e-7
"""The relative step at which Newton's method stops: the error of the next step is its square."""
CLOSE = 1e-6
"""How near to the evidence allowed, in nats, the search for an upper bound stops. One more step of
Newton's method follows."""


@numba.njit(**compiled.LEAN)
def safe_step(x, newton, low, high, last):
    """Return Newton's next place, or the middle of the bracket if Newton's step is no use.

    It is no use outside the bracket, or if it is longer than half of the `last` step: where a slope
    jumps, it could go back and forth for ever.
    """
    if low <= newton <= high and abs(newton - x) <= 0.5 * last:
        return newton
    return 0.5 * (low + high)


@numba.njit(**compiled.LEAN)
def best_stake(counts, values, sign, x, room):
    """Return the s in [0, 1] with the largest sum of log(1 + s (x - sign R) / room).

    Newton's method inside a bracket, on the slope times 1 - s: that has no pole at 1.
    """
    first, at_one, pole = 0.0, 0.0, False
    for v in range(counts.size):
        if counts[v] > 0:
            a = (x - sign * values[v]) / room
            first += counts[v] * a
            if a <= -1.0:
                pole = True
            else:
                at_one += counts[v] * a / (1.0 + a)
    if first <= 0.0:
        return 0.0
    if not pole and at_one >= 0.0:
        return 1.0
    low, high, s, last = 0.0, 1.0, 0.0, 2.0
    for _ in range(LONGEST):
        f, fall = 0.0, 0.0
        for v in range(counts.size):
            if counts[v] > 0:
                a = (x - sign * values[v]) / room
                inverse = 1.0 / (1.0 + s * a)
                weighted = counts[v] * a * inverse
                f += weighted
                fall += weighted * (1.0 + a) * inverse
        f *= 1.0 - s
        if f > 0.0:
            low = s
        else:
            high = s
        step = safe_step(s, s + f / fall if fall > 0.0 else -1.0, low, high, last)
        last = abs(step - s)
        if last <= SETTLED * step:
            return step
        s = step
    return s


@numba.njit(**compiled.LEAN)
def kl_inf(counts, values, sign, x, ceiling):
    """Return n KL_inf of n rewards against "the mean of sign R is at least x", and its derivatives.

    Parameters
    ----------
    counts : ndarray of int64, shape (V,)
        How often each value was drawn.
    values : ndarray, shape (V,)
    sign : float
        1, or -1 for a claim that the mean is at most -x.
    x, ceiling : float
        The candidate mean, and the largest that sign R could be: b, or -0.

    Returns
    -------
    value, slope, bend : float
        In nats, and its first and second derivative in x. The value is that of one bet,
        so it exceeds the maximum over all bets by rounding at most. All are 0 if the rewards are no
        evidence against x, or if no mean can be as large as x.

    Notes
    -----
    The dual of Honda and Takemura (COLT 2010): the maximum over 0 <= lambda <= 1 / (ceiling - x)
    of sum log(1 + lambda (x - sign R)). Its slope is n lambda, by the envelope theorem. The slope
    of lambda follows from the implicit function theorem.
    """
    room = ceiling - x
    if room <= 0.0:
        return 0.0, 0.0, 0.0
    s = best_stake(counts, values, sign, x, room)
    if s == 0.0:
        return 0.0, 0.0, 0.0
    tilt = s / room
    n, value, plain, squares = 0, 0.0, 0.0, 0.0
    for v in range(counts.size):
        if counts[v] > 0:
            gain = x - sign * values[v]
            n += counts[v]
            value += counts[v] * math.log1p(tilt * gain)
            inverse = 1.0 / (1.0 + tilt * gain)
            plain += counts[v] * inverse * inverse
            squares += counts[v] * (gain * inverse) ** 2
    bend = n * tilt * tilt if s == 1.0 else n * plain / squares
    return max(value, 0.0), n * tilt, bend


@numba.njit(**compiled.LEAN)
def sharpness(counts, values, mean):
    """Return n / variance of n rewards: n KL_inf is about half of it times the distance squared.

    The variance counts one more reward, as far from the mean as possible.
    """
    n, total = 0, 0.25 * (values[-1] - values[0]) ** 2
    for v in range(counts.size):
        n += counts[v]
        total += counts[v] * (values[v] - mean) ** 2
    return n * (n + 1) / total if total > 0.0 else 1.0


@numba.njit(**compiled.LEAN)
def upper_bound(counts, values, sign, mean, ceiling, allowed):
    """Return where n KL_inf, as x grows from the mean of sign R, reaches `allowed`.

    By Newton's method. The function is convex, so from beyond the root each step comes closer to
    it.
    """
    low, high = mean, ceiling
    x = mean + math.sqrt(2.0 * allowed / sharpness(counts, values, sign * mean))
    if not low < x < high:
        x = 0.5 * (low + high)
    last = 2.0 * (high - low)
    for _ in range(LONGEST):
        value, slope, _ = kl_inf(counts, values, sign, x, ceiling)
        excess = value - allowed
        if excess > 0.0:
            high = x
        else:
            low = x
        newton = x - excess / slope if slope > 0.0 else math.inf
        if abs(excess) <= CLOSE and newton < ceiling:
            return newton
        step = safe_step(x, newton, low, high, last)
        last = abs(step - x)
        if last <= SETTLED * (ceiling - mean):
            return step
        x = step
    return x
