"""The user's own algorithm: its recipe in the sidebar, and its pill among the others."""

from __future__ import annotations

import streamlit as st

from cbai.simulation import find
from cbai.simulation.rules.names import LAB
from cbai.ui.markdown import plain
from cbai.ui.visit.link_names import in_link
from cbai.ui.visit.setup import DEFAULT

PILL, RECIPE = "yours", in_link("lab")
"""Its pill's option, and the widget and query parameter of its recipe."""
LONGEST_COMPLAINT = 400


def recipe() -> str:
    """Draw the recipe, on every page so that the link keeps it, and return the algorithm's name."""
    with st.expander("Your algorithm"):
        typed = st.text_input(
            "Its recipe",
            value=DEFAULT.lab.removeprefix(LAB),
            key=RECIPE,
            bind="query-params",
            help="Nine words: who is pulled first and second, who is ruled out, when to stop, by "
            "which bounds, and the shares of δ. The Algorithm lab writes it for you.",
        )
        st.page_link("pages/lab.py", label="Compose it", icon=":material/experiment:")
    place = st.container()  # always there, so that nothing below it moves
    name, complaint = read(typed)
    if complaint:
        place.warning(complaint)
    return name


def read(typed: str) -> tuple[str, str]:
    """Return the name of a recipe, and a complaint about it; empty if there is none.

    A recipe that can't be read counts as the usual one, and so does an empty one.
    """
    if not typed:
        return DEFAULT.lab, ""
    try:
        return find(LAB + typed.strip().removeprefix(LAB)).name, ""
    except ValueError as error:
        shown = str(error) if len(str(error)) < LONGEST_COMPLAINT else "it is far too long."
        return DEFAULT.lab, f"Your recipe can't be read, so the usual one is used: {plain(shown)}"


def compose(lab: str) -> None:
    """Make a name, of a composition, the user's own algorithm, as a callback."""
    st.session_state[RECIPE] = lab.removeprefix(LAB)


def show(shown: bool) -> None:
    """Add the user's own algorithm to the chosen ones, or take it away, as a callback."""
    others = [name for name in st.session_state["algorithms"] if name != PILL]
    st.session_state["algorithms"] = [*others, PILL] if shown else others
