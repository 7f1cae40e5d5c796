"""Upper and lower confidence bounds on a mean, compiled.

A bound is computed in two steps. The first is its *width*, which depends on the number of pulls and
on the error probability. The second is the bound around a mean. For a sequence with a radius, the
width is the radius, and `top` is 0. For Kullback-Leibler bounds, the width is the divergence
allowed between the mean and the bound, both divided by the largest reward, and `top` is that
reward.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math
from functools import lru_cache

import numba
import numpy as np
from numpy.typing import NDArray

from cbai import compiled

TABLE_SIZE = 2**17
"""Up to this number of pulls the growth is looked up, not computed (1 MiB of memory)."""

FORM, SCALE, TWICE, POWER, INNER, RATE, LEAST_TIME = range(7)
"""The places in the array that `ConfidenceSequence.shape` returns."""

NEWTON_STEPS = 60
NEAR_END = 1e-12
"""A bound closer to 1 than this counts as 1."""


@numba.njit(**compiled.LEAN)
def intrinsic_time(n, shape):
    """Return V: the largest possible variance of n pulls, but at least what the boundary needs."""
    return max(shape[RATE] * n, shape[LEAST_TIME])


@numba.njit(**compiled.LEAN)
def growth(n, shape):
    """Return the part of the width that depends on n alone."""
    part = 0.0
    if shape[POWER] > 0.0:
        part += shape[POWER] * math.log(n)
    if shape[INNER] > 0.0:
        part += math.log(math.log(shape[INNER] * intrinsic_time(n, shape)))
    return part


@numba.njit(**compiled.LEAN)
def width(n, growth_n, shape, level_term):
    """Return the radius, or the divergence allowed, given the growth at n and the level term."""
    exploration = growth_n + level_term
    if shape[TWICE] > 0.0:
        exploration += math.log(exploration)
    if shape[FORM] > 0.0:
        return shape[SCALE] * exploration / n
    return shape[SCALE] * math.sqrt(intrinsic_time(n, shape) * exploration) / n


@numba.njit(**compiled.LEAN)
def _long_width(n, shape, level_term):
    return width(n, growth(n, shape), shape, level_term)


@numba.njit(**compiled.LEAN, inline="always")
def width_at(n, table, shape, level_term):
    """Return the width after n pulls, from its table as far as that goes."""
    if n < table.size:
        return table[n]
    return _long_width(n, shape, level_term)


@numba.njit(**compiled.LEAN)
def divergence(mean, step):
    """Return kl(mean, mean + step), the divergence of two Bernoulli means, for step >= 0."""
    if step <= 0.0:
        return 0.0
    if mean + step >= 1.0:
        return 0.0 if mean >= 1.0 else math.inf
    low = mean * math.log1p(step / mean) if mean > 0.0 else 0.0
    return -low - (1.0 - mean) * math.log1p(-step / (1.0 - mean))


@numba.njit(**compiled.LEAN)
def kl_upper(mean, allowed):
    """Return the largest x in [mean, 1] with kl(mean, x) <= `allowed`.

    By Newton's method on x - mean, from a point where the divergence is too large. The divergence
    is convex, so every step stays on that side, and an error can only make the result larger. The
    first point is the nearer of two: one by Pinsker's inequality, one by the divergence without the
    term in log(x).
    """
    if mean >= 1.0 or allowed == math.inf:
        return 1.0
    room = 1.0 - mean
    entropy = -room * math.log(room)
    if mean > 0.0:
        entropy -= mean * math.log(mean)
    step = min(math.sqrt(0.5 * allowed), room - math.exp(-(allowed + entropy) / room))
    for _ in range(NEWTON_STEPS):
        if room - step < NEAR_END:
            return 1.0
        if step <= 0.0:
            break
        excess = divergence(mean, step) - allowed
        change = excess * (mean + step) * (room - step) / step
        if change <= 1e-15 * step:
            break
        step -= change
    return 1.0 if room - step < NEAR_END else mean + max(step, 0.0)


@numba.njit(**compiled.LEAN)
def upper(mean, half, top):
    """Return the upper bound around a mean, given the width."""
    if top == 0.0:
        return mean + half
    return top * kl_upper(mean / top, half)


@numba.njit(**compiled.LEAN)
def lower(mean, half, top):
    """Return the lower bound around a mean, given the width."""
    if top == 0.0:
        return mean - half
    return top * (1.0 - kl_upper(1.0 - mean / top, half))


@numba.njit(**compiled.LEAN)
def is_upper_below(mean, half, top, bar, certain):
    """Return whether a Kullback-Leibler upper bound is below a bar, without computing the bound.

    If rounding leaves this open, the answer is no if it must be `certain`, and yes otherwise. The
    divergence is at most (x - m)**2 / (x (1 - x)), which often spares the logarithms.
    """
    if bar > top:
        return True
    step, room = (bar - mean) / top, (top - bar) / top
    if step <= 0.0:
        return False
    if room < 2.0 * NEAR_END:
        return not certain
    noise = 1e-9 * half + 1e-15 / room
    allowed = half + noise if certain else half - noise
    if step * step <= allowed * room * (1.0 - room):
        return False
    return divergence(mean / top, step) > allowed


@numba.njit(**compiled.LEAN, inline="always")
def lowered(known, mean, half, top):
    """Return the lower of a number and the upper bound around a mean, which may not be needed."""
    if top == 0.0:
        return min(known, mean + half)
    if is_upper_below(mean, half, top, known, False):
        return min(known, upper(mean, half, top))
    return known


@numba.njit(**compiled.OPTIONS)
def _tabulate_growth(shape, size):
    table = np.empty(size)
    table[0] = math.nan
    for n in range(1, size):
        table[n] = growth(n, shape)
    return table


@lru_cache(maxsize=16)
def growth_table(*shape: float) -> NDArray[np.float64]:
    """Return the growth for 0, 1, ... pulls, shape (TABLE_SIZE,); entry 0 is unused."""
    table: NDArray[np.float64] = _tabulate_growth(np.array(shape), TABLE_SIZE)
    table.setflags(write=False)
    return table


@numba.njit(**compiled.OPTIONS)
def _tabulate_width(growths, shape, level_term):
    table = np.empty(growths.size)
    table[0] = math.inf
    for n in range(1, growths.size):
        table[n] = width(n, growths[n], shape, level_term)
    return table


@lru_cache(maxsize=32)
def width_table(level_term: float, *shape: float) -> NDArray[np.float64]:
    """Return the width for 0, 1, ... pulls, shape (TABLE_SIZE,); entry 0 is infinity."""
    constants = np.array(shape)
    table: NDArray[np.float64] = _tabulate_width(growth_table(*shape), constants, level_term)
    table.setflags(write=False)
    return table


@lru_cache(maxsize=1)
def root_table() -> NDArray[np.float64]:
    """Return 1 / sqrt(n) for n = 0, 1, ... pulls, shape (TABLE_SIZE,)."""
    with np.errstate(divide="ignore"):
        table: NDArray[np.float64] = 1.0 / np.sqrt(np.arange(float(TABLE_SIZE)))
    table.setflags(write=False)
    return table


@numba.njit(**compiled.OPTIONS)
def all_bounds(mean, half, top, sign):
    """Return upper bounds (sign 1) or lower bounds (sign -1), arrays of one length."""
    result = np.empty(mean.size)
    for i in range(mean.size):
        if sign > 0:
            result[i] = upper(mean[i], half[i], top)
        else:
            result[i] = lower(mean[i], half[i], top)
    return result
