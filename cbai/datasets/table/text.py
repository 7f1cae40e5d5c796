"""From bytes to text cells: encoding, delimiter, lines that do not fit."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter

import pyarrow as pa
import pyarrow.csv as pa_csv

from cbai.datasets.table.guess import DELIMITERS, MAX_COLUMNS, MAX_NAME, MAX_ROWS, SAMPLE_ROWS

SAMPLE_BYTES = 2**18
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
    text = re.sub(rb"\n{2,}", b"\n", text).strip(b"\n")
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
    """Return the delimiter: tab, semicolon or comma, the first that cuts the lines alike.

    Raises
    ------
    ValueError
        If none does.
    """
    for delimiter in DELIMITERS:
        widths = Counter(len(row) for row in _rows(sample, delimiter))
        if not widths:
            continue
        width, count = widths.most_common(1)[0]
        if width > 1 and count >= CONSISTENT * widths.total():
            return delimiter
    best = max(DELIMITERS, key=sample.count)
    if len(next(iter(_rows(sample, best)), [])) > 1:
        return best
    raise ValueError(
        "The file must have columns separated by commas, semicolons or tabs, got one column only."
    )


def first_row(sample: str, delimiter: str) -> list[str]:
    """Return the cells of the first line.

    Raises
    ------
    ValueError
        If there are too many.
    """
    row = next(iter(_rows(sample, delimiter)), [])
    if len(row) < 2:
        raise ValueError(
            f"The file must have at least 2 columns separated by {DELIMITERS[delimiter]}s, got "
            f"{len(row)}."
        )
    if len(row) > MAX_COLUMNS:
        raise ValueError(f"A table may have at most {MAX_COLUMNS} columns, got {len(row):,}.")
    return row


def column_names(row: list[str], header: bool) -> tuple[str, ...]:
    """Return a name for each column; those empty or used before get a number.

    Raises
    ------
    ValueError
        If a name is too long.
    """
    names: list[str] = []
    for number, cell in enumerate(row, start=1):
        name = (cell.strip() if header else "") or f"column {number}"
        if len(name) > MAX_NAME:
            raise ValueError(
                f"A column's name may have at most {MAX_NAME} letters, got {len(name):,} in "
                f"column {number}."
            )
        names.append(name if name not in names else f"{name} (column {number})")
    return tuple(names)


def parse(
    lines: bytes, delimiter: str, columns: tuple[str, ...], header: bool
) -> tuple[pa.Table, int]:
    """Cut the lines into cells, all texts.

    Parameters
    ----------
    lines : bytes
        From `to_lines`.
    delimiter, columns, header
        As in `Guess`.

    Returns
    -------
    table : Table
        The rows that have as many fields as there are columns.
    ragged : int
        How many have not.

    Raises
    ------
    ValueError
        If there is no row, most are ragged, or a quotation mark is not closed on its line.
    """
    body = lines[lines.index(b"\n") + 1 :] if header else lines
    n_rows = body.count(b"\n")
    if not n_rows:
        raise ValueError("The file must hold rows of data, but there is a header only.")
    table, ragged = _cut(body, delimiter, columns)
    if table.num_rows + len(ragged) != n_rows:
        raise ValueError(
            "Every row must stand on one line, but a quotation mark is not closed on its own: "
            f"{n_rows:,} lines, {table.num_rows + len(ragged):,} rows."
        )
    if 2 * len(ragged) > n_rows:
        raise ValueError(
            f"Every row must have {len(columns)} fields like the first line, but "
            f"{len(ragged):,} of {n_rows:,} have not; the first of these has {ragged[0]}."
        )
    return table, len(ragged)


def _cut(body: bytes, delimiter: str, columns: tuple[str, ...]) -> tuple[pa.Table, list[int]]:
    """Return the rows that fit, and the number of fields of each that does not."""
    ragged: list[int] = []

    def skip(row: pa_csv.InvalidRow) -> str:
        ragged.append(row.actual_columns)
        return "skip"

    try:
        table = pa_csv.read_csv(
            pa.BufferReader(body),
            pa_csv.ReadOptions(
                use_threads=False, block_size=len(body) + 1, column_names=list(columns)
            ),
            pa_csv.ParseOptions(
                delimiter=delimiter, invalid_row_handler=skip, newlines_in_values=True
            ),
            pa_csv.ConvertOptions(
                column_types=dict.fromkeys(columns, pa.string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowException as error:
        raise ValueError(f"The file cannot be cut into cells: {str(error)[:200]}") from None
    return table, ragged


def _rows(sample: str, delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter))
    except csv.Error:
        return []


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
