"""Small buttons that copy the sentence, the picture and the link."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from cbai.ui.parts import chart
from cbai.ui.shell import clipboard
from cbai.ui.visit.address import address
from cbai.ui.visit.setup import Setup
from cbai.ui.whatif.verdict import Verdict

_HERE = Path(__file__).parent


def offer(verdict: Verdict, setup: Setup, figure: str) -> None:
    """Draw the buttons.

    Parameters
    ----------
    verdict : Verdict
        If it is no answer, only the link can be copied.
    setup : Setup
        The sidebar's.
    figure : str
        The key of the figure on the page.
    """
    theme = st.context.theme.type or ""
    component = st.components.v2.component(
        "cbai_copies",
        html='<div class="copies"></div>',
        css=(_HERE / "copy.css").read_text(encoding="utf-8"),
        js=clipboard.SCRIPT + (_HERE / "copy.js").read_text(encoding="utf-8"),
    )
    component(
        data={
            "sentence": verdict.copied,
            "headline": verdict.headline,
            "link": address(setup),
            "place": chart.class_of(f"figure {figure}"),
            "name": chart.name_of(figure),
            "paper": chart.PAPER.get(theme, ""),
            "ink": chart.INK.get(theme, ""),
        },
        key="copies",
    )
