"""Algorithms composed of rules, with bounds that adapt to each pair of arms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cbai.simulation.bounds import pairs
from cbai.simulation.bounds.adaptive_bounds import TOLERANCE
from cbai.simulation.families import composed
from cbai.simulation.families.kind import FromState, Shown
from cbai.simulation.loops.adaptive import DECIDING, OWN_LOWER, advance_adaptive
from cbai.simulation.loops.state import LEADER_LOWER, RIVAL_UPPER, Game, State
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import Elimination, Stopping


def constants(algorithm: Algorithm, reward_max: float) -> NDArray[np.float64]:
    """Return the constants of the bounds, and the tolerance of a guarded algorithm."""
    return np.append(composed.constants(algorithm, reward_max), algorithm.tolerance * reward_max)


def bounds(algorithm: Algorithm, game: Game, state: State) -> Shown:
    """Return the best bounds so far. An arm that was ruled out keeps the bounds that it had then.

    A mean may leave its own interval, because the best earlier bounds are kept.
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


def ruled_out_by(algorithm: Algorithm, game: Game, state: State, arm: int) -> int:
    """Return the arm whose rewards gave the lowest upper bound on an arm that was ruled out.

    With a guard, only bounds count that the arm's own lower bound does not contradict.
    """
    lower = state.real[OWN_LOWER, arm] if algorithm.guarded else -np.inf
    return int(pairs.lowest_uncontradicted(arm, state.lowest[DECIDING], lower))


ADAPTIVE = replace(
    composed.COMPOSED,
    loop=advance_adaptive,
    constants=constants,
    from_state=FromState(bounds, ruled_out_by),
    pairwise=True,
    rewards="values",
)
