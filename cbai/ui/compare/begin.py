"""What the page Compare offers while there is nothing to compare yet."""

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
    """Return name, meaning and setups of three comparisons, on what the sidebar holds.

    No setups where the comparison would be of a setup with itself.
    """
    setup = setup if setup.algorithms else replace(setup, algorithms=DEFAULT.algorithms)
    p = setup.p if setup.p < 1.0 else DEFAULT.p
    none, safe = replace(setup, q=0.0), sidebar.safe_buffer(setup)
    buffers = (none, replace(setup, q=safe)) if safe else None
    return [
        (
            "With and without correlation",
            f"Pseudo-rewards unknown: {percent(p)} against all of them.",
            (replace(setup, p=p), replace(setup, p=1.0)),
        ),
        (
            "No buffer against a safe one",
            f"q = 0 against q = {decimal(safe)}, with which the guarantee stands."
            if safe
            else "Here every pseudo-reward on the best one holds without a buffer.",
            buffers,
        ),
        (
            "Less certain against more",
            f"δ = {percent(HIGH_DELTA)} against {percent(LOW_DELTA)}.",
            (replace(setup, delta=HIGH_DELTA), replace(setup, delta=LOW_DELTA)),
        ),
    ]


def begin(setup: Setup, pinned: Sequence[Setup]) -> None:
    """Say how to get two setups to compare, and offer some that are ready."""
    if pinned:
        here = "The sidebar still holds A. " if as_pinned(setup) == pinned[0] else ""
        text.answer(f"One setup is pinned, {LETTERS[0]}. It takes two to compare.")
        st.markdown(f"{here}Change something in the sidebar and press *Pin this setup* again.")
        cards(pinned, choose=False)
    else:
        text.answer("Nothing is pinned yet. It takes two setups to compare.")
        st.markdown(
            "Set up the sidebar as you like and press *Pin this setup* at its foot. Then change "
            f"something and pin that too, up to {MOST}. Or begin with one of these:"
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
    added = f" Added to {LETTERS[0]}." if pinned else ""
    st.caption(f"On {plain(setup.dataset.title)} and whatever else the sidebar holds.{added}")
