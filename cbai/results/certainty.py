"""The cost of certainty: pulls by log(1 / delta), for competitive and for other arms.

Theorem 2 of Gupta, Joshi and Yağan 2021: only the part of C-LUCB's bound that is a sum over the
competitive arms grows with log(1 / delta).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from cbai import checks
from cbai.results.summary import LEVEL
from cbai.results.theory import Theory
from cbai.simulation import Trials

DELTAS = tuple(float(f"1e-{n}") for n in range(1, 9))
"""From one error in 10 runs to one in 100 million."""


@dataclass(frozen=True)
class Slope:
    """Additional samples for a tenfold smaller delta, with an interval from `low` to `high`."""

    estimate: float
    low: float
    high: float

    @property
    def grows(self) -> bool:
        """Whether the interval lies above 0."""
        return self.low > 0.0


@dataclass(frozen=True, eq=False)
class Cost:
    """The pulls of one algorithm at each delta, split by each trial's own competitive set.

    Attributes
    ----------
    algorithm : str
        Its title.
    delta : ndarray, shape (D,)
    competitive, others : ndarray of int64, shape (D, T)
        Pulls of the competitive and of the non-competitive arms.
    open_share : float
        Share of the non-competitive arms, over all trials, that the best arm's rewards do not
        exclude at the last delta: b sqrt(2 log(n + 1) / n) >= pseudo-gap, with n the best arm's
        pulls. Their PseudoUCB may still be above mu_{k(2)}. 0 if there are no such arms.
    no_answer : int
        How many of the D T trials ran out of budget. Their pulls are only lower bounds, so no
        slope should be computed from them.
    """

    algorithm: str
    delta: NDArray[np.float64]
    competitive: NDArray[np.int64]
    others: NDArray[np.int64]
    open_share: float
    no_answer: int


def cost_of_certainty(runs: Sequence[Trials], theory: Theory) -> Cost:
    """Split the pulls of one algorithm's trials at several deltas.

    Parameters
    ----------
    runs : sequence of Trials
        One for each delta, all of the same algorithm and the same trials, counted from 0.
    theory : Theory
        For the same number of trials and the same p, q and seed as the runs; at any delta.

    Raises
    ------
    ValueError
        If the theory has another number of trials or arms than the runs.
    """
    competitive = theory.competitive
    pulls = np.array([trials.pulls[0] for trials in runs])
    if pulls.shape[1:] != competitive.shape:
        raise ValueError(
            f"theory must have {pulls.shape[1]} trials and {pulls.shape[2]} arms like the runs, "
            f"got {competitive.shape[0]} and {competitive.shape[1]}."
        )
    best = pulls[-1, :, theory.best].astype(float)
    bonus = runs[0].problem.reward_max * np.sqrt(2.0 * np.log(best + 1.0) / best)
    undecided = (bonus[:, None] >= theory.pseudo_gap)[~competitive]
    return Cost(
        algorithm=runs[0].algorithms[0].title,
        delta=np.array([trials.delta for trials in runs]),
        competitive=np.where(competitive, pulls, 0).sum(axis=2),
        others=np.where(competitive, 0, pulls).sum(axis=2),
        open_share=float(undecided.mean()) if undecided.size else 0.0,
        no_answer=sum(int((~trials.identified).sum()) for trials in runs),
    )


def slope(delta: ArrayLike, pulls: ArrayLike, level: float = LEVEL) -> Slope:
    """Return the slope of pulls against log10(1 / delta), with an interval over trials.

    Parameters
    ----------
    delta : array_like, shape (D,)
        At least two different values.
    pulls : array_like, shape (D, T)
        The same trial, on the same random numbers, in each column.
    level : float
        The coverage of the interval, in (0, 1).

    Returns
    -------
    Slope
        The mean of the trials' least-squares slopes, with its two-sided t interval: trials are
        independent of each other, but the points of one trial are not. The interval is
        approximate, because slopes are not normal: good from about 20 trials on, unbounded for
        one trial.

    Raises
    ------
    ValueError
        If the shapes do not fit, or there are fewer than two deltas.
    """
    x = -np.log10(checks.array("delta", delta, (None,)))
    y = checks.array("pulls", pulls, (x.size, None))
    x = x - x.mean()
    if not x.any():
        raise ValueError("delta must have at least two different values.")
    slopes = x @ y / (x @ x)
    mean, n = float(slopes.mean()), slopes.size
    if n == 1:
        return Slope(mean, -np.inf, np.inf)
    half = float(stats.t.isf((1.0 - level) / 2.0, n - 1) * slopes.std(ddof=1) / np.sqrt(n))
    return Slope(mean, mean - half, mean + half)


def allowed_slope(theories: Sequence[Theory]) -> float:
    """Return the samples that C-LUCB's bound grows by for a tenfold smaller delta, mean of trials.

    Parameters
    ----------
    theories : sequence of Theory
        At two deltas or more. The result is infinite in a tie.
    """
    if any(theory.tied for theory in theories):
        return float("inf")
    bounds = np.array([theory.c_lucb_competitive.mean() for theory in theories])
    return slope([theory.delta for theory in theories], bounds[:, None]).estimate
