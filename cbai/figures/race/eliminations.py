"""Which arm ruled out which: a row ends where its arm was ruled out, by which arm an arrow says."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, INK, colour_of, count
from cbai.figures.base.words import Words, written
from cbai.simulation import Trace
from cbai.simulation.trace import Elimination

ROW_HEIGHT = 23
STEP = 0.02
"""How far an arrow leans, in powers of ten."""
ROOM = 0.45
"""The room for names at the right, as a share of the axis."""


def alt_text(trace: Trace, words: Words) -> str:
    """Say which arm ruled out most."""
    by: dict[int, int] = {}
    for out in trace.eliminations:
        by[out.by] = by.get(out.by, 0) + (out.by != out.arm)
    n = len(trace.eliminations)
    if not n:
        return f"{trace.algorithm.title} ruled out no {words.arm} in this run."
    most = max(by, key=lambda arm: by[arm])
    own = sum(out.by == out.arm for out in trace.eliminations)
    others = f"The {words.samples} of {trace.problem.arms[most]} ruled out {by[most]}."
    text = f"{n} {words.arms} were ruled out, {own} of them by their own {words.samples}."
    return f"{text} {others}" if by[most] else text


def draw(trace: Trace, words: Words) -> go.Figure:
    """Draw the arms from best to worst true mean, samples from left to right."""
    problem = trace.problem
    place = {int(arm): i for i, arm in enumerate(problem.ranking)}
    when = dict(zip(trace.rounds.tolist(), trace.samples.tolist(), strict=True))
    first, last = int(trace.samples[0]), int(trace.samples[-1])
    ends = {out.arm: when[out.round] for out in trace.eliminations}
    fig = layout.figure(ROW_HEIGHT * problem.n_arms + 76)
    for arm, row in place.items():
        _line(fig, first, ends.get(arm, last), row, stays=arm not in ends)
    together: Counter[int] = Counter()
    for out in trace.eliminations:
        row, x = place[out.arm], ends[out.arm]
        if out.by != out.arm:
            together[x] += 1
            _arrow(
                fig,
                x,
                place[out.by],
                row,
                STEP * (1 + (together[x] - 1) % 5),
                colour_of(trace.algorithm),
            )
        _end(fig, trace, words, out, x, row)
    labels = [
        layout.arm_label(problem.arms[arm], 18, best=arm in problem.best_arms)
        for arm in problem.ranking
    ]
    fig.update_layout(
        xaxis=layout.log_count_axis(
            f"{words.samples} so far ({count(last)} in all)",
            first,
            max(last, 2 * problem.n_arms),
            after=ROOM,
            **_ticks(first, last),
        ),
        yaxis=layout.row_axis(labels),
    )
    return fig


def _ticks(first: int, last: int) -> dict[str, Any]:
    """Label powers of ten up to the end of the run; the room beyond it is for names."""
    powers = [10**e for e in range(math.ceil(math.log10(first)), int(math.log10(last)) + 1)]
    if len(powers) < 2:
        return {}
    return {"tickmode": "array", "tickvals": powers, "tickangle": 0}


def _line(fig: go.Figure, start: int, end: int, row: int, *, stays: bool) -> None:
    fig.add_trace(
        go.Scatter(
            x=[start, end],
            y=[row, row],
            mode="lines",
            line={"color": INK if stays else layout.rgba(GREY, 0.6), "width": 4 if stays else 2},
            hoverinfo="skip",
        )
    )


def _end(fig: go.Figure, trace: Trace, words: Words, out: Elimination, x: int, row: int) -> None:
    """Mark where an arm was ruled out, and write by the samples of which arm."""
    own, names = out.by == out.arm, trace.problem.arms
    who = f"its own {words.samples}" if own else f"the {words.samples} of {names[out.by]}"
    text = f"{names[out.arm]}: ruled out after {x:,} {words.samples} in all, by {who}"
    fig.add_trace(
        go.Scatter(
            x=[x],
            y=[row],
            mode="markers+text",
            text=[" its own" if own else f" {layout.arm_label(names[out.by], 13)}"],
            textposition="middle right",
            textfont={"size": 11},
            cliponaxis=False,
            marker={
                "symbol": "x" if own else "diamond",
                "size": 9,
                "color": GREY if own else colour_of(trace.algorithm),
            },
            hovertemplate=f"{written(text)}<extra></extra>",
        )
    )


def _arrow(fig: go.Figure, x: int, source: int, row: int, lean: float, colour: str) -> None:
    """Draw an arrow from the arm that decided; it leans, to stay apart from others of its round."""
    at = math.log10(x)  # annotations on a logarithmic axis ask for this
    layout.note(
        fig,
        "",
        x=at,
        y=row,
        ax=at - lean,
        ay=source,
        axref="x",
        ayref="y",
        showarrow=True,
        arrowhead=2,
        arrowwidth=1,
        arrowcolor=layout.rgba(colour, 0.7),
        standoff=5,
    )
