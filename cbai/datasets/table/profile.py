"""What is found in a column: its kind, its numbers and words, and whether it names or counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pandas as pd
import pyarrow as pa

from cbai.datasets.table.codes import apart
from cbai.datasets.table.columns import FALSE, MISSING, TRUE, Notation, entries_of, numbers_in
from cbai.datasets.table.guess import LOOK_ROWS, MAX_NAME, MAX_VALUES
from cbai.datasets.table.names import meaning_of
from cbai.datasets.table.scales import MAX_WORDS
from cbai.datasets.table.units import units_in

MOST_ENTRIES = 200_000
"""The most different entries collected; if there are more, the first ones count."""

MOST_TEXTS = 5_000
"""The most entries examined one by one, spread over all that were found."""

DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ].*)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}([ ,].*)?"
)
EPOCH = (6e8, 2.2e9)
"""The years 1989 to 2039 in seconds since 1970; the same range is also tried in milliseconds."""


class Columns(Protocol):
    """The columns of a file, one at a time: those of a CSV or of a Parquet file."""

    names: tuple[str, ...]
    n_rows: int
    ragged: int
    inside: int
    index: tuple[str, ...]

    def column(self, name: str, rows: int | None = None, names: bool = False) -> pa.ChunkedArray:
        """Return a column as texts in a dictionary, bool, int64 or float64."""

    def is_time(self, name: str) -> bool:
        """Return whether the file says that a column holds times."""

    def is_truth(self, name: str) -> bool:
        """Return whether the file says that a column holds true and false."""


@dataclass(frozen=True, eq=False)
class Entries:
    """Different entries of a column as texts, and how often each occurs; see `entries_of`."""

    texts: tuple[str, ...]
    counts: np.ndarray[Any, Any]
    different: int
    whole: bool


@dataclass(frozen=True, eq=False)
class Column:
    """What is known of one column; see `look_at`."""

    name: str
    meaning: str | None
    kind: str
    rows: int
    filled: int
    different: int
    values: np.ndarray[Any, Any]
    counts: np.ndarray[Any, Any]
    codes: tuple[float, ...]
    words: dict[str, int]
    rising: bool
    counter: bool
    entries: Entries
    place: int

    @property
    def empty(self) -> int:
        """Cells without an entry."""
        return self.rows - self.filled

    @property
    def repeats(self) -> bool:
        """Whether some entry comes twice."""
        return self.different < self.filled

    @property
    def numeric(self) -> bool:
        """Whether these are numbers, or true and false."""
        return self.kind in ("number", "truth")

    @property
    def scores(self) -> bool:
        """Whether these could be ratings: numbers, of which there are few different ones."""
        return self.numeric and self.different <= MAX_VALUES

    @property
    def core(self) -> np.ndarray[Any, Any]:
        """The different numbers, without those that may mean "not rated"."""
        return self.values[~np.isin(self.values, self.codes)]

    @property
    def low(self) -> float:
        """The smallest number."""
        return float(self.core.min()) if self.core.size else 0.0

    @property
    def high(self) -> float:
        """The largest number."""
        return float(self.core.max()) if self.core.size else 0.0

    @property
    def whole(self) -> bool:
        """Whether all numbers are whole."""
        return bool((self.values == np.rint(self.values)).all())


def look_up(columns: Columns, name: str) -> Entries:
    """Return the different entries of a column, or many of them."""
    texts, counts, whole = entries_of(columns.column(name, LOOK_ROWS), MOST_ENTRIES)
    different = len(texts)
    if different > MOST_TEXTS:
        step = np.linspace(0, different - 1, MOST_TEXTS).astype(np.int64)
        texts, counts = texts.take(pa.array(step)), counts[step]
    cut = tuple("" if text is None else text[: MAX_NAME + 1] for text in texts.to_pylist())
    return Entries(cut, counts, different, whole)


def look_at(
    columns: Columns, name: str, entries: Entries, sample: pd.Series, notation: Notation
) -> Column:
    """Return what is known of a column.

    Parameters
    ----------
    columns : Columns
        The file.
    name : str
        The column.
    entries : Entries
        From `look_up`.
    sample : Series
        Its first cells, as texts.
    notation : Notation
        How numbers are written.
    """
    texts = pa.array(entries.texts, pa.string())
    found = numbers_in(texts, notation)
    here = ~found.missing & (entries.counts > 0)
    shown = int(entries.counts[here].sum())
    all_shown = int(entries.counts.sum())
    share = shown / all_shown if all_shown else 0.0
    rows = min(columns.n_rows, LOOK_ROWS)
    is_complete = entries.whole and entries.different == len(entries.texts)
    filled = shown if is_complete else round(share * rows)
    different = int(here.sum())
    if not is_complete:
        different = round(entries.different * (1 if entries.whole else rows / all_shown))
        different = min(different, filled)
    kind = _kind(columns, name, entries, found.number, here)
    numeric = here & np.isfinite(found.number)
    values, place = np.unique(found.number[numeric], return_inverse=True)
    counts = np.bincount(place, entries.counts[numeric], minlength=values.size)
    small = kind in ("words", "text") and different <= 4 * MAX_WORDS
    words = {entries.texts[i]: int(entries.counts[i]) for i in np.flatnonzero(here) if small}
    rising, counter = _order(sample, notation)
    return Column(
        name=name,
        meaning="index" if name in columns.index and name.startswith("__") else meaning_of(name),
        kind=kind,
        rows=rows,
        filled=filled,
        different=different,
        values=values,
        counts=counts,
        codes=apart(values, counts) if kind == "number" else (),
        words=words,
        rising=rising,
        counter=counter and different == filled,
        entries=entries,
        place=columns.names.index(name),
    )


def _kind(columns: Columns, name: str, entries: Entries, number: Any, here: Any) -> str:
    """Return "empty", "date", "truth", "number", "words" or "text"."""
    counts = entries.counts
    filled = int(counts[here].sum())
    if not filled:
        return "empty"
    if columns.is_time(name):
        return "date"
    if columns.is_truth(name):
        return "truth"
    dates = sum(
        int(counts[i])
        for i in np.flatnonzero(here)
        if DATE.fullmatch(entries.texts[i].strip()) and np.isnan(number[i])
    )
    if dates > 0.8 * filled:
        return "date"
    bad = int(counts[here & np.isnan(number)].sum())
    same_unit = not units_in(entries.texts[i] for i in np.flatnonzero(here))
    if same_unit and bad < filled and bad <= max(0.1 * filled, 1 if filled >= 4 else 0):
        truth = {entries.texts[i].strip().lower() for i in np.flatnonzero(here)}
        if truth <= {*TRUE, *FALSE}:
            return "truth"
        seconds = number[here & np.isfinite(number)]
        times = meaning_of(name) in (None, "time") and any(
            ((seconds >= unit * EPOCH[0]) & (seconds <= unit * EPOCH[1])).all() for unit in (1, 1e3)
        )
        return "date" if times and seconds.size else "number"
    few = int(here.sum()) <= MAX_WORDS
    return "words" if few else "text"


def _order(sample: pd.Series, notation: Notation) -> tuple[bool, bool]:
    """Return whether the first cells never fall, and whether they count 0, 1, 2, ..."""
    texts = sample.str.strip()
    texts = texts[~texts.str.lower().isin(MISSING)]
    number = numbers_in(pa.array(texts.tolist(), pa.string()), notation).number
    if number.size < 3 or not np.isfinite(number).all() or number.size < len(sample):
        return False, False
    steps = np.diff(number)
    counts = bool((steps == 1).all()) and number[0] in (0.0, 1.0)
    return bool((steps >= 0).all() and steps.any()), counts
