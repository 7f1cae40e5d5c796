"""MovieLens: the included release, one on this computer, or one downloaded on a click."""

from __future__ import annotations

import hashlib
from pathlib import Path

import streamlit as st

from cbai.datasets import Noun, download
from cbai.datasets.files import DATA
from cbai.datasets.genre_assignment import survey_of_genres
from cbai.datasets.movielens_files import read_movielens
from cbai.datasets.ratings import Ratings
from cbai.problem.survey import Survey
from cbai.ui.markdown import plain
from cbai.ui.runs import held, reading
from cbai.ui.visit.link_names import in_link, number_in_link
from cbai.ui.your_data.in_hand import InHand

SHIPS = "ships"
UPLOAD = "upload"
SMALL = DATA / "movielens-small"
UPLOADED_ROWS = 2_000_000
"""MovieLens 1M has 1,000,209 rows. Larger releases exceed the upload limit anyway."""


LARGE_MB = 50.0
"""A larger release needs more memory than the process that reads uploads has.

It is read in this process, once for all visitors. Such a file has passed its checksum, or whoever
runs the app has put it there.
"""


@st.cache_resource(max_entries=2, show_spinner="Reading the ratings ...")
def _release(path: str, stamp: float, apart: bool) -> Ratings:
    if apart:
        return reading.run(read_movielens, Path(path), max_rows=UPLOADED_ROWS)
    return read_movielens(Path(path))


@held.per_session(max_entries=1)
def _uploaded(digest: str, _data: bytes, name: str) -> Ratings:
    with st.spinner("Reading the ratings ...", show_time=True):
        return reading.run(read_movielens, _data, name, max_rows=UPLOADED_ROWS)


@held.per_session(max_entries=2)
def _genres(key: str, _ratings: Ratings, seed: int) -> Survey:
    return survey_of_genres(_ratings, seed)


def draw() -> InHand | None:
    """Draw the source and return the survey, once there is one."""
    which = st.selectbox(
        "Release",
        [SHIPS, *download.RELEASES, UPLOAD],
        format_func=_title,
        key=in_link("release"),
        bind="query-params",
        help="The small release is included. Others are downloaded or come from your computer.",
    )
    try:
        found = _ratings(which)
    except (ValueError, download.DownloadError) as error:
        st.error(plain(str(error)))
        return None
    if found is None:
        return None
    key, ratings = found
    seed = st.number_input(
        "Seed of the genre assignment",
        0,
        10_000,
        0,
        key=number_in_link("genre_seed"),
        bind="query-params",
        width=260,
        help="Each film counts for one of its genres, drawn at random with this seed.",
    )
    survey = _genres(key, ratings, int(seed))
    left_out = len(ratings.frame) - survey.person.size
    note = f" {left_out:,} ratings of films without a genre are left out." if left_out else ""
    words = (
        f"{survey.person.size:,} ratings by {survey.n_people:,} people ({ratings.source}).{note} "
        f"Each film counts for one of its genres, drawn at random (seed {seed})."
    )
    st.caption(words)
    title = f"MovieLens genres, {_title(which).split(':')[0]}"
    return InHand(
        f"{key} {seed}", survey, title, words, Noun("genre", "genres"), Noun("rating", "ratings")
    )


def _title(which: str) -> str:
    if which == SHIPS:
        return "Small, included: 100 thousand ratings with half stars"
    if which == UPLOAD:
        return "Your file, in the layout of any release"
    size = download.RELEASES[which]
    return size.title


def _ratings(which: str) -> tuple[str, Ratings] | None:
    if which == SHIPS:
        return "small", _release(str(SMALL), SMALL.stat().st_mtime, apart=False)
    if which == UPLOAD:
        return _upload()
    path = download.at_hand(which) or _fetch(which)
    if path is None:
        return None
    stamp = path.stat().st_mtime
    apart = download.RELEASES[which].megabytes <= LARGE_MB
    return f"{which} {stamp}", _release(str(path), stamp, apart)


def _upload() -> tuple[str, Ratings] | None:
    reading.prepare()
    file = st.file_uploader(
        "The zip file of a release",
        type=["zip"],
        key="movielens file",
        help="MovieLens 100K, 1M or latest small. It stays in this session. Larger releases are "
        "read from the folder of downloads.",
    )
    if file is None:
        return None
    data = file.getvalue()
    digest = hashlib.sha256(data).hexdigest()
    return digest, _uploaded(digest, data, file.name)


def _fetch(which: str) -> Path | None:
    size = download.RELEASES[which].megabytes
    st.caption(
        f"Not on this computer yet. The download takes {size:,.0f} MB from GroupLens, for research "
        f"use, and goes into {download.data_folder()}. A file that you put there is used, too."
    )
    if not st.button(
        "Download", key="download", help="Needed only once. The file stays on this computer."
    ):
        return None
    bar = st.progress(0.0, text="Downloading ...")

    def progress(done: int, total: int) -> None:
        bar.progress(min(done / max(total, 1), 1.0), text=f"{done / 1e6:.1f} MB")

    path = download.fetch(which, progress)
    bar.empty()
    return path
