"""The race's clock: its time is the logarithm of the samples so far.

Bounds become narrower with the logarithm. A race on this clock therefore moves all the time. It
starts quickly, because at first every bar is as wide as the axis.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cbai.simulation import Trace

FRAMES = 200
"""About how many moments are shown."""
ASLEEP = 0.04
"""The share of the time until the first bar is narrower than the axis."""
FULL = 0.98
"""A bar that covers this share of the axis is as wide as the axis."""


def fallen_at(trace: Trace) -> list[int]:
    """Return the number of samples at which each ruled-out arm fell, in that order."""
    at = np.searchsorted(trace.rounds, [out.round for out in trace.eliminations])
    return [int(n) for n in trace.samples[at]]


def awake_at(traces: Sequence[Trace], axis: tuple[float, float]) -> int:
    """Return the number of samples at which the first bar is narrower than the axis."""
    first = []
    for trace in traces:
        wide = np.clip(trace.upper, *axis) - np.clip(trace.lower, *axis)
        narrow = (wide < FULL * (axis[1] - axis[0])).any(axis=1)
        first.append(int(trace.samples[narrow.argmax() if narrow.any() else 0]))
    return min(first)


def time_of(samples: NDArray[np.int64], awake: int, last: int) -> NDArray[np.float64]:
    """Return the time from 0 to 1 at which so many samples were taken."""
    first = samples[0]
    waking = (samples - first) / max(awake - first, 1)
    log = np.log(np.maximum(samples, awake) / awake) / max(np.log(last / awake), 1e-9)
    return np.asarray(ASLEEP * np.minimum(waking, 1.0) + (1.0 - ASLEEP) * log)


def frames_of(traces: Sequence[Trace], axis: tuple[float, float]) -> NDArray[np.int64]:
    """Return the numbers of samples that are shown, about evenly spaced on the clock.

    Every moment at which an arm falls is one of them, and so is the end of each trial.
    """
    known = np.unique(np.concatenate([trace.samples for trace in traces]))
    time = time_of(known, awake_at(traces, axis), int(known[-1]))
    nearest = np.searchsorted(time, np.linspace(0.0, 1.0, FRAMES), side="right") - 1
    events = [n for trace in traces for n in (*fallen_at(trace), int(trace.samples[-1]))]
    return np.unique(np.concatenate([known[nearest], events]).astype(np.int64))


def begins_at(traces: Sequence[Trace]) -> int:
    """Return the number of samples at which the race stands before it is played.

    That is where the rewards of one arm first rule out another. If that never happens, it is the
    first elimination; if there is none, half of the samples of the first trial that ends.
    """
    falls = [
        (out.by == out.arm, n)
        for trace in traces
        for out, n in zip(trace.eliminations, fallen_at(trace), strict=True)
    ]
    return min(falls)[1] if falls else min(int(trace.samples[-1]) for trace in traces) // 2
