"""Distance of confidence bounds from the mean, by the number of rewards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.words import Words, listed
from cbai.figures.bounds import bound_lines
from cbai.simulation import CONFIDENCE

HEIGHT = 380
PLOT_PIXELS = HEIGHT - 60
MOST = 1_000_000
POINTS = 121
REFERENCE = "howard"


@dataclass(frozen=True, eq=False)
class Info:
    """Distances from the mean to the upper bound.

    Attributes
    ----------
    names : tuple of str
        Names of the sequences in `CONFIDENCE`.
    n : ndarray of int64, shape (N,)
        Numbers of rewards.
    distance : ndarray, shape (S, N)
        In units of reward; nan if the mean is already the largest reward.
    relative : ndarray, shape (S, N)
        The same, as multiples of the bound of Howard et al.
    mean, reward_max, d : float
        The mean, the largest possible reward b, and the error probability of each side.
    """

    names: tuple[str, ...]
    n: NDArray[np.int64]
    distance: NDArray[np.float64]
    relative: NDArray[np.float64]
    mean: float
    reward_max: float
    d: float


def gather(names: Sequence[str], mean: float, d: float, reward_max: float) -> Info:
    """Compute what the figure shows."""
    n = np.unique(np.rint(np.logspace(0, np.log10(MOST), POINTS))).astype(np.int64)

    def distance(name: str) -> NDArray[np.float64]:
        gap = CONFIDENCE[name].upper(np.full(n.shape, mean), n, d, reward_max) - mean
        return np.where(gap > 1e-12 * reward_max, gap, np.nan)

    distances = np.stack([distance(name) for name in names])
    return Info(
        tuple(names), n, distances, distances / distance(REFERENCE), mean, reward_max, d
    )  # fmt: skip


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    parts = [
        f"{CONFIDENCE[name].title} {far:.2g}"
        for name, far in zip(info.names, info.distance[:, -1], strict=True)
        if np.isfinite(far)
    ]
    return (
        f"Distance from a mean of {info.mean:.3g} to its upper bound, which falls with the number "
        f"of {words.samples}; after {MOST:,}: {listed(parts) or 'none'}."
    )


def draw(info: Info, words: Words, *, relative: bool) -> go.Figure:
    """Draw a line per sequence: distances on two logarithmic axes, or multiples of Howard's."""
    shown = info.relative if relative else info.distance
    fig = layout.figure(HEIGHT, right=bound_lines.RIGHT)
    for name, y in zip(info.names, shown, strict=True):
        title = CONFIDENCE[name].title
        what = "%{y} times Howard" if relative else "%{y} above the mean"
        fig.add_trace(
            go.Scatter(
                name=title,
                x=info.n,
                y=layout.four_digits(y),
                mode="lines",
                line=bound_lines.line(name),
                hovertemplate=f"{title}: {what} after %{{x:,}} {words.samples}<extra></extra>",
            )
        )
    axis, ends = _relative_axis(info) if relative else _distance_axis(info, fig)
    last = shown[:, -1] if relative else np.log10(shown[:, -1])
    labels = [
        bound_lines.EndLabel(name, bound_lines.short(name), float(height))
        for name, height in zip(info.names, last, strict=True)
        if np.isfinite(height)
    ]
    bound_lines.end_labels(fig, labels, ends, PLOT_PIXELS)
    title = f"{words.samples} so far, n"
    fig.layout.xaxis = layout.log_count_axis(title, 1, MOST, after=0.0)
    fig.layout.xaxis.dtick = 2
    fig.layout.yaxis = axis
    return fig


def _distance_axis(info: Info, fig: go.Figure) -> tuple[dict[str, object], tuple[float, float]]:
    """Return the axis of distances and its ends; mark where bounds begin to say nothing."""
    room = info.reward_max - info.mean
    finite = np.append(info.distance[np.isfinite(info.distance)], max(room, 1e-3 * info.reward_max))
    low, high = layout.log_range(finite.min(), finite.max())
    if room > 1e-9 * info.reward_max:
        layout.reference_line(fig, y0=room, y1=room)
        layout.note(
            fig,
            "no information above",
            xref="paper",
            x=1.0,
            xanchor="right",
            y=float(np.log10(room)),
            yanchor="bottom",
        )
    axis = layout.axis(
        "upper bound minus mean", type="log", dtick=1, tickformat="~g", range=[low, high]
    )
    return axis, (low, high)


def _relative_axis(info: Info) -> tuple[dict[str, object], tuple[float, float]]:
    high = 1.08 * float(np.append(info.relative[np.isfinite(info.relative)], 1.0).max())
    return layout.axis("times the bound of Howard et al.", range=[0.0, high]), (0.0, high)
