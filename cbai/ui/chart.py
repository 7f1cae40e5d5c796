"""Figures on the page: no tool bar, and text dark enough to read from the last row."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from cbai.figures.layout import with_ink

INK = {"light": "#3D4852", "dark": "#C9D1D9"}


def show(figure: go.Figure, key: str, alt: str) -> None:
    """Show a figure.

    Parameters
    ----------
    figure : plotly.graph_objects.Figure
    key : str
        Its key on the page.
    alt : str
        What it shows, in a sentence, for those who cannot see it.
    """
    theme = st.context.theme.type
    if theme in INK:
        figure = with_ink(figure, INK[theme])
    st.plotly_chart(figure, key=key, alt=alt, config={"displayModeBar": False})
