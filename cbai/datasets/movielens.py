"""Build the genre tables from raw MovieLens 1M: ``python -m cbai.datasets.movielens FILE``.

FILE is a zip file or a folder with ``movies.dat`` and ``ratings.dat`` as GroupLens publishes
them. Only tables of counts and means are written; the ratings themselves may not be passed on.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cbai import files
from cbai.checks import quoted
from cbai.datasets.files import DATA
from cbai.datasets.genre_assignment import genre_survey
from cbai.datasets.movielens_files import WHOLE_STARS, read_movielens
from cbai.datasets.ratings import Ratings
from cbai.problem import estimate
from cbai.problem.splits import heaviest_half

STARS = np.array(WHOLE_STARS)
GAP = (0.14, 0.18)
"""The gap between the best two genres that a genre assignment must have, in stars."""

MAX_SEEDS = 1000


def tables(raw: Ratings, seed: int) -> tuple[list[str], NDArray[np.float64], NDArray[np.float64]]:
    """Count the stars of each user and genre, separately for train and test.

    Parameters
    ----------
    raw : Ratings
        Ratings of 1 to 5 whole stars.
    seed : int
        The seed of the genre assignment.

    Returns
    -------
    genres : list of str
        The K genre names in alphabetical order.
    train, test : ndarray, shape (users, K, 5)
        Ratings of each user, genre and number of stars.
    """
    survey = genre_survey(raw, seed)
    is_train = heaviest_half(np.bincount(survey.person))[survey.person]
    halves = []
    for half in (is_train, ~is_train):
        person, people = pd.factorize(survey.person[half], sort=True)
        shape = (len(people), len(survey.arms), STARS.size)
        halves.append(estimate.tally(person, survey.arm[half], survey.value[half], shape))
    return survey.arms, halves[0], halves[1]


def leaders(genres: list[str], test: NDArray[np.float64]) -> tuple[pd.Series, float]:
    """Return the mean test rating of each genre, best first, and the gap of the best two.

    Raises
    ------
    ValueError
        If a genre has no rating in the test half.
    """
    counts = test.sum(axis=0)
    empty = [genre for genre, n in zip(genres, counts.sum(axis=1), strict=True) if n == 0]
    if empty:
        raise ValueError(
            f"Every genre needs a rating in the test half, got none of {quoted(empty[0])}."
        )
    means = pd.Series(counts @ STARS / counts.sum(axis=1), genres)
    means = means.sort_values(ascending=False, kind="stable")
    return means, float(means.iloc[0] - means.iloc[1])


def choose_seed(raw: Ratings, gap: tuple[float, float] = GAP) -> tuple[int, list[float]]:
    """Return the lowest seed whose best genre leads by a gap in the range, and all gaps seen.

    Raises
    ------
    ValueError
        If none of the first 1,000 seeds does.
    """
    seen: list[float] = []
    for seed in range(MAX_SEEDS):
        genres, _, test = tables(raw, seed)
        between = leaders(genres, test)[1]
        seen.append(round(between, 6))
        if gap[0] <= between <= gap[1]:
            return seed, seen
    raise ValueError(f"The gap must be in [{gap[0]:g}, {gap[1]:g}], got none in 1,000 seeds.")


def build(path: Path, folder: Path, gap: tuple[float, float] = GAP) -> dict[str, Any]:
    """Write the three files of the data set and return what `provenance.json` records.

    Parameters
    ----------
    path : Path
        The raw zip file or folder.
    folder : Path
        Where ``test_counts.csv``, ``pseudo_rewards.csv`` and ``provenance.json`` go.
    gap : tuple of float
        The range wanted for the gap between the best two genres, in stars.
    """
    raw = read_movielens(path)
    if raw.scale != WHOLE_STARS:
        raise ValueError(f"FILE must be MovieLens 1M, with 1 to 5 whole stars, got {raw.source}.")
    seed, seen = choose_seed(raw, gap)
    genres, train, test = tables(raw, seed)
    means, _ = leaders(genres, test)
    moments = estimate.conditional_moments(train, STARS)
    record = {
        "genre_seed": seed,
        "gaps_seen_from_seed_0": seen,
        "gap_wanted": list(gap),
        "best": means.index[0],
        "second": means.index[1],
        "users": len(train) + len(test),
        "movies_listed": len(raw.items),
        "ratings": len(raw.frame),
        "train": {"users": len(train), "ratings": int(train.sum())},
        "test": {"users": len(test), "ratings": int(test.sum())},
        "mean_test_rating": {str(genre): round(float(mean), 6) for genre, mean in means.items()},
        "sha256_of_raw_files": dict(raw.digests),
    }
    folder.mkdir(parents=True, exist_ok=True)
    _write_counts(folder / "test_counts.csv", genres, test)
    _write_pseudo_rewards(folder / "pseudo_rewards.csv", genres, moments)
    text = json.dumps(record, indent=2) + "\n"
    files.write(folder / "provenance.json", text.encode())
    return record


def _write_counts(path: Path, genres: list[str], test: NDArray[np.float64]) -> None:
    columns = [f"ratings_{star:g}" for star in STARS]
    frame = pd.DataFrame(test.sum(axis=0).astype(np.int64), genres, columns)
    files.write(path, frame.to_csv(index_label="genre", lineterminator="\n").encode())


def _write_pseudo_rewards(
    path: Path, genres: list[str], moments: estimate.ConditionalMoments
) -> None:
    bound = estimate.survey_pseudo_rewards(moments, STARS, STARS[-1])
    bounded, pulled, star = (index.ravel() for index in np.indices(bound.shape))
    names = np.array(genres)
    frame = pd.DataFrame(
        {
            "genre_bounded": names[bounded],
            "genre_pulled": names[pulled],
            "rating": star + 1,
            "pseudo_reward": [f"{entry:.6f}" for entry in bound.ravel()],
            "ratings_behind": moments.ratings.ravel().astype(np.int64),
            "users_behind": moments.people.ravel(),
        }
    )[bounded != pulled]
    files.write(path, frame.to_csv(index=False, lineterminator="\n").encode())


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m cbai.datasets.movielens", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE", help="raw zip file or folder")
    parser.add_argument("--to", type=Path, default=DATA / "movielens-1m", help="folder to write to")
    chosen = parser.parse_args(arguments)
    try:
        files.check_folder("--to", chosen.to)
        record = build(chosen.file, chosen.to)
    except ValueError as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{chosen.to} must have room for the tables, got: {files.reason(error)}.")
    print(json.dumps(record, indent=2))


if __name__ == "__main__":
    main()
