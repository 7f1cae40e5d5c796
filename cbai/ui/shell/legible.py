"""Makes pages readable everywhere, and keeps the browser's history as visitors expect it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from cbai.ui.shell.hints import by_title

_HERE = Path(__file__).parent


SCRIPTS = ("history.js", "numbers.js", "legible.js")
EMBEDDED = """<style>
:is([data-testid="stSidebar"], [data-testid="stExpandSidebarButton"], .st-key-present-bar) {
  display: none;
}
</style>"""
"""In a frame of another page (``?embed=true``) only the page itself is shown."""


def draw() -> None:
    """Mend the page's markup; to be called once on every page."""
    st.html(_HERE / "legible.css")
    st.html(_HERE / "print.css")
    if st.context.is_embedded:
        st.html(EMBEDDED)
    with st.container(key="legible"):
        component = st.components.v2.component(
            "cbai_legible",
            html="<span></span>",
            js="".join((_HERE / name).read_text(encoding="utf-8") for name in SCRIPTS),
        )
        component(data=by_title(), key="legible part")
