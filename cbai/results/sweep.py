"""Cells of a sweep over one or two parameters: each is one algorithm at one setting."""

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
        Name of the parameter in a setup or a problem: ``"delta"``, ``"p"``, ``"gap"`` and so on.
    title, short : str
        Its long and its short name on screen.
    values : tuple of float
        In the order drawn.
    labels : tuple of str
        Each value as text.
    own : int
        Index of the value that the setup has.
    log : bool
        Whether the axis is logarithmic.
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
    """A summary of the trials of one algorithm at one setting.

    Attributes
    ----------
    trials, ran_out : int
        Number of trials, and how many of them ran out of samples.
    mean, low, high : float
        Mean samples and its 95 % interval by Student's t, not below 0; nan ends for one trial.
        If trials ran out of samples, the mean is a lower bound and there is no interval.
    two_sigma, q95 : float
        Twice the standard deviation of the samples over trials, and their 95 % quantile.
    errors : Rate
        Share of all trials that named a wrong arm, with its exact 95 % interval.
    delta : float
        The allowed error.
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
        """Whether no trial named an arm."""
        return self.ran_out == self.trials


def cell_of(trials: Trials) -> Cell:
    """Summarise the trials of one algorithm, the first of those given."""
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
    """Return the ratio of mean samples after a change to before, with its 95 % interval.

    Parameters
    ----------
    before, after : Trials
        Of one algorithm, the first of those given.
    among : int
        Number of algorithms among which these runs have chosen this one. The interval holds for
        all of them at once (Bonferroni).

    Returns
    -------
    Ratio or None
        None if one of these trials ran out of samples. The ratio is paired by trial, over the
        first trials that both have. Pairing makes the interval narrow if both meet the same
        rewards; the interval is valid in any case.
    """
    shared = min(before.samples.shape[1], after.samples.shape[1])
    if not all(trials.identified[0, :shared].all() for trials in (before, after)):
        return None
    level = 1.0 - (1.0 - LEVEL) / max(among, 1)
    return sample_ratio(after.samples[0, :shared], before.samples[0, :shared], level)


def surely_above(cell: Cell, cells: int) -> bool:
    """Return whether a cell surely errs more often than delta, after looking at `cells` cells.

    The exact interval is widened to level 1 - 0.05 / `cells` (Bonferroni). In a sweep in which
    every error rate is at most delta, the probability that any cell is flagged is 0.025 at most.
    """
    level = 1.0 - (1.0 - LEVEL) / max(cells, 1)
    rate = clopper_pearson(cell.errors.count, cell.errors.total, level)
    return rate.low > cell.delta


def spread(cells: Sequence[Cell | None]) -> float | None:
    """Return the largest mean divided by the smallest, over cells without a missing answer.

    None if there are fewer than two of them.
    """
    means = [cell.mean for cell in cells if cell is not None and cell.answered]
    return max(means) / min(means) if len(means) > 1 else None
