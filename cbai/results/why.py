"""Why an arm was dropped, or not: what the rewards of each arm said of it, in one recorded run."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cbai import checks
from cbai.simulation import Trace, evidence
from cbai.simulation.algorithms import Family
from cbai.simulation.confidence import CONFIDENCE
from cbai.simulation.shown import decision_shares
from cbai.simulation.trace import Elimination


@dataclass(frozen=True, eq=False)
class Why:
    """What was known of one arm when it was dropped, or at the end if it was not.

    Attributes
    ----------
    trace : Trace
    arm, index : int
        The arm, and the recorded round that is looked at.
    out : Elimination or None
        How it was dropped.
    leader : int
        The arm with the highest lower bound then, the arm itself apart.
    bar : float
        That lower bound.
    by : int
        The arm whose rewards decided, or say most so far.
    averages : ndarray, shape (K,)
        phi_{l,k}: what the rewards of each arm k say of this one, on average.
    said : ndarray, shape (K,)
        The upper bound on this arm by the rewards of each arm; of an algorithm that bets, the
        log-wealth won against "as good as the bar". nan where a single arm's is not recorded.
    needed : float
        The log-wealth at which an arm is out, of an algorithm that bets; else nan.
    """

    trace: Trace
    arm: int
    index: int
    out: Elimination | None
    leader: int
    bar: float
    by: int
    averages: NDArray[np.float64]
    said: NDArray[np.float64]
    needed: float

    @property
    def bets(self) -> bool:
        """Whether `said` is evidence and not bounds."""
        return self.trace.algorithm.bets

    @property
    def own_pulls(self) -> int:
        """How many rewards of its own the arm had."""
        return int(self.trace.pulls[self.index, self.arm])

    @property
    def false_bound(self) -> bool:
        """Whether what decided is, in truth, below the arm's mean on average."""
        problem = self.trace.problem
        truth = float(problem.probabilities[self.by] @ problem.pseudo_rewards[self.arm, self.by])
        return bool(truth < problem.means[self.arm] - checks.TOLERANCE)

    @property
    def seen(self) -> NDArray[np.int64]:
        """How often the arm that decided gave each value, shape (V,)."""
        return np.asarray(self.trace.counts[self.index, self.by])

    @property
    def table(self) -> NDArray[np.float64]:
        """s_{l,k} for the arm that decided, after buffer and mask, shape (V,)."""
        return np.asarray(self.trace.problem.pseudo_rewards[self.arm, self.by])


def why(trace: Trace, arm: int) -> Why:
    """Return what decided about an arm in a recorded run.

    Raises
    ------
    ValueError
        If the arm's number is outside its range.
    """
    arm = checks.whole("arm", arm, 0, trace.problem.n_arms - 1)
    out = next((one for one in trace.eliminations if one.arm == arm), None)
    last = len(trace.rounds) - 1
    index = last if out is None else int(np.searchsorted(trace.rounds, out.round))
    lower = np.where(trace.active[index], trace.lower[index], -np.inf)
    lower[arm] = -np.inf
    leader = int(lower.argmax())
    bar = float(lower[leader]) if np.isfinite(lower[leader]) else float(trace.lower[index].max())
    problem, counts = trace.problem, trace.counts[index]
    averages = np.einsum("kv,kv->k", counts, problem.pseudo_rewards[arm]) / counts.sum(axis=1)
    said, needed = _said(trace, index, arm, bar, averages)
    uses = trace.algorithm.trusts_pseudo_rewards
    if out is not None:
        by = out.by
    elif uses and np.isfinite(said).any():
        by = int(np.nanargmax(said) if trace.algorithm.bets else np.nanargmin(said))
    else:
        by = arm
    return Why(trace, arm, index, out, leader, bar, by, averages, said, needed)


def _said(
    trace: Trace, index: int, arm: int, bar: float, averages: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    row, problem = trace.algorithm, trace.problem
    n_arms, b = problem.n_arms, problem.reward_max
    counts, own = trace.counts[index], np.arange(n_arms) == arm
    if row.bets:
        wealth = [
            evidence.log_wealth_by(
                counts[k], problem.pseudo_rewards[arm, k], 1.0, bar,
                float(problem.pseudo_rewards[arm, k].max()),
            )
            for k in range(n_arms)
        ]  # fmt: skip
        needed = -math.log(row.elimination_share.of(trace.delta, n_arms))
        said = np.minimum(np.array(wealth), 2.0 * needed)
    elif row.family is Family.COMPOSED:
        d = decision_shares(row)[1].of(trace.delta, n_arms)
        said = CONFIDENCE[row.confidence].upper(averages, trace.pulls[index], d, b)
        needed = math.nan
    else:
        said, needed = np.full(n_arms, np.nan), math.nan
        said[arm] = trace.own_upper[index, arm]
    return (said if row.trusts_pseudo_rewards else np.where(own, said, np.nan)), needed
