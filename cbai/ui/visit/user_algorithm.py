"""The user's own algorithm: its recipe in the sidebar, and its pill beside the others."""

from __future__ import annotations

import streamlit as st

from cbai.simulation import find
from cbai.simulation.rules.names import LAB
from cbai.ui.markdown import plain
from cbai.ui.visit.link_names import in_link
from cbai.ui.visit.setup import DEFAULT

PILL, RECIPE = "yours", in_link("lab")
"""The option of its pill, and the widget and query parameter of its recipe."""
LONGEST_COMPLAINT = 400


def recipe() -> tuple[str, str]:
    """Draw the recipe; on every page, as the link must keep it.

    Return the algorithm's name and a complaint about the recipe; empty if there is none.
    """
    typed = st.text_input(
        "Your algorithm: its recipe",
        value=DEFAULT.lab.removeprefix(LAB),
        key=RECIPE,
        bind="query-params",
        help="Nine words. They say which arms are sampled first and second, which arms are "
        "ruled out, when to stop, by which bounds, and with which shares of δ. The Algorithm "
        "lab writes the recipe for you.",
    )
    st.page_link("pages/lab.py", label="Compose it", icon=":material/experiment:")
    return read(typed)


def read(typed: str) -> tuple[str, str]:
    """Return the algorithm's name and a complaint about the recipe; empty if there is none.

    An empty recipe, or one that cannot be read, is replaced by the default one.
    """
    if not typed:
        return DEFAULT.lab, ""
    try:
        return find(LAB + typed.strip().removeprefix(LAB)).name, ""
    except ValueError as error:
        shown = str(error) if len(str(error)) < LONGEST_COMPLAINT else "it is far too long."
        return DEFAULT.lab, f"Your recipe cannot be read. The default one is used: {plain(shown)}"


def compose(lab: str) -> None:
    """Make a composed algorithm, given by name, the user's own one, as a callback."""
    st.session_state[RECIPE] = lab.removeprefix(LAB)


def show(shown: bool) -> None:
    """Add the user's own algorithm to the chosen ones, or remove it, as a callback."""
    others = [name for name in st.session_state["algorithms"] if name != PILL]
    st.session_state["algorithms"] = [*others, PILL] if shown else others
