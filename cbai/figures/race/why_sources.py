"""What the rewards of each arm say about one of them: its upper bounds, or evidence from bets."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.digits import apart
from cbai.figures.base.style import GREY, INK, colour_of, decimal
from cbai.figures.base.words import Words, written
from cbai.results.why import Why

ROW_HEIGHT = 22
MOST = 1e4
"""Evidence of more nats than this is written as certain."""


def rows_of(info: Why) -> list[int]:
    """Return the arms that say something; the one that says most comes first."""
    known = np.flatnonzero(np.isfinite(info.said))
    order = np.argsort(-info.said[known] if info.bets else info.said[known], kind="stable")
    return [int(arm) for arm in known[order]]


def alt_text(info: Why, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    names, rows = info.trace.problem.arms, rows_of(info)
    name = names[info.arm]
    if not rows:
        return f"What each {words.arm} says about {name} is not recorded."
    own = rows[0] == info.arm
    who = f"its own {words.samples}" if own else f"the {words.samples} of {names[rows[0]]}"
    if info.bets:
        return (
            f"Evidence against {name} in nats, by bets on each {words.arm}'s {words.samples}. "
            f"Bets on {who} add most, {info.said[rows[0]]:.2f}. The bets all together have "
            f"{info.total:.2f}; {info.needed:.2f} are needed."
        )
    bound, bar = apart(float(info.said[rows[0]]), info.bar)
    return (
        f"Upper bounds on the mean of {name} by each {words.arm}'s {words.samples}. The lowest is "
        f"by {who}, {bound}. The mean of {names[info.leader]} is at least {bar}."
    )


def draw(info: Why, words: Words) -> go.Figure:
    """Draw a row for each arm that says something."""
    return _evidence(info, words) if info.bets else _bounds(info, words)


def _labels(info: Why, rows: list[int]) -> list[str]:
    names = info.trace.problem.arms
    return ["its own" if arm == info.arm else layout.arm_label(names[arm], 18) for arm in rows]


def _hover(info: Why, words: Words, arm: int, says: str) -> str:
    n = int(info.trace.pulls[info.index, arm])
    return written(
        f"{info.trace.problem.arms[arm]}: {n:,} {words.sample if n == 1 else words.samples}, "
        f"average {decimal(info.averages[arm], 3)}, {says}"
    )


def _evidence(info: Why, words: Words) -> go.Figure:
    """Draw what each arm's bets add as bars, their total on top, and a line at what is needed."""
    rows, name = rows_of(info), written(info.trace.problem.arms[info.arm])
    pooled = info.trace.algorithm.trusts_pseudo_rewards
    values = [info.total, *info.said[rows]] if pooled else list(info.said[rows])
    labels = ["<b>all together</b>", *_labels(info, rows)] if pooled else _labels(info, rows)
    hover = [_hover(info, words, arm, f"adds {decimal(info.said[arm], 2)} nats") for arm in rows]
    accent = colour_of(info.trace.algorithm)
    colours = [accent if arm == info.by else INK for arm in rows]
    if pooled:
        hover, colours = [f"all together: {decimal(info.total, 2)} nats", *hover], [GREY, *colours]
    most, least = 2.0 * info.needed, -0.5 * info.needed
    shown = np.clip(values, least, most)
    ends = (min(0.0, float(shown.min())) - 0.5 * info.needed, 1.25 * most)  # with room for numbers
    fig = layout.figure(ROW_HEIGHT * max(len(values), 3) + 84, top=26, bargap=0.35)
    fig.add_trace(
        go.Bar(
            x=shown,
            y=list(range(len(values))),
            orientation="h",
            marker={
                "color": colours,
                "pattern": {"shape": ["/" if c == accent else "" for c in colours]},
            },
            text=[_bar_label(x) for x in values],
            textposition="outside",
            cliponaxis=False,
            customdata=hover,
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    layout.reference_line(fig, x0=info.needed, x1=info.needed)
    _mark(fig, info.needed, f"needed: {decimal(info.needed, 1)}", ends)
    fig.update_layout(
        xaxis=layout.axis(f"evidence against {name}, in nats", range=ends),
        yaxis=layout.row_axis(labels),
    )
    return fig


def _bar_label(x: float) -> str:
    return "certain" if x >= MOST else decimal(round(x, 1) + 0.0, 1)


def _mark(fig: go.Figure, x: float, text: str, ends: tuple[float, float]) -> None:
    """Name the dashed line above it, on the side with more room."""
    right = x < (ends[0] + ends[1]) / 2.0
    layout.note(
        fig,
        text,
        x=x,
        y=1.0,
        yref="paper",
        yanchor="bottom",
        xanchor="left" if right else "right",
    )


def _bounds(info: Why, words: Words) -> go.Figure:
    """Draw the average and the bound by each arm's rewards as tick and dot; a line at the bar."""
    names, rows = info.trace.problem.arms, rows_of(info)
    accent = colour_of(info.trace.algorithm)
    fig = layout.figure(ROW_HEIGHT * max(len(rows), 3) + 84, top=26)
    top = info.trace.problem.reward_max
    bounds, means = np.minimum(info.said[rows], top), info.averages[rows]
    goal = info.bar + info.slack
    low, high = min(goal, float(means.min())), max(goal, float(bounds.max()))
    ends = (low - 0.04 * (high - low), high + 0.04 * (high - low))
    layout.reference_line(fig, x0=goal, x1=goal)
    slack = f" less {info.slack:g}" if info.slack > 0.0 else ""
    leader = layout.arm_label(names[info.leader], 18)
    _mark(fig, goal, f"{leader} is at least this good{slack}", ends)
    places = list(range(len(rows)))
    fig.add_trace(
        go.Scatter(
            x=np.ravel([[m, b, np.nan] for m, b in zip(means, bounds, strict=True)]),
            y=np.repeat(places, 3),
            mode="lines",
            line={"color": layout.rgba(GREY, 0.45), "width": 1.5},
            hoverinfo="skip",
        )
    )
    fig.add_trace(
        go.Scatter(
            x=means,
            y=places,
            mode="markers",
            marker={"symbol": "line-ns", "size": 9, "line": {"width": 2, "color": GREY}},
            hoverinfo="skip",
        )
    )
    fig.add_trace(
        go.Scatter(
            x=bounds,
            y=places,
            mode="markers",
            marker={
                "color": [accent if arm == info.by else INK for arm in rows],
                "size": 10,
                "symbol": [_symbol(info, arm) for arm in rows],
            },
            cliponaxis=False,
            customdata=[_hover(info, words, arm, _says(info, arm)) for arm in rows],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    title = f"upper bound (and average) for {written(names[info.arm])}"
    fig.update_layout(
        xaxis=layout.axis(title, range=ends), yaxis=layout.row_axis(_labels(info, rows))
    )
    return fig


def _symbol(info: Why, arm: int) -> str:
    if arm == info.by:
        return "diamond"
    return "circle" if info.said[arm] < info.trace.problem.reward_max else "circle-open"


def _says(info: Why, arm: int) -> str:
    if info.said[arm] >= info.trace.problem.reward_max:
        return "too few to give a bound"
    return f"at most {apart(float(info.said[arm]), info.bar, 4)[0]}"
