"""Labels that do not overlap."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def place(
    heights: NDArray[np.float64], order: Sequence[int], must: Sequence[int], spacing: float
) -> dict[int, float]:
    """Place labels in `order`, at least `spacing` apart. Only those in `must` may be moved."""
    placed: dict[int, float] = {}

    def free(y: float) -> bool:
        return all(abs(y - other) >= 0.999 * spacing for other in placed.values())

    for arm in dict.fromkeys(order):
        wanted = float(heights[arm])
        if free(wanted):
            placed[arm] = wanted
        elif arm in must:
            shifted = [y + side * spacing for y in placed.values() for side in (-1, 1)]
            placed[arm] = min(filter(free, shifted), key=lambda y: abs(y - wanted))
    return placed


def spread(
    heights: NDArray[np.float64], spacing: float, low: float, high: float
) -> NDArray[np.float64]:
    """Move labels as little as possible, in their order, to be at least `spacing` apart.

    They stay between `low` and `high` if there is room for all.
    """
    order = np.argsort(heights, kind="stable")
    steps = spacing * np.arange(len(heights))
    lowest = np.maximum.accumulate(np.maximum(heights[order], low) - steps)
    highest = max(high - steps[-1], low) if len(heights) else high
    placed = np.empty(len(heights))
    placed[order] = np.minimum(lowest, highest) + steps
    return placed
