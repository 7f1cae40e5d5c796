"""One swept parameter: mean samples and error rate of one algorithm at each of its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, WARNING, colour_of, count, percent
from cbai.figures.base.words import Words, listed
from cbai.results.sweep import Axis, Cell
from cbai.simulation import Algorithm

HEIGHT = 400
UPPER, LOWER = [0.46, 1.0], [0.0, 0.3]
"""Vertical extent of the two panels, as shares of the figure: samples, then errors."""
HEADROOM, LABEL_ROOM = 0.3, 0.3
"""Space above all samples, in powers of ten; space between two labels, as a share of the axis."""


@dataclass(frozen=True)
class Info:
    """One algorithm at every value of a parameter.

    Attributes
    ----------
    algorithm : Algorithm
    axis : Axis
    cells : tuple of Cell or None
        None where not computed yet.
    limits : tuple of float or None
        The lower bound in samples; None where it does not apply to this algorithm.
    deltas : tuple of float
        The allowed error at each value.
    """

    algorithm: Algorithm
    axis: Axis
    cells: tuple[Cell | None, ...]
    limits: tuple[float | None, ...]
    deltas: tuple[float, ...]

    def where(self, *, answered: bool) -> list[tuple[int, Cell]]:
        """Return the finished cells in which every run has an answer, or those in which not."""
        return [
            (at, cell)
            for at, cell in enumerate(self.cells)
            if cell is not None and cell.answered is answered
        ]


def ends_of(infos: Sequence[Info]) -> tuple[list[float], float]:
    """Return the ends of both vertical axes, which the figures of all algorithms share.

    Returns
    -------
    list of float
        Exponents of ten below and above all samples, with room for a label.
    float
        The highest error rate drawn.
    """
    done = [cell for info in infos for cell in info.cells if cell is not None]
    drawn = [end for cell in done for end in (cell.low, cell.mean, cell.high) if end > 0.0]
    drawn += [limit for info in infos for limit in info.limits if limit is not None]
    rates = [cell.errors.high for cell in done if not cell.silent]
    highest = max([*rates, *(delta for info in infos for delta in info.deltas)])
    if not drawn:
        return [2.0, 5.0], highest
    low, high = np.floor(np.log10(min(drawn))), np.ceil(np.log10(max(drawn)))
    return [float(low), float(max(high, low + 1.0)) + HEADROOM], highest


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    axis = info.axis
    parts = [f"{count(cell.mean)} at {axis.labels[at]}" for at, cell in info.where(answered=True)]
    out = [axis.labels[at] for at, _ in info.where(answered=False)]
    text = f"Mean {words.samples} of {info.algorithm.title} by {axis.title}: "
    text += listed(parts) if parts else "none known"
    return text + (f"; some runs ran out of budget at {listed(out)}." if out else ".")


def draw(info: Info, words: Words, samples_range: Sequence[float], top: float) -> go.Figure:
    """Draw samples above and errors below, on axes with the given ends."""
    fig = layout.figure(HEIGHT, top=28, right=20)
    layout.panel_title(fig, f"<b>{words.samples}</b>", UPPER[1])
    layout.panel_title(fig, "<b>wrong</b>", LOWER[1])
    _add_own(fig, info.axis)
    _add_limit(fig, info, words)
    _add_samples(fig, info, words)
    _add_errors(fig, info)
    _add_without_answer(fig, info, words)
    axis = info.axis
    fig.update_layout(
        xaxis=_across(axis, anchor="y2", title=axis.title),
        yaxis=layout.count_axis("", type="log", dtick=1, range=list(samples_range))
        | {"domain": UPPER},
        yaxis2=layout.axis("", tickformat=".0~%", range=[-0.04 * top, 1.06 * top], nticks=4)
        | {"domain": LOWER},
    )
    return fig


def _across(axis: Axis, anchor: str, title: str) -> dict[str, object]:
    """Return the horizontal axis, logarithmic or linear, labelled at some of the values."""
    ends = np.log10(axis.values) if axis.log else np.array(axis.values)
    first, last = float(ends[0]), float(ends[-1])
    room = 0.12 * (last - first) if last != first else 0.5
    everywhere = [axis.own, 0, len(axis.values) - 1, *range(len(axis.values))]
    ticks = _apart(axis, everywhere, 0.045 * max(map(len, axis.labels)))
    return layout.axis(
        title,
        type="log" if axis.log else "linear",
        anchor=anchor,
        range=[first - room, last + room],
        tickmode="array",
        tickvals=[axis.values[at] for at in ticks],
        ticktext=[
            f"<b>{axis.labels[at]}</b>" if at == axis.own else axis.labels[at] for at in ticks
        ],
        tickangle=0,
        showgrid=False,
    )


def _apart(axis: Axis, order: Sequence[int], room: float) -> list[int]:
    """Return the values that lie at least a share `room` of the axis apart, chosen in `order`."""
    places = np.log10(axis.values) if axis.log else np.array(axis.values)
    span = abs(float(places[-1] - places[0])) or 1.0
    chosen: list[int] = []
    for at in dict.fromkeys(order):
        if all(abs(places[at] - places[other]) >= room * span for other in chosen):
            chosen.append(at)
    return sorted(chosen)


def _add_own(fig: go.Figure, axis: Axis) -> None:
    """Mark the sidebar's value."""
    own = axis.values[axis.own]
    layout.reference_line(fig, "dot", x0=own, x1=own)


def _add_limit(fig: go.Figure, info: Info, words: Words) -> None:
    known = [limit for limit in info.limits if limit is not None]
    if not known:
        return
    last = max(at for at, limit in enumerate(info.limits) if limit is not None)
    fig.add_trace(
        go.Scatter(
            name="lower bound",
            x=info.axis.values,
            y=list(info.limits),
            text=["lower bound" if at == last else "" for at in range(len(info.limits))],
            textposition="top left" if known[-1] >= known[0] else "bottom left",
            hovertemplate=f"lower bound: %{{y:,.3s}} {words.samples}<extra></extra>",
            **_dashed(known, 2.0),
        )
    )


def _dashed(values: Sequence[float], width: float) -> dict[str, object]:
    """Return how to draw a grey dashed line, or a mark if there is only one value."""
    if len(values) > 1:
        return {"mode": "lines+text", "line": {"color": GREY, "width": width, "dash": "dash"}}
    mark = {"symbol": "line-ew", "size": 40, "line": {"color": GREY, "width": width}}
    return {"mode": "markers+text", "marker": mark}


def _add_samples(fig: go.Figure, info: Info, words: Words) -> None:
    done, colour = info.where(answered=True), colour_of(info.algorithm)
    ends = [info.axis.own, done[0][0], done[-1][0]] if done else []
    labels = _apart(info.axis, ends, LABEL_ROOM)
    by = dict(done)
    at = [i for i, cell in enumerate(info.cells) if cell is not None]  # a gap without an answer
    cells = [by.get(i) for i in at]
    fig.add_trace(
        go.Scatter(
            name="samples",
            x=[info.axis.values[i] for i in at],
            y=[None if cell is None else cell.mean for cell in cells],
            mode="lines+markers+text",
            text=[
                count(cell.mean) if cell is not None and i in labels else ""
                for i, cell in zip(at, cells, strict=True)
            ],
            textposition=[
                "top right" if 0 < i == info.axis.own < len(info.cells) - 1 else "top center"
                for i in at
            ],
            cliponaxis=False,
            line={
                "color": colour,
                "width": 3,
                "dash": "solid" if info.algorithm.uses_correlation else "dash",
            },
            marker={"size": 8},
            error_y={
                "array": [_end(cell, 1.0) for cell in cells],
                "arrayminus": [_end(cell, -1.0) for cell in cells],
                "color": colour,
                "thickness": 1.5,
                "width": 4,
            },
            customdata=[
                ""
                if cell is None
                else f"{info.axis.labels[i]}: {count(cell.mean)} {words.samples}"
                + ("" if np.isnan(cell.low) else f" ({count(cell.low)} to {count(cell.high)})")
                for i, cell in zip(at, cells, strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _end(cell: Cell | None, side: float) -> float:
    """Return how far the interval of a mean reaches above or below it."""
    if cell is None or np.isnan(cell.low):
        return 0.0
    return cell.high - cell.mean if side > 0.0 else cell.mean - max(cell.low, 0.02 * cell.mean)


def _add_errors(fig: go.Figure, info: Info) -> None:
    """Draw the error rates with exact intervals, and the allowed error."""
    fig.add_trace(
        go.Scatter(
            name="δ",
            x=info.axis.values,
            y=info.deltas,
            yaxis="y2",
            hovertemplate="allowed: δ = %{y}<extra></extra>",
            **_dashed(info.deltas, 1.5),
        )
    )
    done = [(at, cell) for at, cell in enumerate(info.cells) if cell and not cell.silent]
    rates = [cell.errors for _, cell in done]
    fig.add_trace(
        go.Scatter(
            name="wrong",
            x=[info.axis.values[at] for at, _ in done],
            y=[rate.estimate for rate in rates],
            yaxis="y2",
            mode="markers",
            marker={
                "color": [WARNING if rate.count else GREY for rate in rates],
                "size": 8,
                "symbol": ["x" if rate.count else "circle-open" for rate in rates],
            },
            error_y={
                "array": [rate.high - rate.estimate for rate in rates],
                "arrayminus": [rate.estimate - rate.low for rate in rates],
                "color": GREY,
                "thickness": 2,
                "width": 4,
            },
            customdata=[
                f"{info.axis.labels[at]}: {cell.errors.count} of {cell.errors.total} wrong "
                f"({percent(cell.errors.low)} to {percent(cell.errors.high)})"
                for at, cell in done
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _add_without_answer(fig: go.Figure, info: Info, words: Words) -> None:
    """Mark the cells in which runs ran out of budget; their means are only lower bounds."""
    out = info.where(answered=False)
    if not out:
        return
    fig.add_trace(
        go.Scatter(
            name="ran out",
            x=[info.axis.values[at] for at, _ in out],
            y=[cell.mean for _, cell in out],
            mode="markers+text",
            text=["ran out"] + [""] * (len(out) - 1),
            textposition="bottom center",
            cliponaxis=False,
            marker=layout.without_answer(colour_of(info.algorithm)),
            customdata=[
                f"{info.axis.labels[at]}: {cell.ran_out} of {cell.trials} runs ran out of budget "
                f"after {cell.max_samples:,} {words.samples}"
                for at, cell in out
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
