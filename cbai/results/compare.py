"""Compare the samples of two sets of trials; the method depends on what they share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cbai.results.paired import Difference, paired_difference, welch_difference
from cbai.results.summary import LEVEL
from cbai.simulation import Trials

SAME_REWARDS, SAME_SEED, INDEPENDENT = "same rewards", "same seed", "independent"


@dataclass(frozen=True, eq=False)
class Comparison:
    """The samples of two algorithms compared, each on its own setup.

    Attributes
    ----------
    kind : str
        `SAME_REWARDS` if trial t of both met the same random rewards and unknown pseudo-rewards:
        same problem, same seed. `SAME_SEED` if the problems differ but the rewards are made from
        the same random numbers: these trials depend on each other, so they are paired, too.
        `INDEPENDENT` if the seeds differ.
    runs : tuple of int
        Number of trials compared on each side. If paired, both are the number that both have.
    ran_out : tuple of int
        How many of these trials had no answer within their budget.
    differences : ndarray of int64, shape (T,)
        Trial by trial; empty unless `kind` is `SAME_REWARDS` and all had an answer.
    difference : Difference or None
        None if a trial had no answer, because the mean is then only a lower bound, and for fewer
        than two trials.
    unpaired : Difference or None
        The interval of the same trials treated as independent; shows what pairing gains.
    """

    kind: str
    runs: tuple[int, int]
    ran_out: tuple[int, int]
    differences: NDArray[np.int64]
    difference: Difference | None
    unpaired: Difference | None

    @property
    def narrowing(self) -> float | None:
        """How many times narrower pairing makes the interval; below 1 if it makes it wider.

        None if there is no interval, or if its width is 0.
        """
        if self.difference is None or self.unpaired is None or self.difference.width == 0.0:
            return None
        return self.unpaired.width / self.difference.width


def compare(of: Trials, to: Trials, level: float = LEVEL) -> Comparison:
    """Compare the samples of one algorithm with those of another.

    Parameters
    ----------
    of, to : Trials
        Trials of one algorithm each; only the first algorithm of each counts.
    level : float
        The coverage of the intervals, in (0, 1).

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If `level` is outside its range.
    """
    kind = _kind(of, to)
    paired = kind != INDEPENDENT
    n, m = of.samples.shape[1], to.samples.shape[1]
    n, m = (min(n, m),) * 2 if paired else (n, m)
    first, second = of.samples[0, :n], to.samples[0, :m]
    ran_out = int((~of.identified[0, :n]).sum()), int((~to.identified[0, :m]).sum())
    none = np.empty(0, np.int64)
    if any(ran_out):
        return Comparison(kind, (n, m), ran_out, none, None, None)
    unpaired = welch_difference(first, second, level)
    return Comparison(
        kind,
        (n, m),
        ran_out,
        first - second if kind == SAME_REWARDS else none,
        paired_difference(first, second, level) if paired else unpaired,
        unpaired,
    )


def _kind(of: Trials, to: Trials) -> str:
    if (of.seed, of.first_trial) != (to.seed, to.first_trial):
        return INDEPENDENT
    same = of.problem.fingerprint == to.problem.fingerprint
    return SAME_REWARDS if same else SAME_SEED
