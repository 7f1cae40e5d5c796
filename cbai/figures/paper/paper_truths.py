"""Table 1 of the paper: conditional expectations in two truths, and the pseudo-rewards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.datasets.paper import TWO_ARM_BOUNDS, TWO_ARM_JOINTS, marginals
from cbai.figures.base import layout
from cbai.figures.base.style import GREY, INK, PALE_INK, decimal
from cbai.figures.base.words import listed

HEIGHT = 300
LOOKS = {"a": (INK, "circle"), "b": (PALE_INK, "square")}


@dataclass(frozen=True, eq=False)
class Info:
    """Four conditional expectations, in each of two joint distributions.

    Attributes
    ----------
    given : tuple of (int, int, int)
        Arm bounded, arm pulled, and the reward of the arm pulled; arms count from 0.
    bound : ndarray, shape (4,)
        The pseudo-reward s_{l,k}(r).
    truth : mapping of str to ndarray, shape (4,)
        E[R_l | R_k = r] under the joint distributions "a" and "b".
    means : mapping of str to ndarray, shape (2,)
        The mean reward of each arm.
    """

    given: tuple[tuple[int, int, int], ...]
    bound: NDArray[np.float64]
    truth: Mapping[str, NDArray[np.float64]]
    means: Mapping[str, NDArray[np.float64]]

    @property
    def satisfied(self) -> Mapping[str, bool]:
        """Whether all bounds hold, for each truth."""
        return {
            name: bool((truth <= self.bound + 1e-12).all()) for name, truth in self.truth.items()
        }


def gather() -> Info:
    """Compute what the figure shows from the paper's numbers."""
    given = tuple((of, by, r) for (of, by) in TWO_ARM_BOUNDS for r in (0, 1))
    return Info(
        given=given,
        bound=np.array([TWO_ARM_BOUNDS[of, by][r] for of, by, r in given]),
        truth={
            name: np.array([_conditional(joint, *one) for one in given])
            for name, joint in TWO_ARM_JOINTS.items()
        },
        means={name: marginals(joint, 2)[:, 1] for name, joint in TWO_ARM_JOINTS.items()},
    )


def _conditional(joint: Mapping[tuple[int, ...], float], of: int, by: int, r: int) -> float:
    """Return E[R_of | R_by = r]."""
    weights = {rewards: weight for rewards, weight in joint.items() if rewards[by] == r}
    return sum(rewards[of] * weight for rewards, weight in weights.items()) / sum(weights.values())


def alt_text(info: Info) -> str:
    """Say in one sentence what the figure shows."""
    parts = [f"({name}) arm {int(mean.argmax()) + 1}" for name, mean in info.means.items()]
    held = all(info.satisfied.values())
    return f"All bounds {'hold' if held else 'do not hold'} in both truths; best: {listed(parts)}."


def draw(info: Info) -> go.Figure:
    """Draw a bar up to each bound, with the two truths as marks."""
    n = len(info.given)
    fig = layout.figure(HEIGHT, showlegend=True, top=40)
    fig.add_trace(
        go.Bar(
            name="allowed, up to the pseudo-reward",
            orientation="h",
            x=info.bound,
            y=list(range(n)),
            width=0.55,
            marker={"color": layout.rgba(GREY, 0.25), "line": {"color": GREY, "width": 1.5}},
            hovertemplate="pseudo-reward: at most %{x:.2f}<extra></extra>",
        )
    )
    for name, truth in info.truth.items():
        colour, symbol = LOOKS[name]
        best = int(info.means[name].argmax()) + 1
        fig.add_trace(
            go.Scatter(
                name=f"({name}) arm {best} is best",
                x=truth,
                y=list(range(n)),
                mode="markers",
                marker={"color": colour, "symbol": symbol, "size": 12},
                customdata=[decimal(float(value), 3) for value in truth],
                hovertemplate=f"truth ({name}): %{{customdata}}<extra></extra>",
            )
        )
    labels = [f"arm {of + 1}, if arm {by + 1} paid {r}" for of, by, r in info.given]
    fig.layout.xaxis = layout.axis("expected reward", range=[0.0, 1.0])
    fig.layout.yaxis = layout.row_axis(labels, showgrid=False)
    return fig
