"""Algorithms that bet: they use the evidence of all arms' rewards together, not bounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cbai.simulation.bounds import evidence
from cbai.simulation.families import composed
from cbai.simulation.families.kind import FromState, Kind, Shown, Spending
from cbai.simulation.loops import state
from cbai.simulation.loops.betting import advance_betting
from cbai.simulation.loops.state import ELIMINATION, LEADER, LOWER, Game, State
from cbai.simulation.loops.two_sided import advance_two_sided
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import Share


def level_term(algorithm: Algorithm, d: float) -> float:
    """Return the log-wealth that a fair game ever reaches with probability at most `d`."""
    return state.log_wealth_needed(d)


def deciding_shares(algorithm: Algorithm) -> tuple[Share, Share]:
    """Return the shares of the leader's lower bound and of the bets against the others."""
    return algorithm.leader_share, algorithm.elimination_share


def spending(algorithm: Algorithm, n_arms: int) -> Spending:
    """Return the shares of K - 1 lower bounds and of one game against the best arm.

    The rewards of all arms count at once, so there is one game against the best arm:
    docs/beyond.md.
    """
    lower, upper = (share.of(1.0, n_arms) for share in deciding_shares(algorithm))
    return Spending((n_arms - 1) * lower, upper, 0.0)


def bounds(algorithm: Algorithm, game: Game, state: State) -> Shown:
    """Return the best lower bounds so far, with which the bets compare arms, and upper bounds."""
    arms, needed = range(state.pulls.size), game.level_terms
    two_sided = game.pseudo_lower.size > 0
    below = game.pseudo_lower if two_sided else game.pseudo_rewards
    top = game.values[-1] if two_sided else 0.0
    means = state.sums / state.pulls
    lower = [
        evidence.lower_bound(
            k,
            state.counts,
            below,
            two_sided,
            max(means[k], top),
            needed[LEADER],
            float(game.values[0]),
        )
        for k in arms
    ]
    own, pooled = (
        [
            evidence.upper_bound(
                k, state.counts, game.pseudo_rewards, together, needed[ELIMINATION], game.reward_max
            )
            for k in arms
        ]
        for together in (False, True)
    )
    return np.maximum(lower, state.indices[LOWER]), np.array(own), np.minimum(own, pooled)


def ruled_out_by(algorithm: Algorithm, game: Game, state: State, arm: int) -> int:
    """Return the arm whose rewards add most to the evidence against the one that was ruled out."""
    bar = float(state.indices[LOWER].max())
    alone = np.array(
        [
            evidence.log_wealth_by(
                state.counts[k],
                np.ascontiguousarray(game.pseudo_rewards[k, :, arm]),
                1.0,
                bar,
                float(game.pseudo_rewards[k, :, arm].max()),
            )
            for k in range(state.pulls.size)
        ]
    )
    added: NDArray[np.float64] = np.logaddexp(evidence.LOG_KEPT, evidence.LOG_STAKED + alone)
    added[arm] = alone[arm]
    return int(np.argmax(added))


BETTING = Kind(
    loop=advance_betting,
    constants=composed.constants,
    level_term=level_term,
    has_growth=False,
    deciding_shares=deciding_shares,
    spending=spending,
    from_state=FromState(bounds, ruled_out_by),
    pairwise=True,
    rewards="values",
)
TWO_SIDED = replace(BETTING, loop=advance_two_sided)
