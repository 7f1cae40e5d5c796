"""Film genres as arms: each movie counts for one of its genres, drawn at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cbai import checks, philox
from cbai.datasets.ratings import Ratings
from cbai.problem.survey import Survey

STANDARD_GENRES = frozenset(
    {
        "Action",
        "Adventure",
        "Animation",
        "Children",
        "Children's",
        "Comedy",
        "Crime",
        "Documentary",
        "Drama",
        "Fantasy",
        "Film-Noir",
        "Horror",
        "Musical",
        "Mystery",
        "Romance",
        "Sci-Fi",
        "Thriller",
        "War",
        "Western",
    }
)
"""The 18 genres of MovieLens; newer releases write Children instead of Children's."""


class GenreSurvey(NamedTuple):
    """Who gave which genre which rating: one entry for each rating, in the order of the file.

    Attributes
    ----------
    person : ndarray of int, shape (N,)
        Index of the user, in increasing order of the user ids.
    arm : ndarray of int, shape (N,)
        Index into `arms`.
    value : ndarray of int, shape (N,)
        Index into `values`.
    arms : list of str
        The K genre names, in alphabetical order.
    values : ndarray, shape (V,)
        The rating scale.
    """

    person: NDArray[np.int64]
    arm: NDArray[np.int64]
    value: NDArray[np.int64]
    arms: list[str]
    values: NDArray[np.float64]


def assign_genres(movies: Mapping[int, Sequence[str]], seed: int) -> dict[int, str]:
    """Give each movie one of its genres, uniformly at random.

    Parameters
    ----------
    movies : mapping of int to sequence of str
        Movie id to its genres, at least one, in the order of the file.
    seed : int
        The key of the generator.

    Returns
    -------
    dict of int to str
        Movie id to genre: genre number ``w * len(genres) // 2**32``, w the first word of
        Philox4x32-10 for the counter (movie id, 0, 0, 2). No other library is used for it.
    """
    words = np.empty(4, np.uint64)
    chosen = {}
    for movie, genres in movies.items():
        philox.block(movie, 0, 0, philox.GENRES, seed, words)
        chosen[movie] = genres[int(words[0]) * len(genres) >> 32]
    return chosen


def listed_genres(ratings: Ratings) -> list[str]:
    """Return every genre that an item lists, standard or not, in alphabetical order."""
    return sorted({genre for listed in ratings.items["genres"] for genre in listed})


def genre_survey(ratings: Ratings, seed: int, genres: Sequence[str] | None = None) -> GenreSurvey:
    """Return the ratings as a survey whose arms are genres.

    Parameters
    ----------
    ratings : Ratings
        Ratings of items with genres.
    seed : int
        The seed of the genre assignment.
    genres : sequence of str, optional
        The arms; by default the standard genres that some item lists.

    Returns
    -------
    GenreSurvey
        Each item counts for one of its genres among the arms. Ratings of items with none of
        them are left out, and so are users who then have no rating.

    Raises
    ------
    ValueError
        If fewer than two arms are left, or a genre is one that no item lists.
    """
    seed = checks.whole("seed", seed, 0, philox.MAX_SEED)
    listed = listed_genres(ratings)
    wanted = [genre for genre in listed if genre in STANDARD_GENRES] if genres is None else genres
    arms = sorted({checks.one_of("genre", genre, listed) for genre in wanted})
    if len(arms) < 2:
        raise ValueError(f"There must be at least two genres to compare, got {len(arms)}.")
    arm = _arm_of_each_rating(ratings, arms, seed)
    kept = arm >= 0
    person, _ = pd.factorize(ratings.frame["user"].to_numpy()[kept], sort=True)
    values = np.asarray(ratings.scale, dtype=np.float64)
    value = np.searchsorted(values, ratings.frame["rating"].to_numpy()[kept])
    return GenreSurvey(person.astype(np.int64), arm[kept], value, arms, values)


def _arm_of_each_rating(ratings: Ratings, arms: list[str], seed: int) -> NDArray[np.int64]:
    """Return the arm each rating counts for, -1 for none, shape (ratings,)."""
    number = {genre: i for i, genre in enumerate(arms)}
    items = ratings.items["item"].to_numpy()
    own = {
        int(item): [genre for genre in listed if genre in number]
        for item, listed in zip(items, ratings.items["genres"], strict=True)
    }
    drawn = assign_genres({item: listed for item, listed in own.items() if listed}, seed)
    arm_of_item = np.array([number[drawn[item]] if item in drawn else -1 for item in own], np.int64)
    place = pd.Index(items).get_indexer(pd.Index(ratings.frame["item"]))
    result: NDArray[np.int64] = arm_of_item[place]
    return result


def survey_of_genres(ratings: Ratings, seed: int) -> Survey:
    """Return the ratings of the standard genres; each item counts for one, drawn with a seed."""
    found = genre_survey(ratings, seed)
    return Survey(tuple(found.arms), found.values, found.person, found.arm, found.value)
