"""Patterns over all rows of a wide table: ranks, or a table with rows and columns exchanged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from cbai.datasets.table.columns import Notation, numbers_in
from cbai.datasets.table.guess import Answer, Doubt
from cbai.datasets.table.profile import Column

ENOUGH = 6
"""With at least this many rows, ranks are not chance."""

SURE = 0.9
"""The share of complete rows that must be ranks."""

FEW_ROWS = 12
"""With at most this many rows and many more columns, rows and columns may be exchanged."""


def cells_of(columns: list[Column], sample: pd.DataFrame, notation: Notation) -> NDArray[Any]:
    """Return the first cells of some columns as numbers; NaN where there is none."""
    return np.column_stack(
        [
            numbers_in(pa.array(sample[c.name].tolist(), pa.string()), notation).number
            for c in columns
        ]
    )


def about_rows(group: list[Column], sample: pd.DataFrame, notation: Notation) -> list[Doubt]:
    """Return a doubt if the rows of the options are ranks, or may be the options themselves.

    Parameters
    ----------
    group : list of Column
        The options.
    sample : DataFrame
        The first rows, as texts.
    notation : Notation
        How numbers are written.
    """
    if len(group) >= 3 and _are_ranks(cells_of(group, sample, notation)):
        return [_ranks(len(group))]
    rows = group[0].rows if group else 0
    return [_on_its_side(rows, len(group))] if 2 <= rows <= FEW_ROWS < len(group) / 2 else []


def _are_ranks(cells: NDArray[Any]) -> bool:
    whole = cells[np.isfinite(cells).all(axis=1)]
    if len(whole) < ENOUGH:
        return False
    ranked = (np.sort(whole, axis=1) == np.arange(1, cells.shape[1] + 1)).all(axis=1)
    return bool(ranked.mean() >= SURE)


def _ranks(number: int) -> Doubt:
    return Doubt(
        f"Each row ranks the options from 1 to {number}. Is 1 the best?",
        "ranks",
        (
            Answer(
                f"Yes: 1 is the best, so rank r counts as {number + 1} - r.",
                {"turned": float(number + 1)},
            ),
            Answer(f"No: {number} is the best, so the numbers stay as they are.", {"turned": None}),
        ),
    )


def _on_its_side(rows: int, columns: int) -> Doubt:
    turn = Doubt(
        "Each row is an option and each column a person: exchange rows and columns first. Each "
        "row must be a person and each column an option.",
        "on its side",
        (),
    )
    return Doubt(
        f"Is each row one person? There are {rows} rows and {columns} columns of ratings.",
        "rows or columns",
        (
            Answer("Yes: each row is a person, and each column an option.", {}),
            Answer("No: each row is an option, and each column a person.", {}, (turn,)),
        ),
    )
