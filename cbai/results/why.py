"""Why an arm was ruled out, or not: what each arm's rewards said about it in a recorded trial."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cbai import checks
from cbai.results.stopped import Stop, how_stopped, stopping_bounds
from cbai.simulation import Trace
from cbai.simulation.bounds import evidence
from cbai.simulation.bounds.confidence import CONFIDENCE
from cbai.simulation.families import kind_of
from cbai.simulation.rules.choices import Family
from cbai.simulation.trace import Elimination


@dataclass(frozen=True, eq=False)
class Why:
    """What was known about one arm when it was ruled out, or at the end if it was not.

    Attributes
    ----------
    trace : Trace
    arm, index : int
        The arm, and the index of the recorded round.
    out : Elimination or None
        How the arm was ruled out.
    stop : Stop
        How the trial ended.
    leader : int
        The arm with which it is compared: the one with the highest lower bound in that round. If
        the trial ended with an answer and the arm was not ruled out, it is the answer. For the
        answer itself, it is the arm that was beaten last.
    bar : float
        The lower bound of `leader`.
    slack : float
        An arm may be this much better than the bar, and the answer is still good enough: epsilon,
        if that ended the trial; else 0.
    by : int
        The arm whose rewards decided, or say most so far.
    averages : ndarray, shape (K,)
        phi_{l,k}: what the rewards of each arm k say about this one, on average.
    upper : float
        The upper bound that decided. It and `bar` are nan if a stopping rule's own bounds ended the
        trial and are not recorded.
    said : ndarray, shape (K,)
        The upper bound on this arm by the rewards of each arm. For an algorithm that bets: what
        these rewards add to the log-wealth against "better than the bar and the slack". nan if the
        value of a single arm is not recorded, as for an algorithm that tests claims.
    total, needed : float
        The log-wealth of all bets together, and the one that rules an arm out; nan without bets.
    """

    trace: Trace
    arm: int
    index: int
    out: Elimination | None
    stop: Stop
    leader: int
    bar: float
    slack: float
    by: int
    averages: NDArray[np.float64]
    upper: float
    said: NDArray[np.float64]
    total: float
    needed: float

    @property
    def bets(self) -> bool:
        """Whether `said` is evidence from bets, not bounds."""
        return self.trace.algorithm.bets

    @property
    def certain(self) -> bool:
        """Whether no possible reward of one arm allows a mean as high as the bar."""
        return self.bets and self.total >= evidence.SURE / 2.0

    @property
    def is_answer(self) -> bool:
        """Whether the arm is the answer of the trial."""
        return self.stop is not Stop.BUDGET and self.arm == self.trace.best_arm

    @property
    def own_pulls(self) -> int:
        """The number of the arm's own rewards."""
        return int(self.trace.pulls[self.index, self.arm])

    @property
    def false_bound(self) -> bool:
        """Whether the pseudo-rewards that decided are, on average, below the arm's true mean."""
        problem = self.trace.problem
        truth = float(problem.probabilities[self.by] @ problem.pseudo_rewards[self.arm, self.by])
        return bool(truth < problem.means[self.arm] - checks.TOLERANCE)

    @property
    def seen(self) -> NDArray[np.int64]:
        """How often the arm that decided gave each reward, shape (V,)."""
        return np.asarray(self.trace.counts[self.index, self.by])

    @property
    def table(self) -> NDArray[np.float64]:
        """s_{l,k} for the arm that decided, after buffer and mask, shape (V,)."""
        return np.asarray(self.trace.problem.pseudo_rewards[self.arm, self.by])


class _Said(NamedTuple):
    values: NDArray[np.float64]
    total: float = math.nan
    needed: float = math.nan


def why(trace: Trace, arm: int) -> Why:
    """Return what decided about an arm in a recorded trial.

    Raises
    ------
    ValueError
        If the arm's number is outside its range.
    """
    arm = checks.whole("arm", arm, 0, trace.problem.n_arms - 1)
    out = next((one for one in trace.eliminations if one.arm == arm), None)
    index = len(trace.rounds) - 1
    if out is not None:
        index = int(np.searchsorted(trace.rounds, out.round))
    stop = how_stopped(trace)
    leader = _leader(trace, arm, index, out, stop)
    bar, upper, slack = float(trace.lower[index, leader]), float(trace.upper[index, arm]), 0.0
    averages = _averages(trace, arm, index)
    own_rule = False
    if out is None and stop is not Stop.BUDGET and arm != trace.best_arm:
        slack = 0.0 if stop is Stop.PULL_SHARE else trace.epsilon
        own_rule = stop is Stop.ABOVE_ALL
    if own_rule:
        ended = stopping_bounds(trace)
        bar, upper = (math.nan, math.nan) if ended is None else (ended.lower, ended.upper[arm])
        said = _only(trace, arm, upper)
    elif trace.algorithm.bets:
        said = _evidence(trace, arm, index, bar + slack)
    elif trace.algorithm.by_claim:
        said = _Said(np.full(trace.problem.n_arms, np.nan))
    else:
        said = _bounds(trace, arm, index, averages)
    by = _who(said, arm, trace.algorithm.bets) if out is None else out.by
    if not (trace.algorithm.bets or trace.algorithm.by_claim) and np.isnan(said.values[by]):
        said.values[by] = upper
    return Why(
        trace, arm, index, out, stop, leader, bar, slack, by, averages, float(upper), said.values,
        said.total, said.needed,
    )  # fmt: skip


def _leader(trace: Trace, arm: int, index: int, out: Elimination | None, stop: Stop) -> int:
    ended = out is None and stop is not Stop.BUDGET
    if ended and arm != trace.best_arm:
        return trace.best_arm
    if ended and stop is Stop.ONE_LEFT:
        return trace.eliminations[-1].arm
    rivals = trace.active[index] & (np.arange(trace.problem.n_arms) != arm)
    most = trace.upper[index] if ended else trace.lower[index]
    return int(np.where(rivals, most, -np.inf).argmax())


def _averages(trace: Trace, arm: int, index: int) -> NDArray[np.float64]:
    counts = trace.counts[index]
    sums = np.einsum("kv,kv->k", counts, trace.problem.pseudo_rewards[arm])
    return np.asarray(sums / np.maximum(counts.sum(axis=1), 1))


def _who(said: _Said, arm: int, bets: bool) -> int:
    if np.isnan(said.values).all():
        return arm
    return int(np.nanargmax(said.values) if bets else np.nanargmin(said.values))


def _only(trace: Trace, arm: int, bound: float) -> _Said:
    values = np.full(trace.problem.n_arms, np.nan)
    values[arm] = bound
    return _Said(values)


def _bounds(trace: Trace, arm: int, index: int, averages: NDArray[np.float64]) -> _Said:
    row, problem = trace.algorithm, trace.problem
    if row.family is not Family.COMPOSED or not row.trusts_pseudo_rewards:
        return _only(trace, arm, float(trace.own_upper[index, arm]))
    share = kind_of(row).deciding_shares(row)[1].of(trace.delta, problem.n_arms)
    sequence = CONFIDENCE[row.confidence]
    return _Said(sequence.upper(averages, trace.pulls[index], share, problem.reward_max))


def _evidence(trace: Trace, arm: int, index: int, bar: float) -> _Said:
    """Return what each arm's rewards add to the log-wealth, and their total."""
    row, problem, counts = trace.algorithm, trace.problem, trace.counts[index]
    alone = np.array(
        [
            evidence.log_wealth_by(
                counts[k], problem.pseudo_rewards[arm, k], 1.0, bar,
                float(problem.pseudo_rewards[arm, k].max()),
            )
            for k in range(problem.n_arms)
        ]
    )  # fmt: skip
    needed = -math.log(row.elimination_share.of(trace.delta, problem.n_arms))
    if not row.trusts_pseudo_rewards:
        said = _only(trace, arm, alone[arm])
        return _Said(said.values, alone[arm], needed)
    values = np.logaddexp(evidence.LOG_KEPT, evidence.LOG_STAKED + alone)
    values[arm] = alone[arm]
    cross = float(values.sum() - alone[arm])
    together = alone[arm] + np.logaddexp(evidence.HEDGE, evidence.HEDGE + cross)
    return _Said(values, float(together), needed)
