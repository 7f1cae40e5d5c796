"""Differences in samples from a reference: single runs, and the mean with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, THIN_SPACE, colour_of, count
from cbai.figures.base.words import Words
from cbai.results.compare import Comparison
from cbai.results.paired import Difference
from cbai.simulation import Algorithm

ROW_HEIGHT = 78
LABEL_AT, UNPAIRED_AT, POINTS_AT, POINTS_SPREAD = 0.12, 0.16, 0.37, 0.16
"""Distances from the middle of a row, in rows: the label is above it, the rest below."""
MAX_POINTS = 300
GOLDEN = 0.6180339887


@dataclass(frozen=True, eq=False)
class Row:
    """One comparison.

    Attributes
    ----------
    title : str
        The row's title, as HTML.
    algorithm : Algorithm
        Sets the colour.
    difference : Difference or None
        None if there is no fair comparison.
    unpaired : Difference or None
        The interval without pairing; None if the runs do not meet the same rewards.
    runs : ndarray of int64, shape (T,)
        Differences of the first runs, at most `MAX_POINTS`.
    """

    title: str
    algorithm: Algorithm
    difference: Difference | None
    unpaired: Difference | None
    runs: NDArray[np.int64]


@dataclass(frozen=True)
class Info:
    """Comparisons with one reference.

    Attributes
    ----------
    reference : str
        Name of the setup that all others are compared with.
    rows : tuple of Row
    low, high : float
        The ends of the axis, in samples; 0 is between them.
    """

    reference: str
    rows: tuple[Row, ...]
    low: float
    high: float


def gather(reference: str, parts: Sequence[tuple[str, Algorithm, Comparison]]) -> Info:
    """Compute what the figure shows.

    Parameters
    ----------
    reference : str
        Name of the setup that all others are compared with.
    parts : sequence of (str, Algorithm, Comparison)
        For each row its title as HTML, its algorithm and its result.
    """
    rows = tuple(
        Row(
            title,
            algorithm,
            result.difference,
            result.unpaired if result.differences.size else None,
            result.differences[:MAX_POINTS],
        )
        for title, algorithm, result in parts
    )
    shown = [one for row in rows for one in (row.difference, row.unpaired) if one is not None]
    on_axis = [0.0, *(end for one in shown for end in (one.low, one.high))]
    on_axis += [float(one) for row in rows for one in row.runs]
    low, high = min(on_axis), max(on_axis)
    room = 0.05 * (high - low) or 1.0
    return Info(reference, rows, low - room, high + room)


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    parts = [f"{row.title} {_said(row)}" for row in info.rows]
    return f"Mean difference in {words.samples} from {info.reference}: {'; '.join(parts)}."


def _said(row: Row) -> str:
    if row.difference is None:
        return "no fair comparison"
    one = row.difference
    if one.width == 0.0:
        return f"{signed(one.estimate)}, in every run"
    return f"{signed(one.estimate)} ({ends(one)})"


def signed(number: float) -> str:
    """Write a difference in samples: "120 more", "none"."""
    return "none" if number == 0.0 else f"{count(abs(number))} {'more' if number > 0 else 'fewer'}"


def ends(found: Difference) -> str:
    """Write the ends of an interval; on one side of 0, from the smaller size to the larger."""
    if not found.clear:
        return f"{signed(found.low)} to {signed(found.high)}"
    near, far = sorted((found.low, found.high), key=abs)
    return f"{count(abs(near))} to {signed(far)}"


def draw(info: Info, words: Words) -> go.Figure:
    """Draw one row for each comparison: the mean with its interval, and single runs below it."""
    n = len(info.rows)
    fig = layout.figure(ROW_HEIGHT * n + 74)
    for i, row in enumerate(info.rows):
        if row.difference is not None:
            for trace in _traces(row, row.difference, i, words):
                fig.add_trace(trace)
        text = f"<b>{row.title}</b>  {_said(row)}"
        where = {"xref": "paper", "x": 0, "xanchor": "left", "yanchor": "bottom"}
        layout.note(fig, text, y=i - LABEL_AT, **where)
    for i in range(n):  # the line at 0 leaves out the label above each row
        height = {"y0": i - LABEL_AT + 0.02, "y1": i + 0.56}
        layout.reference_line(fig, "solid", xref="x", yref="y", x0=0, x1=0, **height)
    title = (
        f"← fewer {words.samples} than {info.reference} · more →<br>"
        f"diamond: mean and its 95{THIN_SPACE}% interval · dot: one run"
    )
    fig.layout.xaxis = layout.count_axis(title, range=[info.low, info.high], nticks=5)
    fig.layout.yaxis = layout.row_axis([""] * n, above=0.5, showgrid=False, visible=False)
    return fig


def _traces(row: Row, found: Difference, at: int, words: Words) -> list[go.Scatter]:
    colour = colour_of(row.algorithm)
    traces = []
    if row.runs.size:
        jitter = ((np.arange(row.runs.size) * GOLDEN) % 1.0 - 0.5) * POINTS_SPREAD
        traces.append(
            go.Scatter(
                name=f"{row.title}: single runs",
                x=row.runs,
                y=at + POINTS_AT + layout.four_digits(jitter),
                mode="markers",
                marker={"size": 6, "color": layout.rgba(colour, 0.5)},
                customdata=[f"run {run}: {signed(float(one))}" for run, one in enumerate(row.runs)],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    if row.unpaired is not None:
        text = f"95{THIN_SPACE}% interval without pairing: {ends(row.unpaired)}"
        traces.append(_interval(row.unpaired, at + UNPAIRED_AT, GREY, 2, "line-ns-open", text))
    text = f"{row.title}: {signed(found.estimate)} {words.samples} on average<br>"
    text += f"95{THIN_SPACE}% interval: {ends(found)}"
    traces.append(_interval(found, at, colour, 4, "diamond", text))
    return traces


def _interval(
    found: Difference, y: float, colour: str, width: int, symbol: str, text: str
) -> go.Scatter:
    return go.Scatter(
        name=text.partition(":")[0],
        x=[found.estimate],
        y=[y],
        mode="markers",
        marker={"symbol": symbol, "size": 3 * width, "color": colour},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [found.high - found.estimate],
            "arrayminus": [found.estimate - found.low],
            "color": colour,
            "thickness": width,
            "width": width + 2,
        },
        hovertemplate=f"{text}<extra></extra>",
    )
