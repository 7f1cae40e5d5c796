"""Two swept parameters: heat maps of mean samples and of error rate, for one algorithm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, INK, count, percent
from cbai.figures.base.words import Words
from cbai.results.sweep import Axis, Cell
from cbai.simulation import Algorithm

ROW_HEIGHT, HEAD, BETWEEN, FEET = 34, 26, 64, 54
DEEPEST = 0.6
RAN_OUT = "ran out"


@dataclass(frozen=True)
class Info:
    """One algorithm at every pair of values of two parameters.

    Attributes
    ----------
    algorithm : Algorithm
    across, down : Axis
    cells : mapping of (int, int) to Cell
        The finished cells, by their indices on both axes.
    """

    algorithm: Algorithm
    across: Axis
    down: Axis
    cells: Mapping[tuple[int, int], Cell]

    @property
    def means(self) -> list[float]:
        """The means of the cells in which every run has an answer."""
        return [cell.mean for cell in self.cells.values() if cell.answered]


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    n = len(info.across.values) * len(info.down.values)
    out = sum(not cell.answered for cell in info.cells.values())
    known = (
        f"from {count(min(info.means))} to {count(max(info.means))}" if info.means else "none known"
    )
    return (
        f"Heat maps of mean {words.samples} and of the error rate of {info.algorithm.title} by "
        f"{info.across.title} and {info.down.title}: {len(info.cells)} of {n} cells done, {known}; "
        f"in {out} cells runs ran out of budget."
    )


def short(number: float) -> str:
    """Write a count in a small space: 940, 27.4k, 1.01M."""
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= 0.9995 * size:
            return f"{number / size:.3g}{sign}"
    return f"{number:.3g}"


def draw(info: Info, words: Words, worst: float) -> go.Figure:
    """Draw samples above and errors below; the darkest cell stands for the error rate `worst`."""
    size = ROW_HEIGHT * len(info.down.values)
    total = 2 * size + HEAD + BETWEEN
    fig = layout.figure(total + FEET, top=8)
    logs = np.log10(info.means) if info.means else np.array([0.0, 1.0])
    low, high = float(logs.min()), float(max(logs.max(), logs.min() + 0.1))
    panels: tuple[tuple[str, str, str, float, float, Any], ...] = (
        ("samples", INK, words.samples, low, high, _samples_of),
        ("errors", INK, "wrong", 0.0, worst, _errors_of),
    )
    for i, (name, colour, title, least, most, read) in enumerate(panels):
        suffix = "" if i == 0 else "2"
        top = 1.0 - (HEAD + i * (size + BETWEEN)) / total
        _add_panel(fig, info, (name, colour, least, most), suffix, read, words)
        fig.update_layout(
            {
                f"xaxis{suffix}": _across(info.across, suffix, i == 1),
                f"yaxis{suffix}": _down(info.down, suffix, [max(top - size / total, 0.0), top]),
            }
        )
        layout.panel_title(fig, f"<b>{title}</b> · down: {info.down.title}", top)
    return fig


def _across(axis: Axis, suffix: str, named: bool) -> dict[str, object]:
    n = len(axis.values)
    return layout.axis(
        axis.title if named else "",
        anchor=f"y{suffix}",
        tickmode="array",
        tickvals=list(range(n)),
        ticktext=_marked(axis),
        tickangle=0,
        range=[-0.5, n - 0.5],
        showgrid=False,
    )


def _down(axis: Axis, suffix: str, domain: list[float]) -> dict[str, object]:
    n = len(axis.values)
    return layout.row_axis(_marked(axis), above=0.5, showgrid=False, anchor=f"x{suffix}") | {
        "range": [n - 0.5, -0.5],
        "domain": domain,
    }


def _marked(axis: Axis) -> list[str]:
    return [f"<b>{text}</b>" if at == axis.own else text for at, text in enumerate(axis.labels)]


def _samples_of(cell: Cell) -> tuple[float, str]:
    return (float(np.log10(cell.mean)), short(cell.mean)) if cell.answered else (np.nan, RAN_OUT)


def _errors_of(cell: Cell) -> tuple[float, str]:
    if cell.silent:
        return np.nan, RAN_OUT
    rate = cell.errors
    return rate.estimate, percent(rate.estimate) if rate.count else "0"


def sentence(info: Info, at: tuple[int, int], words: Words) -> str:
    """Return the hover text of a cell."""
    cell = info.cells.get(at)
    where = (
        f"{info.across.title} {info.across.labels[at[0]]}, "
        f"{info.down.title} {info.down.labels[at[1]]}"
    )
    if cell is None:
        return f"{where}:<br>not yet run"
    if cell.silent:
        return f"{where}:<br>no answer within {cell.max_samples:,} {words.samples}"
    cost = f"{count(cell.mean)} {words.samples}"
    if not cell.answered:
        cost = (
            f"{cell.ran_out} of {cell.trials} runs ran out of budget; mean at least "
            f"{count(cell.mean)} {words.samples}"
        )
    elif not np.isnan(cell.low):
        cost += f" ({count(cell.low)} to {count(cell.high)})"
    rate = cell.errors
    return (
        f"{where}:<br>{cost}<br>{rate.count} of {rate.total} wrong "
        f"({percent(rate.low)} to {percent(rate.high)}), δ allows {percent(cell.delta)}"
    )


def _add_panel(
    fig: go.Figure,
    info: Info,
    look: tuple[str, str, float, float],
    suffix: str,
    read: Any,
    words: Words,
) -> None:
    name, colour, least, most = look
    shape = (len(info.down.values), len(info.across.values))
    values = np.full(shape, np.nan)
    written = []
    for (x, y), cell in info.cells.items():
        values[y, x], text = read(cell)
        written.append(text)
    texts = [[sentence(info, (x, y), words) for x in range(shape[1])] for y in range(shape[0])]
    grounds = {"showscale": False, "xgap": 2, "ygap": 2, "hovertext": texts, "hoverinfo": "text"}
    where = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
    grey = layout.rgba(GREY, 0.12)
    fig.add_trace(
        go.Heatmap(
            name="no number",
            z=np.zeros(shape),
            colorscale=[[0, grey], [1, grey]],
            **grounds,
            **where,
        )
    )
    fig.add_trace(
        go.Heatmap(
            name=name,
            z=values,
            zmin=least,
            zmax=most,
            colorscale=[[0.0, layout.rgba(colour, 0.06)], [1.0, layout.rgba(colour, DEEPEST)]],
            hoverongaps=False,
            **grounds,
            **where,
        )
    )
    fig.add_trace(
        go.Scatter(
            name=f"{name} in words",
            x=[x for x, _ in info.cells],
            y=[y for _, y in info.cells],
            mode="text",
            text=written,
            textfont={"size": 12},
            hoverinfo="skip",
            **where,
        )
    )
    x, y = info.across.own, info.down.own
    fig.add_shape(
        type="rect", x0=x - 0.5, x1=x + 0.5, y0=y - 0.5, y1=y + 0.5,
        xref=f"x{suffix}", yref=f"y{suffix}", line={"color": GREY, "width": 2.5},
    )  # fmt: skip
