"""Algorithms composed of rules, with bounds that depend on pulls and means alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cbai.simulation.bounds.adaptive_bounds import BOUNDS
from cbai.simulation.families.kind import Kind, Spending
from cbai.simulation.loops.kernel import advance_composed
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import Elimination, Share, Stopping


def constants(algorithm: Algorithm, reward_max: float) -> NDArray[np.float64]:
    """Return the constants of the confidence sequence."""
    return BOUNDS[algorithm.confidence].shape(reward_max)


def level_term(algorithm: Algorithm, d: float) -> float:
    """Return the part of the exploration that depends on the probability `d` that a bound fails."""
    return BOUNDS[algorithm.confidence].level_term(d)


def deciding_shares(algorithm: Algorithm) -> tuple[Share, Share]:
    """Return the shares of the elimination rule, or of the stopping rule, or of sampling."""
    if algorithm.elimination is not Elimination.NONE:
        return algorithm.elimination_share, algorithm.elimination_share
    if algorithm.stopping is Stopping.LEADER_ABOVE_ALL:
        return algorithm.leader_share, algorithm.challenger_share
    return algorithm.sampling_share, algorithm.sampling_share


def spending(algorithm: Algorithm, n_arms: int) -> Spending:
    """Return the parts of the union bound in Theorem 1's proof (Gupta, Joshi and Yağan 2021).

    These are the lower bounds of K - 1 arms and the best arm's own upper bound. If CrossUCB rules
    arms out, the best arm's upper bounds by the K - 1 other arms count too. Bounds that are only
    used for sampling do not count. lil'UCB's stopping rule uses no bounds.
    """
    others = n_arms - 1
    lower, upper, cross = [0.0], [0.0], 0.0
    if algorithm.elimination is not Elimination.NONE:
        share = algorithm.elimination_share.of(1.0, n_arms)
        lower.append(share)
        upper.append(share)
        if algorithm.elimination is Elimination.CROSS_UCB:
            cross = others * share
    if algorithm.stopping is Stopping.LEADER_ABOVE_ALL:
        lower.append(algorithm.leader_share.of(1.0, n_arms))
        upper.append(algorithm.challenger_share.of(1.0, n_arms))
    return Spending(others * max(lower), max(upper), cross)


COMPOSED = Kind(
    loop=advance_composed,
    constants=constants,
    level_term=level_term,
    has_growth=True,
    deciding_shares=deciding_shares,
    spending=spending,
    from_state=None,
    pairwise=False,
    rewards="scale",
)
