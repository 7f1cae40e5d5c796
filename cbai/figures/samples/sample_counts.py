"""What each algorithm costs: samples until it stops, as a mean and for single trials."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, VERMILION, colour_of, count, percent
from cbai.figures.base.words import Words, capital, listed, written
from cbai.figures.samples.sample_rows import Info, Row, gather
from cbai.results.limit import Limit

__all__ = ["Info", "Row", "alt_text", "draw", "gather"]

ROW_HEIGHT = 74
BAR_HEIGHT = 0.24
LIMIT_ROOM, LABEL_ROOM = 0.54, 0.28
"""In rows: the room above the first row for the lower bound, and above a bar for its label."""
POINTS_AT, POINTS_SPREAD = 0.33, 0.16
"""In rows, downwards from the middle of the bar. The row's label is above the bar."""
GOLDEN = 0.6180339887


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    parts = [
        f"{row.algorithm.title} {_cost(row)}{f' ({row.doubt})' if row.doubt else ''}"
        for row in info.rows
    ]
    text = f"Mean {words.samples} until each algorithm stops: {listed(parts)}."
    return text if _limit_label(info) is None else f"{text} {capital(_limit_label(info) or '')}."


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
    n, label = len(info.rows), _limit_label(info)
    above = 0.0 if label is None else LIMIT_ROOM
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
    if label is not None:
        layout.note(fig, label, xref="paper", x=0, xanchor="left", y=-0.72, yanchor="bottom")
    if info.limit is not None and info.limit_drawn:
        _add_limit(fig, info.limit, n, words)
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


def _limit_label(info: Info) -> str | None:
    """Return the label of the lower bound; None if there is none, or no finite one."""
    if info.limit is None or info.limit.tied:
        return None
    arrow = "" if info.limit_drawn else " →"
    return f"lower bound without correlation: {count(info.limit.samples)}{arrow}"


def _add_limit(fig: go.Figure, limit: Limit, n: int, words: Words) -> None:
    """Draw the lower bound through all rows, but not through the labels above the bars."""
    x = limit.samples
    ends = [(-0.66, -BAR_HEIGHT / 2 - LABEL_ROOM)]
    ends += [(i - BAR_HEIGHT / 2, i + 1 - BAR_HEIGHT / 2 - LABEL_ROOM) for i in range(n)]
    for y0, y1 in ends:
        where = {"xref": "x", "yref": "y", "x0": x, "x1": x, "y0": y0, "y1": y1}
        layout.reference_line(fig, "4px,3px", layer="above", **where)
    text = (
        "The problem's lower bound: an algorithm that ignores<br>correlations and errs at most "
        f"{percent(limit.delta)} of the time on<br>every problem needs at least {count(x)} "
        f"{words.samples} on average."
    )
    fig.add_trace(
        go.Scatter(
            name="lower bound",
            x=[x],
            y=[-0.62],
            mode="markers",
            marker={"symbol": "triangle-down", "size": 10, "color": GREY},
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
        (~row.wrong & ~row.out, "right", "circle", layout.rgba(colour, 0.5), 6, 0),
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
