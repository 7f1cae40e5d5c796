"""Figures on the page: without a tool bar, with dark text, and with a button that saves them."""

from __future__ import annotations

import re

import plotly.graph_objects as go
import streamlit as st

from cbai.figures.base.layout import enlarged, with_ink
from cbai.ui.parts import figure_file
from cbai.ui.shell import present

CONFIG = {"displayModeBar": False, "typesetMath": False}
"""No tool bar. No formulas either, because a name may look like one."""
INK = {"light": "#3D4852", "dark": "#C9D1D9"}
PAPER = {"light": "#FFFFFF", "dark": "#14191E"}
"""The backgrounds of the themes, as in .streamlit/config.toml. A saved picture needs one."""


def show(figure: go.Figure, key: str, alt: str) -> None:
    """Show a figure with a button that saves it as a picture or as an HTML page.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
    key : str
        Its key on the page.
    alt : str
        What it shows, in a sentence, for readers who cannot see it.
    """
    theme = st.context.theme.type
    if theme in INK:
        figure = with_ink(figure, INK[theme])
    if present.on():
        figure = enlarged(figure)
    place = f"figure {key}"
    with st.container(key=place, gap=None):
        st.plotly_chart(figure, key=key, alt=alt, config=CONFIG)
        figure_file.offer(figure, name_of(key), alt, class_of(place), PAPER.get(theme or "", ""))


def class_of(key: str) -> str:
    """Return the style class that Streamlit gives to an element with this key."""
    return "st-key-" + re.sub(r"[^a-zA-Z0-9_-]", "-", key.strip())


def name_of(key: str) -> str:
    """Return the name of a figure's file, without its ending."""
    setup = st.session_state.get("setup")
    parts = ["cbai", "" if setup is None else setup.dataset_id, key]
    return "-".join(re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-") for part in parts if part)
