"""The cost of certainty: samples by the allowed error, for each kind of arm."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import MINUS, count
from cbai.figures.base.words import Words, listed
from cbai.figures.competitive.pseudo_gaps import COLOURS, STATUS, SYMBOLS
from cbai.results.certainty import Cost, Slope, slope

HEIGHT = 340


@dataclass(frozen=True, eq=False)
class Group:
    """Competitive or non-competitive arms under one algorithm.

    Attributes
    ----------
    mean, margin : ndarray, shape (D,)
        Pulls of all these arms: mean over trials, and half the width of its 95 % interval.
    slope : Slope
        Additional samples for a tenfold smaller delta.
    """

    mean: NDArray[np.float64]
    margin: NDArray[np.float64]
    slope: Slope


@dataclass(frozen=True, eq=False)
class Info:
    """One algorithm.

    Attributes
    ----------
    algorithm : str
        Its title.
    delta : ndarray, shape (D,)
    groups : dict of bool to Group
        Competitive arms under True, the others under False; a kind without arms is missing.
    """

    algorithm: str
    delta: NDArray[np.float64]
    groups: dict[bool, Group]

    @property
    def top(self) -> float:
        """The largest number drawn."""
        return max(float((group.mean + group.margin).max()) for group in self.groups.values())

    @property
    def others_grow(self) -> bool:
        """Whether the non-competitive arms surely cost more if more certainty is asked for."""
        return False in self.groups and self.groups[False].slope.grows


def gather(cost: Cost) -> Info:
    """Compute what the figure shows."""
    kinds = {True: cost.competitive, False: cost.others}
    return Info(
        cost.algorithm,
        cost.delta,
        {kind: _group(cost.delta, pulls) for kind, pulls in kinds.items() if pulls.any()},
    )


def _group(delta: NDArray[np.float64], pulls: NDArray[np.int64]) -> Group:
    n = pulls.shape[1]
    margin = 1.96 * pulls.std(axis=1, ddof=1) / math.sqrt(n) if n > 1 else np.zeros(delta.size)
    return Group(pulls.mean(axis=1), np.asarray(margin), slope(delta, pulls))


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    parts = [
        f"{STATUS[kind]} {words.arms} cost {count(group.mean[0])} at δ = {info.delta[0]:g} and "
        f"{count(group.mean[-1])} at δ = {info.delta[-1]:g}"
        for kind, group in info.groups.items()
    ]
    return f"Mean {words.samples} by {info.algorithm}: {listed(parts)}."


def signed(number: float) -> str:
    """Write a change with its sign and three digits."""
    return f"{MINUS if number < 0 else '+'}{count(abs(number))}"


def draw(info: Info, words: Words, top: float) -> go.Figure:
    """Draw a line for each kind of arm with its slope at the end; the axis ends at `top`."""
    fig = layout.figure(HEIGHT, right=24, top=30, showlegend=True)
    ends = {kind: float(group.mean[-1]) for kind, group in info.groups.items()}
    for kind, group in info.groups.items():
        fig.add_trace(_line(info, kind, group, words))
        below = len(ends) > 1 and abs(ends[True] - ends[False]) < 0.14 * top
        below = below and (ends[kind], kind) == min((end, which) for which, end in ends.items())
        layout.note(
            fig,
            f"{signed(group.slope.estimate)} per step",
            x=float(np.log10(info.delta[-1])),
            xanchor="right",
            xshift=8,
            y=ends[kind] + (-1.0 if below else 1.0) * float(group.margin[-1]),
            yanchor="top" if below else "bottom",
            yshift=-7 if below else 7,
        )
    exponents = np.round(np.log10(info.delta)).astype(int)
    fig.layout.xaxis = layout.axis(
        "allowed error δ",
        type="log",
        tickmode="array",
        tickvals=[10.0**n for n in exponents],
        ticktext=[f"{10.0**n:g}" if n > -4 else f"10<sup>{MINUS}{-n}</sup>" for n in exponents],
        range=[exponents[0] + 0.3, exponents[-1] - 0.3],
    )
    fig.layout.yaxis = layout.count_axis(
        words.samples, range=[0.0, 1.15 * top], ticklabelstandoff=4, nticks=6
    )
    return fig


def _line(info: Info, kind: bool, group: Group, words: Words) -> go.Scatter:
    solid = info.algorithm == "C-LUCB"
    return go.Scatter(
        name=STATUS[kind],
        x=info.delta,
        y=layout.four_digits(group.mean),
        mode="lines+markers",
        line={"color": COLOURS[kind], "width": 3, "dash": "solid" if solid else "dash"},
        marker={
            "symbol": SYMBOLS[kind] + ("" if solid else "-open"),
            "size": 9,
            "line": {"width": 0 if solid else 2},
        },
        error_y={
            "array": layout.four_digits(group.margin),
            "color": COLOURS[kind],
            "thickness": 1.5,
            "width": 4,
        },
        hovertemplate=f"{info.algorithm}, {STATUS[kind]}: %{{y:,}} {words.samples} at δ = %{{x}}"
        "<extra></extra>",
    )
