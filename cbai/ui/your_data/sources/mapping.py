"""Controls that correct how a table is read: signs, columns, scale, bins, missing codes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from cbai import checks
from cbai.datasets.table import Guess
from cbai.datasets.table.guess import (
    DELIMITERS,
    DUPLICATES,
    ENCODINGS,
    LAYOUTS,
    MAX_ARMS,
    MAX_VALUES,
)
from cbai.ui.markdown import plain

TITLE = "How the file is read"
KEPT: Literal["session"] = "session"
"""Corrections stay after a look at another source or page."""

NONE = "(none)"
DECIMALS = {".": "point: 3.5", ",": "comma: 3,5"}
WHO = "The column that says who gave the rating. Without it, every row counts as another person."
SCALE = (
    "Enter both ends of the scale, or neither. If both are empty, the smallest and the largest "
    "rating found are used. Ratings outside the scale are left out and counted."
)

UNIT = (
    "If this is far below 2, algorithms with the paper's bounds need more ratings. Then use a "
    "smaller unit for the ratings, for example cents instead of dollars."
)


def dialect(digest: str) -> dict[str, Any]:
    """Draw the choices of encoding and signs, and return those that were made.

    Parameters
    ----------
    digest : str
        Of the file; another one resets the choices.
    """
    with st.container(horizontal=True):
        auto = "as guessed"
        encoding = st.selectbox(
            "Encoding",
            [auto, *ENCODINGS],
            format_func=lambda c: ENCODINGS.get(c, c),
            key=f"encoding {digest}",
            persist_state=KEPT,
            width=190,
            help="How the file stores letters. Choose another one if accented letters look wrong.",
        )
        delimiter = st.selectbox(
            "Column separator",
            [auto, *DELIMITERS],
            format_func=lambda c: DELIMITERS.get(c, c),
            key=f"delimiter {digest}",
            persist_state=KEPT,
            width=190,
            help="The sign between two columns.",
        )
        header = st.selectbox(
            "First line",
            [auto, "names the columns", "is data"],
            key=f"header {digest}",
            persist_state=KEPT,
            width=190,
            help="Whether the first line contains the names of the columns.",
        )
        decimal = st.selectbox(
            "Decimal sign",
            [auto, *DECIMALS],
            format_func=lambda c: DECIMALS.get(c, c),
            key=f"decimal {digest}",
            persist_state=KEPT,
            width=190,
            help="Choose another one if numbers such as 3,5 or 1.050 are read wrongly.",
        )
    return {
        "encoding": None if encoding == auto else encoding,
        "delimiter": None if delimiter == auto else delimiter,
        "header": None if header == auto else header == "names the columns",
        "decimal": None if decimal == auto else decimal,
    }


def draw(guess: Guess, key: str) -> Guess:
    """Draw what each column means, and return the guess with corrections.

    Parameters
    ----------
    guess : Guess
        With all answers so far.
    key : str
        Part of the keys of the controls; another one resets them.
    """
    st.dataframe(guess.preview, height=200)
    st.caption(plain(" ".join(guess.reasons)))
    corrected = _details(_columns(guess, key), key)
    changes = {
        name: value
        for name, value in vars(corrected).items()
        if value is not getattr(guess, name) and value != getattr(guess, name)
    }
    return guess.corrected(**changes) if changes else guess


def add_to_every_rating(offset: float, key: str) -> None:
    """Set the offset of the controls with a key, as a callback."""
    st.session_state[f"offset {key}"] = offset


def sort_into_bins(bins: int, key: str) -> None:
    """Set the number of bins of the controls with a key, as a callback."""
    st.session_state[f"bins {key}"] = bins


def _columns(guess: Guess, key: str) -> Guess:
    layout = st.radio(
        "Layout",
        list(LAYOUTS),
        index=list(LAYOUTS).index(guess.layout),
        format_func=LAYOUTS.__getitem__,
        horizontal=True,
        key=f"layout {key}",
        persist_state=KEPT,
        help="One row for each rating, or one row for each person with a column for each option.",
    )
    guess = replace(guess, layout=layout)
    columns = list(guess.columns)

    def pick(label: str, now: str | None, what: str, *, optional: bool = False) -> str | None:
        options = [NONE, *columns] if optional or now is None else columns
        index = options.index(now) if now in options else 0
        chosen = st.selectbox(
            label,
            options,
            index=index,
            key=f"{label} {key}",
            persist_state=KEPT,
            width=190,
            help=what,
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
                    "The column that says how many times a rating counts. Without it, each rating "
                    "counts once.",
                    optional=True,
                ),
                time=pick(
                    "When",
                    guess.time,
                    "The column that says when the rating was given. Without it, the order of the "
                    "file counts.",
                    optional=True,
                ),
            )
    if layout != "long":
        who = pick("Who", guess.user, WHO, optional=True)
        guess = replace(guess, user=who, arm=None, reward=None, weight=None, time=None)
        others = [name for name in columns if name != guess.user]
        usual = [name for name in others if name in guess.arm_columns] or others
        chosen = st.multiselect(
            "Options",
            others,
            default=usual,
            key=f"options {key} {guess.user}",
            persist_state=KEPT,
            help="The columns with ratings, one for each option. Other columns are left out.",
        )
        guess = replace(guess, arm_columns=tuple(chosen))
    return guess


def _details(guess: Guess, key: str) -> Guess:
    used = {guess.user, guess.arm, guess.reward, guess.weight, *guess.arm_columns}
    with st.container(horizontal=True):
        low = st.number_input(
            "Smallest rating possible",
            value=None,
            key=f"low {key}",
            persist_state=KEPT,
            width=200,
            help=SCALE,
        )
        high = st.number_input(
            "Largest rating possible",
            value=None,
            key=f"high {key}",
            persist_state=KEPT,
            width=200,
            help=f"{SCALE} {UNIT}",
        )
        offset = st.number_input(
            "Add to every rating",
            value=guess.offset,
            key=f"offset {key}",
            persist_state=KEPT,
            width=200,
            help="Ratings must not be below 0. For a scale from −3 to 3, add 3.",
        )
        bins = st.number_input(
            "Bins of equal width",
            2,
            MAX_VALUES,
            value=None,
            key=f"bins {key}",
            persist_state=KEPT,
            width=200,
            help=f"For ratings with more than {MAX_VALUES} different values.",
        )
        top = st.number_input(
            "Only the most rated",
            2,
            MAX_ARMS,
            value=None,
            key=f"top {key}",
            persist_state=KEPT,
            width=200,
            help="Keep only this many options, those with the most ratings. Empty keeps all.",
        )
        twice = st.selectbox(
            "Rated twice",
            list(DUPLICATES),
            format_func=DUPLICATES.__getitem__,
            key=f"twice {key}",
            persist_state=KEPT,
            width=260,
            help="What counts if a person rated an option more than once.",
        )
        codes = st.text_input(
            "Numbers that mean “not rated”",
            ", ".join(f"{code:g}" for code in guess.missing),
            key=f"missing {key}",
            persist_state=KEPT,
            width=200,
            max_chars=100,
            help="Codes such as 99 or -1, separated by commas. They are left out and counted.",
        )
        person = st.multiselect(
            "Columns about the person",
            [c for c in guess.columns if c not in used],
            default=[c for c in guess.person_columns if c not in used],
            key=f"person {key}",
            persist_state=KEPT,
            help="For example age or country. The survey can be split by these columns below.",
        )
    return replace(
        guess,
        scale=(float(low), float(high)) if low is not None and high is not None else None,
        offset=float(offset),
        bins=None if bins is None else int(bins),
        top_arms=None if top is None else int(top),
        duplicates=twice,
        missing=_codes(codes),
        person_columns=tuple(person),
    )


def _codes(text: str) -> tuple[float, ...]:
    parts = [part.strip().replace("\N{MINUS SIGN}", "-") for part in text.split(",")]
    try:
        codes = tuple(float(part) for part in parts if part)
    except ValueError:
        codes = (math.nan,)
    if not all(map(math.isfinite, codes)):
        raise ValueError(
            f"Numbers that mean “not rated” must be finite and separated by commas, got "
            f"{checks.quoted(text)}."
        )
    return codes
