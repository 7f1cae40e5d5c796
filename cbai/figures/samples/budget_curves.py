"""Errors and losses against a fixed budget: a line with its band of intervals per algorithm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import BUDGET_COLOURS, GREY, THIN_SPACE, decimal, percent
from cbai.figures.base.words import Words, listed
from cbai.results import budget_error, budget_loss
from cbai.simulation import BudgetAlgorithm, BudgetCurve

HEIGHT = 360
ROOM = 1.08
"""The height of the axis as a multiple of the largest estimate; a band may be cut there."""


@dataclass(frozen=True, eq=False)
class Line:
    """One algorithm at the budgets that it can split: estimates, and their intervals.

    Attributes
    ----------
    algorithm : BudgetAlgorithm
    budgets : ndarray of int64, shape (N,)
    error, error_low, error_high : ndarray, shape (N,)
        Probabilities.
    loss, loss_low, loss_high : ndarray, shape (N,)
        In units of reward.
    """

    algorithm: BudgetAlgorithm
    budgets: NDArray[np.int64]
    error: NDArray[np.float64]
    error_low: NDArray[np.float64]
    error_high: NDArray[np.float64]
    loss: NDArray[np.float64]
    loss_low: NDArray[np.float64]
    loss_high: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Info:
    """What the figures show; `own` is the budget that was asked for."""

    lines: tuple[Line, ...]
    own: int
    trials: int


def gather(curve: BudgetCurve, own: int) -> Info:
    """Compute all rates and losses with their intervals."""
    lines = []
    for a, row in enumerate(curve.algorithms):
        at = np.flatnonzero(curve.played[a])
        rates = [budget_error(curve, a, int(i)) for i in at]
        losses = [budget_loss(curve, a, int(i)) for i in at]
        columns = [(rate.estimate, rate.low, rate.high) for rate in rates]
        more = [(loss.estimate, loss.low, loss.high) for loss in losses]
        numbers = np.array([*zip(*columns, strict=True), *zip(*more, strict=True)])
        lines.append(Line(row, np.array(curve.budgets)[at], *(numbers if at.size else [at] * 6)))
    return Info(tuple(lines), own, curve.trials)


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    parts = [
        f"{line.algorithm.title} from {percent(line.error[0])} with {line.budgets[0]:,} to "
        f"{percent(line.error[-1])} with {line.budgets[-1]:,} {words.samples}"
        for line in info.lines
        if line.budgets.size
    ]
    return f"How often the answer is wrong: {listed(parts)}."


def loss_alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure of the losses shows."""
    parts = [
        f"{line.algorithm.title} from {decimal(line.loss[0], 3)} with {line.budgets[0]:,} to "
        f"{decimal(line.loss[-1], 3)} with {line.budgets[-1]:,} {words.samples}"
        for line in info.lines
        if line.budgets.size
    ]
    return f"How far the answer is below the best {words.arm} on average: {listed(parts)}."


def draw(info: Info, words: Words) -> go.Figure:
    """Draw the probability of an error against the budget."""
    fig, top = _figure(info, words, [line.error for line in info.lines])
    for line in info.lines:
        said = [
            f"{line.algorithm.title}, {n:,} {words.samples}: wrong {percent(rate)} of the time<br>"
            f"95{THIN_SPACE}% interval {percent(low)} to {percent(high)}"
            for n, rate, low, high in zip(
                line.budgets, line.error, line.error_low, line.error_high, strict=True
            )
        ]
        _add(fig, line, line.error, line.error_low, line.error_high, said)
    fig.layout.yaxis = layout.share_axis("wrong answers", -0.03 * top, min(top, 1.0))
    return fig


def draw_loss(info: Info, words: Words) -> go.Figure:
    """Draw the expected loss against the budget."""
    fig, top = _figure(info, words, [line.loss for line in info.lines])
    for line in info.lines:
        said = [
            f"{line.algorithm.title}, {n:,} {words.samples}: {decimal(loss, 3)} below the best<br>"
            f"95{THIN_SPACE}% interval {decimal(low, 3)} to {decimal(high, 3)}"
            for n, loss, low, high in zip(
                line.budgets, line.loss, line.loss_low, line.loss_high, strict=True
            )
        ]
        _add(fig, line, line.loss, line.loss_low, line.loss_high, said)
    title = f"below the best {words.arm}"
    fig.layout.yaxis = layout.axis(title, range=[-0.03 * top, top], nticks=6)
    return fig


def _figure(info: Info, words: Words, drawn: list[NDArray[np.float64]]) -> tuple[go.Figure, float]:
    """Return the figure without its lines, and the upper end of its vertical axis."""
    rows = -(-len(info.lines) // 2)
    fig = layout.figure(HEIGHT + 21 * rows, showlegend=True, top=14 + 21 * rows, right=20)
    budgets = np.concatenate([line.budgets for line in info.lines])
    if not budgets.size:
        return fig, 1.0
    layout.reference_line(fig, "dot", x0=info.own, x1=info.own)
    at = {"x": np.log10(info.own), "xanchor": "left", "xshift": 4}  # a log axis counts powers
    layout.note(fig, f"{info.own:,}", **at, y=1, yref="paper", yanchor="top")
    title = f"{words.samples} that may be spent"
    fig.layout.xaxis = layout.log_count_axis(title, float(budgets.min()), float(budgets.max()))
    top = ROOM * max(float(one.max(initial=0.0)) for one in drawn)
    return fig, top if top > 0.0 else 1.0


def _add(
    fig: go.Figure,
    line: Line,
    middle: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    said: list[str],
) -> None:
    """Add a line and the band of its intervals."""
    row = line.algorithm
    colour = BUDGET_COLOURS.get(row.name, GREY)
    fig.add_trace(
        go.Scatter(
            x=np.concatenate([line.budgets, line.budgets[::-1]]),
            y=layout.four_digits(np.concatenate([high, low[::-1]])),
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillcolor=layout.rgba(colour, 0.18),
            hoverinfo="skip",
            showlegend=False,
        )
    )
    fig.add_trace(
        go.Scatter(
            name=row.title,
            x=line.budgets,
            y=layout.four_digits(middle),
            mode="lines+markers",
            line={"color": colour, "width": 2, "dash": "solid" if row.uses_correlation else "dash"},
            marker={"color": colour, "size": 6},
            customdata=said,
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
