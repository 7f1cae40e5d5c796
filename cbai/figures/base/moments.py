"""Moments of a recorded trial, and how they are sent to the browser."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cbai.simulation import Trace
from cbai.simulation.trace import Elimination


def own_samples(trace: Trace, out: Elimination) -> int:
    """Return how many samples of its own an arm had when it was ruled out."""
    return int(trace.pulls[np.searchsorted(trace.rounds, out.round), out.arm])


def moments_at(trace: Trace, samples: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each number of samples the last recorded moment with at most so many."""
    return np.maximum(np.searchsorted(trace.samples, samples, side="right") - 1, 0)


def coded(table: NDArray[Any], unit: float = 1.0) -> list[int]:
    """Return a table as whole numbers of a unit, each row as its change since the one before."""
    whole = np.rint(np.asarray(table, dtype=np.float64) / unit).astype(np.int64)
    changes: list[int] = np.diff(whole, axis=0, prepend=np.zeros_like(whole[:1])).ravel().tolist()
    return changes
