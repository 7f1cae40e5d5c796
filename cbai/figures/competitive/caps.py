"""How good each arm can be at most by the best arm's samples, against the second best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai import checks
from cbai.figures.base import layout
from cbai.figures.base.style import decimal
from cbai.figures.base.words import Words
from cbai.problem import Problem
from cbai.problem.validity import expected_pseudo_rewards
from cbai.results import true_competitive

NEUTRAL = "#737B86"
"""Hues are for algorithms. This grey is at least 3 : 1 on both backgrounds."""
ROW_HEIGHT, HIGHEST_ROW, ROOM = 27, 56, 360
"""In pixels: rows are higher where there are few, until they fill the room."""
KINDS = (
    (True, "circle", "competitive: can be as good as the second best"),
    (False, "circle-open", "non-competitive: cannot"),
)


@dataclass(frozen=True, eq=False)
class Caps:
    """Arms from the best to the worst.

    Attributes
    ----------
    arms : tuple of str
    mean : ndarray, shape (K,)
        True means.
    cap : ndarray, shape (K,)
        phi_{l,k*}: the highest mean that the best arm's samples allow; its own mean for the best
        arm.
    competitive : ndarray of bool, shape (K,)
        The two best arms are competitive by definition.
    second_mean : float
    """

    arms: tuple[str, ...]
    mean: NDArray[np.float64]
    cap: NDArray[np.float64]
    competitive: NDArray[np.bool_]
    second_mean: float


def gather(problem: Problem) -> Caps:
    """Gather what the figure shows for the pseudo-rewards of a problem."""
    order, best = problem.ranking, problem.best_arm
    return Caps(
        arms=tuple(problem.arms[arm] for arm in order),
        mean=problem.means[order],
        cap=expected_pseudo_rewards(problem)[order, best],
        competitive=true_competitive(problem).competitive[order],
        second_mean=float(problem.means[problem.second_arm]),
    )


def alt_text(caps: Caps, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    return (
        f"How good each of {len(caps.arms)} {words.arms} can be at most by the {words.samples} of "
        f"{caps.arms[0]}. {int(caps.competitive.sum())} can be as good as the second best, whose "
        f"mean is {decimal(caps.second_mean)}."
    )


def draw(caps: Caps, words: Words) -> go.Figure:
    """Draw a row per arm: a tick at its true mean, and a dot at its cap."""
    n = len(caps.arms)
    high = round(min(max(ROW_HEIGHT, ROOM / n), HIGHEST_ROW))
    fig = layout.figure(high * n + 130, showlegend=True, top=62, right=44)
    shown = np.concatenate([caps.mean, caps.cap])
    margin = 0.06 * max(float(np.ptp(shown)), 1e-3)
    rows = np.arange(n)
    fig.add_trace(
        go.Scatter(
            x=layout.four_digits(np.ravel(np.column_stack([caps.mean, caps.cap, [np.nan] * n]))),
            y=np.repeat(rows, 3),
            mode="lines",
            line={"color": layout.rgba(NEUTRAL, 0.5), "width": 3},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    for competitive, symbol, name in KINDS:
        which = np.flatnonzero((caps.competitive == competitive) & (rows > 0))
        fig.add_trace(
            go.Scatter(
                name=name,
                x=layout.four_digits(caps.cap[which]) if which.size else [None],
                y=which if which.size else [None],
                mode="markers",
                marker={
                    "color": NEUTRAL,
                    "symbol": symbol,
                    "size": 13,
                    "line": {"width": 2.5, "color": NEUTRAL},
                },
                customdata=[_told(caps, int(row)) for row in which],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    fig.add_trace(
        go.Scatter(
            name="true mean",
            x=layout.four_digits(caps.mean),
            y=rows,
            mode="markers",
            marker={"symbol": "line-ns", "size": 16, "line": {"width": 3, "color": NEUTRAL}},
            hovertemplate="true mean: %{x:.3f}<extra></extra>",
        )
    )
    layout.reference_line(fig, x0=caps.second_mean, x1=caps.second_mean)
    layout.note(
        fig,
        f"second best: {decimal(caps.second_mean)}",
        x=caps.second_mean,
        xanchor="left",
        xshift=4,
        y=-0.75,
        yanchor="middle",
    )
    if caps.cap[1] < caps.second_mean - checks.TOLERANCE:
        layout.note(fig, "by definition", x=float(caps.cap[1]), xanchor="right", xshift=-10, y=1)
    _write_gaps(fig, caps)
    ends = [float(shown.min()) - margin, float(shown.max()) + margin]
    title = f"mean at most, by the {words.samples} of the best {words.arm}"
    fig.layout.xaxis = layout.axis(title, range=ends, nticks=7)
    names = [layout.arm_label(arm, 18, best=row == 0) for row, arm in enumerate(caps.arms)]
    fig.layout.yaxis = layout.row_axis(names, above=1.0, showgrid=False)
    return fig


def _write_gaps(fig: go.Figure, caps: Caps) -> None:
    """Write the pseudo-gap of each arm beside its marks, named in the first row."""
    for row in range(1, len(caps.arms)):
        gap = decimal(round(caps.second_mean - float(caps.cap[row]), 2) + 0.0, 2)
        layout.note(
            fig,
            f"pseudo-gap {gap}" if row == 1 else gap,
            x=max(float(caps.cap[row]), float(caps.mean[row]), caps.second_mean),
            xanchor="left",
            xshift=12,
            y=row,
            yanchor="middle",
        )


def _told(caps: Caps, row: int) -> str:
    gap = caps.second_mean - caps.cap[row]
    name = layout.arm_label(caps.arms[row], 60)
    return f"{name}: at most {decimal(caps.cap[row], 3)}, pseudo-gap {decimal(gap, 3)}"
