"""Summaries of many trials. Each number has its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from cbai import checks
from cbai.simulation import Trials

LEVEL = 0.95
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Rate:
    """A rate of errors: `count` of `total`, with its exact interval from `low` to `high`.

    Examples
    --------
    >>> from cbai.results import clopper_pearson
    >>> clopper_pearson(3, 60).estimate
    0.05
    """

    count: int
    total: int
    low: float
    high: float

    @property
    def estimate(self) -> float:
        """The observed rate."""
        return self.count / self.total


@dataclass(frozen=True)
class Ratio:
    """A ratio of numbers of samples, with its interval from `low` to `high`.

    Examples
    --------
    >>> import numpy as np
    >>> from cbai.results import sample_ratio
    >>> ratio = sample_ratio(np.array([40, 50, 60]), np.array([20, 25, 30]))
    >>> ratio.estimate, ratio.low, ratio.high
    (2.0, 2.0, 2.0)
    """

    estimate: float
    low: float
    high: float


def clopper_pearson(count: int, total: int, level: float = LEVEL) -> Rate:
    """Return a binomial rate with its exact interval.

    Parameters
    ----------
    count, total : int
        Events among trials, 0 <= `count` <= `total`.
    level : float
        The coverage, in (0, 1).

    Raises
    ------
    ValueError
        If a parameter is outside its range.

    Notes
    -----
    Clopper and Pearson, Biometrika 26 (1934), two-sided whatever was seen: after 200 trials without
    an error the rate is at most 1.8 % (95 %).

    Examples
    --------
    >>> from cbai.results import clopper_pearson
    >>> rate = clopper_pearson(0, 200)
    >>> f"{rate.low:.1%} to {rate.high:.1%}"
    '0.0% to 1.8%'
    """
    checks.whole("total", total, 1)
    checks.whole("count", count, 0, total)
    checks.real("level", level, 0.0, 1.0, open_ends=True)
    tail = (1.0 - level) / 2.0
    low = float(stats.beta.ppf(tail, count, total - count + 1)) if count else 0.0
    high = float(stats.beta.isf(tail, count + 1, total - count)) if count < total else 1.0
    return Rate(count, total, low, high)


def error_rates(trials: Trials, level: float = LEVEL) -> list[Rate]:
    """Return for each algorithm how many of all trials named a wrong arm.

    A trial that ran out of budget named no arm. It is neither an error nor a success, and it is
    counted separately.

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("ad-campaign")
    >>> trials = cbai.simulate(problem, ["lucb", "c_lucb"], delta=0.1, trials=5, seed=0)
    >>> from cbai.results import error_rates
    >>> [(rate.count, rate.total) for rate in error_rates(trials)]
    [(0, 5), (0, 5)]
    """
    total = trials.samples.shape[1]
    return [clopper_pearson(int(wrong.sum()), total, level) for wrong in trials.wrong]


def summarise(trials: Trials) -> pd.DataFrame:
    """Return one row per algorithm: samples, errors and budget stops.

    Returns
    -------
    DataFrame
        ``mean`` and ``two_sigma`` (twice the standard deviation over trials, the error bars of the
        paper), quantiles, ``errors`` with the ends of their exact 95 % interval, ``budget`` (how
        many trials ran out of samples; then the other numbers are too low), and ``trials``.

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("ad-campaign")
    >>> trials = cbai.simulate(problem, ["lucb", "c_lucb"], delta=0.1, trials=5, seed=0)
    >>> from cbai.results import summarise
    >>> summarise(trials)[["algorithm", "mean", "errors"]].values.tolist()
    [['lucb', 4533.2, 0], ['c_lucb', 2162.0, 0]]
    """
    rows = []
    for a, (row, rate) in enumerate(zip(trials.algorithms, error_rates(trials), strict=True)):
        samples = trials.samples[a]
        quantiles = np.quantile(samples, QUANTILES)
        rows.append(
            {
                "algorithm": row.name,
                "title": row.title,
                "trials": samples.size,
                "mean": samples.mean(),
                "two_sigma": 2.0 * samples.std(ddof=1) if samples.size > 1 else np.nan,
                **{f"q{int(100 * q):02d}": v for q, v in zip(QUANTILES, quantiles, strict=True)},
                "errors": rate.count,
                "error_rate": rate.estimate,
                "error_low": rate.low,
                "error_high": rate.high,
                "budget": int((trials.status[a] == "budget").sum()),
            }
        )
    return pd.DataFrame(rows)


Samples = NDArray[np.int64] | NDArray[np.float64]


def sample_ratio(of: Samples, to: Samples, level: float = LEVEL) -> Ratio | None:
    """Return the ratio of the samples of two algorithms on the same rewards.

    Parameters
    ----------
    of, to : ndarray, shape (T,)
        Samples by trial, paired by common random numbers.
    level : float
        The coverage of the interval, in (0, 1).

    Returns
    -------
    Ratio or None
        The ratio of the means with a paired interval; None for fewer than two trials.

    Notes
    -----
    The logarithm of the ratio plus and minus Student's t times its standard error (delta method),
    T - 1 degrees of freedom. In simulations of "95 %" it covers 0.93 to 0.95 at 3, 10 and 100
    trials; with the normal quantile it covers 0.77 to 0.84 at 3 trials and 0.90 to 0.91 at 10.
    Fieller's interval covers about as often, but in up to half of the cases of 3 trials it is
    unbounded. All of these intervals cover less often if a few trials are far longer than the rest.

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("ad-campaign")
    >>> trials = cbai.simulate(problem, ["lucb", "c_lucb"], delta=0.1, trials=5, seed=0)
    >>> from cbai.results import sample_ratio
    >>> lucb, c_lucb = trials.samples
    >>> ratio = sample_ratio(lucb, c_lucb)
    >>> f"{ratio.estimate:.2f} times as many, {ratio.low:.2f} to {ratio.high:.2f}"
    '2.10 times as many, 1.85 to 2.38'
    """
    n = of.size
    if n < 2:
        return None
    relative = of / of.mean() - to / to.mean()
    half = stats.t.isf((1.0 - level) / 2.0, n - 1) * relative.std(ddof=1) / np.sqrt(n)
    ratio = of.mean() / to.mean()
    with np.errstate(over="ignore"):
        return Ratio(float(ratio), float(ratio * np.exp(-half)), float(ratio * np.exp(half)))


def cheapest_ratio(
    ours: Sequence[Samples], theirs: Sequence[Samples], level: float = LEVEL
) -> Ratio | None:
    """Return the samples of the cheapest of `theirs` divided by those of the cheapest of `ours`.

    Parameters
    ----------
    ours, theirs : sequence of ndarray, shape (T,)
        Samples by trial of each algorithm, all paired by common random numbers.
    level : float
        The coverage of the interval, in (0, 1).

    Returns
    -------
    Ratio or None
        See `sample_ratio`. The same trials decide which algorithms are the cheapest. Therefore the
        interval is widened to hold for all pairs at once (Bonferroni); it then also holds for the
        chosen pair.

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("ad-campaign")
    >>> names = ["c_lucb", "racing", "lucb"]
    >>> ours, *theirs = cbai.simulate(problem, names, delta=0.1, trials=5).samples
    >>> from cbai.results import cheapest_ratio
    >>> f"{cheapest_ratio([ours], theirs).estimate:.2f}"
    '2.10'
    """
    of, to = (min(kind, key=lambda one: float(one.mean())) for kind in (theirs, ours))
    pairs = len(ours) * len(theirs)
    return sample_ratio(of, to, 1.0 - (1.0 - level) / pairs)


def pulls_per_arm(trials: Trials) -> pd.DataFrame:
    """Return the mean number of pulls of each arm, a row per arm and a column per algorithm.

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("ad-campaign")
    >>> trials = cbai.simulate(problem, ["lucb", "c_lucb"], delta=0.1, trials=5, seed=0)
    >>> from cbai.results import pulls_per_arm
    >>> pulls_per_arm(trials).loc["City café"].to_dict()
    {'lucb': 393.4, 'c_lucb': 13.0}
    """
    return pd.DataFrame(
        trials.pulls.mean(axis=1).T,
        index=pd.Index(trials.problem.arms, name="arm"),
        columns=[row.name for row in trials.algorithms],
    )
