"""The race on Home as plain data: what is drawn at each moment, and where it is paused.

The browser draws it (`cbai/ui/home/home.js`). Bounds are whole numbers of a small unit, and each
moment is stored as its change since the one before. So the picture is small enough to be sent
before anything is computed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cbai.figures.base.moments import coded, moments_at, own_samples
from cbai.figures.base.style import colour_of
from cbai.figures.base.words import Words, shown
from cbai.figures.home.sums import sum_of
from cbai.results.caps import cap_sources
from cbai.simulation import Trace
from cbai.simulation.trace import Elimination

FRAMES = 110
"""About how many moments are shown."""
MOST_ROWS = 12
HANDFUL = 5
"""So few samples of its own, at most, an arm should have had when it falls."""


def samples_at(trace: Trace, out: Elimination) -> int:
    """Return how many samples there were when an arm was ruled out."""
    return int(trace.samples[np.searchsorted(trace.rounds, out.round)])


def telling_fall(trace: Trace) -> Elimination | None:
    """Return the last arm that others ruled out after a handful of its own samples.

    If all had more than a handful, it is the one with the fewest. None if no arm was ruled out by
    another one's samples.
    """
    others = [out for out in trace.eliminations if out.by != out.arm]
    if not others:
        return None
    few = max(HANDFUL, min(own_samples(trace, out) for out in others))
    return [out for out in others if own_samples(trace, out) <= few][-1]


def pause_at(trace: Trace) -> int:
    """Return the number of samples at which the picture is paused: where the point is seen."""
    out = telling_fall(trace) or next(iter(trace.eliminations), None)
    return int(trace.samples[-1]) if out is None else samples_at(trace, out)


def scene(
    traces: Sequence[Trace],
    words: Words,
    pause: int | None = None,
    until: int | None = None,
    axis: Sequence[float] | None = None,
) -> dict[str, Any]:
    """Return everything that is drawn, ready for JSON.

    Parameters
    ----------
    traces : sequence of Trace
        One or two trials of the same problem on the same rewards. The first one is the large
        picture.
    words : Words
    pause, until : int or None
        The number of samples at which the picture is paused, and at which it ends. By default where
        `pause_at` says, and where the last trial ends.
    axis : sequence of float or None
        From low to high; by default with the leader's lower bound in its middle at the pause.

    Returns
    -------
    dict
        ``arms``, the names of all arms; ``rows``, those drawn, best first; ``frames``, the numbers
        of samples; ``start``, the frame of the pause; ``unit`` of all bounds; ``axis`` from low to
        high; ``panels``, one a trace; ``sums`` by arm, see `cbai.figures.home.sums`.
    """
    first, problem = traces[0], traces[0].problem
    pause = pause_at(first) if pause is None else pause
    rows = _rows(first)
    frames = _frames(traces, pause, until)
    start = int(np.searchsorted(frames, pause))
    unit = 10.0 ** (math.floor(math.log10(problem.reward_max)) - 4)
    seen = [out for out in first.eliminations if samples_at(first, out) <= frames[-1]]
    return {
        "words": {"arm": words.arm, "arms": words.arms}
        | {"sample": words.sample, "samples": words.samples},
        "arms": [shown(name) for name in problem.arms],
        "rows": rows,
        "best": [int(arm) for arm in problem.best_arms],
        "frames": frames.tolist(),
        "start": start,
        "unit": unit,
        "digits": max(0, 3 - math.ceil(math.log10(problem.reward_max))),
        "axis": _axis(first, int(frames[start])) if axis is None else list(axis),
        "panels": [_panel(trace, frames, rows, unit) for trace in traces],
        "sums": {str(out.arm): sum_of(first, out.arm) for out in seen if out.arm in rows},
    }


def _rows(trace: Trace) -> list[int]:
    """Return the arms that are drawn: all, or those that matter most, in the true order."""
    ranking = [int(arm) for arm in trace.problem.ranking]
    if len(ranking) <= MOST_ROWS:
        return ranking
    out = telling_fall(trace)
    needed = [ranking[0], *([] if out is None else [out.arm, out.by])]
    by_pulls = np.argsort(-trace.pulls[-1], kind="stable").tolist()
    kept = list(dict.fromkeys([*needed, *by_pulls]))[:MOST_ROWS]
    return [arm for arm in ranking if arm in kept]


def _frames(traces: Sequence[Trace], pause: int, until: int | None) -> NDArray[np.int64]:
    """Return the moments that are shown: events of all trials, and some of the others."""
    last = max(int(trace.samples[-1]) for trace in traces) if until is None else until
    events = [samples_at(trace, out) for trace in traces for out in trace.eliminations]
    ends = [int(trace.samples[-1]) for trace in traces]
    known = np.unique(np.concatenate([trace.samples for trace in traces]))
    known = known[known <= last]
    some = known[np.unique(np.linspace(0, len(known) - 1, FRAMES).round().astype(int))]
    frames = np.unique(np.concatenate([some, events, ends, [pause, last]]).astype(np.int64))
    return np.asarray(frames[frames <= last])


def _axis(trace: Trace, samples: int) -> list[float]:
    """Return a range in which the leader's lower bound is in the middle at the pause."""
    at = moments_at(trace, np.array([samples]))[0]
    alive = trace.active[at]
    bar = float(trace.lower[at][alive].max())
    top = float(np.maximum(trace.upper, trace.mean)[at][alive].max())
    half = 1.08 * max(top - bar, 0.05 * trace.problem.reward_max)
    low = max(0.0, bar - 1.4 * half)
    return [round(low, 4), round(min(trace.problem.reward_max, bar + half), 4)]


def _panel(trace: Trace, frames: NDArray[np.int64], rows: list[int], unit: float) -> dict[str, Any]:
    at = moments_at(trace, frames[frames <= max(int(trace.samples[-1]), int(frames[0]))])
    lower = np.where(trace.active[at], trace.lower[at], -np.inf)
    leaders = lower.argmax(axis=1)
    panel = {
        "title": trace.algorithm.title,
        "colour": colour_of(trace.algorithm),
        "last": int(trace.samples[-1]),
        "answer": trace.best_arm if trace.status == "identified" else -1,
        "leader": [int(arm) for arm in leaders],
        "bar": coded(trace.lower[at, leaders][:, None], unit),
        "pulls": coded(trace.pulls[at][:, rows]),
        "out": [
            {"arm": out.arm, "by": out.by, "own": own_samples(trace, out)}
            | {"at": samples_at(trace, out)}
            for out in trace.eliminations
            if samples_at(trace, out) <= frames[-1]
        ],
    }
    for name, table in (("mean", trace.mean), ("lower", trace.lower), ("upper", trace.upper)):
        panel[name] = coded(table[at][:, rows], unit)
    by = cap_sources(trace, at)
    if by is not None:
        panel["by"] = by[:, rows].ravel().tolist()
    return panel
