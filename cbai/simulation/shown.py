"""The bounds that a trace shows where they follow from pulls and means alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cbai.problem import Problem
from cbai.simulation.bounds.confidence import CONFIDENCE
from cbai.simulation.families import kind_of
from cbai.simulation.families.kind import Shown
from cbai.simulation.plan import Plan


def by_sequence(
    plan: Plan, used: Problem, phi: NDArray[np.float64], pulls: NDArray[np.int64]
) -> Shown:
    """Return bounds at the shares of delta that decide, at R moments, shapes (R, K).

    Parameters
    ----------
    plan : Plan
        Its algorithm's family must have no bounds of its own.
    used : Problem
        With the pseudo-rewards of the trial.
    phi : ndarray, shape (R, K, K)
        Empirical pseudo-rewards, with the means on the diagonal.
    pulls : ndarray of int64, shape (R, K)
    """
    sequence, n_arms, b = CONFIDENCE[plan.algorithm.confidence], used.n_arms, used.reward_max
    shares = kind_of(plan.algorithm).deciding_shares(plan.algorithm)
    lower, upper = (share.of(plan.delta, n_arms) for share in shares)
    cross = sequence.upper(phi, pulls[:, None, :], upper, b)
    low = sequence.lower(phi.diagonal(axis1=1, axis2=2), pulls, lower, b)
    return low, cross.diagonal(axis1=1, axis2=2).copy(), cross.min(axis=2)


def lowest_source(plan: Plan, arm: int, phi: NDArray[np.float64], pulls: NDArray[np.int64]) -> int:
    """Return the arm whose rewards ruled another one out, or that arm itself.

    Parameters
    ----------
    plan : Plan
    arm : int
        The arm that was ruled out.
    phi : ndarray, shape (K,)
        The arm's empirical pseudo-rewards at that moment, by the rewards of each arm; its own mean
        is one of them.
    pulls : ndarray of int64, shape (K,)
        Pulls of each arm at that moment.
    """
    if not plan.algorithm.trusts_pseudo_rewards:
        return arm
    sequence = CONFIDENCE[plan.algorithm.confidence]
    d = plan.algorithm.elimination_share.of(plan.delta, plan.problem.n_arms)
    return int(np.argmin(sequence.upper(phi, pulls, d, plan.problem.reward_max)))
