"""Colours, dashes and end labels that all figures of confidence bounds share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.spacing import spread
from cbai.figures.base.style import (
    BLUE,
    GREEN,
    GREY,
    LAB_COLOUR,
    ORANGE,
    PURPLE,
    SKY,
    WARNING,
)
from cbai.simulation import CONFIDENCE

COLOURS = {
    "howard": BLUE,
    "lil": SKY,
    "even_dar": GREY,
    "kk_lucb": ORANGE,
    "kl_racing": PURPLE,
    "kl_lucb": GREEN,
    "lil_kl_lucb": "#6A5ACD",
    "hoeffding": WARNING,
}
"""The same in every figure; the colour of warnings, marks a bound that is not anytime."""

ADDED = LAB_COLOUR

SHORT = {"howard": "Howard", "kk_lucb": "Kaufmann-K.", "hoeffding": "fixed n"}
LABEL_PIXELS = 17
RIGHT = 128
"""Room for the labels, in pixels."""


def short(name: str) -> str:
    """Return a name that fits beside a line."""
    return SHORT.get(name, CONFIDENCE[name].title)


def colour(name: str) -> str:
    """Return the colour of a sequence; brown for a sequence without its own colour."""
    return COLOURS.get(name, ADDED)


def line(name: str) -> dict[str, Any]:
    """Return the style of a sequence's line: dashed if it does not hold at all times."""
    if CONFIDENCE[name].anytime:
        return {"color": colour(name), "width": 2.5}
    return {"color": colour(name), "width": 3, "dash": "dash"}


class EndLabel(NamedTuple):
    """A label at the end of a line: a mark in the line's colour, a text, and its height."""

    name: str
    text: str
    height: float
    mark: str = ""


def end_labels(
    fig: go.Figure, labels: Sequence[EndLabel], ends: tuple[float, float], pixels: float
) -> None:
    """Write a label to the right of each line's end, without overlaps.

    Parameters
    ----------
    fig : plotly.graph_objects.Figure
    labels : sequence of EndLabel
        Each with the name of a sequence in `CONFIDENCE` and a height in units of the vertical
        axis (the logarithm on a logarithmic axis).
    ends : (float, float)
        Ends of the vertical axis.
    pixels : float
        Height of the plot on the screen.
    """
    spacing = (ends[1] - ends[0]) * LABEL_PIXELS / pixels
    heights = np.array([label.height for label in labels])
    placed = spread(heights, spacing, ends[0] + spacing / 2.0, ends[1] - spacing / 2.0)
    for label, y in zip(labels, placed, strict=True):
        mark = label.mark or ("━" if CONFIDENCE[label.name].anytime else "╍")
        layout.note(
            fig,
            f'<span style="color:{colour(label.name)}"><b>{mark}</b></span> {label.text}',
            xref="paper",
            x=1.0,
            xanchor="left",
            xshift=2,
            y=float(y),
            yanchor="middle",
            align="left",
        )
