"""Choose the way of making pseudo-rewards: the tightest that is valid on held-out people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cbai import checks
from cbai.problem.lead import LEVEL, perhaps_best
from cbai.problem.methods import DEFAULT_MIN_PEOPLE, METHODS, Evidence, pseudo_rewards
from cbai.problem.pseudo_rewards import off_diagonal
from cbai.problem.slack import SlackMoments
from cbai.problem.splits import Split, evidence_of
from cbai.problem.survey import Survey
from cbai.problem.trust import held_out_moments, who_tests

JOINT, MAXIMUM = "joint", "maximum"


@dataclass(frozen=True)
class Candidate:
    """A method with its usual parameters, and its test on the held-out people.

    Attributes
    ----------
    method : str
        A key of `METHODS`.
    mean : float
        The mean pseudo-reward of all pairs and values, in units of reward: small is tight.
    slack : float
        The smallest estimated slack of a bound on an arm that may be best. Below 0 the bound is
        too low.
    valid : bool
        Whether no such bound is too low, by the estimates.
    violated : bool
        Whether some such bound is clearly too low: its interval, simultaneous for all such bounds,
        is below 0.
    """

    method: str
    mean: float
    slack: float
    valid: bool
    violated: bool


@dataclass(frozen=True)
class Choice:
    """The chosen way of making pseudo-rewards, and the reasons.

    Attributes
    ----------
    method : str
        A key of `METHODS`.
    parameters : mapping of str to float
        All its parameters.
    words : str
        A few sentences on why, and on which people estimated and which tested.
    table : tuple of Candidate
        All methods, in the order of `METHODS`.
    """

    method: str
    parameters: Mapping[str, float]
    words: str
    table: tuple[Candidate, ...]


def choose_method(
    survey: Survey,
    split: Split,
    min_people: int = DEFAULT_MIN_PEOPLE,
    min_ratings: float = 1,
    *,
    level: float = LEVEL,
) -> Choice:
    """Choose the tightest way of making pseudo-rewards that is valid on the held-out people.

    Parameters
    ----------
    survey, split
        The ratings, and who is in which half.
    min_people, min_ratings
        As in `cbai.problem.methods.pseudo_rewards`.
    level : float
        The confidence level for the set of arms that may be best, in (0, 1).

    Returns
    -------
    Choice
        Among the methods whose bounds on all arms that may be best are valid by the estimates, the
        one with the smallest mean pseudo-reward. If nobody is held out, nothing can be tested, and
        it is ``"joint"``. If all methods say nothing, it is ``"maximum"``.

    Raises
    ------
    ValueError
        If an arm has no rating in the test half, or a parameter is outside its range.

    Notes
    -----
    There is no guarantee: a bound that is valid by the estimates may be too low for the whole
    population, and this is more likely for the tightest of several methods. `cbai.problem.trust`
    allows for it if it is told how many methods were compared. Only ``"joint"`` and ``"maximum"``
    have a guarantee of their own.
    """
    alpha = 1.0 - checks.real("level", level, 0.0, 1.0, open_ends=True)
    moments = held_out_moments(survey, split)
    evidence = evidence_of(survey, split)
    best = np.array(perhaps_best(moments.people, alpha), dtype=np.intp)
    table = tuple(
        _candidate(name, evidence, moments, best, (min_ratings, min_people), alpha)
        for name in METHODS
    )
    loosest = max(one.mean for one in table)
    alike = all(one.mean >= loosest - checks.TOLERANCE for one in table)
    if split.held_out:
        fits = [one for one in table if one.valid or one.method == MAXIMUM]
        chosen = MAXIMUM if alike else min(fits, key=lambda one: one.mean).method
    else:
        chosen = JOINT
    return Choice(chosen, METHODS[chosen].checked({}), _words(chosen, split, alike), table)


def _candidate(
    name: str,
    evidence: Evidence,
    moments: SlackMoments,
    best: np.ndarray,
    least: tuple[float, int],
    alpha: float,
) -> Candidate:
    bound = pseudo_rewards(evidence, name, *least)
    pairs = off_diagonal(len(bound))
    found = moments.slack(bound[best], alpha / (best.size * (len(bound) - 1)), best)
    among = pairs[best]
    slack = float(found.estimate[among].min())
    return Candidate(
        name,
        float(bound[pairs].mean()),
        slack,
        slack >= -checks.TOLERANCE,
        bool((found.high[among] < -checks.TOLERANCE).any()),
    )


def _words(chosen: str, split: Split, alike: bool) -> str:
    title = METHODS[chosen].title
    if not split.held_out:
        return (
            f"{title}. This is the only tight way that is valid without a test. {who_tests(split)}"
        )
    if alike:
        return (
            f"{title}. Too few people rated two of the options, so every way gives the largest "
            f"reward. {who_tests(split)}"
        )
    by = "By the ratings of the people who test,"
    if chosen == MAXIMUM:
        why = f"{title}. {by} every other way gives a pseudo-reward that is too low."
    else:
        why = (
            f"{title}. {by} this is the tightest way that is valid for every option that may be "
            "best."
        )
    again = "Their ratings also chose the way."
    return f"{why} {who_tests(split)} {again}"
