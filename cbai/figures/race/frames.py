"""The race: one trial of each algorithm, sample by sample.

This module only gathers the information. The browser draws it (`cbai/ui/race/race.js`). A figure
that plays in the browser needs no server while it plays. Its controls work by keyboard, and its
panels stack on a small screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cbai.figures.base.style import colour_of, count
from cbai.figures.base.words import Words, shown
from cbai.simulation import Trace

MARGIN = 0.35
"""How far the axis goes beyond the true means on each side, as a share of their span."""


def race_info(traces: Sequence[Trace], words: Words) -> dict[str, Any]:
    """Return everything the animation needs, ready for JSON.

    Parameters
    ----------
    traces : sequence of Trace
        One or two trials of the same problem on the same rewards.
    words : Words
        What arms and samples are called.

    Returns
    -------
    dict
        ``arms`` with names, the true ranking and the best arms; ``axis`` from low to high in
        units of reward; ``frames``, the numbers of samples at which something was recorded;
        ``start``, the frame at which the first algorithm has stopped; ``panels``, one a trace.
    """
    problem = traces[0].problem
    frames = np.unique(np.concatenate([trace.samples for trace in traces]))
    first_stop = min(int(trace.samples[-1]) for trace in traces)
    return {
        "words": {"arm": words.arm, "arms": words.arms, "samples": words.samples},
        "arms": [shown(name) for name in problem.arms],
        "ranking": problem.ranking.tolist(),
        "best": problem.best_arms.tolist(),
        "axis": _axis(traces),
        "frames": frames.tolist(),
        "start": int(np.searchsorted(frames, first_stop)),
        "panels": [_panel(trace, words) for trace in traces],
    }


def _axis(traces: Sequence[Trace]) -> tuple[float, float]:
    problem = traces[0].problem
    narrowest = min(float((trace.upper - trace.lower)[-1].min()) for trace in traces)
    low, high = float(problem.means.min()), float(problem.means.max())
    margin = max(MARGIN * (high - low), narrowest)
    return max(0.0, round(low - margin, 2)), min(problem.reward_max, round(high + margin, 2))


def _panel(trace: Trace, words: Words) -> dict[str, Any]:
    digits = 4 - int(np.floor(np.log10(trace.problem.reward_max)))

    def rounded(bounds: NDArray[np.float64]) -> list[list[float]]:
        return np.round(bounds, digits).tolist()  # type: ignore[no-any-return]

    return {
        "title": trace.algorithm.title,
        "colour": colour_of(trace.algorithm),
        "dashed": not trace.algorithm.uses_correlation,
        "outcome": shown(outcome(trace, words)),
        "rounds": trace.rounds.tolist(),
        "samples": trace.samples.tolist(),
        "mean": rounded(trace.mean),
        "lower": rounded(trace.lower),
        "upper": rounded(trace.upper),
        "pulls": trace.pulls.tolist(),
        "pulled": [np.flatnonzero(row).tolist() for row in trace.pulled],
        "out": [
            {
                "round": out.round,
                "arm": out.arm,
                "by": out.by,
                "text": shown(reason(trace, out.arm, words)),
            }
            for out in trace.eliminations
        ],
        "answer": trace.best_arm,
        "identified": trace.status == "identified",
    }


def outcome(trace: Trace, words: Words) -> str:
    """Say which arm was named best, after how many samples, and whether that is right."""
    name = trace.problem.arms[trace.best_arm]
    title, samples = trace.algorithm.title, count(int(trace.samples[-1]))
    if trace.status != "identified":
        spent = f"{int(trace.samples[-1]):,} {words.samples}"
        return f"{title} used up its budget after {spent}, without an answer."
    named = f"named {name} the best {words.arm} after {samples} {words.samples}."
    if trace.best_arm in trace.problem.best_arms:
        return f"{title} rightly {named}"
    truth = trace.problem.arms[trace.problem.best_arm]
    return f"{title} wrongly {named} The best {words.arm} is {truth}."


def outcomes(traces: Sequence[Trace], words: Words) -> str:
    """Say the `outcome` of each trial, in one sentence if all are right and name the same arm."""
    first, *others = traces
    alike = all(
        trace.status == "identified" and trace.best_arm == first.best_arm for trace in traces
    )
    if not alike or first.best_arm not in first.problem.best_arms:
        return " ".join(outcome(trace, words) for trace in traces)
    also = "".join(
        f", {other.algorithm.title} after {count(int(other.samples[-1]))}" for other in others
    )
    return f"{outcome(first, words).removesuffix('.')}{also}."


def reason(trace: Trace, arm: int, words: Words) -> str:
    """Say when an arm was ruled out, and by whose samples."""
    names = trace.problem.arms
    out = next(out for out in trace.eliminations if out.arm == arm)
    own = int(trace.pulls[np.searchsorted(trace.rounds, out.round), arm])
    spent = f"{own:,} {words.sample if own == 1 else words.samples}"
    if out.by == arm:
        return f"In round {out.round:,} {names[arm]} was ruled out by its own {spent}."
    return (
        f"In round {out.round:,} {names[arm]} was ruled out by the {words.samples} of "
        f"{names[out.by]}. It had {spent} of its own."
    )
