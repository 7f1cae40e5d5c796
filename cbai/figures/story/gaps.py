"""Which arms can still compete: the highest mean that the best arm's samples allow each of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from cbai.figures.base import layout
from cbai.figures.base.style import GREY, decimal
from cbai.figures.base.words import Words
from cbai.problem import Problem
from cbai.problem.pseudo_rewards import add_buffer
from cbai.problem.validity import expected_pseudo_rewards
from cbai.results import true_competitive

ROW_HEIGHT = 36
MARKS = (
    (True, "circle", "competitive"),
    (False, "circle-open", "non-competitive"),
)


@dataclass(frozen=True, eq=False)
class Info:
    """Arms from best to worst.

    Attributes
    ----------
    arms : tuple of str
    mean : ndarray, shape (K,)
        True means.
    at_most : ndarray, shape (K,)
        phi_{l,k*}: the highest mean that the best arm's samples allow; for the best arm, its own
        mean.
    competitive : ndarray of bool, shape (K,)
    pseudo_gap : ndarray, shape (K,)
        mu_{k(2)} - phi_{l,k*}.
    second_mean : float
    axis : (float, float)
        The same for every buffer, so bars grow but the axis stays. The best arm's mean may be off
        the axis.
    reward : float or None
        One reward of the best arm, if the figure shows what it says alone.
    by_one : ndarray, shape (K,), or None
        s_{l,k*}(reward): how high the same person's reward of arm l can be on average, at most.
    """

    arms: tuple[str, ...]
    mean: NDArray[np.float64]
    at_most: NDArray[np.float64]
    competitive: NDArray[np.bool_]
    pseudo_gap: NDArray[np.float64]
    second_mean: float
    axis: tuple[float, float]
    reward: float | None = None
    by_one: NDArray[np.float64] | None = None


def gather(problem: Problem, q: float, largest: float, reward: float | None = None) -> Info:
    """Gather what the figure shows at a buffer q, of at most `largest`.

    With a reward, one of the problem's values, it also shows what this one reward says alone.
    """
    buffered = add_buffer(problem.pseudo_rewards, q, problem.reward_max)
    known = problem.with_pseudo_rewards(buffered)
    found, phi = true_competitive(known), expected_pseudo_rewards(known)
    order, best = problem.ranking, problem.best_arm
    others = np.delete(expected_pseudo_rewards(problem)[:, best], best)
    shown = np.append(np.delete(problem.means, best), others + largest)
    by_one = None
    if reward is not None:
        by_one = buffered[order, best, int(np.searchsorted(problem.values, reward))]
        shown = np.append(shown, by_one[1:])
    margin = 0.08 * float(np.ptp(shown))
    return Info(
        arms=tuple(problem.arms[arm] for arm in order),
        mean=problem.means[order],
        at_most=phi[order, best],
        competitive=found.competitive[order],
        pseudo_gap=found.pseudo_gap[order],
        second_mean=float(problem.means[problem.second_arm]),
        axis=(float(shown.min()) - margin, float(shown.max()) + margin),
        reward=reward,
        by_one=by_one,
    )


def answer(info: Info, words: Words) -> str:
    """Say how many arms are competitive."""
    n, total = int(info.competitive.sum()), len(info.arms)
    rest = total - n
    if not rest:
        return f"All {total} {words.arms} are competitive: no pseudo-reward rules one out."
    return (
        f"{n} of {total} {words.arms} {'is' if n == 1 else 'are'} competitive. The {words.samples} "
        f"of the best {words.arm} rule out the other {'one' if rest == 1 else rest}."
    )


def one_view(info: Info, words: Words) -> str:
    """Say what one reward of the best arm says of the arm that it bounds most."""
    if info.by_one is None or info.reward is None:
        return ""
    least = 1 + int(np.argmin(info.by_one[1:]))
    return (
        f"One {words.sample}: whoever gives {info.arms[0]} the score {info.reward:g} gives "
        f"{info.arms[least]} at most {decimal(float(info.by_one[least]))} on average. The bar ends "
        f"at the average of such bounds over all {words.samples} of {info.arms[0]}."
    )


def alt_text(info: Info, words: Words) -> str:
    """Say in one sentence what the figure shows."""
    return f"How good each of {len(info.arms)} {words.arms} can be at most. {answer(info, words)}"


def draw(info: Info, words: Words) -> go.Figure:
    """Draw a row per arm: its true mean, and a bar up to the bound by the best arm."""
    n = len(info.arms)
    rows = np.arange(n)
    fig = layout.figure(ROW_HEIGHT * n + 120, showlegend=True, top=62)
    low, high = info.axis
    for competitive, symbol, name in MARKS:
        which = info.competitive == competitive
        which[0] = False
        texts = [
            f"{arm}: at most {decimal(bound)}, pseudo-gap {decimal(gap)}"
            for arm, bound, gap in zip(info.arms, info.at_most, info.pseudo_gap, strict=True)
        ]
        fig.add_trace(
            go.Bar(
                orientation="h",
                base=low,
                x=info.at_most[which] - low,
                y=rows[which],
                width=0.5,
                marker={"color": layout.rgba(GREY, 0.3 if competitive else 0.15)},
                hoverinfo="skip",
                showlegend=False,
            )
        )
        fig.add_trace(
            go.Scatter(
                name=f"{name}: at most this good",
                x=info.at_most[which] if which.any() else [None],
                y=rows[which] if which.any() else [None],
                mode="markers",
                marker={
                    "color": GREY,
                    "symbol": symbol,
                    "size": 12,
                    "line": {"width": 3, "color": GREY},
                },
                customdata=[text for text, use in zip(texts, which, strict=True) if use],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    fig.add_trace(
        go.Scatter(
            name="true mean",
            x=info.mean[info.mean <= high],
            y=rows[info.mean <= high],
            mode="markers",
            marker={
                "color": GREY,
                "symbol": "line-ns",
                "size": 24,
                "line": {"width": 3, "color": GREY},
            },
            hovertemplate="true mean: %{x:.2f}<extra></extra>",
        )
    )
    if info.by_one is not None and info.reward is not None:
        fig.add_trace(
            go.Scatter(
                name=f"by one {words.sample} with score {info.reward:g}",
                x=info.by_one[1:],
                y=rows[1:],
                mode="markers",
                marker={
                    "symbol": "triangle-up",
                    "size": 13,
                    "color": GREY,
                },
                hovertemplate="by this score alone at most %{x:.2f}<extra></extra>",
            )
        )
    if info.mean[0] > high:
        text = f"true mean {decimal(info.mean[0])} →"
        layout.note(fig, text, xref="paper", x=1.0, xanchor="right", y=0)
    at_the_right = info.second_mean > (low + 2.0 * high) / 3.0
    layout.reference_line(fig, x0=info.second_mean, x1=info.second_mean)
    layout.note(
        fig,
        "second best",
        x=info.second_mean,
        xanchor="right" if at_the_right else "left",
        xshift=-4 if at_the_right else 4,
        y=-0.62,
        yanchor="middle",
    )
    fig.layout.xaxis = layout.axis("mean score", range=[low, high], tickformat=".1f", nticks=8)
    names = [layout.arm_label(arm, 18, best=i == 0) for i, arm in enumerate(info.arms)]
    fig.layout.yaxis = layout.row_axis(names, above=0.9, showgrid=False)
    return fig
