"""Two ads as two coins: how the bands around their click rates shrink with every view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import INK, PALE_INK, percent
from cbai.simulation import CONFIDENCE
from cbai.simulation.streams import paths

HEIGHT = 360
NAMES = ("Ad A", "Ad B")
RATES = (0.55, 0.45)
"""The true click rates, which are unknown in the story."""
LOOKS = ((INK, "circle", "solid"), (PALE_INK, "square", "4px,3px"))
VIEWS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
FIRST = 5
POINTS = 121
D = 0.025
"""Error probability of each side of a band: 95 % for both."""


@dataclass(frozen=True, eq=False)
class Info:
    """The click rates so far and the bands around them.

    Attributes
    ----------
    n : ndarray of int64, shape (N,)
        Views of each ad, up to those chosen.
    mean : ndarray, shape (2, N)
        Share of clicks so far.
    radius : ndarray, shape (N,)
        Of the bands that hold at one look: Hoeffding's.
    """

    n: NDArray[np.int64]
    mean: NDArray[np.float64]
    radius: NDArray[np.float64]

    @property
    def apart(self) -> bool:
        """Whether the bands no longer overlap after the last view."""
        return bool(abs(self.mean[0, -1] - self.mean[1, -1]) > 2.0 * self.radius[-1])

    @property
    def leader(self) -> int:
        """Which ad has more clicks after the last view."""
        return int(self.mean[:, -1].argmax())


def gather(views: int) -> Info:
    """Gather what the figure shows after this many views of each ad."""
    grid = np.rint(np.logspace(np.log10(FIRST), np.log10(VIEWS[-1]), POINTS))
    n = np.unique(np.append(grid, VIEWS)).astype(np.int64)
    n = n[n <= views]
    means = [paths([1.0 - rate, rate], [0, 1], n, 1, seed)[0] for seed, rate in enumerate(RATES)]
    return Info(n, np.array(means), CONFIDENCE["hoeffding"].radius(n, D, 1.0))


def points(share: float) -> str:
    """Write a difference of rates in percentage points."""
    return f"{100.0 * share:.2g} points"


def answer(info: Info) -> str:
    """Say what the click rates are, and whether the ads can be told apart."""
    rates = " and ".join(percent(round(float(mean), 3)) for mean in info.mean[:, -1])
    verdict = (
        f"The bands no longer overlap, so {NAMES[info.leader]} is better."
        if info.apart
        else "The bands overlap, so it is too early to say which is better."
    )
    return (
        f"After {int(info.n[-1]):,} views of each ad, the click rates are {rates}, each "
        f"± {points(float(info.radius[-1]))}. {verdict}"
    )


def alt_text(info: Info) -> str:
    """Say in one sentence what the figure shows."""
    return f"Click rates of two ads with bands that shrink. {answer(info)}"


def draw(info: Info) -> go.Figure:
    """Draw a line and its band for each ad; dotted lines are the truth."""
    fig = layout.figure(HEIGHT, right=66, top=14)
    for mean, (colour, *_) in zip(info.mean, LOOKS, strict=True):
        fig.add_trace(_band(info, mean, colour))
    for number, (name, (colour, symbol, dash)) in enumerate(zip(NAMES, LOOKS, strict=True)):
        fig.add_trace(
            go.Scatter(
                name=name,
                x=info.n,
                y=layout.four_digits(info.mean[number]),
                mode="lines",
                line={"color": colour, "width": 2.5, "dash": dash},
                customdata=[percent(rate) for rate in info.mean[number]],
                hovertemplate=f"{name}: %{{customdata}} after %{{x:,}} views<extra></extra>",
            )
        )
        fig.add_trace(_now(info, number, colour, symbol))
        layout.reference_line(fig, dash="dot", y0=RATES[number], y1=RATES[number])
        mark = f'<span style="color:{colour}"><b>{"━" if dash == "solid" else "┅"}</b></span>'
        layout.note(
            fig,
            f"{mark} {name[-1]} {percent(RATES[number])}",
            xref="paper",
            x=1.0,
            xanchor="left",
            xshift=4,
            y=RATES[number],
        )
    fig.layout.xaxis = layout.log_count_axis("views of each ad", FIRST, VIEWS[-1])
    fig.layout.yaxis = layout.share_axis("click rate", 0.0, 1.0)
    return fig


def _ends(info: Info, mean: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the lower and the upper end of a band, shape (2, N)."""
    return np.clip([mean - info.radius, mean + info.radius], 0.0, 1.0)


def _band(info: Info, mean: NDArray[np.float64], colour: str) -> go.Scatter:
    low, high = _ends(info, mean)
    return go.Scatter(
        x=np.concatenate([info.n, info.n[::-1]]),
        y=layout.four_digits(np.concatenate([high, low[::-1]])),
        fill="toself",
        fillcolor=layout.rgba(colour, 0.18),
        line={"width": 0},
        hoverinfo="skip",
    )


def _now(info: Info, number: int, colour: str, symbol: str) -> go.Scatter:
    """Return the mark of an ad after the last view, with its band as an error bar."""
    mean = float(info.mean[number, -1])
    low, high = _ends(info, info.mean[number])[:, -1]
    return go.Scatter(
        x=[int(info.n[-1])],
        y=[mean],
        mode="markers",
        marker={"color": colour, "size": 11, "symbol": symbol},
        error_y={
            "array": [float(high) - mean],
            "arrayminus": [mean - float(low)],
            "color": colour,
            "thickness": 3,
            "width": 6,
        },
        hoverinfo="skip",
    )
