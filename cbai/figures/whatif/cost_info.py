"""What the picture of costs shows, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cbai.figures.base.words import listed
from cbai.results.sweep import Axis, Cell, cell_of
from cbai.simulation import Algorithm, Trials

STEEP = 30.0
"""If the largest cost is more than this many times the smallest, the axis is logarithmic."""


@dataclass(frozen=True)
class Line:
    """One algorithm at every value.

    Attributes
    ----------
    algorithm : Algorithm
    cells : tuple of Cell or None
        None where not computed yet.
    doubted : bool
        Whether it may not be praised at the marked value: it is drawn pale.
    hollow : frozenset of int
        The values at which it may not be praised: their marks are hollow.
    """

    algorithm: Algorithm
    cells: tuple[Cell | None, ...]
    doubted: bool = False
    hollow: frozenset[int] = frozenset()

    def at(self, index: int) -> Cell | None:
        """Return a finished cell in which every run has an answer."""
        cell = self.cells[index]
        return cell if cell is not None and cell.answered else None

    @property
    def known(self) -> list[int]:
        """The values with a finished cell in which every run has an answer."""
        return [at for at in range(len(self.cells)) if self.at(at) is not None]


@dataclass(frozen=True)
class Info:
    """What the figure shows.

    Attributes
    ----------
    axis : Axis
        The values, with the labels to be shown; one of them is marked.
    lines : tuple of Line
    deltas : tuple of float
        The allowed error at each value.
    cost : float
        Of one sample; 1 if samples are counted.
    write : callable
        Writes an amount.
    tick : callable
        Writes an amount on the axis.
    title : str
        What the vertical axis counts; empty if its labels say so.
    """

    axis: Axis
    lines: tuple[Line, ...]
    deltas: tuple[float, ...]
    cost: float
    write: Callable[[float], str]
    tick: Callable[[float], str]
    title: str = ""

    @property
    def drawn(self) -> list[float]:
        """All costs that are drawn."""
        return [
            self.cost * cell.mean
            for line in self.lines
            for cell in line.cells
            if cell is not None and cell.mean > 0.0
        ]

    @property
    def log(self) -> bool:
        """Whether the vertical axis is logarithmic."""
        drawn = self.drawn
        return bool(drawn) and max(drawn) > STEEP * min(drawn)


def cells_in(row: Iterable[Trials | None]) -> tuple[Cell | None, ...]:
    """Summarise the runs of one algorithm at each value; None where there are none yet."""
    return tuple(None if trials is None else cell_of(trials) for trials in row)


def alt_text(info: Info) -> str:
    """Say in one sentence what the figure shows."""
    own, axis = info.axis.own, info.axis
    parts = [
        f"{line.algorithm.title} {info.write(info.cost * cell.mean)}"
        for line in info.lines
        if (cell := line.at(own)) is not None
    ]
    told = listed(parts) if parts else "not known yet"
    return (
        f"Cost by {axis.title}, from {axis.labels[0]} to {axis.labels[-1]}. "
        f"At {axis.labels[own]}: {told}."
    )
