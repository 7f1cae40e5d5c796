"""Makes Streamlit's own elements accessible: contrast, and names for screen readers."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from cbai.ui.shell.hints import by_title

_HERE = Path(__file__).parent


def draw() -> None:
    """Mend the page's markup; to be called once on every page."""
    st.html(_HERE / "legible.css")
    with st.container(key="legible"):
        component = st.components.v2.component(
            "cbai_legible",
            html="<span></span>",
            js=(_HERE / "legible.js").read_text(encoding="utf-8"),
        )
        component(data=by_title(), key="legible part")
