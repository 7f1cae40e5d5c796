"""How many different names a column has, counted while it is read and in little memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cbai import checks
from cbai.datasets.table.columns import names_in
from cbai.datasets.table.guess import MAX_ENTRIES

PIECE = 10_000
"""Names that are hashed together."""

LETTERS = 100
"""Letters of a name that are hashed; names that begin alike count as one here."""

_FACTORS = np.random.default_rng(20_170_809).integers(0, 2**64, 4 * LETTERS, dtype=np.uint64)


class TooManyNames:
    """Counts the different names in the parts of a column, and stops where there are too many.

    Parameters
    ----------
    column : str
        Its name, for the message.

    Notes
    -----
    Names are hashed once there may be too many of them. Two names with one hash count as one, so
    that nothing is refused wrongly; `codes_of` counts exactly in the end.
    """

    def __init__(self, column: str) -> None:
        self.column = column
        self._waiting: list[pa.Array] = []
        self._total = 0
        self._seen = [np.empty(0, dtype=np.uint64)]

    def add(self, part: pa.Array) -> None:
        """Count the names of one more part.

        Parameters
        ----------
        part : Array
            Texts in a dictionary; others are not looked at.

        Raises
        ------
        ValueError
            If there are more than `MAX_ENTRIES`.
        """
        if pa.types.is_dictionary(part.type) and pa.types.is_string(part.dictionary.type):
            self.add_texts(part.dictionary)

    def add_texts(self, texts: pa.StringArray) -> None:
        """Count more names.

        Parameters
        ----------
        texts : StringArray
            Names; one may come several times.

        Raises
        ------
        ValueError
            If there are more than `MAX_ENTRIES`.
        """
        self._waiting.append(texts)
        self._total += len(texts)
        if self._total <= MAX_ENTRIES:
            return
        for entries in self._waiting:
            self._seen += [
                _hashes(names_in(entries.slice(start, PIECE)))
                for start in range(0, len(entries), PIECE)
            ]
        self._waiting = []
        if sum(map(len, self._seen[1:])) > MAX_ENTRIES / 5:
            self._seen = [_different(np.concatenate(self._seen))]
        if len(self._seen[0]) > MAX_ENTRIES:
            raise ValueError(
                f"There may be at most {MAX_ENTRIES:,} different people or options, got more in "
                f"column {checks.quoted(self.column)}."
            )


def _hashes(names: pa.Array) -> NDArray[np.uint64]:
    """Return a number for each name that is not missing: a sum of random multiples of its bytes."""
    short = pc.utf8_slice_codeunits(names.drop_null(), 0, LETTERS)
    if not len(short):
        return np.empty(0, dtype=np.uint64)
    _, offsets, data = short.buffers()
    ends: NDArray[Any] = np.frombuffer(offsets, dtype=np.int32)
    ends = ends[short.offset : short.offset + len(short) + 1].astype(np.int64)
    letters = np.frombuffer(data or b"", dtype=np.uint8)[ends[0] : ends[-1]].astype(np.uint64)
    ends -= ends[0]
    place = np.arange(ends[-1]) - np.repeat(ends[:-1], np.diff(ends))
    sums = np.zeros(len(letters) + 1, dtype=np.uint64)
    np.cumsum((letters + np.uint64(1)) * _FACTORS[place], out=sums[1:])
    hashes: NDArray[np.uint64] = sums[ends[1:]] - sums[ends[:-1]]
    return hashes


def _different(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the different numbers, sorted; faster here than `numpy.unique`, which hashes."""
    hashes.sort()
    different: NDArray[np.uint64] = hashes[np.append(True, hashes[1:] != hashes[:-1])]
    return different
