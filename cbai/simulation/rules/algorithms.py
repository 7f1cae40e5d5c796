"""What an algorithm is: four choices, each with its share of delta."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from cbai import checks
from cbai.simulation.bounds.adaptive_bounds import ADAPTIVE, BOUNDS
from cbai.simulation.rules.choices import (
    FULL,
    PER_ARM,
    Challenger,
    Elimination,
    Family,
    Leader,
    Share,
    Stopping,
)
from cbai.simulation.rules.combinations import COMPOSABLE, INDIVISIBLE, listed


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
        The algorithm's own stopping rule, and the shares for the leader's lower bound and for the
        others' upper bounds.
    confidence : str
        The confidence sequence, a name in `cbai.simulation.bounds.adaptive_bounds.BOUNDS`.
    guarantee : str
        What is proven, and what breaks it.
    source : str
        Where the algorithm is from.
    beyond : bool
        Whether it goes beyond the paper.
    two_sided : bool
        Whether it uses pseudo-lower bounds too; for algorithms that bet.
    guarded : bool
        Whether bounds by others' rewards are ignored if an arm's own rewards contradict them. Needs
        bounds that adapt.
    tolerance : float
        For a guarded algorithm, as a share of b. However wrong the pseudo-rewards are, the answer's
        mean is more than this below the best mean with probability at most delta. Infinity
        promises nothing.

    Examples
    --------
    A row of your own can be played like those of the table.

    >>> from dataclasses import replace
    >>> import cbai
    >>> mine = replace(cbai.ALGORITHMS["lucb"], name="mine", confidence="kl_lucb")
    >>> mine.uses_correlation
    False
    >>> problem = cbai.load_problem("ad-campaign")
    >>> cbai.simulate(problem, [mine], delta=0.1, trials=2).best_arm.tolist()
    [[1, 1]]
    """

    name: str
    title: str
    leader: Leader
    guarantee: str
    source: str
    challenger: Challenger = Challenger.NONE
    sampling_share: Share = FULL
    elimination: Elimination = Elimination.NONE
    elimination_share: Share = PER_ARM
    stopping: Stopping = Stopping.NONE
    leader_share: Share = FULL
    challenger_share: Share = FULL
    confidence: str = "howard"
    beyond: bool = False
    two_sided: bool = False
    guarded: bool = False
    tolerance: float = math.inf

    def __post_init__(self) -> None:
        """Check the confidence sequence's name, and that it can stop at all."""
        checks.one_of("confidence", self.confidence, BOUNDS)
        if self.elimination is Elimination.NONE and self.stopping is Stopping.NONE:
            raise ValueError("An algorithm must eliminate or have a stopping rule, got neither.")
        named = self.challenger is not Challenger.NONE or self.stopping is not Stopping.NONE
        if self.leader is Leader.ALL and named:
            raise ValueError(
                "An algorithm that pulls all active arms must have no challenger and no stopping "
                f"rule, got {self.challenger.name.lower()} and {self.stopping.name.lower()}."
            )
        rules = (self.leader, self.challenger, self.elimination, self.stopping)
        _check_kinds(rules)
        if self.by_sequence:
            for whole in INDIVISIBLE.values():
                if any(rule is own for rule in rules for own in whole.own_rules):
                    raise ValueError(f"{whole}, got {listed(rules)}.")
            _check_composable(rules)
        if self.guarded:
            self._check_guard()

    def _check_guard(self) -> None:
        checks.one_of("confidence of a guarded algorithm", self.confidence, ADAPTIVE)
        checks.real("tolerance", self.tolerance, 0.0, math.inf)
        if (self.elimination, self.stopping) != (Elimination.CROSS_UCB, Stopping.NONE):
            raise ValueError(
                "A guarded algorithm must eliminate by cross_ucb and have no stopping rule, got "
                f"{self.elimination.name.lower()} and {self.stopping.name.lower()}."
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

        This is so if it rules arms out by them. If it only samples by them, it may take long.
        """
        return self.elimination in (
            Elimination.CROSS_UCB,
            Elimination.POOLED_WEALTH,
            Elimination.CLAIM,
        )

    @property
    def by_claim(self) -> bool:
        """Whether it bets against the claim that an arm is the best, and compares no bounds.

        Such an algorithm does not begin with a pull of each arm.
        """
        return self.elimination is Elimination.CLAIM

    @property
    def bets(self) -> bool:
        """Whether it uses evidence by betting, not a confidence sequence."""
        return self.elimination in (Elimination.OWN_WEALTH, Elimination.POOLED_WEALTH)

    @property
    def by_sequence(self) -> bool:
        """Whether it uses a confidence sequence, which can be exchanged for another."""
        return self.family in (Family.COMPOSED, Family.ADAPTIVE)

    @property
    def by_phases(self) -> bool:
        """Whether it compares the means of phases."""
        return self.elimination is Elimination.PHASE_MEANS

    @property
    def by_ratio(self) -> bool:
        """Whether it stops by generalised likelihood ratios."""
        return self.stopping is Stopping.GLR

    @property
    def family(self) -> Family:
        """The loop that plays it."""
        if self.two_sided:
            return Family.TWO_SIDED
        rules = (self.leader, self.challenger, self.elimination, self.stopping)
        wholes = (family for family, whole in INDIVISIBLE.items() if whole.is_made_of(rules))
        composed = Family.ADAPTIVE if self.confidence in ADAPTIVE else Family.COMPOSED
        return next(wholes, composed)

    @property
    def is_composed(self) -> bool:
        """Whether its nine choices describe it fully, so a recipe can spell it out."""
        return self.by_sequence and not self.guarded


def _check_kinds(rules: Sequence[IntEnum]) -> None:
    for rule, (kind, _) in zip(rules, COMPOSABLE, strict=True):
        if not isinstance(rule, kind):
            allowed = ", ".join(one.name for one in kind)
            raise ValueError(
                f"{kind.__name__.lower()} must be one of {allowed} of {kind.__name__}, "
                f"got {checks.quoted(rule)}."
            )


def _check_composable(rules: Sequence[IntEnum]) -> None:
    for rule, (kind, known) in zip(rules, COMPOSABLE, strict=True):
        if rule not in known:
            raise ValueError(
                f"{kind.__name__.lower()} of a composition must be one of {listed(known)}, got "
                f"{rule.name.lower()}: no loop plays it."
            )
