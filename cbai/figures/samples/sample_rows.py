"""Samples until each algorithm stops: the data of `cbai.figures.samples.sample_counts`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cbai.figures.base.style import THIN_SPACE, percent
from cbai.results import Ratio, cheapest_ratio, error_rates
from cbai.results.limit import Limit
from cbai.results.limit.masked import MeanLimit
from cbai.results.praise import doubts
from cbai.simulation import Algorithm, Trials

MAX_POINTS = 300
FARTHEST = 5.0
"""A lower bound more than this many times beyond all bars is not drawn, as it would dwarf them."""


@dataclass(frozen=True, eq=False)
class Row:
    """One algorithm.

    Attributes
    ----------
    mean, two_sigma : float
        Samples to stop, and twice their standard deviation over trials (nan for one trial). If
        trials ran out of samples, the mean is too low.
    errors, ran_out, trials : int
        How many trials named a wrong arm, how many named none, and how many there were.
    trial, samples : ndarray of int64, shape (N,)
        The trials drawn, at most `MAX_POINTS`: the wrong ones first, then the first others.
    wrong, out : ndarray of bool, shape (N,)
        Which of these named a wrong arm, and which ran out of samples.
    named : tuple of str
        The arm that each of these named.
    budget : int
        The most samples that a trial could take.
    doubt : str
        Why the algorithm may not be praised, see `cbai.results.praise`; empty if it may.
    relative : str
        Its mean as a share of that of the cheapest algorithm that ignores correlations, with a 95 %
        interval; empty if there is no fair comparison.
    """

    algorithm: Algorithm
    mean: float
    two_sigma: float
    errors: int
    ran_out: int
    trials: int
    trial: NDArray[np.int64]
    samples: NDArray[np.int64]
    wrong: NDArray[np.bool_]
    out: NDArray[np.bool_]
    named: tuple[str, ...]
    budget: int
    doubt: str = ""
    relative: str = ""

    @property
    def no_answer(self) -> bool:
        """Whether every trial ran out of samples."""
        return self.ran_out == self.trials


@dataclass(frozen=True)
class Info:
    """Samples until each algorithm stops.

    Attributes
    ----------
    rows : tuple of Row
    reach : float
        Where the axis ends, in samples.
    cut : bool
        Whether bars of algorithms that never gave an answer go beyond the axis. Otherwise the
        other bars would be too short to read.
    limit : Limit or None
        The lower bound for algorithms that ignore the correlation.
    known : MeanLimit or None
        The lower bound for algorithms that trust the pseudo-rewards.
    known_later : bool
        Whether `known` is not there yet; then there is room for it.
    """

    rows: tuple[Row, ...]
    reach: float
    cut: bool
    limit: Limit | None = None
    known: MeanLimit | None = None
    known_later: bool = False

    @property
    def drawn(self) -> int:
        """The most single trials that are shown of an algorithm."""
        return max(len(row.trial) for row in self.rows)

    @property
    def limit_drawn(self) -> bool:
        """Whether the lower bound is on the axis."""
        return self.limit is not None and self.limit.samples <= self.reach

    @property
    def known_drawn(self) -> bool:
        """Whether the lower bound for algorithms that trust pseudo-rewards is on the axis."""
        return self.known is not None and self.known.samples <= self.reach


def gather(
    trials: Trials,
    limit: Limit | None = None,
    why: Sequence[str] | None = None,
    known: MeanLimit | None = None,
    *,
    known_later: bool = False,
) -> Info:
    """Gather what the figure shows.

    Parameters
    ----------
    trials : Trials
    limit : Limit, optional
        The lower bound of the same problem and delta.
    why : sequence of str, optional
        The `cbai.results.praise.doubts` of the trials; computed if they are not given.
    known : MeanLimit, optional
        The lower bound for algorithms that trust the pseudo-rewards.
    known_later : bool
        Whether `known` is still being computed.
    """
    why = doubts(trials) if why is None else why
    rows = [_row(trials, a, why[a]) for a in range(len(trials.algorithms))]
    info = _info(_compared(trials, rows), limit)
    return replace(info, known=known, known_later=known is None and known_later)


def _compared(trials: Trials, rows: list[Row]) -> list[Row]:
    """Add to each row that uses correlations its cost beside the cheapest one that does not."""
    plain = [a for a, row in enumerate(rows) if not (row.algorithm.uses_correlation or row.doubt)]
    if not plain or not trials.identified.all():
        return rows
    cheapest = min(plain, key=lambda a: rows[a].mean)
    told = []
    for a, row in enumerate(rows):
        ratio = None
        if row.algorithm.uses_correlation and not row.doubt:
            ratio = cheapest_ratio([trials.samples[b] for b in plain], [trials.samples[a]])
        told.append(row if ratio is None else replace(row, relative=_share(ratio, rows[cheapest])))
    return told


def _share(ratio: Ratio, of: Row) -> str:
    low = percent(ratio.low).removesuffix(f"{THIN_SPACE}%")
    ends = f"{low} to {percent(ratio.high)}"
    return f"{percent(ratio.estimate)} of {of.algorithm.title} ({ends})"


def gather_several(parts: Sequence[tuple[str, Trials]]) -> Info:
    """Gather what the figure shows for trials of several setups.

    Parameters
    ----------
    parts : sequence of (str, Trials)
        The title of a row, as HTML, and its trials of one algorithm.
    """
    rows = []
    for title, trials in parts:
        row = _row(trials, 0, doubts(trials)[0])
        rows.append(replace(row, algorithm=replace(row.algorithm, title=title)))
    return _info(rows, None)


def _info(rows: Sequence[Row], limit: Limit | None) -> Info:
    ends = [
        np.nanmax([*row.samples, row.mean + row.two_sigma, row.mean])
        for row in rows
        if not row.no_answer
    ]
    silent = [row.budget for row in rows if row.no_answer]
    reach = float(max(ends, default=max(silent, default=0)))
    cut = bool(silent) and min(silent) > 2.0 * reach
    reach = reach if cut or not silent else max(reach, *silent)
    if limit is not None and limit.samples <= FARTHEST * reach:
        reach = max(reach, limit.samples)
    return Info(tuple(rows), 1.04 * reach, cut, limit)


def _row(trials: Trials, a: int, why: str) -> Row:
    samples, wrong, out = trials.samples[a], trials.wrong[a], trials.status[a] == "budget"
    shown = np.argsort(~wrong, kind="stable")[:MAX_POINTS]
    return Row(
        algorithm=trials.algorithms[a],
        mean=float(samples.mean()),
        two_sigma=float(2.0 * samples.std(ddof=1)) if samples.size > 1 else np.nan,
        errors=error_rates(trials)[a].count,
        ran_out=int(out.sum()),
        trials=samples.size,
        trial=trials.first_trial + shown,
        samples=samples[shown],
        wrong=wrong[shown],
        out=out[shown],
        named=tuple(trials.problem.arms[arm] for arm in trials.best_arm[a, shown]),
        budget=trials.max_samples,
        doubt=why,
    )
