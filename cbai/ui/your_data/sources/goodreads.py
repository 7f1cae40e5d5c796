"""Ratings of Goodreads poetry, in the layout of the UCSD Book Graph."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pandas as pd
import streamlit as st

from cbai.datasets import Noun, download
from cbai.datasets.goodreads_files import read_goodreads
from cbai.datasets.ratings import Ratings
from cbai.problem.survey import Survey
from cbai.ui.markdown import plain
from cbai.ui.runs import held, reading
from cbai.ui.your_data.in_hand import InHand

INTERACTIONS = "goodreads_interactions_poetry.json.gz"
BOOKS = "goodreads_books_poetry.json.gz"
MOST_RATED = 25


@held.per_session(max_entries=1)
def _read(key: str, _source: Path | bytes, _books: bytes | None) -> Ratings:
    return reading.run(read_goodreads, _source, _books)


@held.per_session(max_entries=1)
def _survey(key: str, _ratings: Ratings) -> Survey:
    frame = _ratings.frame
    top = frame["item"].value_counts().index[:MOST_RATED]
    frame = frame[frame["item"].isin(top)]
    titles = _ratings.items.set_index("item")["title"].to_dict()
    names = [f"{titles[item]}" for item in top]
    names = [
        n if names.count(n) == 1 else f"{n} ({item})" for n, item in zip(names, top, strict=True)
    ]
    people, person = np.unique(frame["user"].to_numpy(), return_inverse=True)
    arm = top.get_indexer(pd.Index(frame["item"]))
    values = np.asarray(_ratings.scale, dtype=np.float64)
    value = np.searchsorted(values, frame["rating"].to_numpy())
    return Survey(tuple(names), values, person, arm, value, n_people=people.size)


def draw() -> InHand | None:
    """Draw the source and return the survey, once there is one."""
    st.caption(
        f"The ratings of the paper's books are in {INTERACTIONS} of the UCSD Book Graph, their "
        f"titles in {BOOKS}. If a file is larger than the upload limit, put it into "
        f"{download.data_folder()}."
    )
    folder = download.data_folder()
    source: Path | bytes
    if (folder / INTERACTIONS).is_file():
        source, books, key = folder, None, str((folder / INTERACTIONS).stat().st_mtime)
    else:
        reading.prepare()
        files = st.file_uploader(
            "The file of interactions and, if you have it, the file of books",
            type=["gz", "json", "zip"],
            accept_multiple_files=True,
            key="goodreads files",
            help="As downloaded from UCSD: who rated which book, and the titles of the books.",
        )
        interactions = next((f for f in files if "book" not in f.name), None)
        if interactions is None:
            return None
        titles = next((f for f in files if "book" in f.name), None)
        source = interactions.getvalue()
        books = titles.getvalue() if titles else None
        key = hashlib.sha256(source + (books or b"")).hexdigest()
    try:
        with st.spinner("Reading the ratings, up to a minute ...", show_time=True):
            ratings = _read(key, source, books)
        survey = _survey(key, ratings)
    except ValueError as error:
        st.error(plain(str(error)))
        return None
    for reason, number in ratings.dropped:
        st.caption(f"Left out: {number:,} ({reason}).")
    words = (
        f"{survey.person.size:,} ratings of the {survey.n_arms} most rated poetry books by "
        f"{survey.n_people:,} readers ({ratings.source})."
    )
    st.caption(words)
    return InHand(
        key,
        survey,
        "Goodreads poetry",
        words,
        Noun("book", "books"),
        Noun("rating", "ratings"),
        usual_least=5,
    )
