"""The argument of the proof: how the shares of delta of all bounds that matter add up."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, INK, WARNING
from cbai.figures.base.words import Words
from cbai.simulation import Algorithm
from cbai.simulation.guarantee import ROUNDING, spending, times_delta

ROW_HEIGHT = 46


@dataclass(frozen=True)
class Info:
    """The largest probability that the bounds that matter fail.

    Attributes
    ----------
    kinds : tuple of str
        The kinds of bounds that the algorithm uses: ``"lower"``, ``"upper"``, ``"cross"``.
    shares : tuple of float
        The sum over all bounds of a kind, as a multiple of delta.
    n_arms : int
    """

    kinds: tuple[str, ...]
    shares: tuple[float, ...]
    n_arms: int

    @property
    def total(self) -> float:
        """The largest probability that any bound fails, as a multiple of delta."""
        return sum(self.shares)


def gather(algorithm: Algorithm, n_arms: int) -> Info:
    """Compute what the figure shows, for K = `n_arms` arms."""
    used = {kind: share for kind, share in spending(algorithm, n_arms)._asdict().items() if share}
    return Info(tuple(used), tuple(used.values()), n_arms)


def label(kind: str, n_arms: int, words: Words) -> str:
    """Name the bounds of one kind in plain words."""
    others = n_arms - 1
    one = others == 1
    if kind == "lower":
        return (
            f"lower bound of the other {words.arm}"
            if one
            else f"lower bounds of the {others} other {words.arms}"
        )
    if kind == "upper":
        return f"the best {words.arm}'s own upper bound"
    who = f"the other {words.arm}'s bound" if one else f"the {others} others' bounds"
    return f"{who} on the best {words.arm}"


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    parts = [
        f"{label(kind, info.n_arms, words)} {times_delta(share)}"
        for kind, share in zip(info.kinds, info.shares, strict=True)
    ]
    return f"Shares of δ: {', '.join(parts)}; together {times_delta(info.total)}."


def draw(info: Info, words: Words) -> go.Figure:
    """Draw a bar for each kind of bound; each bar begins where the bar above it ends."""
    names = [label(kind, info.n_arms, words) for kind in info.kinds]
    n = len(names) + 1
    starts = [sum(info.shares[:i]) for i in range(len(names))]
    fig = layout.figure(ROW_HEIGHT * n + 60, barmode="overlay", top=8)
    colour = INK if info.total <= 1.0 + ROUNDING else WARNING
    for i, (name, start, share) in enumerate(
        zip([*names, "together"], [*starts, 0.0], [*info.shares, info.total], strict=True)
    ):
        whole = i == n - 1
        fig.add_trace(
            go.Bar(
                orientation="h",
                x=[share],
                base=[start],
                y=[i],
                width=0.24,
                marker={"color": layout.rgba(colour, 0.85 if whole else 0.45)},
                hovertemplate=f"{name}: {times_delta(share)}<extra></extra>",
            )
        )
        text = f"{'<b>' if whole else ''}{name}  {times_delta(share)}{'</b>' if whole else ''}"
        layout.note(fig, text, xref="paper", x=0, xanchor="left", y=i - 0.14, yanchor="bottom")
        fig.add_shape(
            type="line",
            x0=1.0,
            x1=1.0,
            y0=i - 0.14,
            y1=i + 0.24,
            line={"color": GREY, "width": 2, "dash": "dot"},
        )
    ticks = {0.0: "0", 1.0: "δ"} | (
        {info.total: times_delta(info.total)} if info.total > 1.5 else {}
    )
    fig.layout.xaxis = layout.axis(
        range=[0, 1.05 * max(1.0, info.total)],
        tickmode="array",
        tickvals=list(ticks),
        ticktext=list(ticks.values()),
    )
    fig.layout.yaxis = layout.row_axis([""] * n, above=0.5, showgrid=False, visible=False)
    return fig
