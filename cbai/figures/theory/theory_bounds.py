"""The samples that the proofs allow and those that the runs took, on one logarithmic scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, colour_of, count
from cbai.figures.base.words import Words, listed
from cbai.results.theory import Theory
from cbai.simulation import Algorithm, Trials

ROW_HEIGHT = 96
NO_PROMISE = ": no promise (assumption violated)"


@dataclass(frozen=True)
class Row:
    """One algorithm.

    Attributes
    ----------
    algorithm : Algorithm
    spent : float
        Mean samples of the runs; a lower bound if some ran out of budget.
    runs, ran_out : int
        Number of runs, and how many of them had no answer.
    within : int
        Number of runs with an answer that took no more samples than their bound; the bound of a
        run depends on its own competitive set.
    allowed : float
        The bound, mean over the runs; for C-LUCB only the part that grows with certainty.
    rest : float
        The rest of C-LUCB's bound; 0 for LUCB.
    """

    algorithm: Algorithm
    spent: float
    runs: int
    ran_out: int
    within: int
    allowed: float
    rest: float

    @property
    def factor(self) -> float:
        """The allowed samples as a multiple of those taken."""
        return self.allowed / self.spent


@dataclass(frozen=True)
class Info:
    """LUCB and C-LUCB, in that order."""

    rows: tuple[Row, ...]


def gather(theory: Theory, lucb: Trials, c_lucb: Trials) -> Info:
    """Compute what the figure shows; the theory must cover as many trials as were run."""
    bounds = np.full(len(theory.competitive), theory.lucb), theory.c_lucb_competitive
    rests = 0.0, theory.c_lucb_rest
    return Info(
        tuple(
            Row(
                algorithm=trials.algorithms[0],
                spent=float(trials.samples[0].mean()),
                runs=trials.samples.shape[1],
                ran_out=int((~trials.identified[0]).sum()),
                within=int((trials.identified[0] & (trials.samples[0] <= bound)).sum()),
                allowed=float(bound.mean()),
                rest=rest,
            )
            for trials, bound, rest in zip((lucb, c_lucb), bounds, rests, strict=True)
        )
    )


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    parts = [
        f"{row.algorithm.title} took {_spent(row)} while its proof allows {count(row.allowed)}"
        f"{f' and {count(row.rest)} more' if row.rest else ''}"
        for row in info.rows
    ]
    return f"Mean {words.samples} of the runs: {listed(parts)}."


def draw(info: Info, words: Words, *, violated: bool = False) -> go.Figure:
    """Draw a row for each algorithm: the runs as a mark, the bounds as vertical lines.

    With `violated`, C-LUCB has no bounds, because its assumption is violated.
    """
    fig = layout.figure(ROW_HEIGHT * len(info.rows) + 64)
    for at, row in enumerate(info.rows):
        promised = not (violated and row.rest)
        title = f"<b>{row.algorithm.title}</b>{'' if promised else NO_PROMISE}"
        layout.note(fig, title, xref="paper", x=0, xanchor="left", y=at - 0.42)
        if promised:
            _draw_bounds(fig, row, at, words)
        _mark(fig, row, at, words)
        _label(fig, f"runs {_spent(row)}", row.spent, at, "bottom")
    spent = [row.spent for row in info.rows]
    tops = [row.allowed + (0.0 if violated else row.rest) for row in info.rows]
    low, high = min(spent) * 0.5, max(tops) * 2.0
    fig.layout.xaxis = layout.log_count_axis(f"{words.samples} until it stops", low, high)
    fig.layout.yaxis = layout.row_axis(
        [""] * len(info.rows), above=0.5, showgrid=False, visible=False
    )
    return fig


def _draw_bounds(fig: go.Figure, row: Row, at: int, words: Words) -> None:
    """Draw what the proof allows: the part that grows with certainty, then the whole bound."""
    whole = row.allowed + row.rest
    _line(fig, [row.spent, row.allowed], at, "solid")
    _bound(fig, row.allowed, at, f"{row.algorithm.title}: {_allowed(row, words)}")
    _label(fig, f"allowed {count(row.allowed)}", row.allowed, at, "top")
    if row.rest:
        _line(fig, [row.allowed, whole], at, "dot")
        text = f"{row.algorithm.title}: all that the theorem allows, {count(whole)}"
        _bound(fig, whole, at, text)
        _label(fig, f"in all {count(whole)}", whole, at, "bottom")


def _spent(row: Row) -> str:
    return f"{'≥ ' if row.ran_out else ''}{count(row.spent)}"


def _allowed(row: Row, words: Words) -> str:
    part = "the part that grows with certainty allows" if row.rest else "the proof allows"
    return f"{part} {count(row.allowed)} {words.samples}"


def _line(fig: go.Figure, ends: list[float], at: int, dash: str) -> None:
    fig.add_trace(
        go.Scatter(
            x=layout.four_digits(ends),
            y=[at] * len(ends),
            mode="lines",
            line={"color": GREY, "width": 1.5, "dash": dash},
            hoverinfo="skip",
        )
    )


def _mark(fig: go.Figure, row: Row, at: int, words: Words) -> None:
    symbol = "circle" if row.algorithm.uses_correlation else "square-open"
    symbol = "triangle-right-open" if row.ran_out == row.runs else symbol
    fig.add_trace(
        go.Scatter(
            name=row.algorithm.title,
            x=[layout.four_digits(row.spent).item()],
            y=[at],
            mode="markers",
            marker={
                "symbol": symbol,
                "size": 13,
                "color": colour_of(row.algorithm),
                "line": {"width": 2 if symbol.endswith("-open") else 0},
            },
            hovertemplate=f"{row.algorithm.title}: {_spent(row)} {words.samples} on average"
            "<extra></extra>",
        )
    )


def _bound(fig: go.Figure, x: float, at: int, text: str) -> None:
    fig.add_trace(
        go.Scatter(
            x=[layout.four_digits(x).item()],
            y=[at],
            mode="markers",
            marker={
                "symbol": "line-ns",
                "size": 22,
                "line": {"width": 3, "color": GREY},
                "color": GREY,
            },
            hovertemplate=f"{text}<extra></extra>",
        )
    )


def _label(fig: go.Figure, text: str, x: float, at: int, side: str) -> None:
    """Write a label at a mark, above the row's line (side "bottom") or below it ("top")."""
    shift = 13 if side == "bottom" else -13
    layout.note(fig, text, x=float(np.log10(x)), y=at, yanchor=side, yshift=shift)
