"""The bounds that a trace shows, worked out from the rewards so far."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cbai.problem import Problem
from cbai.simulation import divergence, evidence, pairs, transport
from cbai.simulation.adaptive import DECIDING, OWN_LOWER
from cbai.simulation.adaptive_bounds import TOLERANCE
from cbai.simulation.algorithms import Algorithm, Elimination, Family, Share, Stopping
from cbai.simulation.confidence import CONFIDENCE
from cbai.simulation.exponential_gap import PHASE_MEAN, RADIUS
from cbai.simulation.plan import Plan
from cbai.simulation.state import (
    ELIMINATION,
    LEADER,
    LEADER_LOWER,
    LOWER,
    RIVAL_UPPER,
    Game,
    State,
)

Shown = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""LCB, own UCB and CrossUCB of each arm."""


def decision_shares(algorithm: Algorithm) -> tuple[Share, Share]:
    """Return the shares of delta of the lower and upper bounds that decide.

    Likelihood ratios weigh a lower and an upper bound together, at one share.
    """
    if algorithm.bets:
        return algorithm.leader_share, algorithm.elimination_share
    if algorithm.by_ratio:
        return algorithm.leader_share, algorithm.challenger_share
    if algorithm.elimination is not Elimination.NONE:
        return algorithm.elimination_share, algorithm.elimination_share
    if algorithm.stopping is Stopping.LEADER_ABOVE_ALL:
        return algorithm.leader_share, algorithm.challenger_share
    return algorithm.sampling_share, algorithm.sampling_share


def bounds_of(plan: Plan, game: Game, state: State) -> Shown:
    """Return the bounds of an algorithm that has no sequence (`has_sequence`), shapes (K,)."""
    if plan.algorithm.bets:
        return _by_betting(game, state)
    if plan.algorithm.by_ratio:
        return _by_ratio(game, state)
    if plan.algorithm.by_phases:
        return _by_phases(game, state)
    return _adapted(plan.algorithm, game, state)


def has_sequence(algorithm: Algorithm) -> bool:
    """Return whether bounds follow from pulls and means alone, by a confidence sequence."""
    apart = algorithm.bets or algorithm.by_ratio or algorithm.by_phases
    return not apart and algorithm.family is not Family.ADAPTIVE


def by_sequence(
    plan: Plan, used: Problem, phi: NDArray[np.float64], pulls: NDArray[np.int64]
) -> Shown:
    """Return bounds at the shares that decide, at R moments, shapes (R, K).

    Parameters
    ----------
    plan : Plan
        Of an algorithm that `has_sequence`.
    used : Problem
        With the pseudo-rewards of the trial.
    phi : ndarray, shape (R, K, K)
        Empirical pseudo-rewards, with the means on the diagonal.
    pulls : ndarray of int64, shape (R, K)
    """
    sequence, n_arms, b = CONFIDENCE[plan.algorithm.confidence], used.n_arms, used.reward_max
    lower, upper = (share.of(plan.delta, n_arms) for share in decision_shares(plan.algorithm))
    cross = sequence.upper(phi, pulls[:, None, :], upper, b)
    low = sequence.lower(phi.diagonal(axis1=1, axis2=2), pulls, lower, b)
    return low, cross.diagonal(axis1=1, axis2=2).copy(), cross.min(axis=2)


def _by_betting(game: Game, state: State) -> Shown:
    """Return the best lower bounds so far, which the bets are made against, and upper bounds."""
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


def _by_ratio(game: Game, state: State) -> Shown:
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


def _by_phases(game: Game, state: State) -> Shown:
    """Return the mean of the last phase, less and plus epsilon_r / 2; [0, b] before there is one.

    An arm is removed once its upper bound is below the reference's lower bound.
    """
    center, radius = state.real[PHASE_MEAN], state.real[RADIUS]
    known = radius > 0.0
    upper = np.where(known, center + radius, game.reward_max)
    return np.where(known, center - radius, 0.0), upper, upper.copy()


def _adapted(algorithm: Algorithm, game: Game, state: State) -> Shown:
    """Return the best bounds so far; of an arm that was ruled out, those it had then.

    A mean may fall out of its own interval: bounds that once held still do.
    """
    if algorithm.elimination is Elimination.NONE and algorithm.stopping is not Stopping.PULL_SHARE:
        upper = state.indices[RIVAL_UPPER]
        return state.indices[LEADER_LOWER].copy(), upper.copy(), upper.copy()
    table = state.lowest[DECIDING]
    own, low = table.diagonal().copy(), state.real[OWN_LOWER].copy()
    cross = table.min(axis=1)
    if algorithm.guarded:
        cross = np.array(
            [
                pairs.guarded_upper(arm, table, low[arm], game.shape[TOLERANCE])
                for arm in range(own.size)
            ]
        )
    return low, own, np.minimum(own, cross)


def _lowest_counted(algorithm: Algorithm, state: State, arm: int) -> int:
    """Return the arm with the lowest upper bound that counted on one that was ruled out.

    With a guard, that is the lowest of those that the arm's own lower bound does not contradict.
    """
    lower = state.real[OWN_LOWER, arm] if algorithm.guarded else -np.inf
    return int(pairs.lowest_uncontradicted(arm, state.lowest[DECIDING], lower))


def ruled_out_by(plan: Plan, game: Game, state: State, arm: int) -> int:
    """Return the arm whose rewards ruled another one out just now, or that arm itself.

    Of an algorithm that has no sequence (`has_sequence`).
    """
    algorithm = plan.algorithm
    if not algorithm.trusts_pseudo_rewards:
        return arm
    if algorithm.bets:
        return _strongest_evidence(game, state, arm)
    return _lowest_counted(algorithm, state, arm)


def lowest_source(plan: Plan, arm: int, phi: NDArray[np.float64], pulls: NDArray[np.int64]) -> int:
    """Return the same of an algorithm that has a sequence.

    Parameters
    ----------
    plan : Plan
    arm : int
        That was ruled out.
    phi : ndarray, shape (K,)
        Its empirical pseudo-rewards by the rewards of each arm then, its own mean among them.
    pulls : ndarray of int64, shape (K,)
        Of each arm then.
    """
    if not plan.algorithm.trusts_pseudo_rewards:
        return arm
    sequence = CONFIDENCE[plan.algorithm.confidence]
    d = plan.algorithm.elimination_share.of(plan.delta, plan.problem.n_arms)
    return int(np.argmin(sequence.upper(phi, pulls, d, plan.problem.reward_max)))


def _strongest_evidence(game: Game, state: State, arm: int) -> int:
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
    added = np.logaddexp(evidence.USELESS, evidence.USEFUL + alone)
    added[arm] = alone[arm]
    return int(np.argmax(added))
