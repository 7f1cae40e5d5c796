"""Confidence bounds in plain Python, each from its own printed formula; nothing is shared.

Kullback-Leibler bounds are found by bisection. Sources as in
`cbai.simulation.bounds.confidence`: the formulas are those of Table 3 of Gupta, Joshi and Yağan
(2021), with the changes that it says.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import exp, log, log1p, log2, pi, sqrt


def howard(n: int, d: float, b: float) -> float:
    v = max(b * b * n / 4, 1.0)
    return 1.7 * sqrt(v * (log(log(2 * v)) + 0.72 * log(5.2 / d))) / n


def lil(n: int, d: float, b: float) -> float:
    v = max(b * b * n / 4, 1.0)
    return 1.7 * sqrt(v * (log(log(1.034 * v)) + 0.96 * log(67.59 / d))) / n


def even_dar(n: int, d: float, b: float) -> float:
    return b * sqrt(log(pi**2 * n**2 / (3 * d)) / (2 * n))


def kk_lucb(n: int, d: float, b: float) -> float:
    x = 405 * n**1.1 / d
    return b * sqrt(log(x * log(x)) / (2 * n))


def hoeffding(n: int, d: float, b: float) -> float:
    return b * sqrt(log(1 / d) / (2 * n))


RADII: dict[str, Callable[[int, float, float], float]] = {
    "howard": howard,
    "lil": lil,
    "even_dar": even_dar,
    "kk_lucb": kk_lucb,
    "hoeffding": hoeffding,
}


def kl_racing(n: int, d: float) -> float:
    return 2 * log(11.1 * n**1.1 / d)


def kl_lucb(n: int, d: float) -> float:
    x = 405.5 * n**1.1 / d
    return log(x) + log(log(x))


def lil_kl_lucb(n: int, d: float) -> float:
    return 1.86 * log(2.6 * log2(2 * n) / d)


ALLOWED: dict[str, Callable[[int, float], float]] = {
    "kl_racing": kl_racing,
    "kl_lucb": kl_lucb,
    "lil_kl_lucb": lil_kl_lucb,
}
"""What n * kl(mean, bound) may be at most."""

NAMES = (*RADII, *ALLOWED)


@lru_cache(maxsize=100_000)
def upper(name: str, mean: float, n: int, d: float, b: float) -> float:
    if name in RADII:
        return mean + RADII[name](n, d, b)
    return b * farthest(mean / b, ALLOWED[name](n, d) / n)


@lru_cache(maxsize=100_000)
def lower(name: str, mean: float, n: int, d: float, b: float) -> float:
    if name in RADII:
        return mean - RADII[name](n, d, b)
    return b * (1.0 - farthest(1.0 - mean / b, ALLOWED[name](n, d) / n))


def farthest(mean: float, allowed: float) -> float:
    """Return the largest x with kl(mean, x) <= allowed.

    Bisection on the logarithm of 1 - x, as x is often as near to 1 as a float can be. What is
    within 1e-12 of 1 is 1, so that rounding makes no winner.
    """
    if mean >= 1.0:
        return 1.0
    low, high = -800.0, log(1.0 - mean)
    for _ in range(80):
        middle = (low + high) / 2
        if kl_at(mean, middle) <= allowed:
            high = middle
        else:
            low = middle
    return 1.0 if exp(high) < 1e-12 else 1.0 - exp(high)


def kl_at(mean: float, log_room: float) -> float:
    """Return kl(mean, x), x = 1 - exp(log_room)."""
    left = mean * (log(mean) - log1p(-exp(log_room))) if mean > 0.0 else 0.0
    return left + (1.0 - mean) * (log(1.0 - mean) - log_room)
