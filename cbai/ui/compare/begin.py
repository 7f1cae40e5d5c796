"""The page Compare before two setups are pinned: what to do, and comparisons to start with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from cbai.figures.base.style import decimal, percent
from cbai.ui.compare.cards import cards
from cbai.ui.markdown import plain
from cbai.ui.parts import page as text
from cbai.ui.shell import sidebar
from cbai.ui.visit import pins
from cbai.ui.visit.pin_text import LETTERS, MOST, as_pinned
from cbai.ui.visit.setup import DEFAULT, Setup

LOW_DELTA, HIGH_DELTA = 0.0001, 0.05


def ready(setup: Setup) -> list[tuple[str, str, tuple[Setup, Setup] | None]]:
    """Return name, meaning and setups of three comparisons, based on the sidebar.

    The setups are None if both would be the same.
    """
    setup = setup if setup.algorithms else replace(setup, algorithms=DEFAULT.algorithms)
    p = setup.p if setup.p < 1.0 else DEFAULT.p
    none, safe = replace(setup, q=0.0), sidebar.safe_buffer(setup)
    buffers = (none, replace(setup, q=safe)) if safe else None
    return [
        (
            "With and without correlation",
            f"{percent(p)} of the pseudo-rewards unknown, compared with all of them unknown.",
            (replace(setup, p=p), replace(setup, p=1.0)),
        ),
        (
            "No buffer against a safe one",
            f"q = 0 compared with q = {decimal(safe)}, with which the guarantee holds."
            if safe
            else f"Here all pseudo-rewards that bound the best {setup.words.arm} are valid "
            "without a buffer.",
            buffers,
        ),
        (
            "Less certain against more",
            f"δ = {percent(HIGH_DELTA)} compared with δ = {percent(LOW_DELTA)}.",
            (replace(setup, delta=HIGH_DELTA), replace(setup, delta=LOW_DELTA)),
        ),
    ]


def begin(setup: Setup, pinned: Sequence[Setup]) -> None:
    """Say how to pin two setups, and offer comparisons that are ready."""
    if pinned:
        here = "The sidebar still shows A. " if as_pinned(setup) == pinned[0] else ""
        text.answer(f"One setup is pinned: {LETTERS[0]}. A comparison needs two.")
        st.markdown(f"{here}Change a setting in the sidebar and press *Pin this setup* again.")
        cards(pinned, choose=False)
    else:
        text.answer("Nothing is pinned yet. A comparison needs two setups.")
        st.markdown(
            "Choose settings in the sidebar and press *Pin this setup* at its bottom. Then change "
            f"a setting and pin again. Up to {MOST} setups can be pinned. Or start with one of "
            "these:"
        )
    st.subheader("Ready to compare", anchor=False)
    for column, (name, meaning, setups) in zip(st.columns(3), ready(setup), strict=True):
        with column, st.container(border=True):
            st.markdown(f"**{name}**\n\n{meaning}")
            st.button(
                "Compare",
                key=f"ready {name}",
                help="Pins both setups and compares them.",
                on_click=pins.add,
                args=(setups or (),),
                disabled=setups is None,
                width="stretch",
            )
    added = f" They are added to {LETTERS[0]}." if pinned else ""
    st.caption(
        f"These comparisons use {plain(setup.dataset.title)} and the other settings of the "
        f"sidebar.{added}"
    )
