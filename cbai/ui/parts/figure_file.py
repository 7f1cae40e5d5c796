"""Save a figure: as PNG or SVG, made in the browser, or as an HTML page that works offline."""

from __future__ import annotations

from pathlib import Path

import plotly.graph_objects as go
import streamlit as st

from cbai.ui.parts import standalone

_HERE = Path(__file__).parent

STYLE = """
<style>
[class*="st-key-figure-"] { position: relative; }
[class*="st-key-save-"] { position: absolute; right: 0; bottom: 0; width: auto; z-index: 2; }
[class*="st-key-save-"] button { min-height: 1.6rem; padding: 0 0.25rem; opacity: 0.75; }
[class*="st-key-save-"] button:is(:hover, :focus-visible, [aria-expanded="true"]) { opacity: 1; }
[class*="st-key-save-"] button p { font-size: 0.8rem; }
@media (max-width: 640px) {
  [class*="st-key-save-"] { position: static; align-self: flex-end; margin-top: -0.4rem; }
}
</style>
"""


def offer(figure: go.Figure, name: str, alt: str, place: str, paper: str) -> None:
    """Draw the small button beside a figure, with three ways to save it.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
    name : str
        Of the file, without its ending.
    alt : str
        What the figure shows.
    place : str
        The style class of the container that holds the figure, where the browser finds it.
    paper : str
        The background colour of a picture; empty for the page's own.
    """
    with (
        st.container(key=f"save {place}", width="content"),
        st.popover("Save", type="tertiary", key=f"keep {place}"),
    ):
        pictures = st.components.v2.component(
            "cbai_picture",
            html='<div class="pictures"></div>',
            css=(_HERE / "picture.css").read_text(encoding="utf-8"),
            js=(_HERE / "picture.js").read_text(encoding="utf-8"),
        )
        pictures(data={"place": place, "name": name, "paper": paper}, key=f"picture {place}")
        st.download_button(
            "HTML page",
            lambda: standalone.figure_page(figure, name, alt),
            file_name=f"{name}.html",
            mime="text/html",
            key=f"html {place}",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
            help="An interactive page in one file. It works offline.",
        )
