"""How the estimated pseudo-gap of each arm changes during one trial."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.spacing import place
from cbai.figures.base.style import COMPETITIVE, NON_COMPETITIVE, decimal
from cbai.figures.base.words import Words
from cbai.results import Competitive, estimated_competitive, true_competitive
from cbai.simulation import Trace

HEIGHT = 440
LABEL_PIXELS = 17
LABEL_LENGTH = 13
ZERO = -1
COLOURS = {True: COMPETITIVE, False: NON_COMPETITIVE}
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
    fig = layout.figure(HEIGHT, right=112, top=34, showlegend=True)
    for competitive in (False, True):
        arms = np.flatnonzero(info.truth.competitive == competitive)
        for arm in arms:
            fig.add_trace(_line(info, int(arm), words))
        if arms.size:
            fig.add_trace(_truths(info, arms, competitive))
    low, high = info.span
    layout.reference_line(fig, y0=0, y1=0)
    spacing = (high - low) * LABEL_PIXELS / (HEIGHT - 90)
    for number, y in direct_labels(info, spacing).items():
        if number == ZERO:
            layout.note(fig, "<i>0 ↑ ruled out</i>", xref="paper", x=1.01, xanchor="left", y=0)
            continue
        text = layout.arm_label(info.arms[number], LABEL_LENGTH, best=number == info.truth.best)
        layout.note(fig, text, xref="paper", x=1.01, xanchor="left", y=y, yanchor="middle")
    ends = float(info.samples[0]), float(info.samples[-1])
    fig.layout.xaxis = layout.log_count_axis(f"{words.samples} so far", *ends, after=0.08)
    fig.layout.yaxis = layout.axis("estimated pseudo-gap", range=[low, high], nticks=7)
    return fig


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
    decades = max(np.log10(info.samples[-1] / info.samples[0]), 0.3)
    texts = [
        f"{layout.arm_label(info.arms[arm], 60)}: true pseudo-gap "
        f"{decimal(info.truth.pseudo_gap[arm])}, {STATUS[competitive]}"
        for arm in arms
    ]
    return go.Scatter(
        name=STATUS[competitive],
        x=np.full(arms.size, layout.four_digits(info.samples[-1] * 10.0 ** (0.04 * decades))),
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
    """Return which arms are labelled at the ends of their lines, and at what height.

    The zero line (as arm `ZERO`), the best arm, the second best and the arm nearest zero always
    have a label, if necessary at the nearest free place. The others have one where there is room;
    those nearest zero come first.
    """
    final = np.append(info.estimate.pseudo_gap[-1], 0.0)
    nearest = [int(arm) for arm in np.argsort(np.abs(final[:-1]), kind="stable")]
    must = [ZERO, int(info.truth.best), int(info.truth.second), nearest[0]]
    order = must + [arm for arm in nearest if arm not in must]
    return place(final, order, must, spacing)
