"""A trial played from one recorded round to the next. Its counts are noted at each of them."""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from cbai import compiled
from cbai.simulation.families import advance
from cbai.simulation.loops.kernel import advance_composed
from cbai.simulation.loops.state import SAMPLES, Game, State


class Notes(NamedTuple):
    """What is noted in each of R rounds.

    Attributes
    ----------
    samples : ndarray of int64, shape (R,)
    before, pulls : ndarray of int64, shape (R, K)
        Pulls when the round begins, and when it ends.
    counts : ndarray of int64, shape (R, K, V)
    sums : ndarray, shape (R, K)
    """

    samples: NDArray[np.int64]
    before: NDArray[np.int64]
    pulls: NDArray[np.int64]
    counts: NDArray[np.int64]
    sums: NDArray[np.float64]


def new_notes(n_rounds: int, n_arms: int, n_values: int) -> Notes:
    """Return empty notes."""
    of_arms = (n_rounds, n_arms)
    return Notes(
        np.zeros(n_rounds, np.int64),
        np.zeros(of_arms, np.int64),
        np.zeros(of_arms, np.int64),
        np.zeros((*of_arms, n_values), np.int64),
        np.zeros(of_arms),
    )


def play_round(game: Game, state: State, number: int, notes: Notes, at: int) -> None:
    """Play until a round is complete and note it; changes `state` and `notes` in place."""
    advance(game, state, number - 1)
    notes.before[at] = state.pulls
    advance(game, state, number)
    notes.samples[at] = state.clock[SAMPLES]
    notes.pulls[at], notes.sums[at] = state.pulls, state.sums
    notes.counts[at] = state.counts


@numba.njit(**compiled.OPTIONS)
def play_rounds(game: Game, state: State, rounds: NDArray[np.int64], notes: Notes) -> None:
    """Play and note all rounds of an algorithm composed of rules, in one compiled call.

    A thread that returns from compiled code must wait for all other threads that want the
    interpreter. With one call for each round, it would wait hundreds of times.
    """
    for at in range(rounds.size):
        advance_composed(game, state, rounds[at] - 1)
        notes.before[at] = state.pulls
        advance_composed(game, state, rounds[at])
        notes.samples[at] = state.clock[SAMPLES]
        notes.pulls[at] = state.pulls
        notes.sums[at] = state.sums
        notes.counts[at] = state.counts
