"""The paper's numbers among ours over many genre assignments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, WARNING, colour_of, count
from cbai.figures.base.words import Words
from cbai.simulation import find

ROW_HEIGHT = 50
GOLDEN = 0.6180339887
JITTER = 0.22
FACTORS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
TICK = 0.26
"""Half the height of the paper's line, in rows."""


@dataclass(frozen=True, eq=False)
class Row:
    """One algorithm.

    Attributes
    ----------
    label, algorithm : str
    ours : ndarray, shape (N,)
        For each genre assignment: mean samples, perhaps divided by LUCB's.
    out : ndarray of bool, shape (N,)
        Whether trials ran out of budget; the number is then a lower bound.
    errors : ndarray of int, shape (N,)
        Number of trials that named a wrong arm.
    printed : float
        The paper's number.
    """

    label: str
    algorithm: str
    ours: NDArray[np.float64]
    out: NDArray[np.bool_]
    errors: NDArray[np.int64]
    printed: float

    @property
    def above(self) -> int:
        """How many of our numbers are above the paper's."""
        return int((self.ours > self.printed).sum())


@dataclass(frozen=True, eq=False)
class Info:
    """Rows in the order of the paper's numbers; if `relative`, divided by LUCB's samples."""

    rows: tuple[Row, ...]
    seeds: NDArray[np.int64]
    gaps: NDArray[np.float64]
    relative: bool


def gather(frame: pd.DataFrame, relative: bool) -> Info:
    """Compute what the figure shows from one table over many genre assignments.

    Parameters
    ----------
    frame : DataFrame
        See `cbai.reproduce.assignments.run_assignments`; one experiment only.
    relative : bool
        Whether to show ratios to LUCB instead of samples.
    """
    column, paper = ("relative", "printed_relative") if relative else ("mean", "printed")
    seeds = frame.drop_duplicates("genre_seed")
    ordered = frame.sort_values(["printed", "genre_seed"], kind="stable")
    rows = tuple(
        Row(
            label=str(part["label"].iloc[0]),
            algorithm=str(part["algorithm"].iloc[0]),
            ours=part[column].to_numpy(dtype=np.float64),
            out=part["budget"].to_numpy() > 0,
            errors=part["errors"].to_numpy(),
            printed=float(part[paper].iloc[0]),
        )
        for _, part in ordered.groupby("algorithm", sort=False)
    )
    return Info(rows, seeds["genre_seed"].to_numpy(), seeds["gap"].to_numpy(), relative)


def alt_text(info: Info) -> str:
    """Say in one sentence what the figure shows."""
    parts = [f"{row.label} {_standing(info, row)}" for row in info.rows]
    return f"Numbers of {len(info.seeds)} genre assignments: {'; '.join(parts)}."


def draw(info: Info, words: Words, marked: int) -> go.Figure:
    """Draw a row of dots for each algorithm; the dot of genre seed `marked` has a ring."""
    n = len(info.rows)
    fig = layout.figure(ROW_HEIGHT * n + 96, showlegend=True, top=40)
    for i, row in enumerate(info.rows):
        fig.add_trace(_dots(info, row, i))
        text = f"<b>{row.label}</b>  {_standing(info, row)}"
        layout.note(fig, text, xref="paper", x=0, xanchor="left", y=i - 0.2, yanchor="bottom")
    fig.add_trace(_ring(info, marked))
    fig.add_trace(_paper(info))
    numbers = np.concatenate([[*row.ours, row.printed] for row in info.rows])
    low, high = float(np.nanmin(numbers)), float(np.nanmax(numbers))
    if info.relative:
        axis = layout.axis(
            f"times the {words.samples} of LUCB",
            type="log",
            tickmode="array",
            tickvals=list(FACTORS),
            ticktext=[f"{factor:g}" for factor in FACTORS],
            range=layout.log_range(low, high),
        )
    else:
        axis = layout.log_count_axis(f"{words.samples} until it stops", low, high)
    fig.layout.xaxis = axis
    fig.layout.yaxis = layout.row_axis([""] * n, above=0.8, showgrid=False, visible=False)
    return fig


def _standing(info: Info, row: Row) -> str:
    """Say where the paper's number is among ours."""
    if info.relative and row.printed == 1.0:
        return "the reference"
    return f"{row.above} of {np.isfinite(row.ours).sum()} above the paper"


def _heights(info: Info, at: int) -> NDArray[np.float64]:
    return np.asarray(at + ((info.seeds * GOLDEN) % 1.0 - 0.5) * 2 * JITTER * 0.8)


def _write(info: Info, number: float) -> str:
    return f"{number:.3g} times LUCB's" if info.relative else count(number)


def _dots(info: Info, row: Row, at: int) -> go.Scatter:
    colour = colour_of(find(row.algorithm))
    return go.Scatter(
        name="one genre assignment",
        x=layout.four_digits(row.ours),
        y=layout.four_digits(_heights(info, at)),
        mode="markers",
        showlegend=at == 0,
        marker={
            "size": 8,
            "color": np.where(row.errors > 0, WARNING, layout.rgba(colour, 0.65)),
            "symbol": np.where(
                row.errors > 0, "x", np.where(row.out, "triangle-right-open", "circle")
            ),
        },
        customdata=[
            f"{row.label}, genre seed {seed}, lead {gap:.3f}: "
            f"{'at least ' if out else ''}{_write(info, number)}, {wrong} runs wrong"
            for seed, gap, out, number, wrong in zip(
                info.seeds, info.gaps, row.out, row.ours, row.errors, strict=True
            )
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _ring(info: Info, marked: int) -> go.Scatter:
    chosen = info.seeds == marked
    return go.Scatter(
        name="the draw used above",
        x=np.concatenate([row.ours[chosen] for row in info.rows]),
        y=np.concatenate([_heights(info, i)[chosen] for i in range(len(info.rows))]),
        mode="markers",
        marker={"symbol": "circle-open", "size": 13, "color": GREY, "line": {"width": 2}},
        hoverinfo="skip",
    )


def _paper(info: Info) -> go.Scatter:
    """Return the paper's numbers as short vertical lines."""
    x = [value for row in info.rows for value in (row.printed, row.printed, None)]
    y = [value for i in range(len(info.rows)) for value in (i - TICK, i + TICK, None)]
    return go.Scatter(
        name="the paper",
        x=x,
        y=y,
        mode="lines",
        line={"color": GREY, "width": 4},
        hovertemplate="the paper: %{x:,}<extra></extra>",
    )
