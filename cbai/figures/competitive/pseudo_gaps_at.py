"""The pseudo-gaps at one recorded round of a trial: estimates beside the truth."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, decimal
from cbai.figures.base.words import Words
from cbai.figures.competitive.pseudo_gaps import COLOURS, STATUS, SYMBOLS, Info

ROW_HEIGHT = 26
LABEL_LENGTH = 18
GLYPHS = {True: "●", False: "◆"}


def row_order(info: Info, *, by_name: bool = False) -> NDArray[np.intp]:
    """Return the arms from top to bottom: by true pseudo-gap, smallest first, or by name."""
    if by_name:
        return np.array(sorted(range(len(info.arms)), key=lambda arm: info.arms[arm].casefold()))
    return np.argsort(info.truth.pseudo_gap, kind="stable")


def misjudged(info: Info, index: int) -> NDArray[np.bool_]:
    """Return which arms look competitive at a recorded round but are not, or the reverse."""
    return np.asarray(info.estimate.competitive[index] != info.truth.competitive)


def alt_text_at(info: Info, index: int, words: Words) -> str:
    """Say in one sentence what the figure of one round shows."""
    return (
        f"Pseudo-gaps of {len(info.arms)} {words.arms} after {info.samples[index]:,} "
        f"{words.samples}, estimated and true. {info.estimate.competitive[index].sum()} look "
        f"competitive. {misjudged(info, index).sum()} of all are misjudged."
    )


def draw_at(info: Info, index: int, words: Words, *, by_name: bool = False) -> go.Figure:
    """Draw a row per arm: a filled marker for the estimate, an open one for the truth.

    The axis is the same for every round, so nothing jumps when the round changes.
    """
    order = row_order(info, by_name=by_name)
    n = len(order)
    fig = layout.figure(ROW_HEIGHT * n + 110, top=34, showlegend=True)
    estimate = np.clip(info.estimate.pseudo_gap[index], *info.span)
    fig.add_trace(_threads(estimate[order], info.truth.pseudo_gap[order]))
    for which, values, status in (
        ("truth", info.truth.pseudo_gap, info.truth.competitive),
        ("estimate", estimate, info.estimate.competitive[index]),
    ):
        for competitive in (True, False):
            fig.add_trace(_markers(info, order, which, values, status, competitive))
        fig.add_trace(_key(which))
    low, high = info.span
    layout.reference_line(fig, x0=0, x1=0)
    for text, arm in (
        ("leader", info.estimate.best[index]),
        ("second", info.estimate.second[index]),
    ):
        row = int(np.flatnonzero(order == arm)[0])
        layout.note(fig, f"<b>{text}</b>", xref="paper", x=1, xanchor="right", y=row)
    labels = [
        layout.arm_label(info.arms[arm], LABEL_LENGTH, best=arm == info.truth.best) for arm in order
    ]
    title = f"pseudo-gap after {info.samples[index]:,} {words.samples}<br>← {_key_word(True)}"
    title += f" · {_key_word(False)} →"
    fig.layout.xaxis = layout.axis(title, range=[low, high + 0.2 * (high - low)], nticks=6)
    fig.layout.yaxis = layout.row_axis(labels, above=0.6)
    return fig


def _key_word(competitive: bool) -> str:
    """Return a status with its glyph, for the axis title."""
    glyph = f'<span style="color:{COLOURS[competitive]}">{GLYPHS[competitive]}</span>'
    return f"{glyph} {STATUS[competitive]}"


def _threads(ones: NDArray[np.float64], others: NDArray[np.float64]) -> go.Scatter:
    """Return a thin line in each row between the estimate and the truth."""
    n = len(ones)
    return go.Scatter(
        x=layout.four_digits(np.column_stack([ones, others, np.full(n, np.nan)]).ravel()),
        y=np.repeat(np.arange(n), 3),
        mode="lines",
        line={"color": GREY, "width": 1},
        hoverinfo="skip",
        showlegend=False,
    )


def _markers(
    info: Info,
    order: NDArray[np.intp],
    which: str,
    values: NDArray[np.float64],
    status: NDArray[np.bool_],
    competitive: bool,
) -> go.Scatter:
    """Return the markers of one kind, an empty trace if there are none this round."""
    rows = np.flatnonzero(status[order] == competitive)
    arms = order[rows]
    opened = "-open" if which == "truth" else ""
    texts = [
        f"{layout.arm_label(info.arms[arm], 60)}: {which} {decimal(values[arm])}, "
        f"{STATUS[competitive]}"
        for arm in arms
    ]
    return go.Scatter(
        name=f"{which}: {STATUS[competitive]}",
        x=layout.four_digits(values[arms]),
        y=rows,
        mode="markers",
        marker={
            "symbol": f"{SYMBOLS[competitive]}{opened}",
            "color": COLOURS[competitive],
            "size": 10,
            "line": {"width": 2 if opened else 0},
        },
        customdata=texts,
        hovertemplate="%{customdata}<extra></extra>",
        showlegend=False,
    )


def _key(which: str) -> go.Scatter:
    """Return an entry of the legend: filled for the estimate, open for the truth."""
    opened = "-open" if which == "truth" else ""
    marker = {"symbol": f"circle{opened}", "color": GREY, "size": 10}
    marker |= {"line": {"width": 2 if opened else 0}}
    return go.Scatter(name=which, x=[None], y=[None], mode="markers", marker=marker)
