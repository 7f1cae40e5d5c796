"""A figure of the paper: samples by delta or p, one line per algorithm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.spacing import spread
from cbai.figures.base.style import colour_of, count, percent
from cbai.figures.base.words import Words
from cbai.simulation import ALGORITHMS

HEIGHT = 460
RIGHT = 96
DODGE = 0.013
"""Distance between the algorithms of one setting, as a share of the axis."""
SPACING = 0.052
"""Distance between labels, as a share of the height."""
AXES = {"delta": "allowed error δ", "p": "share of pseudo-rewards unknown, p"}


@dataclass(frozen=True, eq=False)
class Info:
    """Samples by algorithm and setting.

    Attributes
    ----------
    varies : str
        ``"delta"`` or ``"p"``.
    settings : ndarray, shape (S,)
        Its values, in the paper's order.
    algorithms : tuple of str
    mean, two_sigma, printed : ndarray, shape (A, S)
        Our mean samples, two standard deviations over trials, and the paper's numbers (nan if not
        printed).
    errors : ndarray of int, shape (A, S)
        Number of trials that named a wrong arm.
    trials : int
    """

    varies: str
    settings: NDArray[np.float64]
    algorithms: tuple[str, ...]
    mean: NDArray[np.float64]
    two_sigma: NDArray[np.float64]
    printed: NDArray[np.float64]
    errors: NDArray[np.int64]
    trials: int


def gather(frame: pd.DataFrame, varies: str) -> Info:
    """Compute what the figure shows from a table of results, see `cbai.reproduce.run.frame`."""
    algorithms = tuple(dict.fromkeys(frame["algorithm"]))
    shape = (-1, len(algorithms))
    mean, two_sigma, printed, errors = (
        frame[name].to_numpy().reshape(shape).T
        for name in ("mean", "two_sigma", "printed", "errors")
    )
    settings = frame[varies].to_numpy(dtype=np.float64)[:: len(algorithms)]
    trials = int(frame["trials"].iloc[0])
    return Info(varies, settings, algorithms, mean, two_sigma, printed, errors, trials)


def setting_text(varies: str, value: float) -> str:
    """Write one setting: "δ = 0.01", "p = 20 %"."""
    return f"δ = {value:g}" if varies == "delta" else f"p = {percent(value)}"


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    best = info.mean.argmin(axis=0)
    parts = [
        f"{ALGORITHMS[info.algorithms[a]].title} needs the fewest at "
        f"{setting_text(info.varies, value)}, {count(info.mean[a, s])}"
        for s, (a, value) in enumerate(zip(best, info.settings, strict=True))
    ]
    return f"Mean {words.samples} of {len(info.algorithms)} algorithms: {'; '.join(parts)}."


def draw(info: Info, words: Words) -> go.Figure:
    """Draw a line for each algorithm, solid if it uses correlations; settings are side by side."""
    fig = layout.figure(HEIGHT, right=RIGHT, top=30)
    x = np.linspace(0.0, 1.0, len(info.settings))
    middle = (len(info.algorithms) - 1) / 2.0
    for a in range(len(info.algorithms)):
        at = x + DODGE * (a - middle)
        fig.add_trace(_line(info, a, at, words))
        fig.add_trace(_paper(info, a, at, words))
    _name_lines(fig, info, float(x[-1] + DODGE * (middle + 1.5)))
    ticks = [setting_text(info.varies, value).split("= ")[1] for value in info.settings]
    fig.layout.xaxis = layout.axis(
        AXES[info.varies],
        tickmode="array",
        tickvals=x,
        ticktext=ticks,
        tickangle=0,
        range=[-0.08, 1.08],
    )
    fig.layout.yaxis = layout.count_axis("", range=[0.0, _reach(info)], ticklabelstandoff=4)
    layout.note(
        fig,
        f"{words.samples} until it stops",
        xref="paper",
        x=0,
        xanchor="left",
        yref="paper",
        y=1,
        yanchor="bottom",
        yshift=4,
    )
    return fig


def _reach(info: Info) -> float:
    """Return where the axis ends, in samples."""
    tops = [info.mean, np.nan_to_num(info.mean + info.two_sigma), np.nan_to_num(info.printed)]
    return 1.04 * float(np.max(tops))


def _line(info: Info, a: int, at: NDArray[np.float64], words: Words) -> go.Scatter:
    row = ALGORITHMS[info.algorithms[a]]
    colour, mean = colour_of(row), info.mean[a]
    texts = [
        f"{row.title}, {setting_text(info.varies, value)}: {count(samples)} {words.samples}, "
        f"{wrong} of {info.trials} wrong"
        for value, samples, wrong in zip(info.settings, mean, info.errors[a], strict=True)
    ]
    return go.Scatter(
        name=row.title,
        x=at,
        y=layout.four_digits(mean),
        mode="lines+markers",
        line={"color": colour, "width": 2.5, "dash": "solid" if row.uses_correlation else "dot"},
        marker={"size": 9, "symbol": "circle" if row.uses_correlation else "square"},
        error_y={
            "array": info.two_sigma[a],
            "arrayminus": np.minimum(info.two_sigma[a], mean),
            "color": colour,
            "thickness": 1.5,
            "width": 3,
        },
        customdata=texts,
        hovertemplate="%{customdata}<extra></extra>",
    )


def _paper(info: Info, a: int, at: NDArray[np.float64], words: Words) -> go.Scatter:
    row = ALGORITHMS[info.algorithms[a]]
    return go.Scatter(
        name=f"{row.title}, the paper",
        x=at,
        y=info.printed[a],
        mode="markers",
        marker={
            "symbol": "diamond-open",
            "size": 12,
            "color": colour_of(row),
            "line": {"width": 2.5},
        },
        hovertemplate=f"{row.title}, the paper: %{{y:,.1f}} {words.samples}<extra></extra>",
    )


def _name_lines(fig: go.Figure, info: Info, x: float) -> None:
    """Write the name of each line at its right end, without overlaps."""
    reach = _reach(info)
    placed = spread(info.mean[:, -1], SPACING * reach, 0.0, reach)
    for name, y in zip(info.algorithms, placed, strict=True):
        row = ALGORITHMS[name]
        mark = f'<span style="color:{colour_of(row)}">■</span>'
        layout.note(
            fig, f"{mark} {row.title}", x=x, y=y, xanchor="left", yanchor="middle", align="left"
        )
