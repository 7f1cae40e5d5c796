"""What a family of algorithms is: everything that differs between the loops, in one record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cbai.simulation.loops.state import Game, State
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import Share

Shown = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]
"""LCB, own UCB and CrossUCB of each arm, each of shape (K,)."""


class Spending(NamedTuple):
    """The largest probabilities that bounds that matter fail, as multiples of delta.

    Attributes
    ----------
    lower : float
        The lower bounds of the K - 1 arms that are not best, together.
    upper : float
        The best arm's own upper bound.
    cross : float
        The upper bounds on the best arm by the rewards of the K - 1 others, together.
    """

    lower: float
    upper: float
    cross: float

    @property
    def total(self) -> float:
        """The largest probability that any of them fails."""
        return self.lower + self.upper + self.cross


def itself(algorithm: Algorithm, game: Game, state: State, arm: int) -> int:
    """Return the arm that was ruled out, because only its own rewards count."""
    return arm


class FromState(NamedTuple):
    """How a trace gets what depends on the state of the moment.

    Attributes
    ----------
    bounds : callable
        Takes an algorithm, a game and a state; returns the bounds of all arms.
    ruled_out_by : callable
        Takes an algorithm that trusts pseudo-rewards, a game, a state and an arm that was just
        ruled out; returns the arm whose rewards decided.
    """

    bounds: Callable[[Algorithm, Game, State], Shown]
    ruled_out_by: Callable[[Algorithm, Game, State, int], int] = itself


@dataclass(frozen=True)
class Kind:
    """One family of algorithms. Its record stands in a file of `cbai.simulation.families`.

    Attributes
    ----------
    loop : callable
        The compiled loop: takes a game, a state that it changes, and the last round to play.
    constants : callable
        Takes an algorithm and the reward maximum b; returns `Game.shape`.
    level_term : callable
        Takes an algorithm and a probability d; returns the part of a bound, or of the evidence
        that is needed, that depends on d.
    has_growth : bool
        Whether its bounds have a part that depends on the number of pulls alone. That part is
        tabulated.
    deciding_shares : callable
        Takes an algorithm; returns the shares of delta of the lower and the upper bounds that
        decide.
    spending : callable
        Takes an algorithm and K; returns how likely it is that bounds that matter fail, see
        `Spending`.
    from_state : FromState or None
        How a trace gets its bounds if they depend on the state of the moment. None if they follow
        from pulls and means, by a confidence sequence.
    pairwise : bool
        Whether its loop keeps something of each pair of arms, even if each arm is looked at alone.
    rewards : {"scale", "values"}
        The rewards for which it errs at most delta of the time: all in [0, b] ("scale"), or only
        those between the smallest and the largest value of the problem ("values").
    """

    loop: Callable[[Game, State, int], None]
    constants: Callable[[Algorithm, float], NDArray[np.float64]]
    level_term: Callable[[Algorithm, float], float]
    has_growth: bool
    deciding_shares: Callable[[Algorithm], tuple[Share, Share]]
    spending: Callable[[Algorithm, int], Spending]
    from_state: FromState | None
    pairwise: bool
    rewards: str
