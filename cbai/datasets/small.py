"""MovieLens latest, small: raw ratings with half stars, from which every step is computed live."""

from __future__ import annotations

from functools import cache

from cbai.datasets.dataset import Dataset, Noun
from cbai.datasets.files import DATA
from cbai.datasets.genre_assignment import survey_of_genres
from cbai.datasets.movielens_files import read_movielens
from cbai.datasets.ratings import Ratings
from cbai.problem import Problem
from cbai.problem.splits import make_problem, split

FOLDER = DATA / "movielens-small"


@cache
def ratings() -> Ratings:
    """Return the ratings that ship, read once."""
    return read_movielens(FOLDER)


def build(assignment: str, split_by: str) -> Problem:
    """Return the genres as a problem, made as in the paper.

    Parameters
    ----------
    assignment : str
        The seed of the genre assignment.
    split_by : str
        Whose ratings make the pseudo-rewards: ``"heaviest"``, ``"random"`` or ``"none"``.

    Returns
    -------
    Problem
        K = 18 genres, rewards 0.5 to 5 stars in steps of a half, b = 5; pseudo-rewards are means.
    """
    chosen = survey_of_genres(ratings(), int(assignment))
    return make_problem(chosen, split(chosen, split_by), "mean")


DATASET = Dataset(
    id="movielens-small",
    title="Film genres, small (MovieLens)",
    story="Which film genre do 610 people rate highest?",
    arm=Noun("genre", "genres"),
    sample=Noun("rating", "ratings"),
    provenance=(
        "The 100,836 ratings of MovieLens latest-small, with half stars, as GroupLens offers them. "
        "Each film counts for one of its genres, drawn at random. Pseudo-rewards are the mean "
        "ratings by one half of the people. Rewards are drawn from the ratings by the other half. "
        "*Your data* offers more ways of making pseudo-rewards. GroupLens offers this set for "
        "development, not for research results."
    ),
    licence=(
        "F. M. Harper and J. A. Konstan, The MovieLens Datasets, 2015. May be passed on under the "
        "terms in data/movielens-small/README.txt; no commercial use without permission."
    ),
    build=build,
    options={
        "assignment": {str(seed): f"genre assignment {seed}" for seed in range(10)},
        "split_by": {
            "heaviest": "half of the ratings, by the heaviest raters",
            "random": "half of the people, at random",
            "none": "no split: everyone in both halves",
        },
    },
)
