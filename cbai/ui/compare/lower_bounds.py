"""The lower bounds of the setups that are compared, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from cbai.figures.base.style import count
from cbai.figures.base.words import Words
from cbai.ui.compare.sentences import Side
from cbai.ui.runs import cache, known_limit
from cbai.ui.visit.pin_text import LETTERS
from cbai.ui.visit.setup import Setup

IN_WORDS = {
    known_limit.PENDING: "being computed",
    known_limit.FALSE: "pseudo-rewards too low",
    known_limit.TOO_MANY: "not computed for so many",
    known_limit.FAILED: "could not be computed",
    "": "–",
}
"""What the table says in place of a number."""


def shown_of(sides: Sequence[Side]) -> dict[str, Setup]:
    """Return each setup with only the algorithms that are shown of it, by its letter."""
    return {
        letter: replace(
            next(side.setup for side in sides if side.letter == letter),
            algorithms=tuple(
                side.trials.algorithms[0].name for side in sides if side.letter == letter
            ),
        )
        for letter in LETTERS
        if any(side.letter == letter for side in sides)
    }


def table(setups: dict[str, Setup]) -> pd.DataFrame:
    """Return both lower bounds of each setup, in words where there is no number."""
    rows = []
    for letter, setup in setups.items():
        limit, (known, why_not) = cache.get_limit(setup), known_limit.get_known_limit(setup)
        rows.append(
            {
                "Setup": letter,
                "Without correlation": "infinite" if limit.tied else count(limit.samples),
                "With correlation": IN_WORDS[why_not] if known is None else count(known.samples),
            }
        )
    return pd.DataFrame(rows)


def draw(sides: Sequence[Side], words: Words) -> None:
    """Draw the table, and say what the lower bounds hold for."""
    st.subheader(f"How few {words.samples} could be enough?", anchor=False)
    st.dataframe(table(shown_of(sides)), hide_index=True, height="content")
    st.caption(
        f"These are lower bounds on the mean number of {words.samples}. Without correlation: no "
        "algorithm that ignores correlations and errs at most δ of the time on every problem can "
        "need fewer. With correlation: no algorithm that trusts the pseudo-rewards can need fewer, "
        f"if it errs at most δ of the time wherever those of the best {words.arm} are valid. If "
        "some pseudo-rewards are unknown (p), this is the mean over at most "
        f"{known_limit.MASKS} runs."
    )
