"""Where the parts of What if stand on the page, and its answer."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from cbai.problem.validity import VIOLATED
from cbai.simulation import find
from cbai.ui.parts import page
from cbai.ui.runs import cache
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.shell import present, sidebar
from cbai.ui.visit.setup import Setup
from cbai.ui.whatif.verdict import Verdict

STYLE = """
<style>
.st-key-verdict h2 { font-size: 1.6rem; line-height: 1.25; padding: 0.2rem 0 0.1rem; }
.st-key-notes [data-testid="stCaptionContainer"] { max-width: 70ch; }
.st-key-vary-row [data-testid="stMarkdownContainer"], .st-key-vary-row p { margin: 0; }
@media (min-width: 641px) {
  .st-key-copy-row [data-testid="stProgress"] { min-width: 12rem; }
}
@media (min-width: 641px) and (max-width: 1500px) {
  .stMainBlockContainer { padding-inline: 2.5rem; }
}
@media (max-width: 640px) { .st-key-verdict h2 { font-size: 1.35rem; } }
</style>
"""


@dataclass(frozen=True)
class Places:
    """The parts of the page between the sentence and the work, to be filled in any order."""

    answer: DeltaGenerator
    notes: DeltaGenerator
    vary: DeltaGenerator
    picture: DeltaGenerator
    copies: DeltaGenerator
    progress: DeltaGenerator
    reading: DeltaGenerator


def lay_out() -> Places:
    """Draw the empty parts, from top to bottom."""
    st.html(STYLE)
    answer = st.container(key="verdict")
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="top", key="above"
    ):
        notes = st.container(width=760 if present.on() else 480, key="notes")
        with st.container(
            horizontal=True, vertical_alignment="center", width="content", key="vary-row"
        ):
            st.markdown("Vary", width="content")
            vary = st.container(width="content")
    picture = st.container()
    with st.container(horizontal=True, vertical_alignment="center", key="copy-row"):
        copies, progress = st.container(width="content"), st.container()
    return Places(answer, notes, vary, picture, copies, progress, st.container())


def say(places: Places, told: Verdict, setup: Setup) -> None:
    """Say the answer, and below it what must be said with it."""
    with places.answer:
        page.answer(told.headline)
    with places.notes:
        st.caption(page.plain(" ".join(told.notes)))
        _offer_buffer(setup)


def _offer_buffer(setup: Setup) -> None:
    """Offer a buffer with which every guarantee holds, if one does not."""
    validity, safe = cache.get_validity(setup), sidebar.safe_buffer(setup)
    relying = any(find(name).trusts_pseudo_rewards for name in setup.algorithms)
    if relying and validity.verdict == VIOLATED:
        page.offer_buffer(validity, setup.p, safe, key="use safe buffer here")
