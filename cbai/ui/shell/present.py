"""The presenter view: only the page, in large type, controlled by keys as in a lecture."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from cbai.ui.visit.link_names import in_link

_HERE = Path(__file__).parent
PRESENT = in_link("present")
"""The toggle's key, and the query parameter: ``present=1``."""

STYLE = """
<style>
:has(> .st-key-present-bar) { position: absolute; }
.st-key-present-bar { position: fixed; top: 0.6rem; right: 1rem; width: auto; z-index: 1000; }
</style>
"""

PRESSES = {
    "ArrowRight": [["story-next", "button"], ["race", ".step"]],
    "ArrowLeft": [["story-back", "button"], ["race", ".back"]],
    "PageDown": [["story-next", "button"], ["race", ".step"]],
    "PageUp": [["story-back", "button"], ["race", ".back"]],
    "a": [["story-answer", "button"]],
    " ": [["race", ".play"]],
}
"""The buttons that each key presses, by place and selector; the first one on the page counts."""
CALM = {" ": [["race", ".next"]]}
"""The same for visitors whose system asks for less motion."""
ALWAYS = ("ArrowRight", "ArrowLeft")
"""Keys that also work outside the presenter view, on the page Story."""


def on() -> bool:
    """Return whether the presenter view is on."""
    return bool(st.session_state.get(PRESENT, False))


def draw(turned: int) -> None:
    """Draw the toggle at the foot of the sidebar, and the view; to be called once on every page.

    `turned` says how often the story's Back and Next were pressed. A new number makes its keys
    work again.
    """
    if PRESENT not in st.session_state:
        st.session_state[PRESENT] = st.query_params.get(PRESENT) in ("1", "true")
    with st.sidebar:
        st.toggle(
            "Presenter view",
            key=PRESENT,
            on_change=_note,
            help="For lectures. Hides this sidebar and all that is not needed, and has larger type "
            "and thicker lines. The arrow keys move through the story. Space plays a race. A shows "
            "an answer. Escape leaves this view.",
        )
    _note()
    st.html(STYLE)
    if on():
        st.html(_HERE / "present.css")
    with st.container(key="present bar", width="content"):
        component = st.components.v2.component(
            "cbai_present",
            html='<div class="present"></div>',
            css=(_HERE / "present_bar.css").read_text(encoding="utf-8"),
            js=(_HERE / "present.js").read_text(encoding="utf-8"),
        )
        component(
            data={
                "on": on(),
                "presses": PRESSES,
                "calm": CALM,
                "always": ALWAYS,
                "turned": turned,
            },
            key="present bar keys",
            on_left_change=leave,
        )


def leave() -> None:
    """Leave the presenter view, as a callback."""
    st.session_state[PRESENT] = False
    _note()


def _note() -> None:
    """Write into the link whether the view is on; as a callback, before the sidebar is drawn."""
    if not on():
        st.query_params.pop(PRESENT, None)
    elif st.query_params.get(PRESENT) not in ("1", "true"):
        st.query_params[PRESENT] = "1"
