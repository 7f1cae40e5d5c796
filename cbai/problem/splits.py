"""Splits of a survey's people: who makes the pseudo-rewards, and whose ratings are the rewards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cbai import checks, philox
from cbai.checks import quoted
from cbai.problem.counted import counted
from cbai.problem.methods import Evidence, pseudo_lower, pseudo_rewards
from cbai.problem.problem import Problem
from cbai.problem.survey import Survey, tally_of

SPLITS: Mapping[str, str] = {
    "heaviest": "the people with most ratings, until half of all ratings is covered (the paper)",
    "random": "people drawn at random",
    "column": "people with a given entry in a column",
    "none": "everyone, for both halves",
}
"""Name of a split to the people in its training half."""


MANY_TIMES = 2.0
"""The half that rates most must have this many times as many ratings a person as the other half.
Otherwise that split is not useful."""

SAME = "Everybody gave equally many ratings, so nobody rates most: the split is random. "


@dataclass(frozen=True, eq=False)
class Split:
    """Whose ratings make the pseudo-rewards, and whose ratings are the rewards.

    Attributes
    ----------
    how : str
        A key of `SPLITS`.
    train, test : ndarray of bool, shape (P,)
        The people in each half; people without a rating are in neither.
    words : str
        One sentence for people: who trains, who tests, and whether anything is held out.
    """

    how: str
    train: NDArray[np.bool_]
    test: NDArray[np.bool_]
    words: str

    @property
    def held_out(self) -> bool:
        """Whether no person is in both halves."""
        return not bool((self.train & self.test).any())


def split(
    survey: Survey,
    how: str,
    *,
    seed: int = 0,
    share: float = 0.5,
    column: str | None = None,
    entry: Any = None,
) -> Split:
    """Split the people of a survey into a training and a test half.

    Parameters
    ----------
    survey : Survey
        The survey, after the choice of arms.
    how : str
        ``"heaviest"``: the people with most ratings train, until they have half of all ratings
        (Section V of the paper; ties in the order of the ids). If all people gave equally many,
        a random half trains, drawn with `seed`. ``"random"``: a random share of the people trains.
        ``"column"``: people whose `column` holds `entry` train. ``"none"``: everybody trains and
        everybody tests.
    seed, share
        For ``"random"``: the key of the generator, and the share of people who train, in (0, 1).
    column, entry
        For ``"column"``.

    Returns
    -------
    Split

    Raises
    ------
    ValueError
        If a parameter is not allowed, or one half would be empty.
    """
    how = checks.one_of("how", how, SPLITS)
    ratings = survey.ratings_per_person
    rated = ratings > 0
    if how == "none":
        return _none(rated)
    note = ""
    if how == "heaviest" and rated.sum() > 1 and alike(ratings):
        share = np.ceil(rated.sum() / 2.0) / rated.sum()
        train, words, note = (
            _random(rated, seed, share),
            f"drawn at random (seed {seed})",
            SAME,
        )
    elif how == "heaviest":
        train = heaviest_half(ratings)
        words = "those with most ratings, who gave half of all ratings"
    elif how == "random":
        train, words = _random(rated, seed, share), f"drawn at random (seed {seed})"
    else:
        train, words = _by_column(survey, column, entry) & rated, f"those with {column} = {entry}"
    test = rated & ~train
    for name, half in (("training", train), ("test", test)):
        if not half.any():
            raise ValueError(
                f"Both halves need people with ratings, got none in the {name} half. Those who "
                f"train: {words}; {counted(rated.sum())} rated anything."
            )
    return Split(how, train, test, note + _words(words, ratings, train, test))


def evidence_of(survey: Survey, split: Split) -> Evidence:
    """Return the evidence for the methods: the training half."""
    return Evidence(tally_of(survey, split.train), survey.reward_max)


def make_problem(
    survey: Survey,
    split: Split,
    method: str,
    min_ratings: float = 1,
    min_people: int = 1,
    **parameters: float,
) -> Problem:
    """Build a problem: pseudo-rewards from the training half, probabilities from the test half.

    Parameters
    ----------
    survey, split
        The ratings, and who is in which half.
    method, min_ratings, min_people, **parameters
        As in `cbai.problem.methods.pseudo_rewards`.

    Raises
    ------
    ValueError
        If an arm has no rating in the test half, or a parameter is not allowed.

    Notes
    -----
    Section V of Gupta, Joshi and Yağan (2021). The probabilities are the shares of the ratings, as
    if rewards were drawn from the ratings with replacement. So people who rate more count more.
    """
    evidence = evidence_of(survey, split)
    bound = pseudo_rewards(evidence, method, min_ratings, min_people, **parameters)
    lower = pseudo_lower(evidence, method, min_ratings, min_people, **parameters)
    counts = tally_of(survey, split.test).counts.sum(axis=0).reshape(survey.n_arms, -1)
    totals = counts.sum(axis=1)
    if not totals.all():
        empty = survey.arms[int(np.argmin(totals))]
        raise ValueError(
            f"Every option needs a rating by the people held out, got none of {quoted(empty)}."
        )
    shares = counts / totals[:, None]
    return Problem(survey.arms, survey.values, shares, bound, survey.reward_max, lower)


def alike(ratings: NDArray[Any]) -> bool:
    """Return whether all people with a rating gave equally many; `ratings` is of shape (P,)."""
    given = ratings[ratings > 0]
    return bool((given == given.max(initial=0.0)).all())


def usual_split(survey: Survey) -> str:
    """Return the split that fits a survey: ``"heaviest"`` as in the paper, or ``"random"``.

    It is random in three cases: the half that rates most would have less than `MANY_TIMES` as many
    ratings a person as the other half; it would have fewer than two people; or one half would have
    no rating of some arm.
    """
    ratings = survey.ratings_per_person
    rated = ratings > 0
    if not rated.any() or alike(ratings):
        return "random"
    train = heaviest_half(ratings)
    test = rated & ~train
    if min(train.sum(), test.sum()) < 2:
        return "random"
    for half in (train, test):
        if np.unique(survey.arm[half[survey.person]]).size < survey.n_arms:
            return "random"
    return "heaviest" if ratings[train].mean() >= MANY_TIMES * ratings[test].mean() else "random"


def heaviest_half(ratings: NDArray[Any]) -> NDArray[np.bool_]:
    """Return the people with most ratings who together have half of all ratings.

    Parameters
    ----------
    ratings : ndarray, shape (P,)
        How many ratings each person gave. In a tie the lower index comes first.
    """
    order = np.argsort(-ratings, kind="stable")
    needed = int(np.searchsorted(np.cumsum(ratings[order]), ratings.sum() / 2.0)) + 1
    train = np.zeros(ratings.size, dtype=bool)
    train[order[:needed]] = True
    return train & (ratings > 0)


def _random(rated: NDArray[np.bool_], seed: int, share: float) -> NDArray[np.bool_]:
    seed = checks.whole("seed", seed, 0, philox.MAX_SEED)
    share = checks.real("share", share, 0.0, 1.0, open_ends=True)
    people = np.flatnonzero(rated)
    order = np.argsort(philox.stream(seed, 0, people.size, philox.SPLITS), kind="stable")
    train = np.zeros(rated.size, dtype=bool)
    train[people[order[: round(share * people.size)]]] = True
    return train


def _by_column(survey: Survey, column: str | None, entry: Any) -> NDArray[np.bool_]:
    if column is None or not survey.columns:
        raise ValueError(
            f"A split by column needs one of the survey's columns "
            f"({', '.join(survey.columns) or 'it has none'}), got {quoted(column)}."
        )
    name = checks.one_of("column", column, survey.columns)
    return np.array([one == entry for one in survey.columns[name].tolist()], dtype=bool)


def _none(rated: NDArray[np.bool_]) -> Split:
    if not rated.any():
        raise ValueError("A survey needs at least one rating, got none.")
    number = int(rated.sum())
    all_of_them = "One person makes" if number == 1 else f"All {number:,} people make"
    words = (
        f"{all_of_them} both the pseudo-rewards and the rewards: nothing is held out. The "
        "pseudo-rewards look better here than they would with new people."
    )
    return Split("none", rated, rated, words)


def _words(
    who: str, ratings: NDArray[np.float64], train: NDArray[np.bool_], test: NDArray[np.bool_]
) -> str:
    known, drawn = ratings[train].sum(), ratings[test].sum()
    making, testing = int(train.sum()), int(test.sum())
    others = "person is" if testing == 1 else f"{testing:,} people are"
    return (
        f"{counted(making)}, {who}, {'makes' if making == 1 else 'make'} the pseudo-rewards from "
        f"{counted(known, 'rating', 'ratings')}. The other {others} held out: their "
        f"{counted(drawn, 'rating', 'ratings')} test the pseudo-rewards, and rewards are drawn "
        "from them."
    )
