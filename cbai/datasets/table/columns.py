"""From the cells of a column to codes or numbers; each different text is looked at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from cbai.datasets.table.guess import MAX_NAME

MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-", "."})
"""What a missing number is written as, in any case; of a name, only "" and "nan"."""


class Codes(NamedTuple):
    """A column of names: a code a row, -1 where it is missing, and the name of each code."""

    code: NDArray[np.int32]
    names: list[str]


class Numbers(NamedTuple):
    """A column of numbers: NaN where there is none, and whether it is missing or no number."""

    number: NDArray[np.float64]
    missing: NDArray[np.bool_]
    text: NDArray[np.bool_]


def codes_of(column: pa.ChunkedArray) -> Codes:
    """Return a column of names as codes, in order of the names: by number if all are whole."""
    index, entries = _encoded(column)
    texts = ["" if entry is None else _plain(entry) for entry in entries]
    names = sorted({text for text in texts if text.lower() not in ("", "nan")}, key=_order(texts))
    number = {name: i for i, name in enumerate(names)}
    new = np.array([number.get(text, -1) for text in texts] + [-1], dtype=np.int32)
    return Codes(new[index], names)


def numbers_of(column: pa.ChunkedArray, decimal: str) -> Numbers:
    """Return a column as numbers."""
    kind = column.type
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        number = pc.cast(column, pa.float64(), safe=False).to_numpy().astype(np.float64)
        missing = np.isnan(number)
        return Numbers(number, missing, np.zeros_like(missing))
    index, entries = _encoded(column)
    texts = pd.Series(["" if entry is None else str(entry).strip() for entry in entries] + [""])
    missing = texts.str.lower().isin(MISSING).to_numpy(dtype=bool)
    if decimal == ",":
        texts = texts.where(~texts.str.contains(".", regex=False), "?")
        texts = texts.str.replace(",", ".", regex=False)
    number = pd.to_numeric(texts.where(~missing, "nan").astype(object), errors="coerce")
    number = number.to_numpy(dtype=np.float64)
    return Numbers(number[index], missing[index], (np.isnan(number) & ~missing)[index])


def texts_of(column: pa.ChunkedArray) -> list[str]:
    """Return the cells as texts, "" where missing, those longer than a name cut.

    Only for a sample; a text that is repeated takes its space once.
    """
    index, entries = _encoded(column)
    texts = ["" if entry is None else str(entry)[: MAX_NAME + 1] for entry in entries] + [""]
    return [texts[i] for i in index]


def first_text(column: pa.ChunkedArray, where: NDArray[np.bool_]) -> str:
    """Return the first entry of some rows, for a message, at most 40 letters of it."""
    entry = column[int(np.argmax(where))].as_py()
    return " ".join(str(entry).split())[:40]


def _encoded(column: pa.ChunkedArray) -> tuple[NDArray[np.int64], list[Any]]:
    """Return the index of each cell's entry, -1 for null, and the different entries."""
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column)
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.chunk(0) if whole.num_chunks else pa.array([]).dictionary_encode()
    index = pc.fill_null(pc.cast(whole.indices, pa.int64()), -1).to_numpy(zero_copy_only=False)
    return index, whole.dictionary.to_pylist()


def _plain(entry: Any) -> str:
    """Return an id as text; a whole number in floating point loses its ".0"."""
    if isinstance(entry, float) and entry.is_integer():
        return str(int(entry))
    return str(entry).strip()


def _order(texts: list[str]) -> Any:
    whole = all(text.isascii() and text.isdigit() and len(text) < 19 for text in texts if text)
    return (lambda name: (int(name), name)) if whole else None
