"""The user's table: upload it, settle what is unclear, and read it."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pandas as pd
import streamlit as st

from cbai.datasets import Noun, captions
from cbai.datasets.table import Guess, Report, inspect, read_survey
from cbai.datasets.table.guess import MAX_ARMS, MAX_BYTES, MAX_ROWS, MAX_VALUES
from cbai.problem.survey import Survey
from cbai.ui.markdown import plain
from cbai.ui.runs import held, reading
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.visit.user_problem import OwnProblem
from cbai.ui.your_data.in_hand import InHand
from cbai.ui.your_data.sources import contest, doubts, mapping

FIXED_IN_DETAILS = ("bins", "most rated", "offset", "needs a column", "only one meaning")
"""Words of error messages that a control of the mapping can fix."""
NO_OPTION = ("is the sum or mean", "counts the ratings", "left out")
"""Words of the reasons for which a column of numbers is no option."""
MANY_VALUES = "choose into how many bins"
USUAL_BINS = 20
OFFSET = re.compile(r"add an offset of (\S+) to every rating")
_KEPT = "name and digest of the table"
"""Streamlit forgets an uploaded file once its control is not drawn, as on another page."""

NOUN = "The word used on all pages, for example"
EXAMPLES = {
    "Long: one rating per row": "who,what,rating\n1,tea,4\n1,coffee,2\n2,tea,5",
    "Wide: one person per row": "who,tea,coffee,water\n1,4,2,\n2,5,,3\n3,,1,4",
}


@held.per_session(max_entries=2)
def _inspect(digest: str, name: str, dialect: str, _data: bytes, _chosen: dict[str, Any]) -> Guess:
    return reading.run(inspect, _data, name, **_chosen)


@held.per_session(max_entries=2)
def _read(digest: str, choices: str, _data: bytes, _guess: Guess) -> tuple[Survey, Report]:
    return reading.run(read_survey, _data, _guess)


@held.per_session(max_entries=1)
def _bytes(digest: str, _data: bytes | None) -> bytes:
    """Return the bytes of the file; a LookupError if they are no longer held."""
    if _data is None:
        raise LookupError(digest)
    return _data


def draw(settings: DeltaGenerator) -> InHand | OwnProblem | None:
    """Draw the source and return the survey, once there is one and nothing is unclear.

    The table of a caption contest has counts, so it makes a problem and not a survey.

    Parameters
    ----------
    settings : DeltaGenerator
        The place, below the verdict, for controls that correct how the file is read.
    """
    reading.prepare()
    file = st.file_uploader(
        "A table with one rating per row, or one column per option",
        type=["csv", "tsv", "txt", "parquet"],
        key="own_table",
        on_change=_forget,
        help="It stays in this session and is never stored.",
    )
    st.caption(
        f"CSV or Parquet of up to {MAX_BYTES / 1e6:.0f} MB, {MAX_ROWS:,} rows, {MAX_ARMS} options "
        f"and {MAX_VALUES} different ratings."
    )
    found = _in_hand(file)
    if found is None:
        _show_examples()
        return None
    name, data, digest = found
    if captions.is_captions(data):
        return contest.draw(name, data, digest)
    complaint, key = st.container(), ""
    try:
        with settings:
            guess, token, key = _understood(data, name, digest)
        if doubts.ask(guess, token):
            return None
        with st.spinner("Reading ...", show_time=True):
            survey, report = _read(digest, _choices(guess), data, guess)
    except ValueError as error:
        _complain(complaint, str(error), key)
        return None
    _show_report(report)
    _say_what_is_no_option(guess)
    with settings:
        arm, sample = _nouns()
    words = f"{report.ratings:,} ratings by {report.people:,} people, from the file {name}."
    return InHand(f"{digest} {_choices(guess)}", survey, name, words, arm, sample)


def _in_hand(file: Any) -> tuple[str, bytes, str] | None:
    """Return the name, bytes and digest of the file, also after a look at another page."""
    if file is not None:
        data = file.getvalue()
        digest = hashlib.sha256(data).hexdigest()
        st.session_state[_KEPT] = file.name, digest
        return file.name, _bytes(digest, data), digest
    if _KEPT not in st.session_state:
        return None
    name, digest = st.session_state[_KEPT]
    try:
        data = _bytes(digest, None)
    except LookupError:
        _forget()
        return None
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{plain(name)}** is still here.", width="content")
        st.button("Remove", key="remove table", on_click=_forget, help="Forgets this file.")
    return name, data, digest


def _forget() -> None:
    """Forget the file, as there is another one or none."""
    st.session_state.pop(_KEPT, None)


def _understood(data: bytes, name: str, digest: str) -> tuple[Guess, str, str]:
    """Return how the file is read, after all answers and corrections.

    Also return a token, different for every file and every choice of signs, and the key of the
    controls.
    """
    with st.expander(mapping.TITLE):
        chosen = mapping.dialect(digest)
        token = f"{digest} {chosen}"
        settled = doubts.settled(token)
        guess = (_inspect(digest, name, repr(chosen), data, chosen), *settled)[-1]
        key = f"{token} {len(settled)}"
        return mapping.draw(guess, key), token, key


def _complain(place: DeltaGenerator, message: str, key: str) -> None:
    """Say what is wrong, and offer a way to fix it."""
    place.error(plain(message))
    if key and (found := OFFSET.search(message)):
        place.button(
            f"Add {found[1]} to every rating",
            key="add offset",
            on_click=mapping.add_to_every_rating,
            args=(float(found[1]), key),
            help="Moves the scale to begin at 0. Differences between ratings do not change.",
        )
    elif key and MANY_VALUES in message:
        place.button(
            f"Sort them into {USUAL_BINS} bins",
            key="sort into bins",
            on_click=mapping.sort_into_bins,
            args=(USUAL_BINS, key),
            help="Ratings that are close together count as their mean. You can choose another "
            f"number of bins below, under *{mapping.TITLE}*.",
        )
    elif any(word in message for word in FIXED_IN_DETAILS):
        place.caption(f"You can fix this below, under *{mapping.TITLE}*.")


def _show_examples() -> None:
    with st.container(horizontal=True):
        for layout, lines in EXAMPLES.items():
            with st.container(width=260):
                st.markdown(layout)
                st.code(lines, language=None)


def _choices(guess: Guess) -> str:
    return repr({name: value for name, value in vars(guess).items() if name != "preview"})


def _show_report(report: Report) -> None:
    dropped = sum(number for _, number in report.dropped)
    st.markdown(
        f"Read {report.rows:,} rows: **{report.ratings:,} ratings** of {report.arms} options by "
        f"{report.people:,} people" + (f"; {dropped:,} left out." if dropped else ".")
    )
    if report.dropped:
        st.dataframe(
            pd.DataFrame(report.dropped, columns=["Reason for leaving out", "How many"]),
            hide_index=True,
        )
    for note in report.notes:
        st.caption(plain(note))


def _say_what_is_no_option(guess: Guess) -> None:
    said = [reason for reason in guess.reasons if any(word in reason for word in NO_OPTION)]
    if said:
        wrong = f"If an option is missing, choose it under *{mapping.TITLE}*."
        st.caption(f"{plain(' '.join(said))} {wrong}")


def _nouns() -> tuple[Noun, Noun]:
    with st.expander("Names of options and ratings"), st.container(horizontal=True):
        one, many, rating, ratings = (
            st.text_input(
                label,
                usual,
                max_chars=30,
                key=f"noun {label}",
                persist_state=mapping.KEPT,
                width=180,
                help=f"{NOUN} {example}.",
            )
            for label, usual, example in (
                ("One option", "option", "drug"),
                ("Several options", "options", "drugs"),
                ("One rating", "rating", "reply"),
                ("Several ratings", "ratings", "replies"),
            )
        )
    return Noun(one or "option", many or "options"), Noun(rating or "rating", ratings or "ratings")
