"""The table of algorithms that spend a fixed budget, one row each.

They are asked for with ``simulate(..., budget=n)``. They have no delta: a run draws at most n
samples and always names an arm. `cbai.simulation.rules.rows` has the algorithms that sample until
they are sure.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from cbai import checks
from cbai.checks import quoted


class Allocation(IntEnum):
    """How the budget is split between the arms."""

    UNIFORM = 0
    HALVING = 1
    BRACKETS = 2


class Score(IntEnum):
    """By what the arms of a round are compared."""

    MEAN = 0
    MIN_PSEUDO_REWARD = 1


@dataclass(frozen=True)
class BudgetAlgorithm:
    """One algorithm that spends a fixed budget.

    Attributes
    ----------
    name, title : str
        The name in code and links, and the name that is printed.
    allocation : Allocation
        How the budget is split between the arms.
    guarantee : str
        What is proven, and where it stops.
    source : str
        Where the algorithm is from.
    score : Score
        By what the arms are compared at the end of a round. The last round compares means.
    by_variance : bool
        Whether a round pulls arms more often if their rewards vary more. For halving only.
    fresh : bool
        Whether a round forgets the rewards of the rounds before it, as the theorems assume. For
        halving only.

    Examples
    --------
    >>> import cbai
    >>> row = cbai.BUDGET_ALGORITHMS["sequential_halving"]
    >>> row.title, row.least(18)
    ('Sequential Halving', 90)
    """

    name: str
    title: str
    allocation: Allocation
    guarantee: str
    source: str
    score: Score = Score.MEAN
    by_variance: bool = False
    fresh: bool = False

    def __post_init__(self) -> None:
        """Check that its choices go together."""
        special = (self.uses_correlation, self.by_variance, self.fresh)
        if sum(special) > (self.allocation is Allocation.HALVING):
            raise ValueError(
                "Halving may do one of three things: compare by pseudo-rewards, sample by variance "
                f"or forget rewards; other allocations none of them. Got {sum(special)} of them "
                f"for {self.allocation.name.lower()}."
            )

    @property
    def uses_correlation(self) -> bool:
        """Whether the algorithm looks at pseudo-rewards."""
        return self.score is Score.MIN_PSEUDO_REWARD

    def least(self, n_arms: int) -> int:
        """Return the smallest budget that the algorithm can split between K = `n_arms` arms."""
        if self.allocation is Allocation.UNIFORM:
            return n_arms
        if self.allocation is Allocation.BRACKETS:
            return 2
        return n_arms * halvings(n_arms)


def halvings(n_arms: int) -> int:
    """Return in how many rounds of halving one arm is left: log2 of K, rounded up."""
    return (n_arms - 1).bit_length()


KEPT = (
    " Here each arm keeps its rewards from round to round. The theorem is for rounds that begin "
    "anew; docs/beyond.md has a bound for this form."
)
KARNIN = "Karnin, Koren and Somekh, ICML 2013"

_ROWS = (
    BudgetAlgorithm(
        name="uniform",
        title="Uniform allocation",
        allocation=Allocation.UNIFORM,
        guarantee="Every arm gets the same number of samples. The error falls exponentially with "
        "the budget, but arms that are clearly worse get as much as the others.",
        source="Bubeck, Munos and Stoltz, ALT 2009",
    ),
    BudgetAlgorithm(
        name="sequential_halving",
        title="Sequential Halving",
        allocation=Allocation.HALVING,
        guarantee="The error falls exponentially with the budget. Up to a factor log K in the "
        "exponent, no algorithm does better on all problems." + KEPT,
        source=KARNIN,
    ),
    BudgetAlgorithm(
        name="sequential_halving_fresh",
        title="Sequential Halving, as printed",
        allocation=Allocation.HALVING,
        fresh=True,
        guarantee="The error is at most 3 log2 K · exp(−n / (8 H2 log2 K)) for rewards in [0, 1] "
        "(Theorem 4.1). Every round forgets the rewards of the rounds before it.",
        source=KARNIN,
    ),
    BudgetAlgorithm(
        name="sh_ada_var",
        title="SHAdaVar",
        allocation=Allocation.HALVING,
        by_variance=True,
        guarantee="Arms whose rewards vary more get more samples. The theorem is for normal "
        "rewards and rounds that begin anew. Ratings are not normal, and each arm keeps its "
        "rewards here, so nothing is proven for this form.",
        source="Lalitha, Kalantari, Ma, Deoras and Kveton, UAI 2023",
    ),
    BudgetAlgorithm(
        name="bracketing_halving",
        title="Bracketing Sequential Halving",
        allocation=Allocation.BRACKETS,
        guarantee="It looks at random groups of 2, 4, 8, … arms. So a budget may be smaller than "
        "the number of arms. It finds a good arm if many are good. With a small budget it may "
        "never look at the best arm. The theorem bounds the loss of the published form, which "
        "opens groups as time goes on. Here they are planned for the budget.",
        source="after Zhao, Stephens, Szepesvári and Jun, ICML 2023",
    ),
    BudgetAlgorithm(
        name="c_halving",
        title="C-Halving",
        allocation=Allocation.HALVING,
        score=Score.MIN_PSEUDO_REWARD,
        guarantee="Sequential Halving that compares by the smaller of an arm's mean and the "
        "pseudo-rewards on it. The error falls exponentially with the budget if no pseudo-reward "
        "that bounds the best arm is, on average, below its mean (docs/beyond.md). If one is, the "
        "best arm may be ruled out early, and a larger budget does not help.",
        source="new here",
    ),
)

BUDGET_ALGORITHMS = {row.name: row for row in _ROWS}
"""Name to row: the algorithms for ``simulate(..., budget=n)``."""


def find_budget(algorithm: str | BudgetAlgorithm) -> BudgetAlgorithm:
    """Return the row of a name; a row is returned unchanged.

    Raises
    ------
    ValueError
        If there is no such row.
    """
    if isinstance(algorithm, BudgetAlgorithm):
        return algorithm
    if not isinstance(algorithm, str) or algorithm not in BUDGET_ALGORITHMS:
        raise ValueError(
            f"With a budget, algorithms must be among {', '.join(BUDGET_ALGORITHMS)}; got "
            f"{quoted(algorithm)}."
        )
    return BUDGET_ALGORITHMS[algorithm]


MOST_BUDGET = 10_000_000


def check_budget(budget: object, rows: list[BudgetAlgorithm], n_arms: int) -> int:
    """Return the budget as an int, if all rows can split it between K = `n_arms` arms.

    Raises
    ------
    ValueError
        If it is not a whole number, too large, or too small for one of the rows.
    """
    number = checks.whole("budget", budget, 1, MOST_BUDGET)
    for row in rows:
        if number < row.least(n_arms):
            raise ValueError(
                f"budget must be at least {row.least(n_arms):,} for {row.title} with {n_arms:,} "
                f"arms, got {number:,}: "
                + (
                    "each arm is pulled at least once."
                    if row.allocation is Allocation.UNIFORM
                    else "each round pulls each of its arms at least once."
                )
            )
    return number
