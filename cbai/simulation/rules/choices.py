"""The choices an algorithm is made of: its rules, and their shares of delta."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Leader(IntEnum):
    """Who is pulled first in a round: all active arms, or the arm with the largest index.

    The last three belong to algorithms from the literature, see docs/lower-bound.md.
    """

    ALL = 0
    MEAN = 1
    OWN_UCB = 2
    PSEUDO_UCB = 3
    MIN_PSEUDO_REWARD = 4
    TRACKING = 5
    KL_INF_UCB = 6
    PHASES = 7


class Challenger(IntEnum):
    """Who is pulled second: nobody, or the arm other than the leader with the largest index.

    The last two take turns with the leader: the arm with the smallest transport cost, and the arm
    with the least evidence against the claim that it is the best.
    """

    NONE = 0
    OWN_UCB = 1
    OWN_AND_PSEUDO_UCB = 2
    CROSS_UCB = 3
    BETTING_INDEX = 4
    TRANSPORT = 5
    LEAST_REFUTED = 6


class Elimination(IntEnum):
    """Which upper bound must fall below the leader's lower bound for an arm to be ruled out.

    Two rules work by betting, see `cbai.simulation.bounds.evidence`. Another compares the means of
    a phase, see `cbai.simulation.loops.exponential_gap`. The last one compares no bounds: it bets
    against the claim that the arm is the best, see `cbai.simulation.bounds.claims`.
    """

    NONE = 0
    OWN_UCB = 1
    CROSS_UCB = 2
    OWN_WEALTH = 3
    POOLED_WEALTH = 4
    PHASE_MEANS = 5
    CLAIM = 6


class Family(IntEnum):
    """Which compiled loop over rounds plays an algorithm."""

    COMPOSED = 0
    BETTING = 1
    TWO_SIDED = 2
    TOP = 3
    TRACKING = 4
    TOP_TWO = 5
    PHASES = 6
    ADAPTIVE = 7
    CLAIMS = 8


class Stopping(IntEnum):
    """When to stop, besides when one active arm is left.

    The last one uses generalised likelihood ratios, see `cbai.simulation.bounds.transport`.
    """

    NONE = 0
    LEADER_ABOVE_ALL = 1
    PULL_SHARE = 2
    GLR = 3


@dataclass(frozen=True)
class Share:
    """A share of delta: delta / `divisor`, and also / K if the union is over all arms.

    `per_rival` divides by K - 1 instead: the union is then over all arms but the best.
    """

    divisor: int = 1
    per_arm: bool = False
    per_rival: bool = False

    def of(self, delta: float, n_arms: int) -> float:
        """Return this share of `delta` for K = `n_arms` arms."""
        if self.per_rival:
            return delta / (self.divisor * (n_arms - 1))
        return delta / (self.divisor * (n_arms if self.per_arm else 1))

    def __str__(self) -> str:
        """Write the share as in the paper."""
        if self.per_rival:
            return f"δ/{'' if self.divisor == 1 else self.divisor}(K−1)"
        if self.per_arm:
            return f"δ/{'' if self.divisor == 1 else self.divisor}K"
        return "δ" if self.divisor == 1 else f"δ/{self.divisor}"


FULL = Share()
HALF = Share(2)
PER_ARM = Share(per_arm=True)
