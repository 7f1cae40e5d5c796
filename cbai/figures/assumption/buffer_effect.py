"""How a safety buffer changes pseudo-rewards that are too low, wrong answers, and the cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, INK, WARNING, count, percent
from cbai.figures.base.words import Words, listed
from cbai.problem.buffers import BufferCurve
from cbai.problem.lead import LEVEL
from cbai.results import Rate, error_rates
from cbai.simulation import Trials

HEIGHT = 250


@dataclass(frozen=True, eq=False)
class Info:
    """The results at each buffer that was run.

    Attributes
    ----------
    q : ndarray, shape (Q,)
        The buffers, in units of reward.
    mean, two_sigma : ndarray, shape (Q,)
        Samples: mean and twice the standard deviation over trials.
    errors : tuple of Rate
        Share of trials that named a wrong arm, with exact intervals.
    ran_out : ndarray of int, shape (Q,)
        Number of trials without an answer. If there are any, the true mean is higher.
    budget : int
        Samples that a trial may take at most.
    delta : float
        The allowed error.
    """

    q: NDArray[np.float64]
    mean: NDArray[np.float64]
    two_sigma: NDArray[np.float64]
    errors: tuple[Rate, ...]
    ran_out: NDArray[np.int64]
    budget: int
    delta: float

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Whether every trial at a buffer had an answer, shape (Q,)."""
        return np.equal(self.ran_out, 0)

    @property
    def some_answer(self) -> NDArray[np.bool_]:
        """Whether any trial at a buffer had an answer, shape (Q,)."""
        return self.ran_out < np.array([one.total for one in self.errors])


def gather(runs: Sequence[Trials]) -> Info:
    """Compute the figure's numbers from one algorithm's trials at several buffers."""
    samples = [trials.samples[0] for trials in runs]
    return Info(
        q=np.array([trials.q for trials in runs]),
        mean=np.array([one.mean() for one in samples]),
        two_sigma=np.array([2.0 * one.std(ddof=1) if one.size > 1 else 0.0 for one in samples]),
        errors=tuple(error_rates(trials)[0] for trials in runs),
        ran_out=np.array([int((~trials.identified).sum()) for trials in runs]),
        budget=runs[0].max_samples,
        delta=runs[0].delta,
    )


def draw_violations(curve: BufferCurve, now: float, surely_safe: float | None = None) -> go.Figure:
    """Draw the share of pairs that are too low at each buffer, and mark the buffer in use.

    Parameters
    ----------
    curve : BufferCurve
    now : float
        The buffer in use, in units of reward.
    surely_safe : float, optional
        If the curve is only an estimate: the smallest buffer with which the guarantee holds with
        the usual certainty. By default the curve itself decides.
    """
    fig = layout.figure(HEIGHT, top=26)
    layout.reference_line(fig, x0=now, x1=now)
    layout.note(fig, text="q now", x=now, y=1.0, yref="paper", yanchor="bottom")
    share = go.Scatter(
        x=curve.q,
        y=curve.violated_share,
        mode="lines",
        line={"color": WARNING, "width": 3},
        customdata=[percent(part) for part in curve.violated_share],
        hovertemplate="q = %{x:.2f}: %{customdata} of the pairs too low<extra></extra>",
    )
    fig.add_trace(share)
    sure = surely_safe is not None
    safe = curve.q[curve.best_arm_ok & (curve.q >= (surely_safe or 0.0))]
    if safe.size:
        first = max(curve.q[curve.best_arm_ok][0], surely_safe or 0.0)
        fig.add_vrect(
            x0=first,
            x1=curve.q[-1],
            fillcolor=layout.rgba(INK, 0.1),
            line_width=0,
            layer="below",
        )
        layout.note(
            fig,
            text=f"guarantee holds, {percent(LEVEL)} certain" if sure else "guarantee holds",
            x=(first + curve.q[-1]) / 2,  # where the curve is low
            y=0.92,
            yref="paper",
        )
    fig.layout.xaxis = layout.axis("safety buffer q")
    top = 1.08 * float(curve.violated_share.max()) or 1.0
    fig.layout.yaxis = layout.share_axis("pairs too low", 0.0, top)
    return fig


def draw_errors(info: Info) -> go.Figure:
    """Draw the observed error rate with its exact interval, and delta, where there are answers."""
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
    drawn = np.flatnonzero(info.some_answer)
    errors = [info.errors[i] for i in drawn]
    fig.add_trace(
        go.Scatter(
            x=info.q[drawn],
            y=[one.estimate for one in errors],
            mode="markers",
            marker={"color": WARNING, "size": 10, "symbol": "x"},
            error_y={
                "array": [one.high - one.estimate for one in errors],
                "arrayminus": [one.estimate - one.low for one in errors],
                "color": GREY,
                "thickness": 2,
                "width": 5,
            },
            text=[
                f"{one.count} of {one.total} wrong, {out} without an answer"
                for one, out in zip(errors, info.ran_out[drawn], strict=True)
            ],
            hovertemplate="q = %{x:.2f}: %{text}<extra></extra>",
        )
    )
    fig.layout.xaxis = layout.axis("safety buffer q", range=_around(info.q))
    top = max(max(one.high for one in info.errors), info.delta)
    fig.layout.yaxis = layout.share_axis("wrong answers", -0.05 * top, 1.1 * top)
    return fig


def draw_samples(info: Info, words: Words) -> go.Figure:
    """Draw the mean samples at each buffer; an open triangle marks a mean that is too low."""
    fig = layout.figure(HEIGHT, top=26)
    known = np.where(info.answered, info.mean, np.nan)
    fig.add_trace(
        go.Scatter(
            x=info.q,
            y=known,
            mode="lines+markers",
            line={"color": INK, "width": 3},
            marker={"size": 8},
            error_y={"array": info.two_sigma, "color": GREY, "thickness": 2, "width": 5},
            hovertemplate="q = %{x:.2f}: %{y:,.0f}<extra></extra>",
        )
    )
    out = np.flatnonzero(~info.answered)
    fig.add_trace(
        go.Scatter(
            x=info.q[out],
            y=info.mean[out],
            mode="markers",
            marker=layout.without_answer(INK),
            cliponaxis=False,
            customdata=info.ran_out[out],
            hovertemplate="q = %{x:.2f}: at least %{y:,.0f}, %{customdata} without an answer"
            "<extra></extra>",
        )
    )
    fig.layout.xaxis = layout.axis("safety buffer q", range=_around(info.q))
    fig.layout.yaxis = layout.count_axis(
        f"{words.samples} to stop", rangemode="tozero", ticklabelstandoff=4
    )
    return fig


def _around(q: NDArray[np.float64]) -> list[float]:
    """Return a range that contains all buffers; both figures use it."""
    margin = 0.05 * float(np.ptp(q)) or 0.05
    return [float(q.min()) - margin, float(q.max()) + margin]


def without_answer(info: Info, words: Words) -> str:
    """Say at which buffers trials have no answer; empty if at none."""
    if info.answered.all():
        return ""
    at = listed([f"{q:g}" for q in info.q[~info.answered]])
    return (
        f"{int(info.ran_out.sum()):,} of {sum(one.total for one in info.errors):,} runs had no "
        f"answer within {info.budget:,} {words.samples}, at q = {at}. Open triangles mark the "
        "means at these q; the true means are higher. If no run had an answer, no error rate is "
        "shown."
    )


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figures of errors and samples show."""
    out = without_answer(info, words)
    if not info.some_answer.any():
        return out
    worst = max(info.errors, key=lambda one: one.estimate)
    ends = [
        f"{'' if ok else 'over '}{count(mean)}"
        for ok, mean in zip(info.answered, info.mean, strict=True)
    ]
    return (
        f"From q = {info.q[0]:g} to {info.q[-1]:g} the mean goes from {ends[0]} to "
        f"{ends[-1]} {words.samples}; the largest observed error rate is "
        f"{percent(worst.estimate)}. {out}"
    ).strip()
