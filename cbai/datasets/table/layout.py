"""Guessing what the columns of a table mean, from their names and their first rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pandas as pd

from cbai.datasets.table.columns import MISSING
from cbai.datasets.table.guess import MAX_VALUES

NAMES = {
    "user": "user|userid|person|personid|reader|customer|respondent|participant|rater|reviewer|"
    "voter|patient|subject|visitor|guest|member|who|id",
    "arm": "arm|item|itemid|movie|movieid|film|book|bookid|product|genre|category|title|option|"
    "treatment|ad|advert|variant|song|artist|what",
    "reward": "reward|rating|ratings|score|stars|value|vote|grade|mark|points|response|outcome",
    "weight": "weight|weights|count|counts|n|freq|frequency|times",
    "person": "age|agegroup|country|gender|sex|region|state|city|education|income|group|language",
    "time": "timestamp|time|date|datetime|year",
}
"""What columns are often called, by their meaning."""

NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity)", re.IGNORECASE)
COMMA_NUMBER = re.compile(r"[+-]?\d+,\d+")


@dataclass(frozen=True)
class Column:
    """What the sample says of one column: see `_look_at`."""

    name: str
    meaning: str | None
    numeric: bool
    empty: int
    different: int
    filled: int

    @property
    def repeats(self) -> bool:
        """Whether some entry comes twice."""
        return self.different < self.filled

    @property
    def scores(self) -> bool:
        """Whether these could be rewards: numbers, of which there are few different ones."""
        return self.numeric and self.different <= MAX_VALUES


def guess_decimal(cells: pd.DataFrame, delimiter: str) -> tuple[str, str]:
    """Return the decimal sign, and the reason for it.

    Parameters
    ----------
    cells : DataFrame
        The sample, as texts.
    delimiter : str
        A comma that separates columns is no decimal comma.
    """
    texts = pd.unique(cells.to_numpy(dtype=object).ravel())
    commas = sum(bool(COMMA_NUMBER.fullmatch(text.strip())) for text in texts)
    points = sum("." in text and bool(NUMBER.fullmatch(text.strip())) for text in texts)
    if delimiter != "," and commas > points:
        return ",", "Numbers such as 3,5 are written with a decimal comma."
    return ".", ""


def guess_header(first: list[str], cells: pd.DataFrame, decimal: str) -> tuple[bool, str]:
    """Return whether the first line names the columns, and the reason.

    Parameters
    ----------
    first : list of str
        The cells of the first line.
    cells : DataFrame
        The sample's other lines.
    decimal : str
        The decimal sign.
    """
    below = [_is_numeric(cells.iloc[:, i], decimal) for i in range(cells.shape[1])]
    above = [_number(cell, decimal) for cell in first]
    named = any(numeric and not number for numeric, number in zip(below, above, strict=True))
    if named and any(cell.strip() for cell in first):
        return True, "The first line has names where the others have numbers."
    known = [meaning_of(cell) for cell in first]
    if not any(above) and (not any(below) or len([m for m in known if m]) >= 2):
        return True, "The first line has no number in it."
    return False, "The first line has numbers like the others, so the columns have no names."


def meaning_of(name: str) -> str | None:
    """Return what a column of this name usually holds, a key of `NAMES`."""
    plain = re.sub(r"[^a-z]", "", name.lower())
    return next((m for m, words in NAMES.items() if plain in words.split("|")), None)


def guess_mapping(cells: pd.DataFrame, decimal: str) -> dict[str, Any]:
    """Return the layout and the columns' meaning, as fields of `Guess`.

    Parameters
    ----------
    cells : DataFrame
        The sample, as texts, under the names of the columns.
    decimal : str
        The decimal sign.
    """
    columns = [_look_at(cells[name], str(name), decimal) for name in cells.columns]
    columns.sort(key=lambda column: not column.filled)  # empty ones mean nothing, if others do
    named = {column.meaning: column.name for column in reversed(columns) if column.meaning}
    if {"arm", "reward"} <= named.keys():
        return _long(columns, "The columns are called as in a table of one rating a row.")
    rest = [c for c in columns if c.filled and c.meaning not in ("person", "time")]
    user = _user_of_wide(rest)
    arms = [column for column in rest if column.scores and column is not user]
    sparse = any(column.empty for column in arms)
    texts = [c for c in rest if not c.numeric and c is not user]
    few = len(rest) == 3 and any(c.repeats and not c.scores for c in rest)
    if len(arms) >= 2 and not texts and not few and (sparse or user is None or not user.repeats):
        return _wide(columns, user, arms)
    return _long(columns, "An entry such as a name comes in several rows: one rating a row.")


def _user_of_wide(columns: list[Column]) -> Column | None:
    by_name = [column for column in columns if column.meaning == "user"]
    if by_name:
        return by_name[0]
    first = columns[0] if columns else None
    if (
        first
        and not first.repeats
        and not first.empty
        and (first.different > 5 or not first.numeric)
    ):
        return first
    return None


def _wide(columns: list[Column], user: Column | None, arms: list[Column]) -> dict[str, Any]:
    who = f"{user.name!r} says whose" if user else "every row is another person's"
    return {
        "layout": "wide",
        "user": user.name if user else None,
        "arm_columns": tuple(column.name for column in arms),
        "person_columns": _person_columns(columns, arms),
        "reasons": (
            f"{len(arms)} columns hold few different numbers each: one person a row, {who}.",
        ),
    }


def _long(columns: list[Column], reason: str) -> dict[str, Any]:
    free = [column for column in columns if column.meaning not in ("weight", "person", "time")]
    chosen: dict[str, str | None] = {}
    for role in ("user", "arm", "reward"):
        chosen[role] = next((c.name for c in free if c.meaning == role), None)
    left = [column for column in free if column.name not in chosen.values()]
    if chosen["reward"] is None:
        scores = [column for column in left if column.scores] or [c for c in left if c.numeric]
        chosen["reward"] = scores[-1].name if scores else None
        left = [column for column in left if column.name != chosen["reward"]]
    if chosen["user"] is None and left:
        chosen["user"] = left[0].name
        left = left[1:]
    if chosen["arm"] is None and left:
        chosen["arm"] = left[0].name
    weight = next((column.name for column in columns if column.meaning == "weight"), None)
    roles = ", ".join(f"{role}: {name!r}" for role, name in chosen.items() if name)
    return {
        "layout": "long",
        **chosen,
        "weight": weight,
        "person_columns": _person_columns(columns, []),
        "reasons": (reason, f"Taken as {roles}." if roles else "No column looks like a rating."),
    }


def _person_columns(columns: list[Column], arms: list[Column]) -> tuple[str, ...]:
    return tuple(c.name for c in columns if c.meaning == "person" and c not in arms)


def _look_at(cells: pd.Series, name: str, decimal: str) -> Column:
    texts = cells.str.strip()
    filled = texts[~texts.str.lower().isin(MISSING)]
    return Column(
        name=name,
        meaning=meaning_of(name),
        numeric=_is_numeric(cells, decimal),
        empty=len(texts) - len(filled),
        different=filled.nunique(),
        filled=len(filled),
    )


def _is_numeric(cells: pd.Series, decimal: str) -> bool:
    """Return whether the filled cells are numbers, but for one in ten, or one of four or more."""
    texts = cells.str.strip()
    filled = texts[~texts.str.lower().isin(MISSING)]
    numbers = [_number(text, decimal) for text in filled]
    allowed = max(0.1 * len(numbers), 1 if len(numbers) >= 4 else 0)
    return any(numbers) and numbers.count(False) <= allowed


def _number(cell: str, decimal: str) -> bool:
    text = cell.strip()
    if decimal == ",":
        if "." in text:
            return False
        text = text.replace(",", ".")
    return NUMBER.fullmatch(text) is not None
