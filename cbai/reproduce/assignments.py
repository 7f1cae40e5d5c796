"""Tables 3 and 4 for many genre assignments, to see how much one draw of the genres matters."""

from __future__ import annotations

from concurrent.futures import Executor
from pathlib import Path

import numpy as np
import pandas as pd

from cbai.datasets import movielens
from cbai.datasets.movielens_files import read_movielens
from cbai.datasets.ratings import Ratings
from cbai.problem import Problem, estimate
from cbai.reproduce.draws import over_draws
from cbai.reproduce.experiments import SEED, TRIALS
from cbai.reproduce.run import Progress, run

TABLES = ("table3", "table4")
DIGITS = 6
"""Pseudo-rewards are rounded as in the shipped tables, to give the same results."""


def genre_problem(ratings: Ratings, genre_seed: int) -> Problem:
    """Return MovieLens with another genre assignment, made like the shipped tables.

    Parameters
    ----------
    ratings : Ratings
        Ratings of 1 to 5 whole stars.
    genre_seed : int
        The seed of the genre assignment.
    """
    genres, train, test = movielens.tables(ratings, genre_seed)
    moments = estimate.conditional_moments(train, movielens.STARS)
    pseudo = estimate.survey_pseudo_rewards(moments, movielens.STARS, movielens.STARS[-1])
    own = np.arange(len(genres))
    pseudo = np.round(pseudo, DIGITS)
    pseudo[own, own] = movielens.STARS
    counts = test.sum(axis=0)
    shares = counts / counts.sum(axis=1, keepdims=True)
    return Problem(genres, movielens.STARS, shares, pseudo, float(movielens.STARS[-1]))


def run_assignments(
    path: Path,
    count: int,
    trials: int = TRIALS,
    seed: int = SEED,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Run Tables 3 and 4 for genre seeds 0, 1, ..., `count` - 1, none left out.

    Parameters
    ----------
    path : Path
        The raw ratings of MovieLens 1M: a zip file or a folder.
    count : int
        Number of genre assignments.
    trials, seed, executor, progress
        As in `cbai.reproduce.run`.

    Returns
    -------
    DataFrame
        The rows of `cbai.reproduce.run.frame` for each assignment, with ``genre_seed`` as first
        column and without explanations.

    Raises
    ------
    ValueError
        If the ratings cannot be read or are not in whole stars.
    """
    ratings = read_movielens(path)
    if ratings.scale != tuple(movielens.STARS):
        raise ValueError(f"--ratings must be MovieLens 1M or 100K, got {ratings.source}.")

    def play(genre_seed: int, tell: Progress) -> pd.DataFrame:
        problem = genre_problem(ratings, genre_seed)
        tables = [run(table, trials, seed, problem, executor, tell) for table in TABLES]
        return pd.concat(tables, ignore_index=True).drop(columns="explanation")

    return over_draws("genre_seed", "genre seed", count, play, progress)
