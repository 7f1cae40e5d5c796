"""One table for each of many random draws, for example genre assignments, none left out."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from cbai.reproduce.run import Progress


def over_draws(
    column: str,
    what: str,
    count: int,
    play: Callable[[int, Progress], pd.DataFrame],
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Compute a table for the draws 0, 1, ..., `count` - 1.

    Parameters
    ----------
    column, what : str
        The name of the column with the draw's number, and of a draw in progress messages.
    count : int
        Number of draws.
    play : callable
        Called as ``play(number, tell)``; returns the table of one draw. `tell` has the form of
        `progress`.
    progress : callable, optional
        Called as ``progress(what, done, total)`` with the runs of one table.

    Returns
    -------
    DataFrame
        The tables below each other, with `column` as first column.
    """
    parts = []
    for number in range(count):

        def tell(step: str, done: int, total: int, number: int = number) -> None:
            if progress is not None:
                progress(f"{what} {number}, {step}", done, total)

        part = play(number, tell)
        part.insert(0, column, number)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)
