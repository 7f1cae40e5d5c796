"""What an algorithm is: four choices, each with its share of delta."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from cbai import checks
from cbai.simulation.confidence import CONFIDENCE


class Leader(IntEnum):
    """Who is pulled first in a round: all active arms, or the arm with the largest index."""

    ALL = 0
    MEAN = 1
    OWN_UCB = 2
    PSEUDO_UCB = 3
    MIN_PSEUDO_REWARD = 4


class Challenger(IntEnum):
    """Who is pulled second: nobody, or the arm other than the leader with the largest index."""

    NONE = 0
    OWN_UCB = 1
    OWN_AND_PSEUDO_UCB = 2
    CROSS_UCB = 3
    BETTING_INDEX = 4


class Elimination(IntEnum):
    """Which upper bound must fall below the leader's lower bound for an arm to be removed.

    The last two rule an arm out by betting, see `cbai.simulation.evidence`.
    """

    NONE = 0
    OWN_UCB = 1
    CROSS_UCB = 2
    OWN_WEALTH = 3
    POOLED_WEALTH = 4


class Family(IntEnum):
    """Which compiled loop over rounds plays an algorithm."""

    COMPOSED = 0
    BETTING = 1
    TWO_SIDED = 2
    TOP = 3


class Stopping(IntEnum):
    """When to stop besides one active arm being left."""

    NONE = 0
    LEADER_ABOVE_ALL = 1
    PULL_SHARE = 2


@dataclass(frozen=True)
class Share:
    """A share of delta: delta / `divisor`, and / K too where the union is over the arms."""

    divisor: int = 1
    per_arm: bool = False

    def of(self, delta: float, n_arms: int) -> float:
        """Return this share of `delta` for K = `n_arms` arms."""
        return delta / (self.divisor * (n_arms if self.per_arm else 1))

    def __str__(self) -> str:
        """Write the share as in the paper."""
        if self.per_arm:
            return f"δ/{'' if self.divisor == 1 else self.divisor}K"
        return "δ" if self.divisor == 1 else f"δ/{self.divisor}"


FULL = Share()
HALF = Share(2)


@dataclass(frozen=True)
class Algorithm:
    """One algorithm: four choices, each with its share of delta.

    Attributes
    ----------
    name, title : str
        The name in code and links, and the name as printed in the paper.
    leader, challenger : Leader, Challenger
        The sampling rule: which arms a round pulls.
    sampling_share : Share
        The share of delta for the bounds used in sampling.
    elimination, elimination_share
        The elimination rule and its share of delta.
    stopping, leader_share, challenger_share
        The algorithm's own stopping rule; the shares for the leader's lower and the others' upper
        bounds.
    confidence : str
        The confidence sequence, a name in `cbai.simulation.confidence.CONFIDENCE`.
    guarantee : str
        What is proven, and what breaks it.
    source : str
        Where the algorithm is from.
    beyond : bool
        Whether it goes beyond the paper.
    two_sided : bool
        Whether it uses pseudo-lower bounds too; for algorithms that bet.
    """

    name: str
    title: str
    leader: Leader
    guarantee: str
    source: str
    challenger: Challenger = Challenger.NONE
    sampling_share: Share = FULL
    elimination: Elimination = Elimination.NONE
    elimination_share: Share = Share(1, per_arm=True)
    stopping: Stopping = Stopping.NONE
    leader_share: Share = FULL
    challenger_share: Share = FULL
    confidence: str = "howard"
    beyond: bool = False
    two_sided: bool = False

    def __post_init__(self) -> None:
        """Check the confidence sequence's name, and that it can stop at all."""
        checks.one_of("confidence", self.confidence, CONFIDENCE)
        if self.elimination is Elimination.NONE and self.stopping is Stopping.NONE:
            raise ValueError("An algorithm must eliminate or have a stopping rule, got neither.")
        named = self.challenger is not Challenger.NONE or self.stopping is not Stopping.NONE
        if self.leader is Leader.ALL and named:
            raise ValueError(
                "An algorithm that pulls all active arms must have no challenger and no stopping "
                f"rule, got {self.challenger.name.lower()} and {self.stopping.name.lower()}."
            )
        whole = (Leader.MEAN, Challenger.BETTING_INDEX, Stopping.NONE)
        bets = self.challenger is Challenger.BETTING_INDEX
        if (self.bets or bets) and (self.leader, self.challenger, self.stopping) != whole:
            raise ValueError(
                "Betting must have the leader mean, the challenger betting_index and no stopping "
                f"rule, got {self.leader.name.lower()}, {self.challenger.name.lower()} and "
                f"{self.stopping.name.lower()}."
            )

    @property
    def uses_correlation(self) -> bool:
        """Whether the algorithm looks at pseudo-rewards at all."""
        return (
            self.trusts_pseudo_rewards
            or self.leader in (Leader.PSEUDO_UCB, Leader.MIN_PSEUDO_REWARD)
            or self.challenger in (Challenger.OWN_AND_PSEUDO_UCB, Challenger.CROSS_UCB)
        )

    @property
    def trusts_pseudo_rewards(self) -> bool:
        """Whether its answer can be wrong because a pseudo-reward is.

        Only if it rules arms out by them. One that merely samples by them may take long.
        """
        return self.elimination in (Elimination.CROSS_UCB, Elimination.POOLED_WEALTH)

    @property
    def bets(self) -> bool:
        """Whether it weighs evidence by betting, not by a confidence sequence."""
        return self.elimination in (Elimination.OWN_WEALTH, Elimination.POOLED_WEALTH)

    @property
    def family(self) -> Family:
        """The loop that plays it."""
        if self.two_sided:
            return Family.TWO_SIDED
        return Family.BETTING if self.bets else Family.COMPOSED
