"""The bar at the top of every page, and the presenter view: large type, controlled by keys."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from cbai.ui.shell import clipboard
from cbai.ui.visit.address import address
from cbai.ui.visit.link_names import in_link
from cbai.ui.visit.setup import Setup
from cbai.ui.visit.user_problem import OWN

_HERE = Path(__file__).parent
PRESENT = in_link("present")
"""Whether the view is on, and the query parameter: ``present=1``."""

STYLE = """
<style>
:has(> .st-key-present-bar) { position: absolute; }
.st-key-present-bar {
  position: fixed; top: 0.55rem; right: 3.4rem; width: auto; z-index: 999991;
}
</style>
"""
_SEEN = "page and address seen by the presenter view"
OWN_STAYS = "This link restores the settings but not your own data. They stay in this session."

PRESSES = {
    "ArrowRight": [["story-next", "button"], ["race", ".step"]],
    "ArrowLeft": [["story-back", "button"], ["race", ".back"]],
    "PageDown": [["story-next", "button"], ["race", ".step"]],
    "PageUp": [["story-back", "button"], ["race", ".back"]],
    "a": [["story-answer", "button"]],
    " ": [["race", ".play"], ["home", ".play"]],
}
"""The buttons that each key presses, by place and selector; the first one on the page counts."""
CALM = {" ": [["race", ".next"]]}
"""The same for visitors whose system asks for less motion."""
ALWAYS = ("ArrowRight", "ArrowLeft")
"""Keys that also work outside the presenter view, on the page Story."""


def on() -> bool:
    """Return whether the presenter view is on."""
    return bool(st.session_state.get(PRESENT, False))


def draw(page: str, turned: int, setup: Setup) -> None:
    """Draw the bar, and the presenter view if it is on; to be called once on every page.

    Parameters
    ----------
    page : str
        The path of the page.
    turned : int
        How often the story's Back and Next were pressed. A new number makes its keys work again.
    setup : Setup
        What *Copy link* copies the link of.
    """
    _follow_address(page)
    _note()
    st.html(STYLE)
    if on():
        st.html(_HERE / "present.css")
    with st.container(key="present bar", width="content"):
        component = st.components.v2.component(
            "cbai_present",
            html='<div class="present"></div>',
            css=(_HERE / "present_bar.css").read_text(encoding="utf-8"),
            js=clipboard.SCRIPT + (_HERE / "present.js").read_text(encoding="utf-8"),
        )
        component(
            data={
                "on": on(),
                "presses": PRESSES,
                "calm": CALM,
                "always": ALWAYS,
                "turned": turned,
                "link": address(setup),
                "note": OWN_STAYS if setup.dataset_id == OWN else "",
            },
            key="present bar keys",
            on_entered_change=enter,
            on_left_change=leave,
        )


def enter() -> None:
    """Enter the presenter view, as a callback."""
    st.session_state[PRESENT] = True
    _note()


def leave() -> None:
    """Leave the presenter view, as a callback."""
    st.session_state[PRESENT] = False
    _note()


def _follow_address(page: str) -> None:
    """Turn the view on or off as a first address says, or one that Back or Forward leads to.

    A switch of pages has an address without it, and leaves the view as it is.
    """
    asked = st.query_params.get(PRESENT) in ("1", "true")
    last_page, written = st.session_state.get(_SEEN, (page, None))
    if PRESENT not in st.session_state or (page == last_page and asked != written):
        st.session_state[PRESENT] = asked
    st.session_state[_SEEN] = (page, written)


def _note() -> None:
    """Write into the link whether the view is on; as a callback, before the bar is drawn."""
    if not on():
        st.query_params.pop(PRESENT, None)
    elif st.query_params.get(PRESENT) not in ("1", "true"):
        st.query_params[PRESENT] = "1"
    st.session_state[_SEEN] = (st.session_state.get(_SEEN, ("", None))[0], on())
