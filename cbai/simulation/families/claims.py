"""Algorithms that bet against the claim that an arm is the best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cbai.simulation.bounds import claims, evidence
from cbai.simulation.families import composed
from cbai.simulation.families.betting import level_term
from cbai.simulation.families.kind import FromState, Kind, Shown, Spending
from cbai.simulation.loops.claims import CAP, WEAKEST, advance_claims
from cbai.simulation.loops.state import ELIMINATION, KNOWN, Game, State
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import Share


def deciding_shares(algorithm: Algorithm) -> tuple[Share, Share]:
    """Return the share of the game against an arm, twice: nothing else decides."""
    return algorithm.elimination_share, algorithm.elimination_share


def spending(algorithm: Algorithm, n_arms: int) -> Spending:
    """Return the share of the one game that matters, against the best arm: docs/beyond.md."""
    return Spending(0.0, algorithm.elimination_share.of(1.0, n_arms), 0.0)


def bounds(algorithm: Algorithm, game: Game, state: State) -> Shown:
    """Return bounds that are shown but decide nothing.

    Of each arm: what bets on its own rewards refute at that share, from below and from above, and
    its cap by the survey. Each holds with probability at least 1 - delta.
    """
    needed = game.level_terms[ELIMINATION]
    bottom, top = float(game.values[0]), float(game.values[-1])
    lower, own = np.full(state.pulls.size, bottom), np.full(state.pulls.size, top)
    for k in np.flatnonzero(state.pulls).tolist():
        lower[k] = evidence.lower_bound(
            k, state.counts, game.pseudo_rewards, False, state.means[k], needed, bottom
        )
        own[k] = evidence.upper_bound(k, state.counts, game.pseudo_rewards, False, needed, top)
    return lower, own, np.maximum(np.minimum(own, state.real[CAP]), lower)


def evidence_by(game: Game, state: State, arm: int) -> NDArray[np.float64]:
    """Return what the rewards of each arm alone win against the claim of one, at its weakest x."""
    x = float(state.real[WEAKEST, arm])
    alone = np.zeros(state.pulls.size)
    for k in np.flatnonzero(state.pulls).tolist():
        counts, led = np.zeros_like(state.counts), np.zeros_like(state.led)
        counts[k], led[k] = state.counts[k], state.led[k]
        alone[k] = claims.log_wealth(
            arm, x, x, counts, led, state.source, int(state.clock[KNOWN]), game.values,
            game.pseudo_rewards,
        )  # fmt: skip
    return alone


def ruled_out_by(algorithm: Algorithm, game: Game, state: State, arm: int) -> int:
    """Return the arm whose rewards alone win most against the claim of the one ruled out."""
    return int(np.argmax(evidence_by(game, state, arm)))


CLAIMS = Kind(
    loop=advance_claims,
    constants=composed.constants,
    level_term=level_term,
    has_growth=False,
    pairwise=False,
    deciding_shares=deciding_shares,
    spending=spending,
    from_state=FromState(bounds, ruled_out_by),
    rewards="values",
)
