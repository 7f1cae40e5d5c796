"""Table 4 by draw of the unknown pseudo-rewards: where the paper's number is among our draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, colour_of, decimal
from cbai.figures.base.words import Words
from cbai.simulation import find

HEIGHT = 230
APART = 0.028
"""Smallest distance between dots of one row, as a share of the axis: a dot's width on a phone."""


@dataclass(frozen=True, eq=False)
class Info:
    """One algorithm over N draws of the unknown pseudo-rewards.

    Attributes
    ----------
    label, algorithm : str
        The paper's name of the algorithm, and its name in `cbai.simulate`.
    ours : ndarray, shape (N,)
        Mean samples of each draw, divided by LUCB's.
    draws : ndarray of int, shape (N,)
        The number of each draw.
    printed : float
        The same ratio in the paper.
    """

    label: str
    algorithm: str
    ours: NDArray[np.float64]
    draws: NDArray[np.int64]
    printed: float

    @property
    def mean(self) -> float:
        """Our mean over draws."""
        return float(self.ours.mean())

    @property
    def below(self) -> int:
        """How many of our ratios are below the paper's."""
        return int((self.ours < self.printed).sum())


def gather(frame: pd.DataFrame, label: str = "C-LUCB") -> Info:
    """Compute what the figure shows.

    Parameters
    ----------
    frame : DataFrame
        See `cbai.reproduce.masks.run_masks`.
    label : str
        The paper's name of the algorithm.
    """
    rows = frame[frame["label"] == label].sort_values("relative", kind="stable")
    return Info(
        label=label,
        algorithm=str(rows["algorithm"].iloc[0]),
        ours=rows["relative"].to_numpy(dtype=np.float64),
        draws=rows["mask"].to_numpy(),
        printed=float(rows["printed_relative"].iloc[0]),
    )


def alt_text(info: Info, words: Words) -> str:
    """Say in two sentences what the figure shows."""
    low, high = info.ours.min(), info.ours.max()
    spread = float(info.ours.std(ddof=1)) if len(info.ours) > 1 else 0.0
    return (
        f"{words.capital_samples} of {info.label} over LUCB's for {len(info.ours)} draws of the "
        f"unknown pseudo-rewards: {decimal(low)} to {decimal(high)}, mean {decimal(info.mean)}, "
        f"standard deviation {decimal(spread)}. The paper's {decimal(info.printed)} is above "
        f"{info.below} of them."
    )


def draw(info: Info, words: Words) -> go.Figure:
    """Draw a dot for each draw, and lines at our mean and at the paper's number."""
    high = 1.08 * max(info.printed, float(info.ours.max()))
    rows = _stacked(info.ours, APART * high)
    edge = float(np.abs(rows).max()) + 1.0
    fig = layout.figure(HEIGHT, top=30)
    for name, x, colour, right in (
        ("our mean", info.mean, colour_of(find(info.algorithm)), info.mean > info.printed),
        ("the paper", info.printed, GREY, info.mean <= info.printed),
    ):
        fig.add_shape(
            type="line", x0=x, x1=x, y0=-edge, y1=edge, layer="below",
            line={"color": colour, "width": 2.5},
        )  # fmt: skip
        layout.note(fig, f"{name} {decimal(x)}", **_beside(x, right=right))
    fig.add_trace(_dots(info, rows))
    fig.layout.xaxis = layout.axis(
        f"times the {words.samples} of LUCB",
        range=[-0.02 * high, high],
        dtick=0.2,
        tickformat=".1f",
    )
    fig.layout.yaxis = layout.axis(range=[-edge, edge], visible=False)
    return fig


def _beside(x: float, *, right: bool) -> dict[str, Any]:
    """Return the position of a label above a line, on the side away from the other line."""
    return {
        "x": x,
        "xanchor": "left" if right else "right",
        "xshift": -2 if right else 2,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
    }


def _dots(info: Info, rows: NDArray[np.float64]) -> go.Scatter:
    return go.Scatter(
        x=layout.four_digits(info.ours),
        y=rows,
        mode="markers",
        marker={"size": 9, "color": layout.rgba(colour_of(find(info.algorithm)), 0.9)},
        customdata=[
            f"draw {number}: {decimal(value)} times LUCB's"
            for number, value in zip(info.draws, info.ours, strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _stacked(values: NDArray[np.float64], apart: float) -> NDArray[np.float64]:
    """Return a row near 0 for each of the sorted values; no dot hides another."""
    order = [(row + 1) // 2 * (1 if row % 2 else -1) for row in range(len(values))]
    last: dict[int, float] = {}
    rows = []
    for value in values:
        row = next(row for row in order if value - last.get(row, -np.inf) >= apart)
        last[row] = float(value)
        rows.append(row)
    return np.array(rows, dtype=np.float64)
