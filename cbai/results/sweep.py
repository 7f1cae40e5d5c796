"""What if a parameter were another: cells of a sweep, each of one algorithm at one setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from cbai.results.summary import LEVEL, Rate, Ratio, clopper_pearson, error_rates, sample_ratio
from cbai.simulation import Trials


@dataclass(frozen=True)
class Axis:
    """The values that one parameter takes in a sweep.

    Attributes
    ----------
    name : str
        What it is in a setup or in a problem: ``"delta"``, ``"p"``, ``"gap"`` and so on.
    title, short : str
        What it is called, with room and without.
    values : tuple of float
        In the order drawn.
    labels : tuple of str
        How each is written.
    own : int
        Which of them is the setup's own.
    log : bool
        Whether equal ratios are equal distances.
    """

    name: str
    title: str
    short: str
    values: tuple[float, ...]
    labels: tuple[str, ...]
    own: int
    log: bool = False


@dataclass(frozen=True)
class Cell:
    """The trials of one algorithm at one setting, in short.

    Attributes
    ----------
    trials, ran_out : int
        How many were played, and how many of them ran out of samples.
    mean, low, high : float
        Mean samples and its 95 % interval by Student's t, not below 0; nan ends for one trial.
        With trials that ran out the mean is a lower bound, and there is no interval.
    two_sigma, q95 : float
        Twice the standard deviation over trials; what 95 % of the trials stayed within.
    errors : Rate
        Of all trials, how many named a wrong arm, with its exact 95 % interval.
    delta : float
        What was allowed.
    max_samples : int
        The budget.
    """

    trials: int
    ran_out: int
    mean: float
    low: float
    high: float
    two_sigma: float
    q95: float
    errors: Rate
    delta: float
    max_samples: int

    @property
    def answered(self) -> bool:
        """Whether every trial named an arm."""
        return self.ran_out == 0

    @property
    def silent(self) -> bool:
        """Whether no trial did."""
        return self.ran_out == self.trials


def cell_of(trials: Trials) -> Cell:
    """Sum up the trials of one algorithm, the first of those given."""
    samples, n = trials.samples[0], trials.samples.shape[1]
    ran_out = int((~trials.identified[0]).sum())
    mean, deviation = float(samples.mean()), float(samples.std(ddof=1)) if n > 1 else np.nan
    half = np.nan
    if n > 1 and not ran_out:
        half = float(stats.t.isf((1.0 - LEVEL) / 2.0, n - 1)) * deviation / np.sqrt(n)
    return Cell(
        trials=n,
        ran_out=ran_out,
        mean=mean,
        low=float(np.maximum(mean - half, 0.0)),
        high=mean + half,
        two_sigma=2.0 * deviation,
        q95=float(np.quantile(samples, LEVEL)),
        errors=error_rates(trials)[0],
        delta=trials.delta,
        max_samples=trials.max_samples,
    )


def change(before: Trials, after: Trials, among: int = 1) -> Ratio | None:
    """Return how many times as many samples it takes after a change, with its 95 % interval.

    Parameters
    ----------
    before, after : Trials
        Of one algorithm, the first of those given.
    among : int
        Of how many algorithms it was chosen by these runs: the interval holds for all of them at
        once (Bonferroni).

    Returns
    -------
    Ratio or None
        None if one of these trials ran out of samples. Paired by trial, over the first trials that
        both have: where they meet the same rewards that makes the interval narrow, and where they
        do not it is right all the same.
    """
    shared = min(before.samples.shape[1], after.samples.shape[1])
    if not all(trials.identified[0, :shared].all() for trials in (before, after)):
        return None
    level = 1.0 - (1.0 - LEVEL) / max(among, 1)
    return sample_ratio(after.samples[0, :shared], before.samples[0, :shared], level)


def surely_above(cell: Cell, cells: int) -> bool:
    """Return whether a cell errs more often than delta, after looking at so many cells.

    The exact interval is widened to level 1 - 0.05 / `cells` (Bonferroni), so that in a whole sweep
    in which every error rate is at most delta, any cell is called so with probability 0.025 at
    most.
    """
    level = 1.0 - (1.0 - LEVEL) / max(cells, 1)
    rate = clopper_pearson(cell.errors.count, cell.errors.total, level)
    return rate.low > cell.delta


def spread(cells: Sequence[Cell | None]) -> float | None:
    """Return the largest mean over the smallest, of two cells or more that have all answers."""
    means = [cell.mean for cell in cells if cell is not None and cell.answered]
    return max(means) / min(means) if len(means) > 1 else None
