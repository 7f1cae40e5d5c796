"""Share of streams that have ever missed the true mean, by the number of rewards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from scipy import stats

from cbai.figures.base import layout
from cbai.figures.base.style import THIN_SPACE, percent
from cbai.figures.base.words import Words, listed
from cbai.figures.bounds import bound_lines
from cbai.results import Rate, clopper_pearson
from cbai.simulation import CONFIDENCE
from cbai.simulation.coverage import kept_between

HEIGHT = 380
PLOT_PIXELS = HEIGHT - 60
POINTS = 161
FIXED = "hoeffding"
ONE_LOOK = {"color": bound_lines.colour(FIXED), "width": 1.5, "dash": "dot"}


@dataclass(frozen=True, eq=False)
class Info:
    """The share of streams whose true mean was ever outside the bounds.

    Attributes
    ----------
    names : tuple of str
        Names of the sequences in `CONFIDENCE`.
    n : ndarray of int64, shape (N,)
        Numbers of rewards.
    share : ndarray, shape (S, N)
        Share of streams that have missed on either side, up to each n.
    ends : tuple of Rate
        The same at the last n, with exact intervals.
    promise : float
        The share that may ever miss: 2 d, because each side may miss with probability d.
    one_look : ndarray, shape (N,), or None
        The exact probability that the fixed-n bound misses after exactly n rewards; None unless
        that bound is shown and the rewards come from a coin.
    """

    names: tuple[str, ...]
    n: NDArray[np.int64]
    share: NDArray[np.float64]
    ends: tuple[Rate, ...]
    promise: float
    one_look: NDArray[np.float64] | None = None


def gather(
    names: Sequence[str],
    misses: NDArray[np.int64],
    n_max: int,
    promise: float,
    coin: float | None = None,
) -> Info:
    """Compute what the figure shows from first misses on either side, shape (S, streams).

    `coin` is the mean of the coin, if the rewards come from a coin.
    """
    n = np.unique(np.rint(np.logspace(0, np.log10(n_max), POINTS))).astype(np.int64)
    streams = misses.shape[1]
    counts = np.stack(
        [np.searchsorted(np.sort(first[first > 0]), n, side="right") for first in misses]
    )
    ends = tuple(clopper_pearson(int(count), streams) for count in counts[:, -1])
    one_look = None
    if coin is not None and FIXED in names:
        one_look = misses_at(n, coin, promise / 2.0)
    return Info(tuple(names), n, counts / streams, ends, promise, one_look)


def misses_at(n: NDArray[np.int64], coin: float, d: float) -> NDArray[np.float64]:
    """Return the probability that the fixed-n bounds miss a coin's mean after exactly n tosses."""
    low, high = kept_between(CONFIDENCE[FIXED], coin, n, d, 1.0)
    heads = stats.binom(n, coin)
    return np.asarray(heads.cdf(np.ceil(n * low) - 1.0) + heads.sf(np.floor(n * high)))


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    once = (
        ""
        if info.one_look is None
        else f"; checked only once, at the end, the fixed-n bound misses in "
        f"{percent(float(info.one_look[-1]))}"
    )
    parts = [
        f"{CONFIDENCE[name].title} in {rate.count:,} ({percent(rate.low)} to {percent(rate.high)})"
        for name, rate in zip(info.names, info.ends, strict=True)
    ]
    return (
        f"Of {info.ends[0].total:,} streams of {info.n[-1]:,} {words.samples}, checked after each "
        f"{words.sample}, the bounds ever missed the true mean: {listed(parts)}; allowed are "
        f"{percent(info.promise)}{once}."
    )


def draw(info: Info, words: Words) -> go.Figure:
    """Draw a line for each sequence, with the interval at its end, and the allowed share."""
    top = 1.12 * max(max(rate.high for rate in info.ends), info.promise)
    fig = layout.figure(HEIGHT, right=bound_lines.RIGHT)
    layout.reference_line(fig, y0=info.promise, y1=info.promise)
    layout.note(
        fig,
        f"allowed: ≤ {percent(info.promise)}",
        xref="paper",
        x=0.97,
        xanchor="right",
        y=info.promise,
        yanchor="top",  # a curve that breaks the promise ends above it
    )
    for name, share, rate in zip(info.names, info.share, info.ends, strict=True):
        fig.add_trace(_curve(info, name, share, words))
        fig.add_trace(_interval(info, name, rate))
    labels = [
        bound_lines.EndLabel(
            name, f"{bound_lines.short(name)} {percent(rate.estimate)}", rate.estimate
        )
        for name, rate in zip(info.names, info.ends, strict=True)
    ]
    if info.one_look is not None:
        fig.add_trace(_one_look(info, words))
        once = float(info.one_look[-1])
        labels.append(bound_lines.EndLabel(FIXED, f"one check {percent(once)}", once, "┈"))
    low = -0.05 * top
    bound_lines.end_labels(fig, labels, (low, top), PLOT_PIXELS)
    title = f"{words.samples} so far, n"
    fig.layout.xaxis = layout.log_count_axis(title, 1, float(info.n[-1]), after=0.05)
    fig.layout.yaxis = layout.share_axis("streams that ever missed the mean", low, top)
    return fig


def _curve(info: Info, name: str, share: NDArray[np.float64], words: Words) -> go.Scatter:
    title = CONFIDENCE[name].title
    return go.Scatter(
        name=title,
        x=info.n,
        y=layout.four_digits(share),
        mode="lines",
        line={**bound_lines.line(name), "shape": "hv"},
        customdata=[percent(part) for part in share],
        hovertemplate=f"{title}: %{{customdata}} of streams missed within %{{x:,}} "
        f"{words.samples}<extra></extra>",
    )


def _one_look(info: Info, words: Words) -> go.Scatter:
    missed = info.one_look if info.one_look is not None else np.empty(0)
    return go.Scatter(
        name="one check",
        x=info.n,
        y=layout.four_digits(missed),
        mode="lines",
        line=ONE_LOOK,
        customdata=[percent(part) for part in missed],
        hovertemplate=f"Checked only once, after exactly %{{x:,}} {words.samples}: "
        "%{customdata} miss<extra></extra>",
    )


def _interval(info: Info, name: str, rate: Rate) -> go.Scatter:
    title = CONFIDENCE[name].title
    text = (
        f"{title}: {rate.count:,} of {rate.total:,} streams<br>exact 95{THIN_SPACE}% interval "
        f"{percent(rate.low)} to {percent(rate.high)}"
    )
    return go.Scatter(
        name=f"{title}, interval",
        x=[int(info.n[-1])],
        y=[rate.estimate],
        mode="markers",
        marker={"color": bound_lines.colour(name), "size": 7},
        error_y={
            "array": [rate.high - rate.estimate],
            "arrayminus": [rate.estimate - rate.low],
            "color": bound_lines.colour(name),
            "thickness": 2,
            "width": 5,
        },
        hovertemplate=f"{text}<extra></extra>",
    )
