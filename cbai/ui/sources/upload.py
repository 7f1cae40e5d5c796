"""A table of the user's own: look at it, correct what was guessed, read it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from cbai.datasets import Noun
from cbai.datasets.table import Guess, Report, inspect, read_survey
from cbai.datasets.table.guess import (
    DELIMITERS,
    DUPLICATES,
    ENCODINGS,
    LAYOUTS,
    MAX_ARMS,
    MAX_BYTES,
    MAX_ROWS,
    MAX_VALUES,
)
from cbai.problem.survey import Survey
from cbai.ui.survey import InHand

NONE = "(none)"
DETAILS = "Scale, bins, repeated ratings"
MENDED_IN_DETAILS = ("bins", "most rated", "offset")
"""Words of the messages that one of these helps against."""
WHO = "The column that says whose rating it is. Without it every row is another person."
SCALE = (
    "Both ends of the scale are needed, or neither: then they are those found. Ratings outside are "
    "left out, and counted."
)
NOUN = "The word that all pages use, such as"
EXAMPLES = {
    "Long: one rating a row": "who,what,rating\n1,tea,4\n1,coffee,2\n2,tea,5",
    "Wide: one person a row": "who,tea,coffee,water\n1,4,2,\n2,5,,3\n3,,1,4",
}


@st.cache_resource(scope="session", max_entries=2, show_spinner=False)
def _read(digest: str, choices: str, _data: bytes, _guess: Guess) -> tuple[Survey, Report]:
    return read_survey(_data, _guess)


def draw() -> InHand | None:
    """Draw the source and return the survey, once there is one."""
    file = st.file_uploader(
        "A table with one rating a row, or one column an option",
        type=["csv", "tsv", "txt", "parquet"],
        key="own_table",
        help="It stays in this session and is never stored.",
    )
    st.caption(
        f"CSV or Parquet of up to {MAX_BYTES / 1e6:.0f} MB, {MAX_ROWS:,} rows, {MAX_ARMS} options "
        f"and {MAX_VALUES} different ratings."
    )
    if file is None:
        _show_examples()
        return None
    data = file.getvalue()
    digest = hashlib.sha256(data).hexdigest()
    try:
        guess = _mapping(inspect(data, file.name, **_dialect()), digest)
        with st.spinner("Reading ...", show_time=True):
            survey, report = _read(digest, _choices(guess), data, guess)
    except ValueError as error:
        st.error(str(error))
        if any(word in str(error) for word in MENDED_IN_DETAILS):
            st.caption(f"You find that above, under *{DETAILS}*.")
        return None
    _show_report(report)
    arm, sample = _nouns()
    words = f"{report.ratings:,} ratings by {report.people:,} people, from the file {file.name}."
    return InHand(f"{digest} {_choices(guess)}", survey, file.name, words, arm, sample)


def _show_examples() -> None:
    with st.container(horizontal=True):
        for layout, lines in EXAMPLES.items():
            with st.container(width=260):
                st.markdown(layout)
                st.code(lines, language=None)


def _choices(guess: Guess) -> str:
    return repr({name: value for name, value in vars(guess).items() if name != "preview"})


def _dialect() -> dict[str, Any]:
    with st.expander("The file is read wrongly?"), st.container(horizontal=True):
        auto = "as guessed"
        encoding = st.selectbox(
            "Encoding",
            [auto, *ENCODINGS],
            format_func=lambda c: ENCODINGS.get(c, c),
            width=190,
            help="How letters are written in the file. Choose another if accents come out wrong.",
        )
        delimiter = st.selectbox(
            "Separator",
            [auto, *DELIMITERS],
            format_func=lambda c: DELIMITERS.get(c, c),
            width=190,
            help="What stands between two entries of a line.",
        )
        header = st.selectbox(
            "First line",
            [auto, "names the columns", "is data"],
            width=190,
            help="Whether the file begins with the names of its columns.",
        )
    return {
        "encoding": None if encoding == auto else encoding,
        "delimiter": None if delimiter == auto else delimiter,
        "header": None if header == auto else header == "names the columns",
    }


def _mapping(guess: Guess, digest: str) -> Guess:
    st.dataframe(guess.preview, height=200)
    st.caption(" ".join(guess.reasons))
    key = f"{digest} {guess.columns}"
    layout = st.radio(
        "Layout",
        list(LAYOUTS),
        index=list(LAYOUTS).index(guess.layout),
        format_func=LAYOUTS.__getitem__,
        horizontal=True,
        key=f"layout {key}",
        help="A row for each rating, or a row for each person with a column for each option.",
    )
    guess = replace(guess, layout=layout)
    columns = list(guess.columns)

    def pick(label: str, now: str | None, what: str, *, optional: bool = False) -> str | None:
        options = [NONE, *columns] if optional else columns
        index = options.index(now) if now in options else 0
        chosen = st.selectbox(
            label, options, index=index, key=f"{label} {key}", width=190, help=what
        )
        return None if chosen == NONE else chosen

    with st.container(horizontal=True):
        if layout == "long":
            guess = replace(
                guess,
                user=pick("Who", guess.user, WHO, optional=True),
                arm=pick("What", guess.arm, "The column that says which option is rated."),
                reward=pick("Rating", guess.reward, "The column of numbers: the ratings."),
                weight=pick(
                    "Weight",
                    guess.weight,
                    "A column of numbers that says how often a rating counts. Without it, once.",
                    optional=True,
                ),
            )
    if layout != "long":
        who = pick("Who", guess.user, WHO, optional=True)
        guess = replace(guess, user=who, arm=None, reward=None, weight=None)
        others = [name for name in columns if name != guess.user]
        usual = [name for name in others if name in guess.arm_columns] or others
        chosen = st.multiselect(
            "Options",
            others,
            default=usual,
            key=f"options {key} {guess.user}",
            help="The columns that hold ratings, one an option. The others are left out.",
        )
        guess = replace(guess, arm_columns=tuple(chosen))
    return _details(guess, key)


def _details(guess: Guess, key: str) -> Guess:
    used = {guess.user, guess.arm, guess.reward, guess.weight, *guess.arm_columns}
    with st.expander(DETAILS), st.container(horizontal=True):
        low = st.number_input(
            "Smallest rating possible",
            value=None,
            key=f"low {key}",
            width=200,
            help=SCALE,
        )
        high = st.number_input(
            "Largest rating possible",
            value=None,
            key=f"high {key}",
            width=200,
            help=SCALE,
        )
        offset = st.number_input(
            "Add to every rating",
            value=0.0,
            key=f"offset {key}",
            width=200,
            help="Ratings must not be below 0: for a scale from −3 to 3 add 3.",
        )
        bins = st.number_input(
            "Bins of equal width",
            2,
            MAX_VALUES,
            value=None,
            key=f"bins {key}",
            width=200,
            help=f"For ratings with more than {MAX_VALUES} different values.",
        )
        top = st.number_input(
            "Only the most rated",
            2,
            MAX_ARMS,
            value=None,
            key=f"top {key}",
            width=200,
            help="Keeps so many options, those with most ratings. Empty: all of them.",
        )
        twice = st.selectbox(
            "Rated twice",
            list(DUPLICATES),
            format_func=DUPLICATES.__getitem__,
            key=f"twice {key}",
            width=260,
            help="What counts where one person has rated one option more than once.",
        )
        person = st.multiselect(
            "Columns about the person",
            [c for c in guess.columns if c not in used],
            default=[c for c in guess.person_columns if c not in used],
            key=f"person {key}",
            help="Such as age or country: the survey can be split by them below.",
        )
    return replace(
        guess,
        scale=(float(low), float(high)) if low is not None and high is not None else None,
        offset=float(offset),
        bins=None if bins is None else int(bins),
        top_arms=None if top is None else int(top),
        duplicates=twice,
        person_columns=tuple(person),
    )


def _show_report(report: Report) -> None:
    dropped = sum(number for _, number in report.dropped)
    st.markdown(
        f"Read {report.rows:,} rows: **{report.ratings:,} ratings** of {report.arms} options by "
        f"{report.people:,} people" + (f"; {dropped:,} left out." if dropped else ".")
    )
    if report.dropped:
        st.dataframe(
            pd.DataFrame(report.dropped, columns=["Left out because", "How many"]), hide_index=True
        )
    for note in report.notes:
        st.caption(note)


def _nouns() -> tuple[Noun, Noun]:
    with st.expander("What are they called?"), st.container(horizontal=True):
        one, many, rating, ratings = (
            st.text_input(label, usual, max_chars=30, width=180, help=f"{NOUN} {example}.")
            for label, usual, example in (
                ("One option", "option", "drug"),
                ("Several options", "options", "drugs"),
                ("One rating", "rating", "reply"),
                ("Several ratings", "ratings", "replies"),
            )
        )
    return Noun(one or "option", many or "options"), Noun(rating or "rating", ratings or "ratings")
