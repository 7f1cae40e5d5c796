"""From text to cells: delimiter, lines that do not fit."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from collections import Counter

import pyarrow as pa
import pyarrow.csv as pa_csv

from cbai import checks
from cbai.datasets.table.distinct import TooManyNames
from cbai.datasets.table.guess import (
    DELIMITERS,
    MAX_BAD_LINES,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_ROWS,
    SAMPLE_ROWS,
)

SAMPLE_BYTES = 2**18
BLOCK = 2**22
"""Bytes that are cut at a time; a row may not be longer."""

MAX_HEADER_LINES = 100
"""Lines that one line of the header may have, with line breaks in quotation marks."""

LONG_RUN = re.compile(r"[^,;\t|\n\"]{1000,}")
MAX_NOTES = 10
"""Lines above a table that may be notes, with other numbers of fields."""

CONSISTENT = 0.9
"""The share of lines with the same number of fields from which a delimiter is believed."""


def sample_of(lines: bytes) -> str:
    """Return the first lines, at most `SAMPLE_ROWS` of them.

    Raises
    ------
    ValueError
        If the first line is longer than any table's here.
    """
    start = lines[:SAMPLE_BYTES]
    if b"\n" not in start:
        raise ValueError(
            f"A table may have at most {MAX_COLUMNS} columns, but the first line alone is longer "
            f"than {SAMPLE_BYTES:,} bytes."
        )
    whole = start[: start.rindex(b"\n")].split(b"\n")[: SAMPLE_ROWS + 1]
    return b"\n".join(whole).decode()


def guess_delimiter(sample: str) -> str:
    """Return the delimiter: the first of `DELIMITERS` that cuts the lines alike.

    Raises
    ------
    ValueError
        If none does.
    """
    for delimiter in DELIMITERS:
        widths = [len(row) for row in cut_sample(sample, delimiter)]
        if _are_alike(widths):
            return delimiter
    for notes in range(1, MAX_NOTES + 1):
        for delimiter in DELIMITERS:
            widths = [len(row) for row in cut_sample(sample, delimiter)]
            if len(widths) >= notes + 3 and _are_alike(widths[notes:]):
                return delimiter
    best = max(DELIMITERS, key=sample.count)
    if any(len(row) > 1 for row in cut_sample(sample, best)[: MAX_NOTES + 1]):
        return best
    raise ValueError(
        "The file must have columns separated by commas, semicolons or tabs, got one column only."
    )


def _are_alike(widths: list[int]) -> bool:
    width, count = Counter(widths).most_common(1)[0] if widths else (0, 0)
    return width > 1 and count >= CONSISTENT * len(widths)


def cut_sample(sample: str, delimiter: str) -> list[list[str]]:
    """Cut the first lines into cells, as far as they can be; long cells are shortened."""
    rows: list[list[str]] = []
    with contextlib.suppress(csv.Error):
        short = LONG_RUN.sub(lambda run: run[0][:1000], sample)
        rows.extend(csv.reader(io.StringIO(short, newline=""), delimiter=delimiter))
    return rows


def check_width(rows: list[list[str]], delimiter: str) -> int:
    """Return the number of fields of the first line.

    Raises
    ------
    ValueError
        If there are too few or too many.
    """
    width = len(rows[0]) if rows else 0
    if width < 2:
        raise ValueError(
            f"The file must have at least 2 columns separated by {DELIMITERS[delimiter]}s, got "
            f"{width}."
        )
    if width > MAX_COLUMNS:
        raise ValueError(f"A table may have at most {MAX_COLUMNS} columns, got {width:,}.")
    return width


class TextColumns:
    """The columns of a text file, all cells texts.

    Parameters
    ----------
    lines : bytes
        From `encoding.to_lines`.
    delimiter : str
        As in `Guess`.
    columns : tuple of str
        Their names.
    header_rows : int
        How many lines to skip at the start.
    used : list of str, optional
        The columns that are needed; all of them if left out.
    most : int, optional
        How many rows are enough.
    names_in : tuple of str, optional
        The columns that name people or arms: reading ends where one has too many entries.

    Attributes
    ----------
    names : tuple of str
        As given.
    n_rows, ragged : int
        How many rows have as many fields as there are columns, and how many have not.
    inside : int
        How many line breaks are inside cells.

    Raises
    ------
    ValueError
        If there is no row, most or very many are ragged, or a quotation mark is not closed.
    """

    index: tuple[str, ...] = ()

    def __init__(
        self,
        lines: bytes,
        delimiter: str,
        columns: tuple[str, ...],
        header_rows: int,
        used: list[str] | None = None,
        most: int | None = None,
        names_in: tuple[str, ...] = (),
    ) -> None:
        start = after_rows(lines, header_rows)
        n_lines = lines.count(b"\n", start)
        if not n_lines:
            raise ValueError("The file must hold rows of data, but there is a header only.")
        self.names = columns
        body = memoryview(lines)[start:]
        some = list(columns if used is None else used)
        counts = [TooManyNames(name) for name in names_in if name in some]
        self._table, bad = _cut(body, delimiter, columns, some, most or MAX_ROWS, counts)
        self.n_rows, self.ragged = self._table.num_rows, bad.count
        is_whole = most is None or self.n_rows < most
        self.inside = n_lines - self.n_rows - self.ragged if is_whole else 0
        if self.inside and lines.count(b'"', start) % 2:
            raise ValueError(
                f"A quotation mark is not closed: {n_lines:,} lines make only "
                f"{self.n_rows + self.ragged:,} rows."
            )
        if 2 * self.ragged > self.n_rows + self.ragged:
            raise ValueError(
                f"Every row must have {len(columns)} fields like the first line, but "
                f"{self.ragged:,} of {self.n_rows + self.ragged:,} have not; the first of these "
                f"has {bad.first}."
            )

    def is_time(self, name: str) -> bool:
        """Return False: a text file does not say so."""
        return False

    def is_truth(self, name: str) -> bool:
        """Return False: a text file does not say so."""
        return False

    def column(self, name: str, rows: int | None = None, names: bool = False) -> pa.ChunkedArray:
        """Return a column as texts in a dictionary, or its first rows."""
        found = self._table[name]
        return found if rows is None else found.slice(0, rows)


class _Ragged:
    """Counts the lines with another number of fields, and stops at too many."""

    def __init__(self) -> None:
        self.count, self.first = 0, 0

    def __call__(self, row: pa_csv.InvalidRow) -> str:
        self.first = self.first or row.actual_columns
        self.count += 1
        return "skip" if self.count <= MAX_BAD_LINES else "error"


def after_rows(lines: bytes, header_rows: int) -> int:
    """Return where the lines after the header begin; a quoted cell of it may have several."""
    start = 0
    for _ in range(header_rows):
        end = start
        for _ in range(MAX_HEADER_LINES):
            found = lines.find(b"\n", end)
            end = len(lines) if found < 0 else found + 1
            if lines.count(b'"', start, end) % 2 == 0:
                break
        else:
            end = lines.find(b"\n", start) + 1
        start = end
    return start


def _cut(
    body: memoryview,
    delimiter: str,
    columns: tuple[str, ...],
    used: list[str],
    most: int,
    counts: list[TooManyNames],
) -> tuple[pa.Table, _Ragged]:
    """Return the rows that fit, and how many do not."""
    bad = _Ragged()
    batches, n_rows = [], 0
    kind = pa.dictionary(pa.int32(), pa.string())
    try:
        reader = pa_csv.open_csv(
            pa.BufferReader(pa.py_buffer(body)),
            pa_csv.ReadOptions(use_threads=False, block_size=BLOCK, column_names=list(columns)),
            pa_csv.ParseOptions(
                delimiter=delimiter, invalid_row_handler=bad, newlines_in_values=True
            ),
            pa_csv.ConvertOptions(
                column_types=dict.fromkeys(columns, kind),
                include_columns=used,
                strings_can_be_null=False,
            ),
        )
        for batch in reader:
            batches.append(batch)
            n_rows += batch.num_rows
            for count in counts:
                count.add(batch[count.column])
            if n_rows * len(columns) > MAX_CELLS:
                raise ValueError(f"A table may have at most {MAX_CELLS:,} cells, got more.")
            if n_rows >= most:
                break
        return pa.Table.from_batches(batches, reader.schema), bad
    except pa.ArrowException as error:
        if bad.count > MAX_BAD_LINES:
            raise ValueError(
                f"Every row must have {len(columns)} fields like the first line, but more than "
                f"{MAX_BAD_LINES:,} have not; the first of these has {bad.first}."
            ) from None
        if "straddling" in str(error) or "block size" in str(error):
            raise ValueError(
                f"A row may have at most {BLOCK:,} bytes, but one is longer, or a quotation mark "
                "is not closed."
            ) from None
        said = checks.quoted(str(error)).strip("'\"")
        raise ValueError(f"The file cannot be cut into cells: {said}") from None
