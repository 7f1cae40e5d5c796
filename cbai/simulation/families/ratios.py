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
    """Return what a pair must show beyond log(1 / d), see `cbai.simulation.loops.state.REGRET`."""
    return np.array(state.REGRET)


def deciding_shares(algorithm: Algorithm) -> tuple[Share, Share]:
    """Return the shares of the stopping rule; it weighs both bounds of a pair together, at one."""
    return algorithm.leader_share, algorithm.challenger_share


def spending(algorithm: Algorithm, n_arms: int) -> Spending:
    """Return K - 1 times the share of a pair.

    Each of K - 1 arms is weighed against the best one, which counts as one lower bound each:
    docs/beyond.md.
    """
    return Spending((n_arms - 1) * algorithm.leader_share.of(1.0, n_arms), 0.0, 0.0)


def bounds(algorithm: Algorithm, game: Game, state: State) -> Shown:
    """Return how far down and up each arm's rewards allow, at half of what a pair must show.

    Once a pair shows enough, these bounds of the two arms are apart: at the lower bound of the one
    its own rewards say half, so that those of the other say more than half. The reverse need not
    hold: where bounds are apart by little, the two together may still show too little.
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
    rewards="scale",
)
TOP_TWO = replace(TRACKING, loop=advance_top_two)
