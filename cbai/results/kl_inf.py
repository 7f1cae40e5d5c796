"""KL_inf on an interval: how far a reward distribution is from those with another mean.

KL_inf(nu, x) is the smallest Kullback-Leibler divergence from nu to a distribution on the interval
with mean x. It is the evidence per sample that tells nu from the most confusing of these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LONGEST = 200
"""The most iterations; halving a bracket takes far fewer."""
SETTLED = 1e-11
"""The relative step at which Newton's method stops: the error of the next step is its square."""
ROUNDING = 1e-15
"""A slope at 0 that counts as 0."""
SMALL = 1e-3
"""Up to this u, log(1 + u) - u is summed as a series, with a relative error below 1e-14."""


class Divergence(NamedTuple):
    """KL_inf of N pairs of a distribution and a mean x, and its slope.

    Attributes
    ----------
    value : ndarray, shape (N,)
        In nats per sample; 0 if the distribution's own mean is beyond x.
    slope : ndarray, shape (N,)
        How fast it grows as x moves away, in nats per unit of reward. By the envelope theorem this
        is lambda, the maximiser of the dual.
    """

    value: Array
    slope: Array


def kl_above(values: Array, probabilities: Array, x: Array, top: float) -> Divergence:
    """Return KL_inf to the distributions on (-infinity, top] with a mean of at least x.

    Parameters
    ----------
    values : ndarray, shape (V,)
        At most `top`.
    probabilities : ndarray, shape (N, V)
    x : ndarray, shape (N,)
        Below `top`.
    top : float
        The largest reward that counts as possible.

    Returns
    -------
    Divergence
        max over 0 <= lambda <= 1 / (top - x) of E[log(1 + lambda (x - R))].

    Notes
    -----
    The dual is that of Honda and Takemura, *An asymptotically optimal bandit algorithm for bounded
    support models*, COLT 2010, Theorem 8. The closest distribution puts mass only on the
    values of nu and on `top`. So the result is the same for all distributions up to `top` and for
    those on a set of values that includes `top`. The lower end of the interval does not matter.
    """
    room = top - x
    tilt, value = _maximum((x[:, None] - values) / room[:, None], probabilities)
    return Divergence(value, tilt / room)


def kl_below(values: Array, probabilities: Array, x: Array, bottom: float) -> Divergence:
    """Return KL_inf to the distributions on [bottom, infinity) with a mean of at most x.

    The mirror image of `kl_above`, with x above `bottom`: max over 0 <= lambda <= 1 / (x - bottom)
    of E[log(1 + lambda (R - x))]. The slope is that for x moving down.
    """
    room = x - bottom
    tilt, value = _maximum((values - x[:, None]) / room[:, None], probabilities)
    return Divergence(value, tilt / room)


def _maximum(a: Array, p: Array) -> tuple[Array, Array]:
    """Maximise E[log(1 + s a)] over s in [0, 1], where a >= -1; shapes (N, V)."""
    a = np.where(p > 0.0, a, 0.0)
    s = _maximiser(a, p)
    u = s[:, None] * a
    series = u * u * (-1 / 2 + u * (1 / 3 + u * (-1 / 4 + u * (1 / 5 - u / 6))))
    beyond = np.where(np.abs(u) < SMALL, series, np.log1p(u) - u)
    value = s * (p * a).sum(axis=1) + (p * beyond).sum(axis=1)
    return s, np.maximum(value, 0.0)


def _maximiser(a: Array, p: Array) -> Array:
    """Return the s where the concave function has slope 0, or the end where it still rises.

    By Newton's method inside a bracket, on the slope times 1 - s, which has no pole at 1.
    """
    pole = ((a <= -1.0) & (p > 0.0)).any(axis=1)
    at_one = (p * a / np.where(a > -1.0, 1.0 + a, 1.0)).sum(axis=1)
    low = np.zeros(len(a))
    high = np.where(pole, 1.0 - 1e-16, 1.0)
    low[~pole & (at_one >= 0.0)] = 1.0
    high[(p * a).sum(axis=1) <= ROUNDING] = 0.0
    low = np.minimum(low, high)
    s = 0.5 * (low + high)
    open_ends = low < high
    for _ in range(LONGEST):
        inverse = 1.0 / np.where(open_ends[:, None], 1.0 + s[:, None] * a, 1.0)
        weighted = p * a * inverse
        f = (1.0 - s) * weighted.sum(axis=1)
        low, high = np.where(f > 0.0, s, low), np.where(f > 0.0, high, s)
        slope = (weighted * (1.0 + a) * inverse).sum(axis=1)
        step = s + f / np.where(slope > 0.0, slope, np.inf)
        inside = (step >= low) & (step <= high) & (slope > 0.0)
        new = np.where(open_ends, np.where(inside, step, 0.5 * (low + high)), s)
        settled = (np.abs(new - s) <= SETTLED * new).all()
        s = new
        if settled:
            break
    return s


def root(function: Callable[[Array], Array], low: Array, high: Array, tolerance: float) -> Array:
    """Return N roots at once of functions that fall from `low` to `high`.

    Parameters
    ----------
    function : callable
        From N places to N values, each at least 0 at `low`.
    low, high : ndarray, shape (N,)
    tolerance : float
        The accuracy, relative to the bracket. The root is `high` if the function is positive there.

    Notes
    -----
    Chandrupatla, Advances in Engineering Software 28 (1997): inverse quadratic interpolation where
    it is safe, and halving elsewhere.
    """
    a, b = high, low
    fa, fb = function(a), function(b)
    beyond = fa > 0.0
    done, span, t = beyond, np.abs(high - low), np.full(len(a), 0.5)
    for _ in range(LONGEST):
        x = np.where(done, a, a + t * (b - a))
        fx = np.where(done, fa, function(x))
        same = np.sign(fx) == np.sign(fa)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx
        width = np.abs(b - a)
        done = done | (fa == 0.0) | (width <= 2.0 * tolerance * span)
        if done.all():
            break
        with np.errstate(all="ignore"):
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            quick = (phi**2 < xi) & ((1.0 - phi) ** 2 < 1.0 - xi)
            t = fa / (fb - fa) * fc / (fb - fc)
            t = t + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            near = np.minimum(tolerance * span / width, 0.5)
        t = np.where(quick & np.isfinite(t), np.clip(t, near, 1.0 - near), 0.5)
    return np.where(beyond | (np.abs(fa) <= np.abs(fb)), a, b)
