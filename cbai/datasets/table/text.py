"""From bytes to text cells: encoding, delimiter, lines that do not fit."""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import re
from collections import Counter

import pyarrow as pa
import pyarrow.csv as pa_csv

from cbai import checks
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
CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
KNOWN_STARTS = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\xff\xfe": "UTF-16 text; save it as UTF-8",
    b"\xfe\xff": "UTF-16 text; save it as UTF-8",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
}
CONSISTENT = 0.9
"""The share of lines with the same number of fields from which a delimiter is believed."""


def guess_encoding(data: bytes) -> str:
    """Return the encoding of a text file.

    Raises
    ------
    ValueError
        If it is no text, or none that can be read.

    Notes
    -----
    charset_normalizer knows Cyrillic and Japanese encodings, but it takes Western names in
    Windows-1252 and Latin-1 for CP775 and Windows-1250, even in thousands of rows, and so spoils
    them without a word. So it was tried and not kept.
    """
    for start, what in KNOWN_STARTS.items():
        if data.startswith(start):
            raise ValueError(f"The file must be CSV or Parquet, but it looks like {what}.")
    if CONTROL.search(data):
        raise ValueError("The file must be CSV or Parquet, but it is neither text nor Parquet.")
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig" if _decodes(data, "utf-8") else _refuse("UTF-8, as its start says")
    for encoding in ("utf-8", "latin-1", "cp1252"):
        c1_controls = encoding == "latin-1" and re.search(rb"[\x80-\x9f]", data)
        if not c1_controls and _decodes(data, encoding):
            return encoding
    return _refuse("UTF-8, Latin-1 or Windows-1252")


def to_lines(data: bytes, encoding: str) -> bytes:
    r"""Return the text in UTF-8 with ``\n`` after each line, without empty lines.

    Raises
    ------
    ValueError
        If the text is not in that encoding, empty, or has too many lines.
    """
    if not _decodes(data, encoding):
        _refuse(encoding)
    if encoding in ("utf-8", "utf-8-sig"):
        text = data.removeprefix(codecs.BOM_UTF8)
    else:
        text = data.decode(encoding).encode()
    text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    while b"\n\n" in text:  # half as many each time; a pattern would keep millions of pieces
        text = text.replace(b"\n\n", b"\n")
    text = text.strip(b"\n")
    if not text.strip():
        raise ValueError("The file must hold a table, but it is empty.")
    n_lines = text.count(b"\n") + 1
    if n_lines > MAX_ROWS + 1:
        raise ValueError(f"The file may hold at most {MAX_ROWS:,} rows, got {n_lines:,} lines.")
    return text + b"\n"


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
        widths = Counter(len(row) for row in cut_sample(sample, delimiter))
        if not widths:
            continue
        width, count = widths.most_common(1)[0]
        if width > 1 and count >= CONSISTENT * widths.total():
            return delimiter
    best = max(DELIMITERS, key=sample.count)
    if len(next(iter(cut_sample(sample, best)), [])) > 1:
        return best
    raise ValueError(
        "The file must have columns separated by commas, semicolons or tabs, got one column only."
    )


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
        From `to_lines`.
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
    ) -> None:
        start = _after(lines, header_rows)
        n_lines = lines.count(b"\n", start)
        if not n_lines:
            raise ValueError("The file must hold rows of data, but there is a header only.")
        self.names = columns
        body = memoryview(lines)[start:]
        some = list(columns if used is None else used)
        self._table, bad = _cut(body, delimiter, columns, some, most or MAX_ROWS)
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

    def column(self, name: str, rows: int | None = None) -> pa.ChunkedArray:
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


def _after(lines: bytes, header_rows: int) -> int:
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
    body: memoryview, delimiter: str, columns: tuple[str, ...], used: list[str], most: int
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


def _decodes(data: bytes, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for start in range(0, len(data), 2**20):
            decoder.decode(data[start : start + 2**20])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _refuse(encoding: str) -> str:
    raise ValueError(f"The file must be text in {encoding}, but some of its bytes are not.")
