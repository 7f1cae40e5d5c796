"""What stands around Home's pictures: the title, a calm warning, and three ways to begin."""

from __future__ import annotations

import streamlit as st

from cbai.problem.validity import VIOLATED
from cbai.ui.home import hero
from cbai.ui.parts import page as text
from cbai.ui.runs import cache
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.shell import sidebar
from cbai.ui.visit.setup import Setup

STYLE = """
<style>
.stMainBlockContainer {
  padding-left: clamp(1rem, 3vw, 3rem); padding-right: clamp(1rem, 3vw, 3rem);
}
.stMainBlockContainer [data-testid="stMarkdown"] p,
.stMainBlockContainer [data-testid="stCaptionContainer"] p { max-width: 62ch; }
</style>
"""


def begin(place: DeltaGenerator, headline: str) -> None:
    """Write the headline as the page's title, in a place kept for it."""
    with place:
        text.question(text.plain(headline))
        st.html(STYLE)


def warn(setup: Setup, knows: str) -> None:
    """Say in one line if the survey is too low for the best arm, and offer a buffer."""
    if hero.is_stored(setup):
        return
    text.say_if_undecided(setup)
    shown = hero.as_shown(setup, knows)
    validity = cache.get_validity(shown)
    if validity.verdict != VIOLATED:
        return
    safe = sidebar.safe_buffer(shown)
    with text.violation(validity, ["C-LUCB"], setup.words.arm, safe, key="calm warning"):
        text.offer_buffer(validity, setup.p, safe, key="use buffer on home")  # p is the sidebar's


WAYS = (
    (
        "Understand it",
        "Seven steps lead from two ads and a coin to C-LUCB.",
        "story",
        "See the story",
    ),
    (
        "Ask what if",
        "See what more certainty or a worse survey costs, in money and days.",
        "whatif",
        "Ask what if",
    ),
    (
        "Try your own data",
        "Upload your ratings as a file, or type in a small table.",
        "data",
        "Add your data",
    ),
)


def three_ways() -> None:
    """Draw the three ways to begin."""
    st.subheader("Three ways to begin", anchor=False)
    for column, (name, meaning, page, label) in zip(st.columns(3), WAYS, strict=True):
        with column, st.container(border=True):
            st.markdown(f"**{name}.** {meaning}")
            st.page_link(f"pages/{page}.py", label=label, icon=":material/arrow_forward:")
