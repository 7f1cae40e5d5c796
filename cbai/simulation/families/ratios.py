"""Algorithms that stop by generalised likelihood ratios: Track-and-Stop and top-two sampling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cbai.simulation.bounds import divergence, transport
from cbai.simulation.families.betting import level_term
from cbai.simulation.families.kind import FromState, Kind, Shown, Spending
from cbai.simulation.loops import state
from cbai.simulation.loops.state import LEADER, Game, State
from cbai.simulation.loops.top_two import advance_top_two
from cbai.simulation.loops.track_and_stop import advance_tracking
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import Share


def constants(algorithm: Algorithm, reward_max: float) -> NDArray[np.float64]:
    """Return the evidence a pair needs beyond log(1 / d): `cbai.simulation.loops.state.REGRET`."""
    return np.array(state.REGRET)


def deciding_shares(algorithm: Algorithm) -> tuple[Share, Share]:
    """Return the shares of the stopping rule, which tests both arms of a pair together."""
    return algorithm.leader_share, algorithm.challenger_share


def spending(algorithm: Algorithm, n_arms: int) -> Spending:
    """Return K - 1 times the share of a pair.

    Each of the K - 1 other arms is compared with the best one. Each comparison counts as one lower
    bound: docs/lower-bound.md.
    """
    return Spending((n_arms - 1) * algorithm.leader_share.of(1.0, n_arms), 0.0, 0.0)


def bounds(algorithm: Algorithm, game: Game, state: State) -> Shown:
    """Return the bounds at which each arm's own rewards give half of the evidence a pair needs.

    Once a pair has enough evidence, the bounds of its two arms do not overlap: at the lower bound
    of one arm its rewards give half, so the other's rewards give more than half. The reverse need
    not be true. If the bounds are only a little apart, the pair may still have too little evidence.
    """
    b = game.reward_max
    means = state.sums / state.pulls
    half = 0.5 * (game.level_terms[LEADER] + transport.ROUNDING)
    allowed = half + game.shape[0] * np.log(state.pulls) + game.shape[1]
    lower, upper = (
        np.array(
            [
                sign
                * divergence.upper_bound(
                    state.counts[k], game.values, sign, sign * means[k], ceiling, allowed[k]
                )
                for k in range(state.pulls.size)
            ]
        )
        for sign, ceiling in ((-1.0, 0.0), (1.0, b))
    )
    return lower, upper, upper.copy()


TRACKING = Kind(
    loop=advance_tracking,
    constants=constants,
    level_term=level_term,
    has_growth=False,
    deciding_shares=deciding_shares,
    spending=spending,
    from_state=FromState(bounds),
    pairwise=False,
    rewards="scale",
)
TOP_TWO = replace(TRACKING, loop=advance_top_two)
