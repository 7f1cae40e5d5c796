"""What the rewards of each arm say of one of them, beside the bar it must reach."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go

from cbai.figures import layout
from cbai.figures.style import BLUE, GREY, VERMILION, decimal
from cbai.figures.words import Words
from cbai.results.why import Why

ROW_HEIGHT = 22


def rows_of(info: Why) -> list[int]:
    """Return the arms that say something, who says most first."""
    known = np.flatnonzero(np.isfinite(info.said))
    order = np.argsort(-info.said[known] if info.bets else info.said[known], kind="stable")
    return [int(arm) for arm in known[order]]


def alt_text(info: Why, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    problem = info.trace.problem
    what = "evidence against" if info.bets else "upper bound on"
    limit = f"{info.needed:.1f} nats are needed" if info.bets else f"the bar is {info.bar:.3f}"
    best = "no one says anything"
    rows = rows_of(info)
    if rows:
        best = f"{problem.arms[rows[0]]} says most, {info.said[rows[0]]:.3f}"
    name = problem.arms[info.arm]
    return f"The {what} {name} by each {words.arm}'s {words.samples}: {best}; {limit}."


def _says(info: Why, arm: int) -> str:
    if info.bets:
        return f"{info.said[arm]:.2f} nats"
    if info.said[arm] >= info.trace.problem.reward_max:
        return "too few to say anything"
    return f"at most {decimal(info.said[arm], 4)}"


def draw(info: Why, words: Words) -> go.Figure:
    """Draw a row for each arm that says something."""
    names, rows = info.trace.problem.arms, rows_of(info)
    pulls = info.trace.pulls[info.index]
    fig = layout.figure(ROW_HEIGHT * len(rows) + 84, top=26)
    limit = info.needed if info.bets else info.bar
    layout.reference_line(fig, x0=limit, x1=limit)
    layout.note(
        fig,
        "needed" if info.bets else f"{names[info.leader]} is at least this good",
        x=limit,
        y=1.0,
        yref="paper",
        yanchor="bottom",
    )
    colours = [VERMILION if arm == info.by else BLUE for arm in rows]
    texts = [
        f"{names[arm]}: {pulls[arm]:,} {words.samples}, average {decimal(info.averages[arm], 3)}, "
        + _says(info, arm)
        for arm in rows
    ]
    places = list(range(len(rows)))
    top = math.inf if info.bets else info.trace.problem.reward_max
    if not info.bets:
        fig.add_trace(
            go.Scatter(
                x=[info.averages[arm] for arm in rows],
                y=places,
                mode="markers",
                marker={"symbol": "line-ns", "size": 9, "line": {"width": 2, "color": GREY}},
                hoverinfo="skip",
            )
        )
    fig.add_trace(
        go.Scatter(
            x=[min(info.said[arm], top) for arm in rows],
            y=places,
            mode="markers",
            marker={
                "color": colours,
                "size": 10,
                "symbol": [
                    "diamond"
                    if arm == info.by
                    else "circle"
                    if info.said[arm] < top
                    else "circle-open"
                    for arm in rows
                ],
            },
            customdata=texts,
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    title = (
        "evidence against being as good, in nats"
        if info.bets
        else f"upper bound (and average) for {names[info.arm]}"
    )
    labels = [("its own" if arm == info.arm else layout.arm_label(names[arm], 18)) for arm in rows]
    fig.update_layout(xaxis=layout.axis(title), yaxis=layout.row_axis(labels))
    return fig
