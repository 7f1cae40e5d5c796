"""The result table of a caption contest: counts of answers, so a problem and not a survey."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from cbai.datasets import captions
from cbai.ui.markdown import plain
from cbai.ui.runs import held, reading
from cbai.ui.visit.user_problem import OwnProblem

MOST = 100
"""How many captions the pages play."""


@held.per_session(max_entries=2)
def _read(digest: str, name: str, _data: bytes) -> pd.DataFrame:
    table: pd.DataFrame = reading.run(captions.captions_in, _data, name)
    return table


def draw(name: str, data: bytes, digest: str) -> OwnProblem | None:
    """Say what the table holds, and return the problem of its best captions."""
    try:
        table = _read(digest, name, data)
    except ValueError as error:
        st.error(plain(str(error)))
        return None
    ratings = int(table[list(captions.ANSWERS)].to_numpy().sum())
    some = "them" if len(table) <= MOST else f"the {MOST} with the highest means"
    st.markdown(
        f"Read the result of a caption contest: **{ratings:,} ratings** of {len(table):,} captions."
    )
    st.caption(
        f"The pages play {some}. A rating is unfunny (0), somewhat funny (½) or funny (1). The "
        "table has counts, not people, so nothing is known of one caption by another."
    )
    words = f"{ratings:,} ratings of {len(table):,} captions, from the file {name}."
    problem = captions.captions_problem(table, MOST)
    return OwnProblem(problem, "caption contest", words, captions.CAPTION, captions.RATING)
