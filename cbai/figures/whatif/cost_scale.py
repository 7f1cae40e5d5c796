"""The vertical axis of costs, linear or logarithmic, and where its labels have room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import isotonic_regression

LABEL = 17.0
"""The distance of two labels, in pixels."""
FEW_POWERS = 3.0
"""Below this many powers of ten, 2 and 5 are labelled, too."""


@dataclass(frozen=True)
class Scale:
    """A vertical axis.

    Attributes
    ----------
    log : bool
    low, high : float
        Its ends; exponents of ten if it is logarithmic.
    pixels : float
        Its length.
    """

    log: bool
    low: float
    high: float
    pixels: float

    @classmethod
    def of(cls, values: Sequence[float], *, log: bool, pixels: float) -> Scale:
        """Return an axis with room for all values."""
        if not values:
            return cls(False, 0.0, 1.0, pixels)
        if not log:
            return cls(False, 0.0, 1.12 * max(values), pixels)
        low, high = float(np.log10(min(values))), float(np.log10(max(values)))
        room = 0.07 * (high - low)
        return cls(True, low - room, high + room, pixels)

    def place(self, value: float) -> float:
        """Return where an amount stands on the axis."""
        return float(np.log10(value)) if self.log else value

    def apart(self, values: Sequence[float]) -> list[float]:
        """Return where labels of these amounts can stand without overlapping."""
        if not values:
            return []
        places = np.array([self.place(value) for value in values])
        spacing = LABEL / self.pixels * (self.high - self.low)
        order = np.argsort(places, kind="stable")
        steps = spacing * np.arange(len(places))
        # As near to the amounts as possible, in their order: the least squares under that.
        fitted = isotonic_regression(places[order] - steps).x
        low, high = self.low + 0.5 * spacing, self.high - 0.5 * spacing - steps[-1]
        places[order] = np.clip(fitted, low, max(low, high)) + steps
        return [float(place) for place in places]

    def ticks(self) -> list[float]:
        """Return round amounts on the axis."""
        if not self.log:
            return _steps(self.high)
        factors = (1, 2, 5) if self.high - self.low < FEW_POWERS else (1,)
        values = [
            factor * 10.0**power
            for power in range(int(np.floor(self.low)), int(np.ceil(self.high)) + 1)
            for factor in factors
        ]
        return [value for value in values if self.low <= np.log10(value) <= self.high]


def _steps(high: float) -> list[float]:
    """Return four to seven round numbers from 0 to `high`."""
    rough = high / 5.0
    size = float(10.0 ** np.floor(np.log10(rough)))
    step = next(factor * size for factor in (1.0, 2.0, 2.5, 5.0, 10.0) if factor * size >= rough)
    return [step * i for i in range(int(high / step) + 1)]
