"""What every reader of ratings returns, and the rules all of them follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cbai.datasets.stream import FileError

NO_GENRES = frozenset({"(no genres listed)", "unknown", ""})
"""What the files write for an item of which no genre is known."""


@dataclass(frozen=True)
class Ratings:
    """Ratings as read; only the last one of each user and item.

    Attributes
    ----------
    frame : DataFrame
        One row a rating; columns ``user`` and ``item`` (whole numbers) and ``rating`` (float).
    items : DataFrame
        One row an item, rated or not; columns ``item``, ``title`` and ``genres`` (a tuple of str
        in the order of the file, empty if none is known).
    scale : tuple of float
        The ratings allowed, increasing.
    source : str
        Where the ratings come from, in words.
    dropped : tuple of (str, int)
        What was left out and how many lines of it; reasons that never applied are not listed.
    digests : mapping of str to str
        SHA-256 of each file read, after unpacking.
    """

    frame: pd.DataFrame
    items: pd.DataFrame
    scale: tuple[float, ...]
    source: str
    dropped: tuple[tuple[str, int], ...] = ()
    digests: Mapping[str, str] = field(default_factory=dict)

    @property
    def n_users(self) -> int:
        """The number of people with at least one rating."""
        return int(self.frame["user"].nunique())


def item_table(rows: Sequence[tuple[int, str, Sequence[str]]], name: str) -> pd.DataFrame:
    """Return the ``items`` of `Ratings` from (item, title, genres), in the order given.

    Parameters
    ----------
    rows : sequence of (int, str, sequence of str)
        The items; names that mean "no genre" are removed from the genres.
    name : str
        The file they come from, for messages.

    Raises
    ------
    FileError
        If there are none, or an item is listed twice.
    """
    if not rows:
        raise FileError(f"{name} must list at least one item, got none.")
    genres = pd.Series(
        [tuple(g for g in row[2] if g not in NO_GENRES) for row in rows], dtype=object
    )
    table = pd.DataFrame(
        {
            "item": np.array([row[0] for row in rows], np.int64),
            "title": [row[1] for row in rows],
            "genres": genres,
        }
    )
    twice = table.loc[table["item"].duplicated(), "item"]
    if len(twice):
        raise FileError(f"{name} must list every item once, got {twice.iloc[0]} twice.")
    return table


def on_scale(rating: NDArray[np.float64], scale: Sequence[float]) -> NDArray[np.bool_]:
    """Return which ratings are on the scale, shape (N,)."""
    steps = np.asarray(scale, dtype=np.float64)
    place = np.minimum(np.searchsorted(steps, rating), steps.size - 1)
    return np.asarray(steps[place] == rating)


def last_of_each(frame: pd.DataFrame) -> tuple[pd.DataFrame, int]:
    """Keep the last line of each user and item, and say how many others were dropped.

    Parameters
    ----------
    frame : DataFrame
        Columns ``user`` and ``item``, whole numbers from 0 to below 2**31.

    Notes
    -----
    The large files of MovieLens are sorted by user, then item. One comparison is then enough.
    """
    key = frame["user"].to_numpy(np.int64, copy=True)
    key <<= 32  # in place, here and below: a large file fills the memory often enough
    key |= frame["item"].to_numpy()
    if bool((key[1:] > key[:-1]).all()):
        return frame, 0
    repeated = pd.Series(key).duplicated(keep="last").to_numpy()
    if not repeated.any():
        return frame, 0
    return frame[~repeated].reset_index(drop=True), int(repeated.sum())


def scale_in_words(scale: Sequence[float]) -> str:
    """Return the scale as "from 1 to 5" or "from 0.5 to 5 in steps of 0.5"."""
    step = scale[1] - scale[0]
    words = f"from {scale[0]:g} to {scale[-1]:g}"
    return words if step == 1 else f"{words} in steps of {step:g}"


def nonzero(dropped: Sequence[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Return the entries of ``dropped`` that apply."""
    return tuple((reason, count) for reason, count in dropped if count)
