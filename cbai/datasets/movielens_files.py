"""Read MovieLens as GroupLens publishes it: 1M, 100K, and the CSV releases (latest, 25M, 32M)."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from cbai import checks
from cbai.datasets import ratings as common
from cbai.datasets.archive import Archive, Source
from cbai.datasets.ratings import Ratings
from cbai.datasets.stream import FileError, Limits, told

WHOLE_STARS = (1.0, 2.0, 3.0, 4.0, 5.0)
HALF_STARS = tuple(half / 2 for half in range(1, 11))
CHUNK = 2**18
"""Lines read at once."""

MAX_ROWS = 50_000_000
"""The most ratings; MovieLens 32M has 32 million."""

BYTES_A_ROW, LINE_BYTES, MAX_COLUMNS = 40, 256, 20
"""Limits for the ratings: the bytes of a line on average, the bytes of any line, and the columns.
Lines of MovieLens have up to 30 bytes and, cut at each colon, 7 columns."""

ITEMS = Limits(total=2**25, lines=500_000, line=2**14)
"""The largest list of movies; that of MovieLens 32M has 87,585 in 4 million bytes."""

GENRES = Limits(total=2**16, lines=100, line=2**10)
"""The largest list of genres. A movie may have at most as many genres as this list has lines."""

Row = tuple[int, str, list[str]]


@dataclass(frozen=True)
class Layout:
    """How one release is laid out.

    Attributes
    ----------
    title : str
        What it is called.
    ratings, items : str
        The files of the ratings and of the movies.
    needs : tuple of str
        Further files needed.
    columns : tuple
        What pandas calls the columns of user, movie and rating.
    options : mapping
        Further options for `pandas.read_csv`.
    scale : tuple of float
        The ratings allowed.
    rows : callable
        ``rows(archive)`` yields id, title and genres of each movie.
    """

    title: str
    ratings: str
    items: str
    needs: tuple[str, ...]
    columns: tuple[Any, Any, Any]
    options: Mapping[str, Any]
    scale: tuple[float, ...]
    rows: Callable[[Archive], Iterator[Row]]


def read_movielens(source: Source, name: str | None = None, *, max_rows: int = MAX_ROWS) -> Ratings:
    """Read a folder or zip file of MovieLens, in whichever layout it has.

    Parameters
    ----------
    source : path, bytes or binary file object
        The folder or the zip file; an uploaded file will do.
    name : str, optional
        What messages and ``source`` call it; by default the name of the file.
    max_rows : int
        The most lines of ratings, of `BYTES_A_ROW` bytes on average.

    Returns
    -------
    Ratings
        User and item are the ids of the file. Where a user rated a movie twice, the last line
        counts. Anything else that is unusual is an error, because GroupLens publishes no unusual
        files.

    Raises
    ------
    FileError
        If the files are of no known layout, damaged or too large, a line or a rating is not as it
        should be, or a rated movie is not listed.
    """
    with Archive(source, name) as archive:
        layout = recognise(archive)
        items = common.item_table(list(layout.rows(archive)), layout.items)
        frame, repeats = common.last_of_each(_read_ratings(archive, layout, max_rows))
        unlisted = frame.loc[~frame["item"].isin(items["item"]), "item"]
        if len(unlisted):
            raise FileError(
                f"{layout.items} must list every rated movie, got no {unlisted.iloc[0]}."
            )
        dropped = common.nonzero(
            [("an earlier rating of the same movie by the same user", repeats)]
        )
        words = f"{layout.title}, read from {archive.name}"
        return Ratings(frame, items, layout.scale, words, dropped, dict(archive.digests))


def recognise(archive: Archive) -> Layout:
    """Return the layout whose files are all there.

    Raises
    ------
    FileError
        If there is none.
    """
    for layout in LAYOUTS:
        if all(map(archive.find, (layout.ratings, layout.items, *layout.needs))):
            return layout
    wanted = "; or ".join(
        f"{', '.join((layout.items, layout.ratings, *layout.needs))} ({layout.title})"
        for layout in LAYOUTS
    )
    raise FileError(f"{archive.name} must hold {wanted}; got {archive.listing()}.")


def _read_ratings(archive: Archive, layout: Layout, max_rows: int) -> pd.DataFrame:
    """Return the columns user, item (int32) and rating, checked line by line in large chunks."""
    limits = Limits(BYTES_A_ROW * max_rows, max_rows + 1, LINE_BYTES)
    names = ("user", "item", "rating")
    kinds = dict(zip(layout.columns, (np.int32, np.int32, np.float64), strict=True))
    parts: dict[str, list[Any]] = {name: [] for name in names}
    done = 0
    with archive.open(layout.ratings, limits) as stream:
        _refuse_columns(layout, stream.peek(LINE_BYTES).partition(b"\n")[0])
        try:
            reader = pd.read_csv(
                stream,
                usecols=list(kinds),
                dtype=kinds,
                chunksize=CHUNK,
                quoting=csv.QUOTE_NONE,  # a mark that is never closed would swallow all lines
                **layout.options,
            )
            for chunk in reader:
                for column, name in zip(layout.columns, names, strict=True):
                    parts[name].append(chunk[column].to_numpy())
                _check(parts, layout)
                done += len(chunk)
        except (FileError, MemoryError):
            raise
        except Exception as error:  # whatever pandas raises on a stranger's lines
            if "out of memory" in str(error):
                raise MemoryError from None
            raise FileError(
                f"{layout.ratings} must hold user, movie and rating as numbers on every line, got "
                f"something else after line {done:,}: {told(error)}."
            ) from None
    if not done:
        raise FileError(f"{layout.ratings} must hold at least one rating, got none.")
    return pd.DataFrame({name: np.concatenate(parts.pop(name)) for name in names}, copy=False)


def _refuse_columns(layout: Layout, first: bytes) -> None:
    columns = first.count(str(layout.options.get("sep", ",")).encode()) + 1
    if columns > MAX_COLUMNS:
        raise FileError(
            f"{layout.ratings} must have at most {MAX_COLUMNS} columns, got {columns:,}."
        )


def _check(parts: dict[str, list[Any]], layout: Layout) -> None:
    """Check the chunk that came last."""
    rating = parts["rating"][-1]
    wrong = ~common.on_scale(rating, layout.scale)
    if wrong.any():
        raise FileError(
            f"{layout.ratings} must hold ratings {common.scale_in_words(layout.scale)}, got "
            f"{rating[wrong][0]:g}."
        )
    for name in ("user", "item"):
        if len(parts[name][-1]) and parts[name][-1].min() < 0:
            raise FileError(
                f"{layout.ratings} must hold ids of at least 0, got {parts[name][-1].min()}."
            )


def _rows_1m(archive: Archive) -> Iterator[Row]:
    for number, line in enumerate(archive.lines("movies.dat", "latin-1", ITEMS), 1):
        fields = line.rstrip("\r\n").split("::")
        if len(fields) < 3:
            raise _odd_line("movies.dat", number, "id::title::genres", line)
        movie = _movie_id("movies.dat", number, fields[0])
        yield movie, "::".join(fields[1:-1]), _genres("movies.dat", number, fields[-1])


def _rows_100k(archive: Archive) -> Iterator[Row]:
    lines = archive.lines("u.genre", "latin-1", GENRES)
    genres = [line.split("|")[0] for line in map(str.strip, lines) if line]
    for number, line in enumerate(archive.lines("u.item", "latin-1", ITEMS), 1):
        fields = line.rstrip("\r\n").split("|")
        flags = fields[5:]
        if len(flags) != len(genres) or not set(flags) <= {"0", "1"}:
            raise _odd_line("u.item", number, f"5 fields and {len(genres)} flags 0 or 1", line)
        chosen = [genre for genre, flag in zip(genres, flags, strict=True) if flag == "1"]
        yield _movie_id("u.item", number, fields[0]), fields[1], chosen


def _rows_csv(archive: Archive) -> Iterator[Row]:
    reader = csv.reader(archive.lines("movies.csv", "utf-8-sig", ITEMS))
    try:
        header = next(reader, [])
        if header[:3] != ["movieId", "title", "genres"]:
            raise _odd_line("movies.csv", 1, "movieId,title,genres", ",".join(header))
        for fields in reader:
            line = reader.line_num
            if len(fields) != 3:
                raise _odd_line("movies.csv", line, "three fields", ",".join(fields))
            movie = _movie_id("movies.csv", line, fields[0])
            yield movie, fields[1], _genres("movies.csv", line, fields[2])
    except csv.Error as error:
        raise FileError(
            f"movies.csv must be a table in CSV, got something else in line {reader.line_num:,}: "
            f"{told(error)}."
        ) from None


def _genres(name: str, number: int, text: str) -> list[str]:
    genres = text.split("|")
    if len(genres) > GENRES.lines:
        raise FileError(
            f"{name} must hold at most {GENRES.lines} genres of a movie, got {len(genres):,} in "
            f"line {number:,}."
        )
    return genres


def _movie_id(name: str, number: int, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise _odd_line(name, number, "a movie id of at most 9 digits first", text)
    return int(text)


def _odd_line(name: str, number: int, wanted: str, line: str) -> FileError:
    return FileError(
        f"{name} must hold {wanted}, got {checks.quoted(line.strip())} in line {number:,}."
    )


LAYOUTS = (
    Layout(
        title="MovieLens 1M",
        ratings="ratings.dat",
        items="movies.dat",
        needs=(),
        columns=(0, 2, 4),
        options={"sep": ":", "header": None},
        scale=WHOLE_STARS,
        rows=_rows_1m,
    ),
    Layout(
        title="MovieLens 100K",
        ratings="u.data",
        items="u.item",
        needs=("u.genre",),
        columns=(0, 1, 2),
        options={"sep": "\t", "header": None},
        scale=WHOLE_STARS,
        rows=_rows_100k,
    ),
    Layout(
        title="MovieLens latest, 25M or 32M",
        ratings="ratings.csv",
        items="movies.csv",
        needs=(),
        columns=("userId", "movieId", "rating"),
        options={},
        scale=HALF_STARS,
        rows=_rows_csv,
    ),
)
"""The layouts known, each recognised by its files."""
