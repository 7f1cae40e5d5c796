"""Who ruled out whom: each arm's row ends where it was dropped, with an arrow from who decided."""

from __future__ import annotations

import html
import math

import plotly.graph_objects as go

from cbai.figures import layout
from cbai.figures.style import BLUE, GREY, VERMILION, count
from cbai.figures.words import Words
from cbai.simulation import Trace

ROW_HEIGHT = 23


def alt_text(trace: Trace, words: Words) -> str:
    """Say in one sentence who ruled out most."""
    by: dict[int, int] = {}
    for out in trace.eliminations:
        by[out.by] = by.get(out.by, 0) + (out.by != out.arm)
    n = len(trace.eliminations)
    if not n:
        return f"{trace.algorithm.title} ruled out no {words.arm} on the way."
    most = max(by, key=lambda arm: by[arm])
    own = sum(out.by == out.arm for out in trace.eliminations)
    others = f"; {trace.problem.arms[most]} ruled out {by[most]}" if by[most] else ""
    return f"{n} {words.arms} were ruled out, {own} of them by their own {words.samples}{others}."


def draw(trace: Trace, words: Words) -> go.Figure:
    """Draw the arms from best to worst true mean, samples from left to right."""
    problem = trace.problem
    place = {int(arm): i for i, arm in enumerate(problem.ranking)}
    when = dict(zip(trace.rounds.tolist(), trace.samples.tolist(), strict=True))
    last = int(trace.samples[-1])
    ends = {out.arm: when[out.round] for out in trace.eliminations}
    fig = layout.figure(ROW_HEIGHT * problem.n_arms + 76)
    for arm, row in place.items():
        stays = arm not in ends
        fig.add_trace(
            go.Scatter(
                x=[problem.n_arms, ends.get(arm, last)],
                y=[row, row],
                mode="lines",
                line={
                    "color": BLUE if stays else layout.rgba(GREY, 0.6),
                    "width": 4 if stays else 2,
                },
                hoverinfo="skip",
            )
        )
    for out in trace.eliminations:
        own, x = out.by == out.arm, ends[out.arm]
        who = "its own" if own else f"those of {problem.arms[out.by]}"
        text = f"{problem.arms[out.arm]}: out after {x:,} {words.samples} in all, by {who}"
        fig.add_trace(
            go.Scatter(
                x=[x],
                y=[place[out.arm]],
                mode="markers",
                marker={
                    "symbol": "x" if own else "diamond",
                    "size": 9,
                    "color": GREY if own else VERMILION,
                },
                hovertemplate=f"{html.escape(text)}<extra></extra>",
            )
        )
        if not own:
            layout.note(
                fig,
                "",
                x=math.log10(x),  # annotations on a logarithmic axis ask for this
                y=place[out.arm],
                ax=math.log10(x),
                ay=place[out.by],
                axref="x",
                ayref="y",
                showarrow=True,
                arrowhead=2,
                arrowwidth=1,
                arrowcolor=layout.rgba(VERMILION, 0.55),
                standoff=5,
            )
    labels = [
        layout.arm_label(problem.arms[arm], 18, best=arm in problem.best_arms)
        for arm in problem.ranking
    ]
    fig.update_layout(
        xaxis=layout.log_count_axis(
            f"{words.samples} so far (all {count(last)})",
            problem.n_arms,
            max(last, 2 * problem.n_arms),
        ),
        yaxis=layout.row_axis(labels),
    )
    return fig
