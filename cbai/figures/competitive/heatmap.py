"""What each arm's samples say about each other arm: expected pseudo-rewards as a heat map."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, INK, decimal
from cbai.figures.base.words import Words
from cbai.figures.competitive.cross_bounds import Info, gather, sentence

__all__ = ["Info", "alt_text", "draw", "gather", "sentence"]

ROW_HEIGHT, HEAD, FEET = 22, 36, 160
ROW_LABEL, COLUMN_LABEL = 16, 16
NUMBERED = 6
"""Up to this many arms the cells show their numbers."""
ALL_NAMED = 18
"""Up to this many arms the columns have names; with more arms, the numbers of the rows."""
OPACITY, LEAST = 0.45, 0.16
SCALE = [
    [0.0, layout.rgba(INK, OPACITY)],
    [0.5, layout.rgba(INK, LEAST)],
    [0.5, layout.rgba(INK, 0.0)],
    [1.0, layout.rgba(INK, 0.0)],
]
"""Shaded where a bound rules an arm out, the more the lower; elsewhere the page's background."""


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    n = len(info.arms)
    return (
        f"Heat map of what one {words.sample} of each of {n} {words.arms} says about each other. "
        f"{info.violated.sum()} of {n * (n - 1)} bounds are too low. {info.arms[0]} alone rules "
        f"out {(info.phi[1:, 0] < info.reference).sum()}."
    )


def draw(info: Info, words: Words) -> go.Figure:
    """Draw the matrix, with its colour scale as a strip on top."""
    n = len(info.arms)
    size = max(ROW_HEIGHT * n, 90 * min(n, 2))
    fig = layout.figure(size + HEAD + FEET)
    every = range(n)
    own = np.eye(n, dtype=bool)
    cells = np.where(own, np.nan, layout.four_digits(info.phi))
    texts = [[sentence(info, bounded, pulled, words) for pulled in every] for bounded in every]
    fig.add_trace(_cells(cells, info, hovertext=texts, hoverinfo="text", xgap=1, ygap=1))
    fig.add_trace(_diagonal(own, texts))
    _add_marks(fig, info)
    _add_scale(fig, info, words)
    fig.add_shape(
        type="rect", x0=-0.5, x1=0.5, y0=-0.5, y1=n - 0.5, line={"color": GREY, "width": 2.5}
    )
    rows = [layout.arm_label(arm, ROW_LABEL, best=i == 0) for i, arm in enumerate(info.arms)]
    columns = [layout.arm_label(arm, COLUMN_LABEL, best=i == 0) for i, arm in enumerate(info.arms)]
    if n > ALL_NAMED:
        rows = [f"{row} {i}" for i, row in enumerate(rows, 1)]
        columns = [str(i) if i == 1 or i % 5 == 0 else "" for i in range(1, n + 1)]
    fig.update_layout(
        yaxis=layout.row_axis(rows, above=0.5, showgrid=False)
        | {"range": [n - 0.5, -0.5], "domain": [0, size / (size + HEAD)]},
        xaxis=layout.axis(
            f"{words.arm} pulled",
            tickmode="array",
            tickvals=list(every),
            ticktext=columns,
            tickangle=-90 if 3 < n <= ALL_NAMED else 0,
            range=[-0.5, n - 0.5],
            showgrid=False,
        ),
    )
    return fig


def _cells(values: Any, info: Info, **extra: Any) -> go.Heatmap:
    low, high = info.reference - info.reach, info.reference + info.reach
    return go.Heatmap(z=values, zmin=low, zmax=high, colorscale=SCALE, showscale=False, **extra)


def _diagonal(own: Any, texts: list[list[str]]) -> go.Heatmap:
    grey = layout.CLEAR
    return go.Heatmap(
        z=np.where(own, 0.0, np.nan),
        colorscale=[[0, grey], [1, grey]],
        showscale=False,
        hovertext=texts,
        hoverinfo="text",
        hoverongaps=False,
        xgap=1,
        ygap=1,
    )


def _add_marks(fig: go.Figure, info: Info) -> None:
    """Put a cross on pairs that are too low, and numbers on all pairs if there are few arms."""
    n = len(info.arms)
    few = n <= NUMBERED
    bounded, pulled = np.nonzero(info.violated)
    fig.add_trace(
        go.Scatter(
            name="too low",
            x=pulled - (0.4 if few else 0.0),
            y=bounded,
            mode="markers",
            marker={"symbol": "x", "size": 9 if few else 6, "color": "white"}
            | {"line": {"width": 1, "color": "#333333"}},
            hoverinfo="skip",
        )
    )
    if few:
        for (bounded_arm, pulled_arm), value in np.ndenumerate(info.phi):
            layout.note(fig, decimal(value), x=pulled_arm, y=bounded_arm, font={"size": 13})


def _add_scale(fig: go.Figure, info: Info, words: Words) -> None:
    """Draw the colour scale as a strip above the matrix."""
    low = max(info.reference - info.reach, 0.0)
    high = min(info.reference + info.reach, info.reward_max)
    steps = layout.four_digits(np.linspace(low, high, 61))
    fig.add_trace(_cells([steps], info, x=steps, y=[0], xaxis="x2", yaxis="y2", hoverinfo="skip"))
    size = fig.layout.height - FEET
    fig.update_layout(
        yaxis2={"domain": [1 - 12 / size, 1], "visible": False, "fixedrange": True},
        xaxis2=layout.axis(
            f"average bound on the row's {words.arm}"
            + (" · ×: too low" if info.violated.any() else ""),
            anchor="y2",
            side="top",
            tickmode="array",
            tickvals=[low, info.reference, high],
            ticktext=[decimal(low), f"second-best mean {decimal(info.reference)}", decimal(high)],
            range=[low, high],
            showgrid=False,
        ),
    )
