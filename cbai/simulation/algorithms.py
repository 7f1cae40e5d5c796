"""THE table of algorithms: one row each, made of shared rules.

To add an algorithm made of known rules, add one row.
"""

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


CLASSICAL = (
    "Names the best arm with probability at least 1 − δ for independent rewards in [0, b]; "
    "pseudo-rewards play no part."
)
CORRELATED = (
    "Names the best arm with probability at least 1 − δ as long as no pseudo-reward is, on "
    "average, below the mean it is meant to bound. Violated pseudo-rewards void the guarantee."
)
PAPER = "Gupta, Joshi and Yağan, IEEE JSAIT 2021"
BETTING = (
    "Beyond the paper: pooled betting, after Waudby-Smith and Ramdas, Estimating means of bounded "
    "random variables by betting, JRSS B 2024"
)
PER_ARM = Share(1, per_arm=True)
HALF_PER_ARM = Share(2, per_arm=True)

_ROWS = (
    Algorithm(
        name="racing",
        title="Racing",
        leader=Leader.ALL,
        elimination=Elimination.OWN_UCB,
        elimination_share=PER_ARM,
        guarantee=CLASSICAL,
        source="Even-Dar, Mannor and Mansour, JMLR 2006; bounds of Howard et al. 2021",
    ),
    Algorithm(
        name="lil_ucb",
        title="lil'UCB",
        leader=Leader.OWN_UCB,
        sampling_share=FULL,
        stopping=Stopping.PULL_SHARE,
        confidence="lil",
        guarantee="Used with the heuristic constants of its authors' experiments: it stops once "
        "one arm has nine times the pulls of all others. The proven variant of the theorem is "
        "far more cautious.",
        source="Jamieson, Malloy, Nowak and Bubeck, COLT 2014",
    ),
    Algorithm(
        name="lucb",
        title="LUCB",
        leader=Leader.MEAN,
        challenger=Challenger.OWN_UCB,
        sampling_share=PER_ARM,
        elimination=Elimination.OWN_UCB,
        elimination_share=PER_ARM,
        guarantee=CLASSICAL,
        source="Kalyanakrishnan, Tewari, Auer and Stone, ICML 2012; bounds of Howard et al. 2021",
    ),
    Algorithm(
        name="lucb_pp",
        title="LUCB++",
        leader=Leader.MEAN,
        challenger=Challenger.OWN_UCB,
        sampling_share=HALF,
        stopping=Stopping.LEADER_ABOVE_ALL,
        leader_share=HALF_PER_ARM,
        challenger_share=HALF,
        guarantee=CLASSICAL,
        source="Simchowitz, Jamieson and Recht, COLT 2017; bounds of Howard et al. 2021",
    ),
    Algorithm(
        name="c_lucb",
        title="C-LUCB",
        leader=Leader.PSEUDO_UCB,
        challenger=Challenger.OWN_AND_PSEUDO_UCB,
        sampling_share=HALF_PER_ARM,
        elimination=Elimination.CROSS_UCB,
        elimination_share=HALF_PER_ARM,
        guarantee=CORRELATED + " (Theorem 1.)",
        source=PAPER,
    ),
    Algorithm(
        name="c_lucb_pp",
        title="C-LUCB++",
        leader=Leader.PSEUDO_UCB,
        challenger=Challenger.OWN_AND_PSEUDO_UCB,
        sampling_share=HALF,
        elimination=Elimination.CROSS_UCB,
        elimination_share=Share(3, per_arm=True),
        stopping=Stopping.LEADER_ABOVE_ALL,
        leader_share=Share(4, per_arm=True),
        challenger_share=Share(4),
        guarantee=CORRELATED + " (The proof needs the stopping rule to compare with every "
        "remaining arm, as it is done here, not with the challenger alone as printed.)",
        source=PAPER,
    ),
    Algorithm(
        name="maxmin_lucb",
        title="maxmin-LUCB",
        leader=Leader.MIN_PSEUDO_REWARD,
        challenger=Challenger.CROSS_UCB,
        sampling_share=HALF_PER_ARM,
        elimination=Elimination.CROSS_UCB,
        elimination_share=HALF_PER_ARM,
        guarantee=CORRELATED,
        source=PAPER + ", Table 4",
    ),
    Algorithm(
        name="two_lucb",
        title="2-LUCB",
        leader=Leader.PSEUDO_UCB,
        challenger=Challenger.CROSS_UCB,
        sampling_share=HALF_PER_ARM,
        elimination=Elimination.CROSS_UCB,
        elimination_share=HALF_PER_ARM,
        guarantee=CORRELATED,
        source=PAPER + ", Table 4",
    ),
    Algorithm(
        name="lucb_pp_bet",
        title="LUCB++-bet",
        leader=Leader.MEAN,
        challenger=Challenger.BETTING_INDEX,
        elimination=Elimination.OWN_WEALTH,
        elimination_share=HALF,
        leader_share=HALF_PER_ARM,
        guarantee=CLASSICAL + " (Ville's inequality; docs/beyond.md.)",
        source=BETTING,
        beyond=True,
    ),
    Algorithm(
        name="c_lucb_bet",
        title="C-LUCB-bet",
        leader=Leader.MEAN,
        challenger=Challenger.BETTING_INDEX,
        elimination=Elimination.POOLED_WEALTH,
        elimination_share=HALF,
        leader_share=HALF_PER_ARM,
        guarantee=CORRELATED + " (Theorem in docs/beyond.md.)",
        source=BETTING,
        beyond=True,
    ),
)

ALGORITHMS = {row.name: row for row in _ROWS}
"""Name to row; the sidebar and the documentation read it."""
