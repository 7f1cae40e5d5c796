"""How the estimated pseudo-gap of each arm changes during one trial."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.spacing import place, spread
from cbai.figures.base.style import GREY, decimal
from cbai.figures.base.words import Words
from cbai.results import Competitive, estimated_competitive, true_competitive
from cbai.simulation import Trace

HEIGHT = 440
LABEL_PIXELS = 17
LABEL_LENGTH = 18
LABELLED = 40
"""Up to so many arms, all have a label."""
AROUND = 90
"""Pixels above and below the lines."""
COLOURS = {True: "#666E79", False: "#8F959E"}
"""Hues are for algorithms. What is competitive differs in shape, width and shade; both greys are at
least 3 : 1 on both backgrounds."""
SYMBOLS = {True: "circle", False: "diamond"}
STATUS = {True: "competitive", False: "non-competitive"}


@dataclass(frozen=True, eq=False)
class Info:
    """True and estimated pseudo-gaps, in the order of the problem's arms.

    Attributes
    ----------
    arms : tuple of str
    samples, rounds : ndarray of int64, shape (R,)
        At each recorded round.
    truth : Competitive
        Under the pseudo-rewards that this trial knew; shapes (K,).
    estimate : Competitive
        Shapes (R,) and (R, K).
    """

    arms: tuple[str, ...]
    samples: NDArray[np.int64]
    rounds: NDArray[np.int64]
    truth: Competitive
    estimate: Competitive

    @property
    def span(self) -> tuple[float, float]:
        """The range of pseudo-gaps shown: all true ones, nearly all estimates, and 0."""
        wild = np.quantile(self.estimate.pseudo_gap, [0.02, 0.98])
        shown = np.concatenate([wild, self.estimate.pseudo_gap[-1], self.truth.pseudo_gap, [0.0]])
        margin = 0.05 * max(float(np.ptp(shown)), 1e-3)
        return float(shown.min()) - margin, float(shown.max()) + margin


def gather(trace: Trace) -> Info:
    """Gather what the figures show."""
    return Info(
        arms=trace.problem.arms,
        samples=trace.samples,
        rounds=trace.rounds,
        truth=true_competitive(trace.problem),
        estimate=estimated_competitive(trace),
    )


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure of the history shows."""
    return (
        f"Estimated pseudo-gaps of {len(info.arms)} {words.arms} over {info.samples[-1]:,} "
        f"{words.samples}. At the end {info.estimate.competitive[-1].sum()} look competitive; "
        f"{info.truth.competitive.sum()} are competitive in these data."
    )


def draw_history(info: Info, words: Words) -> go.Figure:
    """Draw the estimated pseudo-gap of every arm against the samples so far."""
    size = max(HEIGHT, LABEL_PIXELS * (min(len(info.arms), LABELLED) + 1) + AROUND)
    fig = layout.figure(size, right=150, top=34, showlegend=True)
    for competitive in (False, True):
        arms = np.flatnonzero(info.truth.competitive == competitive)
        for arm in arms:
            fig.add_trace(_line(info, int(arm), words))
        if arms.size:
            fig.add_trace(_truths(info, arms, competitive))
    low, high = info.span
    layout.reference_line(fig, y0=0, y1=0)
    pixel = (high - low) / (size - AROUND)
    for number, y in direct_labels(info, LABEL_PIXELS * pixel).items():
        _label(fig, info, number, y, pixel)
    ends = float(info.samples[0]), float(info.samples[-1])
    fig.layout.xaxis = layout.log_count_axis(f"{words.samples} so far", *ends, after=0.08)
    fig.layout.yaxis = layout.axis(
        "estimated pseudo-gap (above 0: non-competitive)", range=[low, high], nticks=7
    )
    return fig


def _label(fig: go.Figure, info: Info, arm: int, y: float, pixel: float) -> None:
    """Write a name at the mark of an arm, or with a line to it where there is no room."""
    mark = float(info.truth.pseudo_gap[arm])
    moved = (mark - y) / pixel
    layout.note(
        fig,
        layout.arm_label(info.arms[arm], LABEL_LENGTH, best=arm == info.truth.best),
        x=float(np.log10(_right(info))),  # annotations on a logarithmic axis ask for this
        y=mark,
        ax=22,
        ay=moved,
        xanchor="left",
        yanchor="middle",
        showarrow=True,
        arrowhead=0,
        arrowwidth=1,
        standoff=7,
        arrowcolor=GREY if abs(moved) > 1.0 else layout.CLEAR,
    )


def _right(info: Info) -> float:
    """Return where the true pseudo-gaps are marked, right of the lines' ends."""
    decades = max(np.log10(info.samples[-1] / info.samples[0]), 0.3)
    return float(info.samples[-1] * 10.0 ** (0.04 * decades))


def _line(info: Info, arm: int, words: Words) -> go.Scatter:
    competitive = bool(info.truth.competitive[arm])
    name = layout.arm_label(info.arms[arm], 60)
    return go.Scatter(
        name=name,
        x=info.samples,
        y=layout.four_digits(info.estimate.pseudo_gap[:, arm]),
        mode="lines",
        line={"color": COLOURS[competitive], "width": 2.5 if competitive else 1.5},
        opacity=0.9 if competitive else 0.75,
        hovertemplate=f"{name}: %{{y}} after %{{x:,}} {words.samples}<extra></extra>",
        showlegend=False,
    )


def _truths(info: Info, arms: NDArray[np.intp], competitive: bool) -> go.Scatter:
    """Return the true pseudo-gaps as open markers at the right edge."""
    texts = [
        f"{layout.arm_label(info.arms[arm], 60)}: true pseudo-gap "
        f"{decimal(info.truth.pseudo_gap[arm])}, {STATUS[competitive]}"
        for arm in arms
    ]
    return go.Scatter(
        name=STATUS[competitive],
        x=np.full(arms.size, layout.four_digits(_right(info))),
        y=layout.four_digits(info.truth.pseudo_gap[arms]),
        mode="markers",
        marker={
            "symbol": f"{SYMBOLS[competitive]}-open",
            "color": COLOURS[competitive],
            "size": 9,
            "line": {"width": 2},
        },
        customdata=texts,
        hovertemplate="%{customdata}<extra></extra>",
    )


def direct_labels(info: Info, spacing: float) -> dict[int, float]:
    """Return which arms are labelled right of their marks, and at what height.

    Up to `LABELLED` arms all have a label, as near to its mark as there is room. Of more arms the
    best, the second best and the arm nearest zero always have one; the others have one where there
    is room at their own mark, those nearest zero first.
    """
    marks = info.truth.pseudo_gap
    if len(marks) <= LABELLED:
        return dict(enumerate(spread(marks, spacing, *info.span).tolist()))
    nearest = [int(arm) for arm in np.argsort(np.abs(marks), kind="stable")]
    must = [int(info.truth.best), int(info.truth.second), nearest[0]]
    return place(marks, must + [arm for arm in nearest if arm not in must], must, spacing)
