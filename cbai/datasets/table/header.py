"""Which of a table's first lines name its columns, and how they name them."""

from __future__ import annotations

from typing import Any

import pandas as pd

from cbai.datasets.table.columns import MISSING
from cbai.datasets.table.guess import MAX_NAME
from cbai.datasets.table.names import meaning_of
from cbai.datasets.table.notation import is_number, is_quantity

REPLIES = frozenset({"", "response", "open-ended response", "antwort", "other (please specify)"})
"""What survey tools write below the name of a column that is no option."""

FEW = 15
"""How many different entries a column of ratings may have here."""


def guess_header(first: list[str], cells: pd.DataFrame) -> tuple[bool, str]:
    """Return whether the first line names the columns, and the reason.

    Parameters
    ----------
    first : list of str
        The cells of the first line.
    cells : DataFrame
        The sample's other lines.
    """
    below = [_is_numeric(cells.iloc[:, i]) for i in range(cells.shape[1])]
    above = [
        is_number(cell) or (is_quantity(cell) and cell in set(cells.iloc[:, i]))
        for i, cell in enumerate(first)
    ]
    named = any(numeric and not number for numeric, number in zip(below, above, strict=True))
    if named and any(cell.strip() for cell in first):
        return True, "The first line has names where the others have numbers."
    known = [meaning_of(cell) for cell in first]
    if not any(above) and (not any(below) or len([m for m in known if m]) >= 2):
        return True, "The first line has no number in it."
    numeric = [i for i, number in enumerate(below) if number]
    if all(above[i] for i in numeric) and _stands_apart(first, cells, numeric):
        return True, "The numbers of the first line stand apart from those below, as years do."
    return False, "The first line has numbers like the others, so the columns have no names."


def _stands_apart(first: list[str], cells: pd.DataFrame, numeric: list[int]) -> bool:
    """Return whether all numbers of the first line differ, and are far from those below them."""
    if len(numeric) < 2 or len(set(first)) < len(first):
        return False
    texts = [i for i in range(len(first)) if i not in numeric]
    if any(first[i] in set(cells.iloc[:, i]) for i in texts):
        return False
    for i in numeric:
        below = pd.to_numeric(cells.iloc[:, i], errors="coerce").dropna()
        name = pd.to_numeric(first[i], errors="coerce")
        if below.empty or pd.isna(name):
            return False
        low, high = float(below.min()), float(below.max())
        if low - (high - low) <= float(name) <= high + (high - low):
            return False
    return True


def count_header_rows(rows: list[list[str]]) -> int:
    """Return how many lines name the columns, if the first does: 1, 2 or 3.

    Parameters
    ----------
    rows : list of list of str
        The first lines, cut into cells, of which enough must be as long as the first.
    """
    wide = len(rows[0]) if rows else 0
    same = [row for row in rows if len(row) == wide]
    for count in (3, 2):
        if len(same) >= count + 3 and all(
            _names_too(same[i], same[count:]) for i in range(1, count)
        ):
            return count
    return 1


def column_names(rows: list[list[str]], width: int) -> tuple[str, ...]:
    """Return a different name for each column; those empty or used before get a number.

    Parameters
    ----------
    rows : list of list of str
        The lines that name the columns; none if there is no header.
    width : int
        How many columns there are.
    """
    cells = _merged([row + [""] * (width - len(row)) for row in rows]) if rows else [""] * width
    names: list[str] = []
    used: set[str] = set()
    for number, cell in enumerate(cells, start=1):
        name = " ".join(cell.split())
        name = "".join(letter for letter in name if letter.isprintable()) or f"column {number}"
        if len(name) > MAX_NAME:
            name = f"{name[: MAX_NAME - 40].rstrip()}… (column {number})"
        while name in used:
            name = f"{name[: MAX_NAME - 40]} (column {number})"
        names.append(name)
        used.add(name)
    return tuple(names)


def _merged(rows: list[list[str]]) -> list[str]:
    """Return one name a column: that of the second line, unless that says nothing."""
    if len(rows) == 1:
        return _without_question(rows[0])
    first, second = rows[0], rows[1]
    replies = [cell.strip().casefold() in REPLIES for cell in second]
    chosen = [
        (above if above.strip() and reply else below) or above
        for above, below, reply in zip(first, second, replies, strict=True)
    ]
    return _without_question(chosen)


def _without_question(names: list[str]) -> list[str]:
    """Leave out a question that several names share before a " - ", or before brackets."""
    result = list(names)
    for sign, end in ((" - ", ""), (" [", "]")):
        starts = [name.rpartition(sign)[0] if name.endswith(end) else "" for name in names]
        for start in {start for start in starts if start and starts.count(start) >= 2}:
            whose = zip(names, starts, strict=True)
            rest = [name[len(start) + len(sign) :] for name, one in whose if one == start]
            options = [name[: len(name) - len(end)] for name in rest]
            if all(option.strip() for option in options):
                for i, one in enumerate(starts):
                    result[i] = options.pop(0) if one == start else result[i]
    return result if len(set(result)) == len(set(names)) else names


def _names_too(row: list[str], below: list[list[str]]) -> bool:
    """Return whether a line names options too: no entry of it is like those below."""
    seen = 0
    for place, cell in enumerate(row):
        entries = [other[place].strip() for other in below]
        filled = [entry for entry in entries if entry.lower() not in MISSING]
        cell = cell.strip()
        if not cell or not filled:
            continue
        numeric = sum(map(is_quantity, filled)) > 0.8 * len(filled)
        few = len(set(filled)) <= FEW and len(filled) >= 5 * len(set(filled))
        if not numeric and not few:
            continue
        units = numeric and not all(map(is_number, filled))  # as in 20 % below 35 %
        if is_number(cell) or cell in filled or cell.lower() in MISSING:
            return False
        if units and is_quantity(cell):
            return False
        seen += 1
    return seen >= 2


def _is_numeric(cells: Any) -> bool:
    """Return whether the filled cells are numbers, but for one in ten, or one of four or more."""
    texts = cells.str.strip()
    filled = texts[~texts.str.lower().isin(MISSING)]
    numbers = [is_quantity(text) for text in filled]
    allowed = max(0.1 * len(numbers), 1 if len(numbers) >= 4 else 0)
    return any(numbers) and numbers.count(False) <= allowed
