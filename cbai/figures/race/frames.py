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

from cbai.figures.base.moments import coded, moments_at, own_samples
from cbai.figures.base.style import colour_of, count
from cbai.figures.base.words import Words, shown
from cbai.figures.race.clock import begins_at, fallen_at, frames_of
from cbai.results.caps import cap_sources
from cbai.simulation import Trace

DIGITS = 4
"""Bounds are sent with so many digits, fewer if rewards are large."""
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
        units of reward; ``frames``, the numbers of samples that are shown, evenly spaced on the
        race's clock; ``start``, the frame at which it stands before it is played; ``unit`` of all
        bounds; ``most``, the most samples of an arm; ``panels``, one a trace. Tables are `coded`,
        with a row for each frame until the trial ends.
    """
    problem, axis = traces[0].problem, _axis(traces)
    frames = frames_of(traces, axis)
    return {
        "words": {"arm": words.arm, "arms": words.arms}
        | {"sample": words.sample, "samples": words.samples},
        "arms": [shown(name) for name in problem.arms],
        "ranking": problem.ranking.tolist(),
        "best": problem.best_arms.tolist(),
        "axis": axis,
        "unit": 10.0 ** (int(np.floor(np.log10(problem.reward_max))) - DIGITS),
        "most": max(int(trace.pulls[-1].max()) for trace in traces),
        "frames": frames.tolist(),
        "start": int(np.searchsorted(frames, begins_at(traces), side="right")) - 1,
        "panels": [_panel(trace, frames, words) for trace in traces],
    }


def _axis(traces: Sequence[Trace]) -> tuple[float, float]:
    problem = traces[0].problem
    narrowest = min(float((trace.upper - trace.lower)[-1].min()) for trace in traces)
    low, high = float(problem.means.min()), float(problem.means.max())
    margin = max(MARGIN * (high - low), narrowest)
    return max(0.0, round(low - margin, 2)), min(problem.reward_max, round(high + margin, 2))


def _panel(trace: Trace, frames: NDArray[np.int64], words: Words) -> dict[str, Any]:
    """Return what a panel shows at each frame, until its trial ends."""
    end = np.searchsorted(frames, trace.samples[-1], side="right")
    at = moments_at(trace, frames[:end])
    unit = 10.0 ** (int(np.floor(np.log10(trace.problem.reward_max))) - DIGITS)
    by = cap_sources(trace, at)
    return {
        "title": trace.algorithm.title,
        "colour": colour_of(trace.algorithm),
        "dashed": not trace.algorithm.uses_correlation,
        "outcome": shown(outcome(trace, words)),
        "rounds": trace.rounds[at].tolist(),
        "samples": trace.samples[at].tolist(),
        "mean": coded(trace.mean[at], unit),
        "lower": coded(trace.lower[at], unit),
        "upper": coded(trace.upper[at], unit),
        "pulls": coded(trace.pulls[at]),
        "by": None if by is None else coded(by),
        "pulled": [np.flatnonzero(row).tolist() for row in trace.pulled[at]],
        "out": [
            {
                "frame": int(np.searchsorted(frames, n)),
                "arm": out.arm,
                "by": out.by,
                "own": own_samples(trace, out),
                "text": shown(reason(trace, out.arm, words)),
            }
            for out, n in zip(trace.eliminations, fallen_at(trace), strict=True)
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
    """Say when an arm was ruled out, by whose samples, and after how many of its own."""
    names = trace.problem.arms
    out = next(out for out in trace.eliminations if out.arm == arm)
    own = own_samples(trace, out)
    spent = f"{own:,} {words.sample if own == 1 else words.samples}"
    if out.by == arm:
        return f"{names[arm]}: ruled out in round {out.round:,} by its own {spent}."
    when = f"after {spent} of its own" if own else f"before its first {words.sample}"
    return f"{names[arm]}: ruled out by {names[out.by]} in round {out.round:,}, {when}."
