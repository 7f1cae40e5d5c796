"""Goodreads: which poetry book do readers rate highest?"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cbai.datasets.copula import conditional_means
from cbai.datasets.dataset import Dataset, Noun
from cbai.datasets.files import DATA
from cbai.problem import Problem

FOLDER = DATA / "goodreads-poetry"
N_BOOKS = 25
STARS = np.arange(1.0, 6.0)

GENEROSITY = 0.4
"""Correlation of any two books: some readers give more stars to everything."""

SAME_KIND = 0.35
"""This is added to the correlation of two books of one kind of poetry."""


def books(selection: str) -> pd.DataFrame:
    """Return the 25 books, most rated first.

    Parameters
    ----------
    selection : str
        "author": the most rated title of each author, anonymous works each on their own;
        "title": titles regardless of author.

    Returns
    -------
    DataFrame
        The columns of ``books.csv`` and ``kinds.csv``.
    """
    key = "goodreads_book_id"
    table = pd.read_csv(FOLDER / "books.csv").merge(
        pd.read_csv(FOLDER / "kinds.csv"), on=key, validate="one_to_one"
    )
    table["ratings"] = star_counts(table).sum(axis=1)
    table = table.sort_values(["ratings", key], ascending=[False, True], kind="stable")
    if selection == "author":
        author = table["author"].where(
            ~table["author"].isin(["Unknown", "Anonymous"]), table["title"]
        )
        table = table[~author.duplicated()]
    return table.head(N_BOOKS)


def star_counts(table: pd.DataFrame) -> NDArray[np.float64]:
    """Return the number of ratings of each book with 1 to 5 stars, shape (K, 5)."""
    counts: NDArray[np.float64] = table[[f"ratings_{star:g}" for star in STARS]].to_numpy(float)
    return counts


def correlation(kinds: NDArray[np.str_]) -> NDArray[np.float64]:
    """Return the correlation of the latent normals of books of the given kinds, shape (K, K)."""
    matrix: NDArray[np.float64] = GENEROSITY + SAME_KIND * (kinds[:, None] == kinds)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def build(selection: str) -> Problem:
    """Return the books with real marginals and modelled dependence.

    Parameters
    ----------
    selection : str
        See `books`.

    Returns
    -------
    Problem
        K = 25 books, rewards 1 to 5 stars, b = 5. The pseudo-rewards are the exact conditional
        means of the model, rounded up to 6 decimals, so rounding breaks no bound; the pseudo-lower
        bounds are the same, rounded down.
    """
    table = books(selection)
    counts = star_counts(table)
    probabilities = counts / counts.sum(axis=1, keepdims=True)
    kinds = table["kind"].to_numpy(str)
    means = conditional_means(probabilities, STARS, correlation(kinds))
    pseudo = np.minimum(np.ceil(means * 1e6) / 1e6, STARS[-1])
    lower = np.maximum(np.floor(means * 1e6) / 1e6, STARS[0])
    for bound in (pseudo, lower):
        bound[np.arange(len(table)), np.arange(len(table))] = STARS
    return Problem(list(table["display"]), STARS, probabilities, pseudo, STARS[-1], lower)


DATASET = Dataset(
    id="goodreads-poetry",
    title="Poetry books (Goodreads)",
    story="Which poetry book do readers rate highest?",
    arm=Noun("book", "books"),
    sample=Noun("rating", "ratings"),
    provenance=(
        "The number of readers who gave each book 1 to 5 stars is real: these are Goodreads "
        "counts, collected in goodbooks-10k. How one reader's ratings of two books depend on each "
        f"other is modelled by a Gaussian copula. Its correlation is {GENEROSITY:g} between any "
        f"two books (generous readers) and {GENEROSITY + SAME_KIND:g} between two books of one "
        "kind of poetry. The pseudo-rewards are the exact conditional means of this model, so they "
        "are valid and as tight as possible. The paper used individual readers' ratings instead."
    ),
    licence="goodbooks-10k (Zygmunt Zając), CC BY-SA 4.0; our table of kinds, the same.",
    build=build,
    options={
        "selection": {
            "author": "The most rated book of each author",
            "title": "The most rated books",
        }
    },
    valid_by_construction=True,
)
