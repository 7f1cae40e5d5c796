"""What each algorithm costs: samples until it stops, as a mean and for single trials."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, VERMILION, colour_of, count, percent
from cbai.figures.base.words import Words, capital, listed, written
from cbai.figures.samples.sample_rows import Info, Row, gather
from cbai.results.limit import Limit
from cbai.results.limit.masked import MeanLimit

__all__ = ["Info", "Row", "alt_text", "draw", "gather"]

ROW_HEIGHT = 74
BAR_HEIGHT = 0.24
LIMIT_ROOM, SECOND_ROOM, LABEL_ROOM = 0.54, 0.28, 0.28
"""In rows: the room above the first row for a lower bound, for a second one, and above a bar for
its label."""
LATER = "being computed"
POINTS_AT, POINTS_SPREAD = 0.33, 0.16
"""In rows, downwards from the middle of the bar. The row's label is above the bar."""
GOLDEN = 0.6180339887


@dataclass(frozen=True)
class _Look:
    """How a lower bound is drawn and explained: filled if it is with correlation, as bars are."""

    name: str
    label: str
    mark: str
    symbol: str
    dash: str
    whose: str
    where: str


PLAIN = _Look(
    "lower bound",
    "lower bound without correlation",
    "▽",
    "triangle-down-open",
    "4px,3px",
    "The problem's lower bound: an algorithm that ignores<br>correlations",
    "on every problem",
)
KNOWING = _Look(
    "lower bound with correlation",
    "lower bound with correlation",
    "▼",
    "triangle-down",
    "1px,3px",
    "The lower bound with correlation: an algorithm that trusts<br>pseudo-rewards",
    "wherever those of the best arm are valid",
)


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    parts = [
        f"{row.algorithm.title} {_cost(row)}{f' ({row.doubt})' if row.doubt else ''}"
        for row in info.rows
    ]
    text = f"Mean {words.samples} until each algorithm stops: {listed(parts)}."
    return " ".join([text, *(f"{capital(label)}." for _, label in _limit_labels(info))])


def _cost(row: Row) -> str:
    """Write the mean cost of a trial, with ≥ if trials ran out of samples."""
    if row.no_answer:
        return f"≥ {count(row.budget)}, no answer"
    return f"{'≥ ' if row.ran_out else ''}{count(row.mean)}"


def _label(row: Row) -> str:
    """Return the label above a bar: the algorithm, its samples, and what went wrong."""
    parts = [f"<b>{row.algorithm.title}</b>  {_cost(row)}"]
    if row.relative:
        parts.append(row.relative)
    if row.errors:
        cross = f'<span style="color:{VERMILION}"><b>×</b></span>'
        parts.append(f"{cross} {row.errors} of {row.trials} wrong")
    if row.ran_out and not row.no_answer:
        parts.append(f"△ {row.ran_out} of {row.trials} without an answer")
    if row.doubt:
        parts.append(f'<span style="color:{VERMILION}">{row.doubt}</span>')
    return " · ".join(parts)


def draw(info: Info, words: Words) -> go.Figure:
    """Draw a bar per algorithm, with its single trials below it."""
    n, labels = len(info.rows), _limit_labels(info)
    above = LIMIT_ROOM + SECOND_ROOM * (len(labels) - 1) if labels else 0.0
    fig = layout.figure(round(ROW_HEIGHT * (n + above)) + 70, barmode="overlay")
    for i, row in enumerate(info.rows):
        fig.add_trace(_bar(row, i, info))
        for trace in [] if row.no_answer else _points(row, i, words):
            fig.add_trace(trace)
        text = _label(row)
        layout.note(
            fig, text, xref="paper", x=0, xanchor="left", y=i - BAR_HEIGHT / 2, yanchor="bottom"
        )
    if not info.cut:
        _add_budgets(fig, info.rows)
    for i, (mark, label) in enumerate(reversed(labels)):
        y = -0.72 - SECOND_ROOM * i
        text = f"{mark} {label}"
        layout.note(fig, text, xref="paper", x=0, xanchor="left", y=y, yanchor="bottom")
    if info.limit is not None and info.limit_drawn:
        _add_limit(fig, info.limit, n, PLAIN, words)
    if info.known is not None and info.known_drawn:
        _add_limit(fig, info.known, n, KNOWING, words)
    title = f"{words.samples} until it stops<br>bar: mean ± 2 standard deviations · dot: one run"
    fig.layout.xaxis = layout.count_axis(title, range=[0, info.reach], nticks=5)
    fig.layout.yaxis = layout.row_axis([""] * n, above=0.5 + above, showgrid=False, visible=False)
    return fig


def _add_budgets(fig: go.Figure, rows: tuple[Row, ...]) -> None:
    """Draw the budget if trials ran out of it: through all rows, or by row if budgets differ."""
    out = [(i, row.budget) for i, row in enumerate(rows) if row.ran_out]
    if out and len({row.budget for row in rows}) == 1:
        layout.reference_line(fig, x0=rows[0].budget, x1=rows[0].budget)
        return
    for i, budget in out:
        y0, y1 = i - BAR_HEIGHT / 2, i + 0.5
        layout.reference_line(fig, xref="x", yref="y", x0=budget, x1=budget, y0=y0, y1=y1)


def _limit_labels(info: Info) -> list[tuple[str, str]]:
    """Return the mark and the label of each lower bound that there is, if it is finite."""
    found = []
    for limit, drawn, look in (
        (info.limit, info.limit_drawn, PLAIN),
        (info.known, info.known_drawn, KNOWING),
    ):
        if limit is not None and not limit.tied:
            arrow = "" if drawn else " →"
            found.append((look.mark, f"{look.label}: {count(limit.samples)}{arrow}"))
    later = [(KNOWING.mark, f"{KNOWING.label}: {LATER}")] if info.known_later else []
    return found + later


def _add_limit(fig: go.Figure, limit: Limit | MeanLimit, n: int, look: _Look, words: Words) -> None:
    """Draw a lower bound through all rows, but not through the labels above the bars."""
    x = limit.samples
    ends = [(-0.66, -BAR_HEIGHT / 2 - LABEL_ROOM)]
    ends += [(i - BAR_HEIGHT / 2, i + 1 - BAR_HEIGHT / 2 - LABEL_ROOM) for i in range(n)]
    for y0, y1 in ends:
        where = {"xref": "x", "yref": "y", "x0": x, "x1": x, "y0": y0, "y1": y1}
        layout.reference_line(fig, look.dash, layer="above", **where)
    text = (
        f"{look.whose} and errs at most {percent(limit.delta)} of the time<br>{look.where} needs "
        f"at least {count(x)} {words.samples} on average."
    )
    fig.add_trace(
        go.Scatter(
            name=look.name,
            x=[x],
            y=[-0.62],
            mode="markers",
            marker={
                "symbol": look.symbol,
                "size": 10,
                "color": GREY,
                "line": {"width": 2, "color": GREY},
            },
            hovertemplate=f"{text}<extra></extra>",
        )
    )


def _bar(row: Row, at: int, info: Info) -> go.Bar:
    """Return the bar of the mean: filled if the algorithm uses correlations, else hatched."""
    colour = colour_of(row.algorithm)
    pale = 0.2 if row.no_answer else 0.55
    marker = {"color": layout.rgba(colour, pale), "line": {"color": colour, "width": 1.5}}
    if not row.algorithm.uses_correlation:
        pattern = {"shape": "/", "size": 6, "solidity": 0.25, "fgcolor": layout.rgba(colour, pale)}
        marker |= {"color": layout.CLEAR, "pattern": {**pattern, "bgcolor": layout.CLEAR}}
    if row.no_answer:
        marker["line"] = {"color": layout.rgba(colour, 0.4), "width": 1}
    spread = 0.0 if row.no_answer or np.isnan(row.two_sigma) else row.two_sigma
    return go.Bar(
        name=row.algorithm.title,
        orientation="h",
        x=[1.1 * info.reach if row.no_answer and info.cut else row.mean],
        y=[at],
        width=BAR_HEIGHT,
        marker=marker,
        error_x={
            "type": "data",
            "array": [spread],
            "arrayminus": [min(spread, row.mean)],
            "visible": spread > 0.0,
            "color": GREY,
            "thickness": 2,
            "width": 5,
        },
        hovertemplate=f"{row.algorithm.title}: {_cost(row)}<extra></extra>",
    )


def _points(row: Row, at: int, words: Words) -> list[go.Scatter]:
    """Return the single trials: dots, triangles if without an answer, crosses if wrong."""
    colour = colour_of(row.algorithm)
    kinds = (
        (~row.wrong & ~row.out, "right", "circle", layout.rgba(colour, 0.65), 6, 0),
        (row.out, "no answer", "triangle-right-open", colour, 9, 1.5),
        (row.wrong, "wrong", "x", VERMILION, 10, 1),
    )
    jitter = ((row.trial * GOLDEN) % 1.0 - 0.5) * POINTS_SPREAD
    return [
        go.Scatter(
            name=f"{row.algorithm.title}: {outcome}",
            x=row.samples[chosen],
            y=at + POINTS_AT + layout.four_digits(jitter[chosen]),
            mode="markers",
            marker={
                "symbol": symbol,
                "color": fill,
                "size": size,
                "line": {"width": width, "color": "white" if symbol == "x" else colour},
            },
            customdata=[
                f"run {trial}: {written(named)}, {outcome}"
                for trial, named in zip(row.trial[chosen], np.array(row.named)[chosen], strict=True)
            ],
            hovertemplate=f"%{{customdata}}, %{{x:,}} {words.samples}<extra></extra>",
        )
        for chosen, outcome, symbol, fill, size, width in kinds
        if chosen.any()
    ]
