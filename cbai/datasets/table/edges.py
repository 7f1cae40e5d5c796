"""Lines above and below the table in a file: notes, and lines of totals."""

from __future__ import annotations

import contextlib
import csv
import re
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from cbai.datasets.table.names import NAMES, words_of
from cbai.datasets.table.text import MAX_NOTES, after_rows, cut_sample, sample_of

MOST_TOTALS = 4
"""The most lines below the table that may be totals, such as a sum, a mean and a count."""

FEW_LINES = 5_000
LOOK_LINES = 200_000
"""The longest tables, in lines, that are searched for totals without a name, and with a name."""

TAIL_BYTES = 2**16
MOST_BYTES = 10_000_000
"""The longest line and the largest table, in bytes, that are searched for totals."""

SEPARATOR = re.compile(r'"?sep=.?"?', re.IGNORECASE)

_TOTALS = """
grand overall all count n number median min max minimum maximum std stdev sd variance deviation
standard insgesamt ergebnis gesamtergebnis anzahl generale general totales totaux averages means
sums totals ensemble
"""
TOTALS = frozenset((*_TOTALS.split(), *NAMES["total"].split()))
"""The words in names of lines of totals; all words of such a name are among these."""


class Trimmed(NamedTuple):
    """The lines of a table, and how many lines of the file are above and below it."""

    lines: bytes
    above: int
    below: int


def trimmed(lines: bytes, delimiter: str) -> Trimmed:
    """Return the lines of a table without notes above it and totals below it.

    Parameters
    ----------
    lines : bytes
        From `to_lines`.
    delimiter : str
        As in `Guess`.

    Notes
    -----
    A line above is a note if it has one entry that is no number, or is shorter than the table and
    mostly empty. A line below is left out only if its numbers are the sums, means or the like of
    the columns above it, so that no rating is.
    """
    rows = cut_sample(sample_of(lines), delimiter)
    widths = Counter(len(row) for row in rows if len(row) > 1)
    if not widths:
        return Trimmed(lines, 0, 0)
    width = widths.most_common(1)[0][0]
    above = _notes(rows, width)
    lines = lines[after_rows(lines, above) :] if above else lines
    below, start = _totals(lines, delimiter)
    return Trimmed(lines[:start], above, below)


def _totals(lines: bytes, delimiter: str) -> tuple[int, int]:
    """Return how many of the last lines are totals, and where the first of them begins."""
    last: list[tuple[int, list[str]]] = []
    end = len(lines)
    while len(last) < MOST_TOTALS:
        start = lines.rfind(b"\n", 0, end - 1) + 1
        if not start > 0 or end - start > TAIL_BYTES:
            break
        cells = _cells(lines[start:end], delimiter)
        if last and not _is_named(cells):
            break
        last.append((start, cells))
        end = start
        if not _is_named(cells):
            break
    named = all(_is_named(cells) for _, cells in last)
    if (
        not last
        or end > MOST_BYTES
        or lines.count(b"\n", 0, end) > (LOOK_LINES if named else FEW_LINES)
    ):
        return 0, len(lines)
    above = lines[:end]
    is_total = all(_is_total(above, cells, delimiter) for _, cells in last)
    return (len(last), end) if is_total else (0, len(lines))


def _is_named(cells: list[str]) -> bool:
    """Return whether the first entry is what totals are called."""
    words = words_of(next((cell for cell in cells if cell.strip()), ""))
    return bool(words) and set(words) <= TOTALS


def _notes(rows: list[list[str]], width: int) -> int:
    """Return how many of the first lines are notes."""
    for count, row in enumerate(rows[: MAX_NOTES + 1]):
        filled = [cell for cell in row if cell.strip()]
        lone = len(filled) <= 1 and not any(_number(cell) is not None for cell in filled)
        short = len(row) != width and 2 * len(filled) <= width
        is_note = short or (lone and (width > 2 or not filled))
        if not is_note and not (filled and SEPARATOR.fullmatch(filled[0].strip())):
            return count if any(len(other) == width for other in rows[count + 1 :]) else 0
    return 0


def _is_total(above: bytes, cells: list[str], delimiter: str) -> bool:
    """Return whether the last line says the sums, means or the like of the lines above it."""
    filled = [(place, cell.strip()) for place, cell in enumerate(cells) if cell.strip()]
    if len(filled) < 2:
        return False
    named = _is_named(cells)
    numbers = {place: value for place, cell in filled if (value := _number(cell)) is not None}
    rest = len(filled) - named
    if not numbers or len(numbers) < rest - (not named):
        return False
    columns = _columns(above, list(numbers), delimiter)
    shown = [place for place in numbers if len(columns[place]) >= 3]
    said = [_says(numbers[place], columns[place]) for place in shown]
    if named:
        return bool(said) and 2 * sum(map(bool, said)) > len(said)
    beyond = any(_is_beyond(numbers[place], columns[place]) for place in shown)
    return len(said) >= 2 and beyond and (all(s == "sum" for s in said) or
                                          all(s == "mean" for s in said))  # fmt: skip


def _says(value: float, column: Sequence[float]) -> str:
    """Return which summary of a column a number is, or ""."""
    close = max(0.006, 1e-6 * abs(value))
    if abs(sum(column) - value) <= close:
        return "sum"
    if abs(statistics.fmean(column) - value) <= close:
        return "mean"
    spread = (statistics.stdev(column), statistics.pstdev(column), statistics.variance(column))
    others = (len(column), statistics.median(column), min(column), max(column), *spread)
    return "other" if any(abs(one - value) <= close for one in others) else ""


def _is_beyond(value: float, column: Sequence[float]) -> bool:
    """Return whether a number is none that the column itself may hold."""
    whole = all(one == int(one) for one in column)
    return value > max(column) or (whole and value != int(value))


def _columns(above: bytes, places: list[int], delimiter: str) -> dict[int, list[float]]:
    found: dict[int, list[float]] = {place: [] for place in places}
    with contextlib.suppress(csv.Error):
        for row in csv.reader(above.decode().splitlines(), delimiter=delimiter):
            for place in places:
                value = _number(row[place]) if place < len(row) else None
                if value is not None:
                    found[place].append(value)
    return found


def _cells(line: bytes, delimiter: str) -> list[str]:
    rows = cut_sample(line.decode(errors="replace"), delimiter)
    return rows[0] if rows else []


def _number(cell: str) -> float | None:
    """Return a cell as a number; a lone comma is taken for a decimal sign."""
    bare = cell.strip().rstrip("%").strip()[:40]
    if not re.fullmatch(r"[+-]?[\d.,']*\d[\d.,']*", bare):
        return None
    last = max(bare.rfind("."), bare.rfind(","))
    whole, tail = (bare[:last], bare[last + 1 :]) if last >= 0 else (bare, "")
    return float((re.sub(r"[.,']", "", whole) or "0").replace("+", "") + "." + (tail or "0"))
