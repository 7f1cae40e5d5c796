"""What a safety buffer does: bounds that are too low, wrong answers, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures import layout
from cbai.figures.style import BLUE, GREY, VERMILION, count, percent
from cbai.figures.words import Words
from cbai.problem.buffers import BufferCurve
from cbai.results import Rate, error_rates
from cbai.simulation import Trials

HEIGHT = 250


@dataclass(frozen=True, eq=False)
class Info:
    """What happened at each buffer that was run.

    Attributes
    ----------
    q : ndarray, shape (Q,)
        The buffers, in units of reward.
    mean, two_sigma : ndarray, shape (Q,)
        Samples: mean and twice the standard deviation over trials.
    errors : tuple of Rate
        How often a wrong arm was named, with exact intervals.
    ran_out : ndarray of int, shape (Q,)
        Trials without an answer.
    delta : float
        What the error rate should be at most.
    """

    q: NDArray[np.float64]
    mean: NDArray[np.float64]
    two_sigma: NDArray[np.float64]
    errors: tuple[Rate, ...]
    ran_out: NDArray[np.int64]
    delta: float


def gather(runs: Sequence[Trials]) -> Info:
    """Work out the figure's numbers from one algorithm's trials at several buffers."""
    samples = [trials.samples[0] for trials in runs]
    return Info(
        q=np.array([trials.q for trials in runs]),
        mean=np.array([one.mean() for one in samples]),
        two_sigma=np.array([2.0 * one.std(ddof=1) if one.size > 1 else 0.0 for one in samples]),
        errors=tuple(error_rates(trials)[0] for trials in runs),
        ran_out=np.array([int((~trials.identified).sum()) for trials in runs]),
        delta=runs[0].delta,
    )


def draw_violations(curve: BufferCurve, now: float) -> go.Figure:
    """Draw the share of bounds that are too low against the buffer, and where it stands now."""
    fig = layout.figure(HEIGHT, top=26)
    layout.reference_line(fig, x0=now, x1=now)
    layout.note(fig, text="q now", x=now, y=1.0, yref="paper", yanchor="bottom")
    share = go.Scatter(
        x=curve.q,
        y=curve.violated_share,
        mode="lines",
        line={"color": VERMILION, "width": 3},
        hovertemplate="q = %{x:.2f}: %{y:.1%} of the pairs too low<extra></extra>",
    )
    fig.add_trace(share)
    safe = curve.q[curve.best_arm_ok]
    if safe.size:
        fig.add_vrect(
            x0=safe[0],
            x1=curve.q[-1],
            fillcolor=layout.rgba(BLUE, 0.1),
            line_width=0,
            layer="below",
        )
        layout.note(
            fig,
            text="guarantee stands →",
            x=safe[0],
            y=0.92,
            yref="paper",
            xanchor="left",
            xshift=6,
        )
    fig.update_xaxes(layout.axis("safety buffer q"))
    fig.update_yaxes(layout.axis("pairs too low", tickformat=".0%", rangemode="tozero"))
    return fig


def draw_errors(info: Info) -> go.Figure:
    """Draw the observed error rate with its exact interval, beside delta."""
    fig = layout.figure(HEIGHT, top=26)
    layout.reference_line(fig, y0=info.delta, y1=info.delta)
    layout.note(
        fig,
        text=f"δ = {info.delta:g}",
        x=1.0,
        xref="paper",
        xanchor="right",
        y=info.delta,
        yanchor="bottom",
    )
    rate = np.array([one.estimate for one in info.errors])
    texts = [f"{one.count} of {one.total} wrong" for one in info.errors]
    fig.add_trace(
        go.Scatter(
            x=info.q,
            y=rate,
            mode="markers",
            marker={"color": VERMILION, "size": 10, "symbol": "x"},
            error_y={
                "array": [one.high - one.estimate for one in info.errors],
                "arrayminus": [one.estimate - one.low for one in info.errors],
                "color": GREY,
                "thickness": 2,
                "width": 5,
            },
            text=texts,
            hovertemplate="q = %{x:.2f}: %{text}<extra></extra>",
        )
    )
    fig.update_xaxes(layout.axis("safety buffer q"))
    top = max(max(one.high for one in info.errors), info.delta)
    fig.update_yaxes(
        layout.axis("wrong answers", tickformat=".1~%", range=[-0.05 * top, 1.1 * top])
    )
    return fig


def draw_samples(info: Info, words: Words) -> go.Figure:
    """Draw what the buffer costs."""
    fig = layout.figure(HEIGHT, top=26)
    fig.add_trace(
        go.Scatter(
            x=info.q,
            y=info.mean,
            mode="lines+markers",
            line={"color": BLUE, "width": 3},
            marker={"size": 8},
            error_y={"array": info.two_sigma, "color": GREY, "thickness": 2, "width": 5},
            customdata=info.ran_out,
            hovertemplate="q = %{x:.2f}: %{y:,.0f}, %{customdata} without an answer<extra></extra>",
        )
    )
    fig.update_xaxes(layout.axis("safety buffer q"))
    fig.update_yaxes(
        layout.count_axis(f"{words.samples} to stop", rangemode="tozero", ticklabelstandoff=4)
    )
    return fig


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figures of errors and samples show."""
    worst = max(info.errors, key=lambda one: one.estimate)
    return (
        f"From q = {info.q[0]:g} to {info.q[-1]:g} the mean goes from {count(info.mean[0])} to "
        f"{count(info.mean[-1])} {words.samples}; the largest observed error rate is "
        f"{percent(worst.estimate)}."
    )
