"""A table of the paper as dots: our numbers and the paper's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, WARNING, colour_of, count, decimal
from cbai.figures.base.words import Words
from cbai.simulation import find

ROW_HEIGHT = 46
FAR_APART = 4.0
LABEL_ABOVE = 0.14
"""Distance of a row's label above its dots, in rows."""


@dataclass(frozen=True)
class Row:
    """One algorithm.

    Attributes
    ----------
    label, algorithm : str
        The paper's name of the algorithm, and its name in `cbai.simulate`.
    mean, two_sigma : float
        Our mean samples, and two standard deviations over trials.
    printed : float
        The paper's number; nan if there is none.
    errors, trials : int
        Number of our trials that named a wrong arm, and of all our trials.
    """

    label: str
    algorithm: str
    mean: float
    two_sigma: float
    printed: float
    errors: int
    trials: int


@dataclass(frozen=True)
class Info:
    """Rows in the order of the paper's numbers, fewest samples first."""

    rows: tuple[Row, ...]

    @property
    def logarithmic(self) -> bool:
        """Whether the paper's numbers are so far apart that a logarithmic axis is better."""
        printed = [row.printed for row in self.rows]
        return max(printed) > FAR_APART * min(printed)


def gather(frame: pd.DataFrame) -> Info:
    """Compute what the figure shows from a table of results, see `cbai.reproduce.run.frame`."""
    ordered = frame.sort_values("printed", kind="stable")
    names = ("label", "algorithm", "mean", "two_sigma", "printed", "errors", "trials")
    return Info(tuple(Row(*(row[name] for name in names)) for row in ordered.to_dict("records")))


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    ratios = [row.mean / row.printed for row in info.rows]
    return (
        f"Mean {words.samples} of {len(info.rows)} algorithms and the paper's numbers: ours are "
        f"{decimal(min(ratios))} to {decimal(max(ratios))} times the paper's."
    )


def _label(row: Row) -> str:
    parts = [f"<b>{row.label}</b>  {count(row.mean)}"]
    if not np.isnan(row.printed):
        parts.append(f"paper {count(row.printed)}")
    if row.errors:
        cross = f'<span style="color:{WARNING}"><b>×</b></span>'
        parts.append(f"{cross} {row.errors} of {row.trials} wrong")
    return " · ".join(parts)


def draw(info: Info, words: Words) -> go.Figure:
    """Draw one row for each algorithm on one axis."""
    n = len(info.rows)
    fig = layout.figure(ROW_HEIGHT * n + 96, showlegend=True, top=40)
    for i, row in enumerate(info.rows):
        fig.add_trace(_ours(row, i, words, legend=i == 0))
        layout.note(
            fig,
            _label(row),
            xref="paper",
            x=0,
            xanchor="left",
            y=i - LABEL_ABOVE,
            yanchor="bottom",
        )
    fig.add_trace(_paper(info, words))
    fig.layout.xaxis = _axis(info, words)
    fig.layout.yaxis = layout.row_axis([""] * n, above=0.75, showgrid=False, visible=False)
    return fig


def _axis(info: Info, words: Words) -> dict[str, Any]:
    """Return a logarithmic axis for numbers far apart, else a linear axis from zero."""
    title = f"{words.samples} until it stops"
    spreads = [0.0 if np.isnan(row.two_sigma) else row.two_sigma for row in info.rows]
    high = max(
        max(row.printed, row.mean + spread) for row, spread in zip(info.rows, spreads, strict=True)
    )
    if not info.logarithmic:
        return layout.count_axis(title, range=[0.0, 1.04 * high], nticks=6)
    low = min(
        min(row.printed, row.mean - spread if spread < row.mean else row.mean)
        for row, spread in zip(info.rows, spreads, strict=True)
    )
    return layout.log_count_axis(title, low, high)


def _ours(row: Row, at: int, words: Words, *, legend: bool) -> go.Scatter:
    spread = 0.0 if np.isnan(row.two_sigma) else row.two_sigma
    colour = colour_of(find(row.algorithm))
    return go.Scatter(
        name="ours, ± 2 standard deviations",
        x=[row.mean],
        y=[at],
        mode="markers",
        marker={"color": colour, "size": 12},
        error_x={
            "array": [spread],
            "arrayminus": [min(spread, row.mean)],
            "color": colour,
            "thickness": 2,
            "width": 4,
        },
        showlegend=legend,
        hovertemplate=(
            f"{row.label}, ours: {count(row.mean)} {words.samples}, mean of {row.trials} runs"
            "<extra></extra>"
        ),
    )


def _paper(info: Info, words: Words) -> go.Scatter:
    return go.Scatter(
        name="the paper, mean of 10 runs",
        x=[row.printed for row in info.rows],
        y=list(range(len(info.rows))),
        mode="markers",
        marker={"symbol": "diamond-open", "size": 12, "color": GREY, "line": {"width": 2.5}},
        customdata=[row.label for row in info.rows],
        hovertemplate=f"%{{customdata}}, the paper: %{{x:,.1f}} {words.samples}<extra></extra>",
    )
