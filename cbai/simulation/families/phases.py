"""Algorithms that compare the means of phases: Exponential-Gap Elimination."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cbai.simulation.families import composed
from cbai.simulation.families.betting import level_term
from cbai.simulation.families.kind import FromState, Kind, Shown, Spending
from cbai.simulation.loops import state
from cbai.simulation.loops.exponential_gap import PHASE_MEAN, RADIUS, advance_phases
from cbai.simulation.loops.state import Game, State
from cbai.simulation.rules.algorithms import Algorithm

SUM_OF_PHASES = 1.2020569031595942 / 50
"""The sum of 1 / 50 r^3 over all phases r."""


def constants(algorithm: Algorithm, reward_max: float) -> NDArray[np.float64]:
    """Return the factors of the pulls in a phase and in a stage."""
    return np.array(state.PULLS)


def spending(algorithm: Algorithm, n_arms: int) -> Spending:
    """Return the shares of the means of two arms: delta / 50 r^3 each in phase r."""
    return Spending(SUM_OF_PHASES, SUM_OF_PHASES, 0.0)


def bounds(algorithm: Algorithm, game: Game, state: State) -> Shown:
    """Return the mean of the last phase minus and plus epsilon_r / 2, and [0, b] before that.

    An arm is ruled out once its upper bound is below the reference's lower bound.
    """
    center, radius = state.real[PHASE_MEAN], state.real[RADIUS]
    known = radius > 0.0
    upper = np.where(known, center + radius, game.reward_max)
    return np.where(known, center - radius, 0.0), upper, upper.copy()


PHASES = Kind(
    loop=advance_phases,
    constants=constants,
    level_term=level_term,
    has_growth=False,
    deciding_shares=composed.deciding_shares,
    spending=spending,
    from_state=FromState(bounds),
    pairwise=False,
    rewards="scale",
)
