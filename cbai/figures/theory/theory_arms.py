"""Pulls of each arm: what the proof charges to it, and what the runs took."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, count, percent
from cbai.figures.base.words import Words, written
from cbai.figures.competitive.pseudo_gaps import COLOURS, STATUS, SYMBOLS
from cbai.results.theory import Theory
from cbai.simulation import Trials

ROW_HEIGHT = 24
LABEL_LENGTH = 18
LEGEND = 66


@dataclass(frozen=True, eq=False)
class Info:
    """Arms, the competitive ones first, from best to worst; shapes (K,) in that order.

    Attributes
    ----------
    arms : tuple of str
    best : ndarray of bool
    share : ndarray
        Share of the trials in which the arm is competitive; unknown pseudo-rewards differ.
    settled : ndarray
        tau_k of C-LUCB, in pulls.
    lucb, c_lucb : ndarray
        Mean pulls over trials.
    """

    arms: tuple[str, ...]
    best: NDArray[np.bool_]
    share: NDArray[np.float64]
    settled: NDArray[np.float64]
    lucb: NDArray[np.float64]
    c_lucb: NDArray[np.float64]

    @property
    def competitive(self) -> NDArray[np.bool_]:
        """Which arms are competitive in at least half of the trials."""
        return self.share >= 0.5

    @property
    def mixed(self) -> bool:
        """Whether some arm is competitive in some trials only."""
        return bool(((self.share > 0.0) & (self.share < 1.0)).any())


def gather(theory: Theory, lucb: Trials, c_lucb: Trials) -> Info:
    """Compute what the figure shows."""
    share = theory.competitive.mean(axis=0)
    ranking = lucb.problem.ranking
    order = ranking[np.argsort(share[ranking] < 0.5, kind="stable")]
    return Info(
        arms=tuple(theory.arms[arm] for arm in order),
        best=order == theory.best,
        share=share[order],
        settled=theory.settled_c_lucb[order],
        lucb=lucb.pulls[0].mean(axis=0)[order],
        c_lucb=c_lucb.pulls[0].mean(axis=0)[order],
    )


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    spent = info.c_lucb[info.competitive].sum(), info.c_lucb[~info.competitive].sum()
    return (
        f"{int(info.competitive.sum())} of {len(info.arms)} {words.arms} are competitive; C-LUCB "
        f"spends {count(spent[0])} {words.samples} on them and {count(spent[1])} on the others."
    )


def draw(info: Info, words: Words) -> go.Figure:
    """Draw a row for each arm: LUCB open, C-LUCB filled, and a line where the proof settles it."""
    n = len(info.arms)
    fig = layout.figure(ROW_HEIGHT * n + 70 + LEGEND, showlegend=True, top=LEGEND)
    fig.add_trace(_threads(info))
    fig.add_trace(_settled(info, words))
    for competitive in (True, False):
        rows = np.flatnonzero(info.competitive == competitive)
        if rows.size:
            fig.add_trace(_pulls(info, rows, competitive, "LUCB", words))
            fig.add_trace(_pulls(info, rows, competitive, "C-LUCB", words))
    labels = [
        layout.arm_label(arm, LABEL_LENGTH, best=bool(best))
        for arm, best in zip(info.arms, info.best, strict=True)
    ]
    every = np.concatenate([info.settled, info.lucb, info.c_lucb])
    title = f"{words.samples} of each {words.arm}"
    fig.layout.xaxis = layout.log_count_axis(title, float(every.min()), float(every.max()))
    fig.layout.yaxis = layout.row_axis(labels)
    return fig


def _pulls(
    info: Info, rows: NDArray[np.intp], competitive: bool, algorithm: str, words: Words
) -> go.Scatter:
    correlated = algorithm == "C-LUCB"
    pulls = (info.c_lucb if correlated else info.lucb)[rows]
    texts = [
        f"{algorithm}: {count(pull)} {words.samples} of {written(info.arms[row])}<br>"
        f"{_status(float(info.share[row]))}"
        for row, pull in zip(rows, pulls, strict=True)
    ]
    return go.Scatter(
        name=f"{algorithm}, {STATUS[competitive]}",
        x=layout.four_digits(pulls),
        y=rows,
        mode="markers",
        marker={
            "symbol": SYMBOLS[competitive] + ("" if correlated else "-open"),
            "size": 10,
            "color": COLOURS[competitive],
            "line": {"width": 0 if correlated else 2},
        },
        customdata=texts,
        hovertemplate="%{customdata}<extra></extra>",
    )


def _status(share: float) -> str:
    if share in (0.0, 1.0):
        return STATUS[bool(share)]
    return f"competitive in {percent(share)} of the runs"


def _settled(info: Info, words: Words) -> go.Scatter:
    return go.Scatter(
        name="proof: settled (τ)",
        x=layout.four_digits(info.settled),
        y=np.arange(len(info.arms)),
        mode="markers",
        marker={
            "symbol": "line-ns",
            "size": 14,
            "color": GREY,
            "line": {"width": 3, "color": GREY},
        },
        customdata=[
            f"{written(arm)} is settled after {count(tau)} {words.samples}"
            for arm, tau in zip(info.arms, info.settled, strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _threads(info: Info) -> go.Scatter:
    """Return a thin line in each row from the lowest to the highest mark."""
    marks = np.array([info.settled, info.lucb, info.c_lucb])
    gaps = np.full(len(info.arms), np.nan)
    ends = np.column_stack([marks.min(axis=0), marks.max(axis=0), gaps])
    return go.Scatter(
        x=layout.four_digits(ends.ravel()),
        y=np.repeat(np.arange(len(info.arms)), 3),
        mode="lines",
        line={"color": GREY, "width": 1},
        hoverinfo="skip",
        showlegend=False,
    )
