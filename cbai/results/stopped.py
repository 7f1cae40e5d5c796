"""How a recorded trial ended, computed from its trace alone."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cbai.simulation import Trace
from cbai.simulation.bounds.confidence import CONFIDENCE
from cbai.simulation.rules.choices import Elimination, Family, Stopping

ROUNDING = 1e-6
"""The error of bounds by betting, which are found by bisection, as a share of b."""


class Stop(Enum):
    """Why a trial ended."""

    BUDGET = "ran out of samples, without an answer"
    ONE_LEFT = "ruled out all but one"
    NEAR = "no remaining arm may be better than the answer by more than epsilon"
    ABOVE_ALL = "its own stopping rule: the answer's lower bound above all upper bounds"
    PULL_SHARE = "its own stopping rule: nearly all samples are the answer's"
    RATIO = "its own stopping rule: likelihood ratios"


class Bounds(NamedTuple):
    """What a stopping rule compares: the answer's lower bound, and all upper bounds, shape (K,)."""

    lower: float
    upper: NDArray[np.float64]


def how_stopped(trace: Trace) -> Stop:
    """Return why a trial ended."""
    row = trace.algorithm
    if trace.status != "identified":
        return Stop.BUDGET
    if np.count_nonzero(trace.active[-1]) == 1:
        return Stop.ONE_LEFT
    if row.by_ratio:
        return Stop.RATIO
    if row.elimination is not Elimination.NONE and trace.epsilon > 0.0 and _all_near(trace):
        return Stop.NEAR
    return Stop.PULL_SHARE if row.stopping is Stopping.PULL_SHARE else Stop.ABOVE_ALL


def _all_near(trace: Trace) -> bool:
    if trace.algorithm.stopping is Stopping.NONE:
        return True
    others = trace.active[-1].copy()
    others[trace.best_arm] = False
    limit = trace.lower[-1, trace.best_arm] + trace.epsilon
    return bool((trace.upper[-1, others] <= limit + ROUNDING * trace.problem.reward_max).all())


def stopping_bounds(trace: Trace) -> Bounds | None:
    """Return the bounds at the end of a trial whose last step did not rule out an arm.

    None if they are not recorded, as for adaptive bounds together with an elimination rule.
    """
    stop, row, best = how_stopped(trace), trace.algorithm, trace.best_arm
    shown = Bounds(float(trace.lower[-1, best]), trace.upper[-1])
    if stop in (Stop.NEAR, Stop.RATIO):
        return shown
    if stop is not Stop.ABOVE_ALL:
        return None
    if row.family is not Family.COMPOSED:
        return shown if row.elimination is Elimination.NONE else None
    n_arms, b, sequence = trace.problem.n_arms, trace.problem.reward_max, CONFIDENCE[row.confidence]
    low, high = (
        share.of(trace.delta, n_arms) for share in (row.leader_share, row.challenger_share)
    )
    means, pulls = trace.mean[-1], trace.pulls[-1]
    lower = sequence.lower(means, pulls, low, b)[best]
    return Bounds(float(lower), np.asarray(sequence.upper(means, pulls, high, b)))
