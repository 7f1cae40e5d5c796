"""Single streams in the corridor of one bound, and where they leave it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike, NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, WARNING
from cbai.figures.base.words import Words
from cbai.figures.bounds import bound_lines
from cbai.simulation import CONFIDENCE
from cbai.simulation.coverage import kept_between
from cbai.simulation.streams import paths

HEIGHT = 380
STREAMS = 60
POINTS = 161
STAYS = {"color": layout.rgba(GREY, 0.45), "width": 1}
LEAVES = {"color": WARNING, "width": 2.2}
AFTERWARDS = {"color": layout.rgba(WARNING, 0.4), "width": 1}


@dataclass(frozen=True, eq=False)
class Info:
    """The means of some streams, and the corridor in which the bounds contain the true mean.

    Distances from the true mean are in standard errors b / (2 sqrt(n)), the largest that a mean
    of n rewards in [0, b] can have.

    Attributes
    ----------
    name : str
        Name of the sequence in `CONFIDENCE`.
    n : ndarray of int64, shape (N,)
        Numbers of rewards; they include all first misses of these streams.
    distance : ndarray, shape (M, N)
        Observed mean minus true mean.
    low, high : ndarray, shape (N,)
        The corridor: outside it, the bounds of a mean miss the true mean.
    first_miss : ndarray of int64, shape (M,)
        Number of rewards at which a stream first left the corridor; 0 if never.
    """

    name: str
    n: NDArray[np.int64]
    distance: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    first_miss: NDArray[np.int64]


def gather(
    name: str,
    distribution: ArrayLike,
    values: ArrayLike,
    reward_max: float,
    d: float,
    n_max: int,
    seed: int,
    misses: NDArray[np.int64],
) -> Info:
    """Compute what the figure shows; `misses` are the first misses, by the stream's number."""
    first = misses[:STREAMS]
    grid = np.rint(np.logspace(0, np.log10(n_max), POINTS)).astype(np.int64)
    n = np.unique(np.concatenate([grid, first[first > 0]]))
    truth = min(float(np.asarray(distribution) @ np.asarray(values)), reward_max)
    means = paths(distribution, values, n, first.size, seed)
    low, high = kept_between(CONFIDENCE[name], truth, n, d, reward_max)
    unit = reward_max / (2.0 * np.sqrt(n))
    return Info(
        name,
        n,
        (means - truth) / unit,
        (low - truth) / unit,
        (high - truth) / unit,
        first,
    )


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    return (
        f"The means of {info.first_miss.size} streams of {info.n[-1]:,} {words.samples}: "
        f"{int((info.first_miss > 0).sum())} ever leave the corridor of "
        f"{CONFIDENCE[info.name].title}."
    )


def draw(info: Info, words: Words) -> go.Figure:
    """Draw every stream: grey if it stays inside; vermilion, and thick until it leaves, if not."""
    left = info.first_miss > 0
    out = left[:, None] & (info.n >= info.first_miss[:, None])
    before = left[:, None] & (info.n <= info.first_miss[:, None])
    fig = layout.figure(HEIGHT, right=48)
    for shown, style, name in (
        (np.broadcast_to(~left[:, None], out.shape), STAYS, "stays inside"),
        (out, AFTERWARDS, "has left"),
        (before, LEAVES, "leaves"),
    ):
        if shown.any():
            fig.add_trace(_streams(info, shown, style, name))
    layout.reference_line(fig, y0=0.0, y1=0.0)
    for edge in (info.low, info.high):
        fig.add_trace(_edge(info, edge, words))
    if left.any():
        fig.add_trace(_exits(info, left, words))
    reach = 1.12 * max(float(np.abs(info.distance).max()), _height(info))
    layout.note(fig, "true", xref="paper", x=1.0, xanchor="left", xshift=4, y=0.0)
    title = f"{words.samples} so far, n"
    fig.layout.xaxis = layout.log_count_axis(title, 1, float(info.n[-1]), after=0.04)
    fig.layout.yaxis = layout.axis(
        "mean minus true mean, in standard errors", range=[-reach, reach], nticks=9
    )
    return fig


def _height(info: Info) -> float:
    """Return the largest distance of the corridor from the true mean, from ten rewards on."""
    late = info.n >= min(10, info.n[-1])
    return float(max(np.abs(info.low[late]).max(), np.abs(info.high[late]).max()))


def _streams(
    info: Info, shown: NDArray[np.bool_], style: dict[str, object], name: str
) -> go.Scatter:
    """Return the shown parts of all streams as one trace, with gaps between streams."""
    rows = shown.any(axis=1)
    count = int(rows.sum())
    parts = np.where(shown, np.round(info.distance, 3), np.nan)[rows]
    gap = np.full((count, 1), np.nan)
    return go.Scatter(
        name=name,
        x=np.tile(np.append(info.n, info.n[-1]), count),
        y=np.hstack([parts, gap]).ravel(),
        mode="lines",
        line=style,
        hoverinfo="skip",
    )


def _edge(info: Info, edge: NDArray[np.float64], words: Words) -> go.Scatter:
    title = CONFIDENCE[info.name].title
    return go.Scatter(
        name=title,
        x=info.n,
        y=layout.four_digits(edge),
        mode="lines",
        line={**bound_lines.line(info.name), "width": 3.5},
        hovertemplate=f"{title}: %{{y:.2f}} standard errors after %{{x:,}} "
        f"{words.samples}<extra></extra>",
    )


def _exits(info: Info, left: NDArray[np.bool_], words: Words) -> go.Scatter:
    """Return a cross where each stream first leaves the corridor."""
    rows = np.flatnonzero(left)
    n = info.first_miss[rows]
    return go.Scatter(
        name="first outside",
        x=n,
        y=np.round(info.distance[rows, np.searchsorted(info.n, n)], 3),
        mode="markers",
        marker={
            "symbol": "x",
            "color": WARNING,
            "size": 9,
            "line": {"width": 1, "color": "white"},
        },
        customdata=rows,
        hovertemplate=f"Stream %{{customdata}} leaves the corridor after %{{x:,}} {words.samples}"
        "<extra></extra>",
    )
