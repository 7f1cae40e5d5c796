"""MovieLens: which of 18 film genres do people rate highest?"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from cbai.datasets.dataset import Dataset, Noun
from cbai.datasets.files import DATA
from cbai.problem import Problem

FOLDER = DATA / "movielens-1m"


def build() -> Problem:
    """Return the 18 genres, from the tables in ``data/movielens-1m``.

    Returns
    -------
    Problem
        K = 18 genres, rewards 1 to 5 stars, b = 5.
    """
    counts = pd.read_csv(FOLDER / "test_counts.csv", index_col="genre")
    genres = list(counts.index)
    values = np.arange(1.0, 6.0)
    table = pd.read_csv(FOLDER / "pseudo_rewards.csv")
    pseudo = np.broadcast_to(values, (len(genres), len(genres), values.size)).copy()
    bounded = counts.index.get_indexer(pd.Index(table["genre_bounded"]))
    pulled = counts.index.get_indexer(pd.Index(table["genre_pulled"]))
    known = table["ratings_behind"] > 0
    lower = pseudo.copy()
    star = table["rating"] - 1
    pseudo[bounded, pulled, star] = table["pseudo_reward"]
    lower[bounded, pulled, star] = table["pseudo_reward"].where(known, values[0])
    return Problem(genres, values, counts.div(counts.sum(axis=1), axis=0), pseudo, 5.0, lower)


def _provenance() -> str:
    if not (FOLDER / "provenance.json").is_file():
        return "Not built yet: run `python -m cbai.datasets.movielens FILE`."
    record = json.loads((FOLDER / "provenance.json").read_text(encoding="utf-8"))
    train, test = record["train"], record["test"]
    low, high = record["gap_wanted"]
    return (
        f"{record['ratings']:,} real ratings by {record['users']:,} users of MovieLens 1M. "
        "Each movie counts for one of its genres, drawn at random with "
        f"seed {record['genre_seed']}. This is the lowest seed with which the best genre leads the "
        f"second by {low:.2f} to {high:.2f} stars; the paper's sample counts imply a similar lead. "
        f"Pseudo-rewards are mean ratings by the {train['users']:,} users who rated most "
        f"({train['ratings']:,} ratings). Rewards are drawn from the {test['ratings']:,} ratings "
        f"of the other {test['users']:,}. "
        "Nothing is modelled, and nothing makes these means upper bounds. People who rate a lot "
        "give lower ratings, so most bounds are too low without a safety buffer."
    )


DATASET = Dataset(
    id="movielens-1m",
    title="Film genres (MovieLens)",
    story="Which film genre do people rate highest?",
    arm=Noun("genre", "genres"),
    sample=Noun("rating", "ratings"),
    provenance=_provenance(),
    licence=(
        "Tables derived from MovieLens 1M (F. M. Harper and J. A. Konstan, 2015, "
        "doi:10.1145/2827872), which GroupLens offers for research, not for commercial use; "
        "the ratings themselves may not be redistributed."
    ),
    build=build,
)
