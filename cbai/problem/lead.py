"""The leader of a survey, its lead, and whether the survey can tell which arm is best."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cbai import checks
from cbai.problem.people import Floats, People, half_widths, people_of
from cbai.problem.survey import Survey

LEVEL = 0.95
LEAST_DOUBT = 1e-6
"""A smaller probability rests on the normal limit more than a survey can."""
BISECTIONS = 30


@dataclass(frozen=True, eq=False)
class Lead:
    """The leader of a survey, and how sure its lead is. Rewards are in the survey's units.

    Attributes
    ----------
    arms : tuple of str
        The K arms.
    means, low, high : ndarray, shape (K,)
        The mean rating of each arm, and its interval, which holds for one arm at a time.
    leader, rival : int
        The arm with the largest mean (the first in a tie), and the arm that is hardest to tell
        apart from it.
    difference, half_width : float
        The lead over the rival is `difference` ± `half_width`. The width allows for the fact that
        the same ratings have chosen leader and rival.
    people, asked : int
        Number of people who rated leader or rival, and of people who rated anything.
    decided : bool
        Whether the leader's lead over every other arm is above its half width.
    tied : tuple of int
        The arms that are not told apart from the leader, without the leader.
    doubt : float
        The smallest probability 1 - level at which the leader's lead would be declared, between
        `LEAST_DOUBT` and 1: surveys of this kind put a wrong arm so clearly ahead with at most this
        probability. It is 1 if the lead is not declared at any level.
    """

    arms: tuple[str, ...]
    means: Floats
    low: Floats
    high: Floats
    leader: int
    rival: int
    difference: float
    half_width: float
    people: int
    asked: int
    decided: bool
    tied: tuple[int, ...]
    doubt: float

    @property
    def perhaps_best(self) -> tuple[int, ...]:
        """The leader and all arms not told apart from it."""
        return (self.leader, *self.tied)


def lead_of(survey: Survey, *, level: float = LEVEL) -> Lead:
    """Return which arm leads in a survey, by how much, and whether the survey can tell.

    Parameters
    ----------
    survey : Survey
        At least one rating of each arm.
    level : float
        The confidence level of the statements, in (0, 1).

    Returns
    -------
    Lead

    Raises
    ------
    ValueError
        If an arm has no rating, or `level` is outside its range.

    Notes
    -----
    People are the units: the intervals are valid for people drawn independently from the
    population. They say nothing about people unlike those asked, nor about the ratings that people
    would give to arms they did not rate. A mean weighs people by the number of their ratings.
    Errors are robust against the correlation of a person's ratings, see `cbai.problem.people`.
    Quantiles are Student's t with the effective number of people minus 1.

    Each comparison is at one-sided probability a = (1 - `level`) / K. *The leader is wrongly
    declared the only best arm with probability at most 1 - level.* For each arm k that is not the
    only best one, some other arm l is at least as good. Declaring k needs its lead over that l to
    be above the half width, which has probability at most a. There are at most K such k. (The
    leader must beat *every* rival; this needs no further correction.) *The leader or an arm in
    `tied` is best with probability at least 1 - level*, by the same union: a given best arm is
    missing only if one of K - 1 others beats it. For K = 2 the interval is the usual two-sided one.

    All this holds up to the normal limit: for a few dozen people or more, with ratings that are
    not too skew. If fewer than ten people differ from the most common answer, the range times
    1 - a**(1 / (n - 1)) is added: two people who agree are no certainty. If only one person rated
    an arm, its interval is the whole range.
    """
    alpha = 1.0 - checks.real("level", level, 0.0, 1.0, open_ends=True)
    people = people_of(survey)
    if not people.ratings.all():
        empty = survey.arms[int(np.argmin(people.ratings))]
        raise ValueError(f"Every option needs a rating, got none of {checks.quoted(empty)}.")
    means = people.means
    half = _own_half_widths(people, alpha / 2.0)
    leader, lead, widths = _leads(people, alpha)
    lower_ends = lead - widths
    lower_ends[leader] = np.inf
    rival = int(np.argmin(lower_ends))
    _, *tied = perhaps_best(people, alpha)
    return Lead(
        survey.arms,
        means,
        np.maximum(means - half, survey.values[0]),
        np.minimum(means + half, survey.values[-1]),
        leader,
        rival,
        float(lead[rival]),
        float(widths[rival]),
        _either(people, leader, rival),
        int(people.copies[np.unique(people.person)].sum()),
        not tied,
        tuple(tied),
        _doubt(people),
    )


def _doubt(people: People) -> float:
    """Return the smallest alpha at which the leader is told apart from all others.

    The half widths fall as alpha grows, so the lead is declared at every larger alpha, too.
    """
    low, high = LEAST_DOUBT, 1.0
    if len(perhaps_best(people, high)) > 1:
        return 1.0
    if len(perhaps_best(people, low)) == 1:
        return low
    for _ in range(BISECTIONS):
        middle = math.sqrt(low * high)
        low, high = (low, middle) if len(perhaps_best(people, middle)) == 1 else (middle, high)
    return high


def perhaps_best(people: People, alpha: float) -> tuple[int, ...]:
    """Return the leader and all arms not told apart from it, sorted by mean, largest first.

    The probability that a given best arm is missing is at most `alpha`, see `lead_of`. Every arm
    needs a rating.
    """
    leader, lead, widths = _leads(people, alpha)
    apart = lead > widths
    order = np.argsort(-people.means, kind="stable")
    return (leader, *(int(arm) for arm in order if arm != leader and not apart[arm]))


def _leads(people: People, alpha: float) -> tuple[int, Floats, Floats]:
    """Return the leader, its lead over each arm, and the half width of each lead, shape (K,)."""
    leader = int(np.argmax(people.means))
    lead = people.means[leader] - people.means
    return leader, lead, difference_half_widths(people, leader, alpha / people.n_arms)


def difference_half_widths(people: People, leader: int, alpha: float) -> Floats:
    """Return half widths of the leader's lead over each arm, one-sided at `alpha`, shape (K,)."""
    found = people.covariance
    own = np.diag(found)
    variance = np.maximum(own[leader] + own - 2.0 * found[leader], 0.0)
    fewest = np.minimum(people.effective[leader], people.effective)
    half = half_widths(np.sqrt(variance), fewest, alpha)
    unseen = people.unseen(alpha / 2.0)
    few = np.where(people.few_others, unseen, 0.0)
    same = variance <= 1e-18 * people.range**2
    share = np.where(same, unseen[leader] + unseen, few[leader] + few)
    widest: Floats = np.minimum(half + share * people.range, people.range * (1 + checks.TOLERANCE))
    return widest


def _own_half_widths(people: People, alpha: float) -> Floats:
    error = np.sqrt(np.diag(people.covariance))
    half = half_widths(error, people.effective, alpha)
    share = np.where(people.few_others, people.unseen(alpha), 0.0)
    return np.minimum(half + share * people.range, people.range)


def _either(people: People, first: int, second: int) -> int:
    who = np.unique(people.person[(people.arm == first) | (people.arm == second)])
    return int(people.copies[who].sum())
