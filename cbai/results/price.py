"""The cost of samples in money and days."""

from __future__ import annotations

from dataclasses import dataclass

from cbai import checks
from cbai.results.sweep import Cell

MOST = 1e12


@dataclass(frozen=True)
class Span:
    """A mean with its 95 % interval, and the 95 % quantile over trials."""

    mean: float
    low: float
    high: float
    q95: float


@dataclass(frozen=True)
class Price:
    """What samples cost.

    Parameters
    ----------
    cost : float
        Cost of one sample, in any unit; at least 0.
    per_day : float
        Samples per day; more than 0.

    Raises
    ------
    ValueError
        If a number is outside its range.
    """

    cost: float
    per_day: float

    def __post_init__(self) -> None:
        """Check the numbers."""
        checks.real("cost", self.cost, 0.0, MOST)
        checks.real("per_day", self.per_day, 0.0, MOST, open_ends=True)

    def money(self, cell: Cell) -> Span | None:
        """Return the cost of a trial; None (unknown) if a trial ran out of samples."""
        return _times(cell, self.cost)

    def days(self, cell: Cell) -> Span | None:
        """Return the days that a trial takes, one sample after another; None as in `money`."""
        return _times(cell, 1.0 / self.per_day)


def _times(cell: Cell, factor: float) -> Span | None:
    if not cell.answered:
        return None
    return Span(*(factor * number for number in (cell.mean, cell.low, cell.high, cell.q95)))
