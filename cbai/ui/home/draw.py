"""Draws one of Home's pictures: the browser gets its content as one text, and plays it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import streamlit as st

from cbai.ui.parts import drawing
from cbai.ui.visit.link_names import number_in_link

_HERE = Path(__file__).parent
VIEW = (number_in_link("at"), number_in_link("row"))
"""What only the browser knows of the first picture: the samples so far, and an arm's number."""


def draw(scene: str, key: str, *, in_links: bool = False) -> None:
    """Show a picture with its controls and the reason beside it.

    Parameters
    ----------
    scene : str
        From `cbai.figures.home.scene`, with the sentences, as JSON.
    key : str
        Of the component.
    in_links : bool
        Whether *Copy link* also copies the moment and the row asked about, as `VIEW`.
    """
    component = st.components.v2.component(
        "cbai_home",
        html='<div class="home"></div>',
        css=(_HERE / "home.css").read_text(encoding="utf-8"),
        js=drawing.SCRIPT
        + "".join(
            (_HERE / name).read_text(encoding="utf-8")
            for name in ("home_rows.js", "home_why.js", "home.js")
        ),
    )
    number = hashlib.sha256(scene.encode()).hexdigest()[:16]
    component(data={"scene": scene, "id": number, "inLink": in_links}, key=key)
