"""What more certainty costs: pulls against log(1 / delta), competitive arms and others apart.

Theorem 2 of Gupta, Joshi and Yağan 2021: of C-LUCB's bound only a sum over the competitive arms
grows with log(1 / delta).
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
"""From an error in ten runs to one in a hundred million."""


@dataclass(frozen=True)
class Slope:
    """How many samples more for a tenfold smaller delta, with its interval from `low` to `high`."""

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
        For which share of the non-competitive arms, over all trials, the best arm's rewards do not
        tell yet at the last delta: b sqrt(2 log(n + 1) / n) >= pseudo-gap with n the best arm's
        pulls, so that their pseudo-UCB index may still be above mu_{k(2)}. 0 without such arms.
    no_answer : int
        How many of the D T trials ran out of budget: their pulls are lower bounds, and no slope
        should be read off them.
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
        Of one algorithm each, the same trials, counted from 0, at each delta.
    theory : Theory
        Of as many trials, at any delta, p and q and the seed being those of the runs.

    Raises
    ------
    ValueError
        If the theory is not of as many trials and arms as the runs.
    """
    competitive = theory.competitive
    pulls = np.array([trials.pulls[0] for trials in runs])
    if pulls.shape[1:] != competitive.shape:
        raise ValueError(
            f"theory must be of {pulls.shape[1]} trials and {pulls.shape[2]} arms as the runs, got "
            f"{competitive.shape[0]} and {competitive.shape[1]}."
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
        At least two different ones.
    pulls : array_like, shape (D, T)
        The same trial, on the same random numbers, in each column.
    level : float
        The coverage of the interval, in (0, 1).

    Returns
    -------
    Slope
        The mean of the trials' least-squares slopes and its two-sided t interval: trials are
        independent of each other, the points of one trial are not. Approximate, as slopes are not
        normal; good from some twenty trials on, unbounded for one.

    Raises
    ------
    ValueError
        If the shapes do not fit, or there are fewer than two deltas.
    """
    x = -np.log10(checks.array("delta", delta, (None,)))
    y = checks.array("pulls", pulls, (x.size, None))
    x = x - x.mean()
    if not x.any():
        raise ValueError("delta must hold at least two different values.")
    slopes = x @ y / (x @ x)
    mean, n = float(slopes.mean()), slopes.size
    if n == 1:
        return Slope(mean, -np.inf, np.inf)
    half = float(stats.t.isf((1.0 - level) / 2.0, n - 1) * slopes.std(ddof=1) / np.sqrt(n))
    return Slope(mean, mean - half, mean + half)


def allowed_slope(theories: Sequence[Theory]) -> float:
    """Return how fast C-LUCB's bound grows: samples for a tenfold smaller delta, mean over trials.

    Parameters
    ----------
    theories : sequence of Theory
        At two deltas or more. Infinite for a tie.
    """
    if any(theory.tied for theory in theories):
        return float("inf")
    bounds = np.array([theory.c_lucb_competitive.mean() for theory in theories])
    return slope([theory.delta for theory in theories], bounds[:, None]).estimate
