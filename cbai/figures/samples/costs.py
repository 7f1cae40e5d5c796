"""Which arms get the samples: mean pulls of each arm by each algorithm."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, colour_of, count, percent
from cbai.figures.base.words import Words, listed, written
from cbai.results import pulls_per_arm
from cbai.results.limit import Limit
from cbai.simulation import Algorithm, Trials

ROW_HEIGHT = 24
LABEL_LENGTH = 18
OPTIMAL = "optimal split"
FEWEST = 0.1
"""Smaller means are drawn here: a logarithmic axis has no place for an arm that is never pulled."""


@dataclass(frozen=True, eq=False)
class Info:
    """The mean number of pulls of each arm.

    Attributes
    ----------
    arms : tuple of str
        From best to worst true mean.
    best : ndarray of bool, shape (K,)
        Which arms are best, in that order.
    algorithms : tuple of Algorithm
    pulls : ndarray, shape (A, K)
        Mean over trials, in that order of arms.
    optimal : ndarray, shape (K,), or None
        How an algorithm at the lower bound would split its samples, in that order.
    """

    arms: tuple[str, ...]
    best: NDArray[np.bool_]
    algorithms: tuple[Algorithm, ...]
    pulls: NDArray[np.float64]
    optimal: NDArray[np.float64] | None = None

    @property
    def top_two_share(self) -> NDArray[np.float64]:
        """The share of all samples that the two best arms get, shape (A,)."""
        return np.asarray(self.pulls[:, :2].sum(axis=1) / self.pulls.sum(axis=1))


def gather(trials: Trials, limit: Limit | None = None) -> Info:
    """Gather what the figure shows; `limit` must be that of the same problem and delta."""
    problem = trials.problem
    order = problem.ranking
    return Info(
        arms=tuple(problem.arms[arm] for arm in order),
        best=np.isin(order, problem.best_arms),
        algorithms=trials.algorithms,
        pulls=pulls_per_arm(trials).to_numpy().T[:, order],
        optimal=None if limit is None or limit.tied else limit.pulls[order],
    )


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    parts = [
        f"{row.title} spends {percent(share)} on the two best {words.arms}"
        for row, share in zip(info.algorithms, info.top_two_share, strict=True)
    ]
    return f"Mean {words.samples} of each of {len(info.arms)} {words.arms}. {listed(parts)}."


def draw(info: Info, words: Words) -> go.Figure:
    """Draw a row of dots per arm, one dot per algorithm."""
    n = len(info.arms)
    legend = 21 * math.ceil((len(info.algorithms) + (info.optimal is not None)) / 2)
    fig = layout.figure(ROW_HEIGHT * n + 70 + legend, showlegend=True, top=34)
    fig.add_trace(_threads(info))
    for row, pulls in zip(info.algorithms, info.pulls, strict=True):
        symbol = "circle" if row.uses_correlation else "square-open"
        fig.add_trace(
            go.Scatter(
                name=row.title,
                x=layout.four_digits(np.maximum(pulls, FEWEST)),
                y=np.arange(n),
                mode="markers",
                marker={
                    "symbol": symbol,
                    "size": 10,
                    "color": colour_of(row),
                    "line": {"width": 2 if symbol == "square-open" else 0},
                },
                customdata=[
                    f"{row.title}: {count(pull)} {words.samples} of {written(arm)}"
                    for arm, pull in zip(info.arms, pulls, strict=True)
                ],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    if info.optimal is not None:
        fig.add_trace(_optimal(info.arms, info.optimal, words))
    labels = [
        layout.arm_label(arm, LABEL_LENGTH, best=bool(best))
        for arm, best in zip(info.arms, info.best, strict=True)
    ]
    title = f"mean {words.samples} of each {words.arm}"
    if info.pulls.min() < FEWEST:
        title += f" (fewer than {FEWEST:g} drawn there)"
    pulls = np.maximum(info.pulls, FEWEST)
    shown = pulls if info.optimal is None else np.vstack([pulls, info.optimal])
    fig.layout.xaxis = layout.log_count_axis(title, float(shown.min()), float(shown.max()))
    fig.layout.yaxis = layout.row_axis(labels)
    return fig


def _optimal(arms: tuple[str, ...], pulls: NDArray[np.float64], words: Words) -> go.Scatter:
    """Return a tick in each row: the split of an algorithm at the lower bound."""
    return go.Scatter(
        name=OPTIMAL,
        x=layout.four_digits(pulls),
        y=np.arange(len(arms)),
        mode="markers",
        marker={"symbol": "line-ns", "size": 12, "line": {"width": 2.5, "color": GREY}},
        customdata=[
            f"{OPTIMAL}: {count(pull)} {words.samples} of {written(arm)}, {percent(share)} of "
            f"the {count(pulls.sum())} at the lower bound"
            for arm, pull, share in zip(arms, pulls, pulls / pulls.sum(), strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _threads(info: Info) -> go.Scatter:
    """Return a thin line in each row from the lowest to the highest dot."""
    n = len(info.arms)
    pulls = np.maximum(info.pulls, FEWEST)
    ends = np.column_stack([pulls.min(axis=0), pulls.max(axis=0), np.full(n, np.nan)])
    return go.Scatter(
        x=layout.four_digits(ends.ravel()),
        y=np.repeat(np.arange(n), 3),
        mode="lines",
        line={"color": GREY, "width": 1},
        hoverinfo="skip",
        showlegend=False,
    )
