"""Which arm's rewards set the upper bound of each arm, at some moments of a recorded trial."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cbai.simulation import Trace
from cbai.simulation.bounds.confidence import CONFIDENCE
from cbai.simulation.families import kind_of
from cbai.simulation.rules.choices import Family


def cap_sources(trace: Trace, at: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """Return the arm whose rewards set each upper bound; an arm's own rewards win ties.

    Parameters
    ----------
    trace : Trace
    at : ndarray of int64, shape (M,)
        Indices of recorded rounds.

    Returns
    -------
    ndarray of int64, shape (M, K), or None
        None if the algorithm uses no pseudo-rewards, or has no bounds by single arms, as those that
        bet.
    """
    row, problem = trace.algorithm, trace.problem
    if not row.trusts_pseudo_rewards or row.family is not Family.COMPOSED:
        return None
    counts, pulls, arms = trace.counts[at], trace.pulls[at], np.arange(problem.n_arms)
    share = kind_of(row).deciding_shares(row)[1].of(trace.delta, problem.n_arms)
    sequence = CONFIDENCE[row.confidence]
    lowest = np.empty((len(at), problem.n_arms), dtype=np.int64)
    for arm in arms:  # one arm at a time takes little memory
        sums = np.einsum("rkv,kv->rk", counts, problem.pseudo_rewards[arm])
        bounds = sequence.upper(sums / pulls, pulls, share, problem.reward_max)
        own = bounds[:, arm] <= bounds.min(axis=1)
        lowest[:, arm] = np.where(own, arm, bounds.argmin(axis=1))
    return lowest
