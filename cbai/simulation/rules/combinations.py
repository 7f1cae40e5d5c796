"""Which rules go together: rules that can be composed freely, and fixed combinations."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from cbai.simulation.rules.choices import Challenger, Elimination, Family, Leader, Stopping


class Indivisible(NamedTuple):
    """A fixed combination of rules, and what it is called."""

    called: str
    leader: Leader
    challenger: Challenger
    eliminations: tuple[Elimination, ...]
    stopping: Stopping

    @property
    def own_rules(self) -> tuple[IntEnum, ...]:
        """Those of its rules that no composition may have."""
        rules = (self.leader, self.challenger, *self.eliminations, self.stopping)
        composable = [rule for _, known in COMPOSABLE for rule in known]
        return tuple(rule for rule in rules if not any(rule is one for one in composable))

    def is_made_of(self, rules: Sequence[IntEnum]) -> bool:
        """Return whether leader, challenger, elimination and stopping rule are this combination."""
        leader, challenger, elimination, stopping = rules
        others = (leader, challenger, stopping) == (self.leader, self.challenger, self.stopping)
        return others and elimination in self.eliminations

    def __str__(self) -> str:
        """Say what goes together."""
        eliminations = " or ".join(rule.name.lower() for rule in self.eliminations)
        return (
            f"{self.called} must have the leader {self.leader.name.lower()}, the challenger "
            f"{self.challenger.name.lower()}, the elimination {eliminations} and the stopping rule "
            f"{self.stopping.name.lower()}"
        )


def listed(rules: Sequence[IntEnum]) -> str:
    """Name rules in a row."""
    return ", ".join(rule.name.lower() for rule in rules)


COMPOSABLE: tuple[tuple[type[IntEnum], tuple[IntEnum, ...]], ...] = (
    (
        Leader,
        (
            Leader.ALL,
            Leader.MEAN,
            Leader.OWN_UCB,
            Leader.PSEUDO_UCB,
            Leader.MIN_PSEUDO_REWARD,
        ),
    ),
    (
        Challenger,
        (
            Challenger.NONE,
            Challenger.OWN_UCB,
            Challenger.OWN_AND_PSEUDO_UCB,
            Challenger.CROSS_UCB,
        ),
    ),
    (Elimination, (Elimination.NONE, Elimination.OWN_UCB, Elimination.CROSS_UCB)),
    (Stopping, (Stopping.NONE, Stopping.LEADER_ABOVE_ALL, Stopping.PULL_SHARE)),
)
"""The rules for which the loops for compositions have a branch. Add the branch before the rule."""

INDIVISIBLE = {
    Family.BETTING: Indivisible(
        "Betting",
        Leader.MEAN,
        Challenger.BETTING_INDEX,
        (Elimination.OWN_WEALTH, Elimination.POOLED_WEALTH),
        Stopping.NONE,
    ),
    Family.TRACKING: Indivisible(
        "Tracking", Leader.TRACKING, Challenger.NONE, (Elimination.NONE,), Stopping.GLR
    ),
    Family.TOP_TWO: Indivisible(
        "Top-two sampling",
        Leader.KL_INF_UCB,
        Challenger.TRANSPORT,
        (Elimination.NONE,),
        Stopping.GLR,
    ),
    Family.PHASES: Indivisible(
        "Sampling in phases",
        Leader.PHASES,
        Challenger.NONE,
        (Elimination.PHASE_MEANS,),
        Stopping.NONE,
    ),
    Family.CLAIMS: Indivisible(
        "Testing claims",
        Leader.MEAN,
        Challenger.LEAST_REFUTED,
        (Elimination.CLAIM,),
        Stopping.NONE,
    ),
}
"""The fixed combinations, by the family that plays them."""
