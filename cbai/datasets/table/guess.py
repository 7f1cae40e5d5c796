"""The guess how a user's table is to be read, and the limits on its size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

MAX_BYTES = 50_000_000
MAX_UNPACKED = 200_000_000
"""Bytes of a file, and of a Parquet file after unpacking."""

MAX_ROWS = 2_000_000
MAX_COLUMNS = 200
MAX_CELLS = 20_000_000
"""Rows, columns, and rows times columns of a table."""

MAX_ARMS = 100
MAX_VALUES = 50
MAX_NAME = 200
"""Arms, distinct rewards, and letters in the name of an arm or a column."""

MAX_ENTRIES = 1_000_000
"""The most different entries of a column that names people or options."""

MAX_BAD_LINES = 100_000
"""A file with more lines with another number of fields is refused."""

MAX_REWARD = 1e9
"""The largest absolute value of a rating, before the offset."""

SAMPLE_ROWS = 1000
PREVIEW_ROWS = 20
"""Number of rows compared for a guess, and number of rows shown."""

LOOK_ROWS = 500_000
"""Number of rows whose entries are counted for a guess."""

DELIMITERS = {"\t": "tab", ";": "semicolon", ",": "comma", "|": "vertical bar"}
DECIMALS = {".": "point", ",": "comma"}
THOUSANDS = {"": "none", ".": "point", ",": "comma", "'": "apostrophe", " ": "space"}
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-8-sig": "UTF-8 with a byte order mark",
    "utf-16": "UTF-16, the Unicode text of spreadsheets",
    "latin-1": "Latin-1",
    "cp1252": "Windows-1252, Latin-1 with the Euro sign and typographic quotes",
}
LAYOUTS = {
    "long": "one rating per row: person, option, rating",
    "wide": "one person per row, one option per column",
}
DUPLICATES = {
    "all": "every rating counts",
    "last": "a person's last rating of an option counts",
}
"""Code to label, for the choices that a user may correct."""


def check_name(what: str, name: str) -> None:
    """Raise a ValueError if a name is too long; `what` is the thing named, such as "option"."""
    if len(name) > MAX_NAME:
        raise ValueError(
            f"The name of an {what} may have at most {MAX_NAME} letters, got {len(name):,} in "
            f"{name[:40]!r}..."
        )


@dataclass(frozen=True)
class Answer:
    r"""One answer to a `Doubt`.

    Attributes
    ----------
    words : str
        The answer as a sentence, such as "Not rated: 99 is left out."
    changes : mapping
        The fields of `Guess` that it sets, for `dataclasses.replace`.
    then : tuple of Doubt
        What is in doubt with this answer, and not with another one.

    Examples
    --------
    >>> from cbai.datasets.table import inspect
    >>> rows = [f"p{i},{1 + i % 5},{99 if i % 4 == 0 else 1 + i % 3}" for i in range(40)]
    >>> guess = inspect("\n".join(["person,tea,water", *rows]).encode(), "drinks.csv")
    >>> likely = guess.doubts[0].answers[0]
    >>> likely.changes
    {'missing': (99.0,)}
    >>> guess.answered("missing code", likely).doubts
    ()
    """

    words: str
    changes: Mapping[str, Any]
    then: tuple[Doubt, ...] = ()


class Doubt(str):
    r"""A question about a table that its owner must answer: a sentence with its answers.

    Attributes
    ----------
    key : str
        A short stable name, such as "missing code".
    answers : tuple of Answer
        The most likely answer comes first. Empty if there is no choice; reading then raises a
        ValueError.
    likely : bool
        Whether the first answer is likely. Unknown words have no likely order.

    Examples
    --------
    In this table 99 may be a rating, or stand for "not rated".

    >>> from cbai.datasets.table import inspect
    >>> rows = [f"p{i},{1 + i % 5},{99 if i % 4 == 0 else 1 + i % 3}" for i in range(40)]
    >>> guess = inspect("\n".join(["person,tea,water", *rows]).encode(), "drinks.csv")
    >>> [doubt.key for doubt in guess.doubts]
    ['missing code']
    """

    key: str
    answers: tuple[Answer, ...]
    likely: bool

    def __new__(
        cls, words: str, key: str, answers: tuple[Answer, ...], likely: bool = True
    ) -> Doubt:
        """Make a doubt from its sentence, key and answers."""
        doubt = super().__new__(cls, words)
        doubt.key, doubt.answers, doubt.likely = key, answers, likely
        return doubt

    def __getnewargs__(  # type: ignore[override]
        self,
    ) -> tuple[str, str, tuple[Answer, ...], bool]:
        return str(self), self.key, self.answers, self.likely


@dataclass(frozen=True, eq=False)
class Guess:
    r"""How a table is to be read: what was found, and what the user chose.

    Settle a doubt with `answered`. Correct the mapping with `corrected`, which checks the ratings
    for doubts again. For another delimiter, encoding, header or decimal sign, call `inspect` again,
    because the columns then change.

    Attributes
    ----------
    name, kind : str
        The file's name, and ``"csv"`` or ``"parquet"``.
    encoding, delimiter, decimal : str
        Keys of `ENCODINGS` and `DELIMITERS`, and ``"."`` or ``","``; no matter for Parquet.
    thousands : str
        A key of `THOUSANDS`: the separator of thousands.
    header : bool
        Whether the first line names the columns.
    header_rows : int
        How many lines do so, if any does: 2 or 3 in the exports of survey tools.
    columns : tuple of str
        The names of all columns; ``column 1``, ``column 2``, ... without a header.
    layout : str
        A key of `LAYOUTS`.
    user : str or None
        The column that says who rated. None: every row is another person.
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
        Added to every rating to make the smallest at least 0.
    bins : int or None
        How many bins of equal width the rewards are sorted into, each standing for their mean;
        needed for more than `MAX_VALUES` different rewards.
    top_arms : int or None
        How many arms are kept, the most rated ones; needed for more than `MAX_ARMS`.
    duplicates : str
        A key of `DUPLICATES`. All count by default: an arm may be a class of things, such as a
        genre, which a person rates many times, and bounds count people, not ratings, so copies
        add no confidence.
    time : str or None
        The column that says which rating is the last; without it the last is that of the last row.
    missing : tuple of float
        Numbers that mean "not rated", such as 99.
    order : tuple of str
        Words that are ratings, the lowest first: they stand for 1, 2, ..., V.
    turned : float or None
        If 1 is the best, as in ranks: every rating r counts as `turned` - r. None: unchanged.
    finished : tuple (str, tuple of str) or None
        A column, and its entries in small letters that mean that an answer is finished. Rows with
        another entry are left out. None: unfinished answers count.
    doubts : tuple of Doubt
        What must be confirmed, a sentence each; empty if all is sure. The other fields hold the
        likely answers.
    preview : DataFrame
        The first `PREVIEW_ROWS` rows, as texts.
    reasons : tuple of str
        Why all this is thought, a sentence each.

    Examples
    --------
    >>> from cbai.datasets.table import inspect
    >>> rows = ["1,Alien,5", "1,Babe,2", "2,Alien,4", "2,Babe,4", "3,Alien,5", "3,Babe,3"]
    >>> data = "\n".join(["person,film,stars", *rows]).encode()
    >>> guess = inspect(data, "films.csv")
    >>> guess.user, guess.arm, guess.reward
    ('person', 'film', 'stars')
    >>> guess.corrected(scale=(1.0, 5.0)).scale
    (1.0, 5.0)
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
    missing: tuple[float, ...] = ()
    thousands: str = ""
    order: tuple[str, ...] = ()
    time: str | None = None
    header_rows: int = 1
    doubts: tuple[Doubt, ...] = ()
    settled: tuple[str, ...] = ()
    finished: tuple[str, tuple[str, ...]] | None = None
    turned: float | None = None
    profile: Profile = field(default_factory=lambda: Profile())

    def answered(self, key: str, answer: Answer) -> Guess:
        """Return the guess with one doubt settled; doubts that depend on it are renewed.

        Parameters
        ----------
        key : str
            Of the doubt.
        answer : Answer
            One of the doubt's answers, or one made by hand.
        """
        here = [doubt for doubt in self.doubts if doubt.key == key]
        gone = {key, *(then.key for one in here for any_ in one.answers for then in any_.then)}
        rest = tuple(doubt for doubt in self.doubts if doubt.key not in gone)
        settled = replace(self, doubts=rest, settled=(*self.settled, key))
        after = settled.corrected(**answer.changes)
        return replace(after, doubts=(*answer.then, *after.doubts)) if answer.then else after

    def corrected(self, **changes: Any) -> Guess:
        """Return the guess with some fields replaced, and the doubts about its ratings renewed."""
        from cbai.datasets.table.doubts import renewed  # which needs this class

        return renewed(self, replace(self, **changes))


class Profile(dict[str, Any]):
    """The findings about each column of a table, by its name."""

    def __repr__(self) -> str:
        return "Profile()"


@dataclass(frozen=True)
class Report:
    r"""What happened to the rows of a table.

    Attributes
    ----------
    rows : int
        Rows in the file, without the header.
    ratings, people, arms : int
        How many are kept.
    dropped : tuple of (str, int)
        Each reason with the number of rows left out (cells in a wide table), in the order of the
        checks.
    notes : tuple of str
        All other decisions, one sentence each.
    doubts : tuple of str
        What the reading took for likely and nobody has confirmed, a sentence each.

    Examples
    --------
    >>> from cbai.datasets.table import inspect, read_survey
    >>> rows = ["1,Alien,5", "1,Babe,2", "2,Alien,4", "2,Babe,4", "3,Alien,5", "3,Babe,3"]
    >>> data = "\n".join(["person,film,stars", *rows]).encode()
    >>> guess = inspect(data, "films.csv")
    >>> survey, report = read_survey(data, guess)
    >>> report.ratings, report.people, report.arms
    (6, 3, 2)
    """

    rows: int
    ratings: int
    people: int
    arms: int
    dropped: tuple[tuple[str, int], ...]
    notes: tuple[str, ...]
    doubts: tuple[str, ...] = ()
