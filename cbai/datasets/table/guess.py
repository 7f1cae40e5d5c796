"""What is thought of a user's table before it is read, and how large it may be."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

MAX_BYTES = 50_000_000
MAX_UNPACKED = 500_000_000
"""Bytes of a file, and of a Parquet file after unpacking."""

MAX_ROWS = 5_000_000
MAX_COLUMNS = 200
MAX_CELLS = 20_000_000
"""Rows, columns, and rows times columns of a table."""

MAX_ARMS = 100
MAX_VALUES = 50
MAX_NAME = 200
"""Arms, distinct rewards, and letters in the name of an arm or a column."""

MAX_REWARD = 1e9
"""How large a reward may be, on either side of 0, before the offset."""

SAMPLE_ROWS = 1000
PREVIEW_ROWS = 20
"""Rows looked at for a guess, and rows shown."""

DELIMITERS = {"\t": "tab", ";": "semicolon", ",": "comma"}
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with a byte order mark",
    "latin-1": "Latin-1",
    "cp1252": "Windows-1252, Latin-1 with the Euro sign and typographic quotes",
}
LAYOUTS = {
    "long": "one rating a row: user, arm, reward",
    "wide": "one person a row, one arm a column",
}
DUPLICATES = {
    "all": "every rating counts",
    "last": "a person's last rating of an arm counts",
}
"""Code to words, for the choices a user may correct."""


def check_name(what: str, name: str) -> None:
    """Raise a ValueError if a name is too long; `what` is what it names, such as "arm"."""
    if len(name) > MAX_NAME:
        raise ValueError(
            f"The name of an {what} may have at most {MAX_NAME} letters, got {len(name):,} in "
            f"{name[:40]!r}..."
        )


@dataclass(frozen=True, eq=False)
class Guess:
    """How a table is to be read: what was found out, and what the user chose.

    Correct the mapping with `dataclasses.replace`; for another delimiter, encoding or header,
    `inspect` again with it, since the columns then change.

    Attributes
    ----------
    name, kind : str
        The file's name, and ``"csv"`` or ``"parquet"``.
    encoding, delimiter, decimal : str
        Keys of `ENCODINGS` and `DELIMITERS`, and ``"."`` or ``","``; no matter for Parquet.
    header : bool
        Whether the first line names the columns.
    columns : tuple of str
        The names of all columns; ``column 1``, ``column 2``, ... without a header.
    layout : str
        A key of `LAYOUTS`.
    user : str or None
        The column that says who rated. None in a wide table: every row is another person.
    arm, reward, weight : str or None
        The columns of a long table; without a weight every rating counts once. A wide table may
        have a weight too: how many people answered as the row says.
    arm_columns : tuple of str
        The columns of a wide table that are arms; an empty cell is not rated.
    person_columns : tuple of str
        Columns that say something of a person, such as a country.
    scale : tuple of float or None
        The smallest and largest rating possible; ratings outside are dropped and counted. The
        largest is b. By default the largest rating found is b.
    offset : float
        Added to every reward, so that the smallest is at least 0.
    bins : int or None
        How many bins of equal width the rewards are sorted into, each standing for their mean;
        needed for more than `MAX_VALUES` different rewards.
    top_arms : int or None
        How many arms are kept, the most rated ones; needed for more than `MAX_ARMS`.
    duplicates : str
        A key of `DUPLICATES`. All count by default: an arm may be a class of things, such as a
        genre, which a person rates many times, and bounds count people, not ratings, so copies
        add no confidence.
    preview : DataFrame
        The first `PREVIEW_ROWS` rows, as texts.
    reasons : tuple of str
        Why all this is thought, a sentence each.
    """

    name: str
    kind: str
    columns: tuple[str, ...]
    preview: pd.DataFrame
    layout: str = "long"
    user: str | None = None
    arm: str | None = None
    reward: str | None = None
    weight: str | None = None
    arm_columns: tuple[str, ...] = ()
    person_columns: tuple[str, ...] = ()
    encoding: str = "utf-8"
    delimiter: str = ","
    decimal: str = "."
    header: bool = True
    scale: tuple[float, float] | None = None
    offset: float = 0.0
    bins: int | None = None
    top_arms: int | None = None
    duplicates: str = "all"
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """What became of a table's rows.

    Attributes
    ----------
    rows : int
        Rows in the file, without the header.
    ratings, people, arms : int
        How many are kept.
    dropped : tuple of (str, int)
        Reason and number of rows (of a wide table: cells) left out for it, in the order in which
        they were looked at.
    notes : tuple of str
        Everything else that was decided, a sentence each.
    """

    rows: int
    ratings: int
    people: int
    arms: int
    dropped: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
