"""The bounds that a trace shows, worked out from the rewards so far."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cbai.problem import Problem
from cbai.simulation import evidence
from cbai.simulation.algorithms import Algorithm, Elimination, Share, Stopping
from cbai.simulation.confidence import CONFIDENCE
from cbai.simulation.plan import Plan
from cbai.simulation.state import ELIMINATION, LEADER, Game, State

Shown = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""LCB, own UCB and CrossUCB of each arm."""


def decision_shares(algorithm: Algorithm) -> tuple[Share, Share]:
    """Return the shares of delta of the lower and upper bounds that decide."""
    if algorithm.bets:
        return algorithm.leader_share, algorithm.elimination_share
    if algorithm.elimination is not Elimination.NONE:
        return algorithm.elimination_share, algorithm.elimination_share
    if algorithm.stopping is Stopping.LEADER_ABOVE_ALL:
        return algorithm.leader_share, algorithm.challenger_share
    return algorithm.sampling_share, algorithm.sampling_share


def bounds_of(
    plan: Plan, game: Game, state: State, used: Problem, phi: NDArray[np.float64]
) -> Shown:
    """Return lower, own upper and cross upper bounds at the shares that decide, shapes (K,)."""
    if plan.algorithm.bets:
        return _by_betting(game, state)
    sequence, n_arms, b = CONFIDENCE[plan.algorithm.confidence], used.n_arms, used.reward_max
    lower, upper = (share.of(plan.delta, n_arms) for share in decision_shares(plan.algorithm))
    cross = sequence.upper(phi, state.pulls, upper, b)
    low = sequence.lower(phi.diagonal(), state.pulls, lower, b)
    return low, cross.diagonal().copy(), cross.min(axis=1)


def _by_betting(game: Game, state: State) -> Shown:
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
    return np.array(lower), np.array(own), np.minimum(own, pooled)


def ruled_out_by(plan: Plan, game: Game, state: State, arm: int) -> int:
    """Return the arm whose rewards ruled another one out, or that arm itself."""
    algorithm = plan.algorithm
    if not algorithm.trusts_pseudo_rewards:
        return arm
    if algorithm.bets:
        return _strongest_evidence(game, state, arm)
    sequence = CONFIDENCE[algorithm.confidence]
    d = algorithm.elimination_share.of(plan.delta, plan.problem.n_arms)
    return int(np.argmin(sequence.upper(state.phi[arm], state.pulls, d, plan.problem.reward_max)))


def _strongest_evidence(game: Game, state: State, arm: int) -> int:
    """Return the arm whose rewards alone say most against the one that was ruled out."""
    bar = float(state.means[state.eliminated_at == 0].max())
    return int(
        np.argmax(
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
    )
