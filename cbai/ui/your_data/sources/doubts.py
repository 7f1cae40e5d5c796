"""Questions about a table that is unclear, one at a time, with its first rows as understood."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from cbai.datasets.table import Answer, Doubt, Guess
from cbai.ui.markdown import plain
from cbai.ui.your_data.sources.mapping import TITLE
from cbai.ui.your_data.sources.preview import understood

_SETTLED = "settled of the table"
BY_HAND = -1
"""Stands for the answer that the user puts the words in order by hand."""


def settled(token: str) -> tuple[Guess, ...]:
    """Return the guess after each answer so far, in order.

    Parameters
    ----------
    token : str
        Different for every file and for every choice of encoding and signs.
    """
    whose, guesses = st.session_state.get(_SETTLED, ("", ()))
    return guesses if whose == token else ()


def ask(guess: Guess, token: str) -> bool:
    """Ask the first question, and return whether there is one.

    Parameters
    ----------
    guess : Guess
        With all answers and corrections so far.
    token : str
        As for `settled`.
    """
    if not guess.doubts:
        return False
    left = len(guess.doubts)
    with st.container(border=True, key="doubt"):
        st.markdown(f"**{'One question' if left == 1 else f'{left} questions'} first.**")
        answer = _question(guess.doubts[0], token)
        with st.container(horizontal=True):
            _buttons(guess, answer, token)
        if answer is None:
            st.caption("Choose all words first.")
        else:
            st.caption("The first rows, as understood with this answer:")
            st.dataframe(understood(replace(guess, **answer.changes)), hide_index=True)
    return True


def _question(doubt: Doubt, token: str) -> Answer | None:
    """Draw the question, and return the chosen answer; None if there is none yet."""
    if not doubt.answers:
        st.markdown(plain(doubt))
        st.caption(f"Correct this below, under *{TITLE}*, or continue without a change.")
        return Answer("", {})
    words = _words_of(doubt)
    offered = [*range(len(doubt.answers)), *([BY_HAND] if words else [])]
    chosen = st.radio(
        plain(doubt),
        offered,
        index=0 if doubt.likely else len(offered) - 1,
        format_func=lambda one: _label(doubt, one),
        key=f"doubt {doubt.key} {token} {len(settled(token))}",
        help="The most likely answer is selected. No option is called best before you answer.",
    )
    return doubt.answers[chosen] if chosen != BY_HAND else _order(words, token)


def _label(doubt: Doubt, chosen: int) -> str:
    return (
        "I put them in order by hand." if chosen == BY_HAND else plain(doubt.answers[chosen].words)
    )


def _words_of(doubt: Doubt) -> tuple[str, ...]:
    """Return the words to put in order, if the question asks for an order."""
    orders = (answer.changes.get("order") for answer in doubt.answers)
    return tuple(next((order for order in orders if order), ()))


def _order(words: tuple[str, ...], token: str) -> Answer | None:
    chosen = st.multiselect(
        "All words, from the lowest to the highest",
        words,
        key=f"order {token}",
        help="Choose them one after the other, the lowest first.",
    )
    return Answer("", {"order": tuple(chosen)}) if len(chosen) == len(words) else None


def _buttons(guess: Guess, answer: Answer | None, token: str) -> None:
    st.button(
        "Continue",
        type="primary",
        key="confirm doubt",
        on_click=_keep,
        args=(guess, answer, token),
        disabled=answer is None,
        help="Accepts the answer above and continues.",
    )
    if settled(token):
        st.button(
            "Back",
            key="doubt back",
            on_click=_back,
            args=(token,),
            help="Takes back the last answer.",
        )


def _keep(guess: Guess, answer: Answer, token: str) -> None:
    after = guess.answered(guess.doubts[0].key, answer)
    st.session_state[_SETTLED] = token, (*settled(token), after)


def _back(token: str) -> None:
    st.session_state[_SETTLED] = token, settled(token)[:-1]
