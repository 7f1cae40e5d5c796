"""Read Goodreads ratings in the UCSD layout: one JSON object a line, packed or not.

The 2.7 million lines of the poetry file pass one at a time. One pattern reads a line as UCSD writes
it. The JSON parser reads any other line. Lines that it refuses are counted as broken.
"""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd

from cbai.datasets import ratings as common
from cbai.datasets.archive import Archive, Source
from cbai.datasets.ratings import Ratings
from cbai.datasets.stream import FileError, Limits

STARS = (1.0, 2.0, 3.0, 4.0, 5.0)
INTERACTIONS = "goodreads_interactions_poetry.json.gz"
BOOKS = "goodreads_books_poetry.json.gz"

LINES = Limits(lines=4_000_000)
"""The most lines; the poetry file has 2.7 million."""

MAX_PEOPLE = MAX_BOOKS = 500_000
"""The most readers and books with a rating; the poetry file has 377,799 readers."""

MAX_BROKEN = 100_000
"""The most lines that cannot be used."""

MAX_USER, MAX_TITLE = 64, 300
"""The longest id of a reader, in bytes, and where titles are cut, in letters."""

USUAL_LINE = re.compile(
    rb'\{"user_id": "([0-9a-f]{32})", "book_id": "(\d{1,9})", "review_id": "[0-9a-f]*", '
    rb'"is_read": (?:true|false), "rating": ([0-5]), ".*\}\r?\n?'
)
"""A whole line; after the rating only the closing brace is checked."""

BROKEN = "a line that is no rating (not JSON, or without user_id, book_id or rating)"
OFF_SCALE = "a rating outside 0 to 5"
NOT_RATED = "on a shelf but not rated (rating 0)"
REPEATED = "an earlier rating of the same book by the same reader"


def read_goodreads(source: Source, books: Source | None = None) -> Ratings:
    """Read the interactions of the UCSD Book Graph, and the titles if they are at hand.

    Parameters
    ----------
    source : path, bytes or binary file object
        The file of interactions (.json.gz or .json), or a folder or zip file that holds it as
        ``goodreads_interactions_poetry.json.gz`` and perhaps the books as
        ``goodreads_books_poetry.json.gz``.
    books : path, bytes or binary file object, optional
        The file of books, if `source` does not hold it.

    Returns
    -------
    Ratings
        Users are numbered in the order of their 32-digit ids and items are book ids. Only rated
        books are listed; one without a title is called "Book 1234", and none has a genre. Where
        a reader rated a book twice, the last line counts.

    Raises
    ------
    FileError
        If a file is missing, damaged or too large, or no line is a rating.
    """
    with Archive(source) as archive:
        words = f"Goodreads (UCSD Book Graph), read from {archive.name}"
        frame, dropped = _scan(archive, _file_of(archive, INTERACTIONS))
        titles = _titles(archive, BOOKS) if books is None and archive.find(BOOKS) else {}
        digests = dict(archive.digests)
    if books is not None:
        with Archive(books) as archive:
            titles = _titles(archive, _file_of(archive, BOOKS))
            digests |= archive.digests
    frame, dropped[REPEATED] = common.last_of_each(frame)
    rated = np.unique(frame["item"]).tolist()
    rows = [(book, titles.get(book, f"Book {book}"), ()) for book in rated]
    items = common.item_table(rows, INTERACTIONS)
    return Ratings(frame, items, STARS, words, common.nonzero(list(dropped.items())), digests)


def _file_of(archive: Archive, name: str) -> str:
    """Return the name of the file if there is only one, else `name`."""
    return archive.members[0] if archive.is_single else name


def _scan(archive: Archive, name: str) -> tuple[pd.DataFrame, Counter[str]]:
    """Return user, item and rating of every rated line, and the lines dropped by reason."""
    people: dict[bytes, int] = {}
    listed: set[int] = set()
    users, books, stars = array("i"), array("i"), array("b")
    dropped: Counter[str] = Counter()
    usual = USUAL_LINE.fullmatch
    with archive.open(name, LINES) as stream:
        for line in stream:
            match = usual(line)
            fields = match.groups() if match else _parse(line)
            if isinstance(fields, str):
                dropped[fields] += 1
                _at_most(MAX_BROKEN, "lines that are no rating", dropped[fields], name)
            elif fields[2] == b"0":
                dropped[NOT_RATED] += 1
            else:
                users.append(people.setdefault(fields[0], len(people)))
                books.append(int(fields[1]))
                stars.append(int(fields[2]))
                listed.add(books[-1])
                if len(people) > MAX_PEOPLE or len(listed) > MAX_BOOKS:
                    _at_most(MAX_PEOPLE, "readers", len(people), name)
                    _at_most(MAX_BOOKS, "books", len(listed), name)
    if not users:
        raise FileError(
            f"{name} must hold at least one rating of 1 to 5, got none: {_told(dropped)}."
        )
    rank = np.argsort(np.argsort(np.array(list(people)))).astype(np.int32)
    columns = {
        "user": rank[np.frombuffer(users, np.int32)],
        "item": np.frombuffer(books, np.int32),
        "rating": np.frombuffer(stars, np.int8).astype(np.float64),
    }
    return pd.DataFrame(columns, copy=False), dropped


def _at_most(limit: int, what: str, number: int, name: str) -> None:
    if number > limit:
        raise FileError(f"{name} must hold at most {limit:,} {what}, got more.")


def _parse(line: bytes) -> tuple[bytes, ...] | str:
    """Return user, book and rating of an unusual line, or why it is dropped."""
    try:
        record = json.loads(line)
        user, book, rating = record["user_id"], _book(record), record["rating"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return BROKEN
    if not isinstance(user, str) or type(rating) is not int:
        return BROKEN
    if not 0 <= rating <= 5:
        return OFF_SCALE
    known = user.encode("utf-8", "replace")
    return (known, b"%d" % book, b"%d" % rating) if len(known) <= MAX_USER else BROKEN


def _book(record: Any) -> int:
    """Return the id of a book, a whole number from 0 to below 2**31."""
    book = record["book_id"]
    if type(book) not in (str, int) or not 0 <= int(book) < 2**31:
        raise ValueError
    return int(book)


def _titles(archive: Archive, name: str) -> dict[int, str]:
    """Return the title of each book; lines without one are passed over."""
    titles: dict[int, str] = {}
    broken = 0
    with archive.open(name, LINES) as stream:
        for line in stream:
            found = _title(line)
            if found is None:
                broken += 1
                _at_most(MAX_BROKEN, "lines without a book_id and a title", broken, name)
            else:
                titles[found[0]] = found[1]
                _at_most(MAX_BOOKS, "books", len(titles), name)
    if not titles:
        raise FileError(f"{name} must hold books with book_id and title, got none.")
    return titles


def _title(line: bytes) -> tuple[int, str] | None:
    try:
        record: dict[str, Any] = json.loads(line)
        title = record.get("title_without_series") or record["title"]
        whole = str(title)[:MAX_TITLE].encode("utf-8", "replace").decode()
        return _book(record), whole.strip()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _told(dropped: Counter[str]) -> str:
    return "; ".join(f"{count:,} × {reason}" for reason, count in dropped.items()) or "no lines"
