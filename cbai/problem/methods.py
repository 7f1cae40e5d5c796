"""THE table of ways to turn a survey into pseudo-rewards: one row each.

To add a way, add one row. Every row sees the same tally of the training half. It gives the bound
for every entry that has a rating; an entry without a rating is always b.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cbai import checks
from cbai.problem.estimate import mirrored
from cbai.problem.formulas import (
    Evidence,
    empirical_bernstein,
    hoeffding,
    joint,
    maximum,
    mean,
    mean_plus_deviations,
    soft_mean,
    soft_quantile,
)

__all__ = [
    "DEFAULT_MIN_PEOPLE",
    "METHODS",
    "Evidence",
    "Method",
    "Parameter",
    "pseudo_lower",
    "pseudo_rewards",
]


@dataclass(frozen=True)
class Parameter:
    """A parameter of a method: name, title, meaning, range and default."""

    name: str
    title: str
    meaning: str
    low: float
    high: float
    default: float
    open_ends: bool = False

    def checked(self, value: Any) -> float:
        """Return `value` if it is in the range, else raise a ValueError that quotes both."""
        return checks.real(self.name, value, self.low, self.high, open_ends=self.open_ends)


@dataclass(frozen=True)
class Method:
    """One way to set pseudo-rewards from a survey.

    Attributes
    ----------
    name, title : str
        The name in code and links, and the name for people.
    formula : str
        s_{l,k}(r) as text: m, sigma and n ratings of arm l by the people who gave arm k an r.
    source : str
        The source of the method.
    guarantee : str
        When it is an upper bound, and when it is not.
    bound : callable
        ``bound(evidence, **parameters)`` returns the bounds, shape (K, K, V); NaN and anything
        above b count as b.
    parameters : tuple of Parameter
        The parameters that may be chosen.
    joint : bool
        Whether `bound` also takes ``in_use``, a boolean array of shape (K, K, V): the entries that
        are used. All of them are made to hold together.
    """

    name: str
    title: str
    formula: str
    source: str
    guarantee: str
    bound: Callable[..., NDArray[np.float64]]
    parameters: tuple[Parameter, ...] = ()
    joint: bool = False

    def checked(self, chosen: dict[str, Any]) -> dict[str, float]:
        """Return every parameter with its chosen or default value.

        Raises
        ------
        ValueError
            If a name is not among the parameters, or a value is outside its range.
        """
        names = [parameter.name for parameter in self.parameters]
        for name in chosen:
            if not names:
                raise ValueError(f"{self.name} takes no parameters, got {checks.quoted(name)}.")
            checks.one_of(f"parameter of {self.name}", name, names)
        return {row.name: row.checked(chosen.get(row.name, row.default)) for row in self.parameters}


PAPER = "Gupta, Joshi and Yağan, IEEE JSAIT 2021, Section II"
LEVEL = Parameter(
    "level",
    "chance that an entry's bound fails",
    "A smaller chance makes higher bounds. They hold more often but rule out less.",
    0.0,
    1.0,
    0.05,
    open_ends=True,
)
FAILS = Parameter(
    "d",
    "chance d that u fails",
    "How often a reward may exceed u. A larger chance makes higher bounds, which rule out less.",
    0.0,
    1.0,
    0.1,
)
DELTA_PRIME = Parameter(
    "delta_prime",
    "chance δ′ that any bound fails",
    "All bounds hold together except with this probability. A smaller δ′ makes higher bounds, "
    "which rule out less.",
    0.0,
    1.0,
    0.05,
    open_ends=True,
)
PEOPLE = (
    "This needs people of the survey and later people who are drawn alike and independently. Each "
    "entry then bounds the mean of the people's averages, except with probability `level`. All K "
    "(K - 1) V entries hold at once if `level` is divided by their number. People who are chosen "
    "because they rate a lot are not drawn alike."
)

_ROWS = (
    Method(
        name="mean",
        title="Mean",
        formula="m",
        source=PAPER.replace("II", "V"),
        guarantee="None: the mean of some people need not be an upper bound for others. About "
        "half of the entries would be too low even if both halves were alike.",
        bound=mean,
    ),
    Method(
        name="mean_plus_deviations",
        title="Mean plus standard deviations",
        formula="min(m + c σ, b)",
        source=PAPER,
        guarantee="None for any c, although a larger c is more cautious.",
        bound=mean_plus_deviations,
        parameters=(
            Parameter(
                "deviations",
                "standard deviations c",
                "This many standard deviations are added to the mean. More make higher bounds, "
                "which rule out less.",
                0.0,
                10.0,
                1.0,
            ),
        ),
    ),
    Method(
        name="hoeffding",
        title="Upper confidence bound (Hoeffding)",
        formula="min(m + b √(log(1/level) / (2n)), b), n people",
        source="Hoeffding, J. Amer. Statist. Assoc. 58 (1963), Theorem 2",
        guarantee=PEOPLE,
        bound=hoeffding,
        parameters=(LEVEL,),
    ),
    Method(
        name="empirical_bernstein",
        title="Upper confidence bound (empirical Bernstein)",
        formula="min(m + S √(2 log(2/level) / n) + 7 b log(2/level) / (3 (n − 1)), b), n people",
        source="Maurer and Pontil, COLT 2009, Theorem 4",
        guarantee=PEOPLE + " Tighter than Hoeffding's if many people agree.",
        bound=empirical_bernstein,
        parameters=(LEVEL,),
    ),
    Method(
        name="joint",
        title="Confidence bounds that hold together",
        formula="the largest x with n kl(m, x) ≤ log(entries in use / δ′), n people",
        source="Hoeffding, J. Amer. Statist. Assoc. 58 (1963), Theorem 1, and a union bound",
        guarantee="All entries hold together with probability at least 1 − δ′. An answer based on "
        "them is then wrong with probability at most δ + δ′. This needs people who are drawn "
        "alike, for example by a random split. They must rate each option at most once, and must "
        "not rate something because they like it. It does not hold for a split by who rates most.",
        bound=joint,
        parameters=(DELTA_PRIME,),
        joint=True,
    ),
    Method(
        name="soft_mean",
        title="Soft bound, mean",
        formula="u (1 − d) + b d, u = m",
        source=PAPER,
        guarantee="It holds if a reward exceeds the mean with probability at most d. Few surveys "
        "fulfil this: a reward is above its mean about half of the time.",
        bound=soft_mean,
        parameters=(FAILS,),
    ),
    Method(
        name="soft_quantile",
        title="Soft bound, quantile",
        formula="u (1 − d) + b d, u = the smallest value not exceeded by a share 1 − d of ratings",
        source=PAPER,
        guarantee="It is always above the mean of the people surveyed. For other people it holds "
        "if their rewards exceed u with probability at most d, too.",
        bound=soft_quantile,
        parameters=(FAILS,),
    ),
    Method(
        name="maximum",
        title="Largest reward",
        formula="b",
        source=PAPER,
        guarantee="It always holds but says nothing: C-LUCB then uses no correlation.",
        bound=maximum,
    ),
)

METHODS = {row.name: row for row in _ROWS}
"""Name to row, in the order shown to the user."""


DEFAULT_MIN_PEOPLE = 10
"""The default number of people that an entry needs; with fewer it is b."""


def pseudo_rewards(
    evidence: Evidence,
    method: str,
    min_ratings: float = 1,
    min_people: int = 1,
    **parameters: float,
) -> NDArray[np.float64]:
    """Return the pseudo-rewards of a method.

    Parameters
    ----------
    evidence : Evidence
        The tally of the training half and b.
    method : str
        A key of `METHODS`.
    min_ratings : float
        Ratings of arm l that an entry needs, with their weights; with fewer it is b. The paper
        uses 1 for genres and 5 for books.
    min_people : int
        People that an entry needs; with fewer it is b. The paper uses 1; `DEFAULT_MIN_PEOPLE` is
        more careful.
    **parameters : float
        Values of the row's ``parameters``; those left out take their defaults.

    Returns
    -------
    ndarray, shape (K, K, V)
        s_{l,k}(values[v]), indexed (l, k, v), at most b; the diagonal is s_{l,l}(r) = r.

    Raises
    ------
    ValueError
        If the method, a parameter's name or its value is not allowed.
    """
    row = METHODS[checks.one_of("method", method, METHODS)]
    least = checks.real("min_ratings", min_ratings, 0.0, np.inf)
    people = checks.whole("min_people", min_people, 1)
    chosen: dict[str, Any] = dict(row.checked(parameters))
    b, support = evidence.reward_max, evidence.moments.ratings
    in_use = (support > 0.0) & (support >= least) & (evidence.moments.people >= people)
    if row.joint:
        chosen["in_use"] = in_use
    bound = np.fmin(row.bound(evidence, **chosen), b)  # fmin: NaN gives b
    result = np.where(in_use, bound, b)
    diagonal = np.arange(len(result))
    result[diagonal, diagonal] = evidence.tally.values
    return result


def pseudo_lower(
    evidence: Evidence,
    method: str,
    min_ratings: float = 1,
    min_people: int = 1,
    **parameters: float,
) -> NDArray[np.float64]:
    """Return the pseudo-lower bounds of a method: its mirror image.

    They are b minus the pseudo-rewards of the survey in which every rating r is b - r. So each
    guarantee of an upper bound is also one of a lower bound. Parameters, errors and shape are as in
    `pseudo_rewards`. An entry without a rating is the smallest value.
    """
    b, values = evidence.reward_max, evidence.tally.values
    flipped = Evidence(mirrored(evidence.tally, b), b)
    bound = b - pseudo_rewards(flipped, method, min_ratings, min_people, **parameters)[:, :, ::-1]
    result: NDArray[np.float64] = np.maximum(bound, values[0])
    diagonal = np.arange(len(result))
    result[diagonal, diagonal] = values
    return result
