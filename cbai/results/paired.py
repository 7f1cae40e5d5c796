"""Differences of samples, with an interval: of paired runs, or of independent runs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from cbai import checks
from cbai.results.summary import LEVEL, Ratio, sample_ratio

POWER = 0.8
"""The suggested number of runs shows the difference with this probability."""


@dataclass(frozen=True)
class Difference:
    """The difference of two means, with its interval from `low` to `high`.

    Attributes
    ----------
    estimate, low, high : float
        In samples.
    error : float
        The standard error of `estimate`, in samples.
    ratio : Ratio
        The ratio of the two means, from the same runs.
    paired : bool
        Whether run t of one was compared with run t of the other.
    """

    estimate: float
    low: float
    high: float
    error: float
    ratio: Ratio
    paired: bool

    @property
    def clear(self) -> bool:
        """Whether the interval excludes 0."""
        return self.low > 0.0 or self.high < 0.0

    @property
    def width(self) -> float:
        """The width of the interval."""
        return self.high - self.low


def paired_difference(of: ArrayLike, to: ArrayLike, level: float = LEVEL) -> Difference | None:
    """Return the mean difference of paired runs.

    Parameters
    ----------
    of, to : array_like, shape (T,)
        Samples by run.
    level : float
        The coverage of the interval, in (0, 1).

    Returns
    -------
    Difference or None
        With Student's t-interval of the T differences (`scipy.stats.ttest_rel`); None for fewer
        than two runs.

    Raises
    ------
    ValueError
        If the numbers of runs differ, or a parameter is outside its range.

    Notes
    -----
    The two runs of a pair may depend on each other in any way, but the pairs must be independent.
    So this is valid for runs of the same seed on any two problems, which use the same random
    numbers. If runs that are long in one tend to be long in the other, the interval is narrower
    than that of `welch_difference`. If they tend to be short in the other, it is wider. It is exact
    for normal differences. For others that are not too skew it is good from some twenty runs on.
    """
    first, second = _runs("of", of), _runs("to", to)
    if first.size != second.size:
        raise ValueError(f"of and to must have as many runs, got {first.size} and {second.size}.")
    checks.real("level", level, 0.0, 1.0, open_ends=True)
    ratio = sample_ratio(first, second, level)
    if ratio is None:
        return None
    n, differences = first.size, first - second
    error = float(differences.std(ddof=1) / math.sqrt(n))
    return _difference(float(differences.mean()), error, n - 1.0, ratio, level, paired=True)


def welch_difference(of: ArrayLike, to: ArrayLike, level: float = LEVEL) -> Difference | None:
    """Return the difference of the means of independent runs.

    Parameters
    ----------
    of, to : array_like, shape (T,) and (U,)
        Samples by run.
    level : float
        The coverage of the interval, in (0, 1).

    Returns
    -------
    Difference or None
        With the interval of Welch, Biometrika 34 (1947), for unequal variances
        (`scipy.stats.ttest_ind`). The interval of the ratio is made in the same way on the log
        scale. None if one has fewer than two runs.

    Raises
    ------
    ValueError
        If a parameter is outside its range.

    Notes
    -----
    Not valid for runs of the same seed. These are not independent, even on different problems. If
    runs that are long in one tend to be short in the other, the interval covers too seldom.
    """
    first, second = _runs("of", of), _runs("to", to)
    checks.real("level", level, 0.0, 1.0, open_ends=True)
    if min(first.size, second.size) < 2:
        return None
    parts = np.array([runs.var(ddof=1) / runs.size for runs in (first, second)])
    total = float(parts.sum())
    degrees = _degrees(parts, first.size, second.size)
    estimate = float(first.mean() - second.mean())
    ratio = _independent_ratio(first, second, parts, level)
    return _difference(estimate, math.sqrt(total), degrees, ratio, level, paired=False)


def times_more_runs(difference: Difference, level: float = LEVEL, power: float = POWER) -> float:
    """Return how many times as many runs would show a difference of this size.

    Parameters
    ----------
    difference : Difference
    level, power : float
        An interval of coverage `level` would then exclude 0 with probability `power`; both in
        (0, 1).

    Returns
    -------
    float
        By the normal approximation, as if the observed difference and spread were the true ones. So
        it is rough, above all if the difference is unclear. Infinite for a difference of 0.

    Raises
    ------
    ValueError
        If a parameter is outside its range.
    """
    checks.real("level", level, 0.0, 1.0, open_ends=True)
    checks.real("power", power, 0.0, 1.0, open_ends=True)
    if difference.estimate == 0.0:
        return math.inf
    needed = stats.norm.isf((1.0 - level) / 2.0) + stats.norm.ppf(power)
    return float((needed * difference.error / difference.estimate) ** 2)


def _runs(name: str, samples: ArrayLike) -> NDArray[np.float64]:
    runs = checks.array(name, samples, (None,))
    if (runs <= 0.0).any():
        raise ValueError(f"{name} must be positive numbers of samples, got {runs.min():g}.")
    return runs


def _difference(
    estimate: float, error: float, degrees: float, ratio: Ratio, level: float, *, paired: bool
) -> Difference:
    half = float(stats.t.isf((1.0 - level) / 2.0, degrees)) * error
    return Difference(estimate, estimate - half, estimate + half, error, ratio, paired)


def _independent_ratio(
    of: NDArray[np.float64], to: NDArray[np.float64], parts: NDArray[np.float64], level: float
) -> Ratio:
    """Return the ratio of the means, as `sample_ratio` does, but of independent runs."""
    means = np.array([of.mean(), to.mean()])
    relative = parts / means**2
    degrees = _degrees(relative, of.size, to.size)
    half = float(stats.t.isf((1.0 - level) / 2.0, degrees)) * math.sqrt(float(relative.sum()))
    ratio = float(means[0] / means[1])
    with np.errstate(over="ignore"):
        return Ratio(ratio, float(ratio * np.exp(-half)), float(ratio * np.exp(half)))


def _degrees(parts: NDArray[np.float64], n: int, m: int) -> float:
    """Return the degrees of freedom of Welch and Satterthwaite for a sum of two variances."""
    freedom = np.array([n - 1.0, m - 1.0])
    total = float(parts.sum())
    return total**2 / float((parts**2 / freedom).sum()) if total > 0.0 else float(freedom.sum())
