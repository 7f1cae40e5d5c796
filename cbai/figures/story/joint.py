"""Ten people and two ads: what one click says about the other, beside the bounds on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.checks import TOLERANCE
from cbai.datasets.paper import TWO_ARM_BOUNDS
from cbai.figures.base import layout
from cbai.figures.base.style import GREY, INK, WARNING, percent
from cbai.problem.entry import from_joint

HEIGHT = 300
NAMES = ("Ad A", "Ad B")
OUTCOMES = ((0, 0), (1, 0), (0, 1), (1, 1))
"""Clicks on A and on B, in the order of the people's numbers."""
GIVEN = ((1, 0, 0), (1, 0, 1), (0, 1, 0), (0, 1, 1))
"""Ad bounded, ad shown and what it got, in the order of the rows."""


@dataclass(frozen=True, eq=False)
class Info:
    """What is known beforehand, and what is true of these people.

    Attributes
    ----------
    bound : ndarray, shape (4,)
        The pseudo-rewards of Table 1 of the paper, in the order of `GIVEN`.
    truth : ndarray, shape (4,)
        E[R_l | R_k = r]; nan if nobody gives that answer.
    rates : ndarray, shape (2,)
        The click rate of each ad.
    """

    bound: NDArray[np.float64]
    truth: NDArray[np.float64]
    rates: NDArray[np.float64]

    @property
    def broken(self) -> NDArray[np.bool_]:
        """Which bounds are too low, shape (4,)."""
        return np.asarray(self.truth > self.bound + TOLERANCE)


def gather(people: Sequence[int]) -> Info:
    """Gather what the figure shows.

    Parameters
    ----------
    people : sequence of int, length 4
        How many click neither, A only, B only, both.

    Raises
    ------
    ValueError
        If there is nobody, or a number is negative.
    """
    entry = from_joint(NAMES, [0.0, 1.0], OUTCOMES, people)
    truth = np.where(entry.padded, np.nan, entry.problem.pseudo_rewards)
    return Info(
        bound=np.array([TWO_ARM_BOUNDS[of, by][r] for of, by, r in GIVEN]),
        truth=np.array([truth[of, by, r] for of, by, r in GIVEN]),
        rates=entry.problem.means,
    )


def answer(info: Info) -> str:
    """Say which ad is better among these people, and whether the bounds hold."""
    rates = " and ".join(
        f"{name} {percent(round(float(rate), 3))}"
        for name, rate in zip(NAMES, info.rates, strict=True)
    )
    tied = abs(info.rates[0] - info.rates[1]) < TOLERANCE
    best = "they are equal" if tied else f"{NAMES[int(info.rates.argmax())]} is better"
    n = int(info.broken.sum())
    held = "Every bound holds" if not n else f"{n} of 4 bounds {'is' if n == 1 else 'are'} too low"
    return f"Click rates: {rates}, so {best}. {held}."


def alt_text(info: Info) -> str:
    """Say in one sentence what the figure shows."""
    return f"Four bounds on click rates and the truth beside each. {answer(info)}"


def labels() -> list[str]:
    """Return the label of each row."""
    got = ("not clicked", "clicked")
    return [f"{NAMES[of][-1]}, if {NAMES[by][-1]} is {got[r]}" for of, by, r in GIVEN]


def draw(info: Info) -> go.Figure:
    """Draw a bar up to each bound and the truth on it: a circle, or a cross beyond the bar."""
    rows = np.arange(len(GIVEN))
    fig = layout.figure(HEIGHT, showlegend=True, top=62)
    fig.add_trace(
        go.Bar(
            name="allowed, up to the pseudo-reward",
            orientation="h",
            x=info.bound,
            y=rows,
            width=0.55,
            marker={"color": layout.rgba(GREY, 0.25), "line": {"color": GREY, "width": 1.5}},
            customdata=[percent(bound) for bound in info.bound],
            hovertemplate="pseudo-reward: at most %{customdata}<extra></extra>",
        )
    )
    known = np.isfinite(info.truth)
    for name, which, colour, symbol in (
        ("truth, within its bound", known & ~info.broken, INK, "circle"),
        ("truth, above its bound", info.broken, WARNING, "x"),
    ):
        fig.add_trace(
            go.Scatter(
                name=name,
                x=info.truth[which] if which.any() else [None],
                y=rows[which] if which.any() else [None],
                mode="markers",
                marker={"color": colour, "symbol": symbol, "size": 13},
                customdata=[percent(rate) for rate in info.truth[which]],
                hovertemplate="truth: %{customdata}<extra></extra>",
            )
        )
    fig.layout.xaxis = layout.share_axis("click rate", 0.0, 1.03)
    fig.layout.yaxis = layout.row_axis(labels(), showgrid=False)
    return fig
