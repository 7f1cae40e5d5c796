"""A user's own table of ratings: look at it, correct what was guessed, read it.

Files are bytes from strangers: their size is checked before they are cut into cells, and whatever
cannot be used is either one ValueError in one sentence or a line of the `Report`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from cbai import checks
from cbai.datasets.table import parquet, text
from cbai.datasets.table.choices import check_choices
from cbai.datasets.table.doubts import missing_code
from cbai.datasets.table.edges import trimmed
from cbai.datasets.table.encoding import guess_encoding, to_lines
from cbai.datasets.table.guess import (
    DECIMALS,
    DELIMITERS,
    ENCODINGS,
    LOOK_ROWS,
    MAX_BYTES,
    MAX_CELLS,
    Answer,
    Doubt,
    Guess,
    Report,
)
from cbai.datasets.table.header import column_names, count_header_rows, guess_header
from cbai.datasets.table.profile import Columns
from cbai.datasets.table.sentence import one_sentence
from cbai.datasets.table.survey import (
    Ledger,
    Rows,
    check_no_totals,
    long_rows,
    most_rated,
    person_columns,
    renumbered,
    wide_rows,
    without_duplicates,
)
from cbai.datasets.table.understand import understood
from cbai.datasets.table.values import on_scale, support_of
from cbai.problem.counted import counted
from cbai.problem.survey import Survey, rated_together, tally_of

TOTALS = "a line of totals below the table"

__all__ = ["Answer", "Doubt", "Guess", "Report", "inspect", "read_survey"]


def inspect(
    data: bytes,
    name: str,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    decimal: str | None = None,
) -> Guess:
    r"""Guess how a table is to be read, with the questions that its owner must answer.

    Parameters
    ----------
    data : bytes
        A CSV or Parquet file.
    name : str
        The name of the file.
    encoding, delimiter, header, decimal : optional
        The user's choices; guessed if left out.

    Returns
    -------
    Guess
        With `doubts` if something cannot be known from the file.

    Raises
    ------
    ValueError
        In one sentence, if the file is too large, empty, damaged or not a table.

    Examples
    --------
    >>> from cbai.datasets.table import inspect
    >>> rows = ["1,Alien,5", "1,Babe,2", "2,Alien,4", "2,Babe,4", "3,Alien,5", "3,Babe,3"]
    >>> data = "\n".join(["person,film,stars", *rows]).encode()
    >>> guess = inspect(data, "films.csv")
    >>> guess.layout, guess.arm, guess.reward
    ('long', 'film', 'stars')
    >>> guess.reasons[1]
    'Columns are separated by a comma.'
    """
    with one_sentence():
        _check_size(data)
        if decimal is not None:
            checks.one_of("decimal", decimal, DECIMALS)
        if parquet.is_parquet(data):
            file = parquet.ParquetColumns(data)
            if len(file.names) < 2:
                raise ValueError(f"The file must have at least 2 columns, got {len(file.names)}.")
            if not file.n_rows:
                raise ValueError("The file must hold rows of data, but it has none.")
            start = Guess(name, "parquet", file.names, pd.DataFrame(), decimal=decimal or ".")
            return understood(file, replace(start, reasons=("It is a Parquet file.",)), decimal)
        guess, columns = _inspect_text(data, name, encoding, delimiter, header)
        return understood(columns, guess, decimal)


def _inspect_text(
    data: bytes, name: str, encoding: str | None, delimiter: str | None, header: bool | None
) -> tuple[Guess, text.TextColumns]:
    encoding = checks.one_of("encoding", encoding or guess_encoding(data), ENCODINGS)
    lines = to_lines(data, encoding)
    sample = text.sample_of(lines)
    delimiter = checks.one_of("delimiter", delimiter or text.guess_delimiter(sample), DELIMITERS)
    lines, above, below = trimmed(lines, delimiter)
    rows = text.cut_sample(text.sample_of(lines), delimiter)
    width = text.check_width(rows, delimiter)
    _at_most_cells(lines.count(b"\n") * width)
    reasons = [
        f"The text is {ENCODINGS[encoding]}.",
        f"Columns are separated by a {DELIMITERS[delimiter]}.",
    ]
    if above:
        reasons.append(f"{counted(above, 'line', 'lines')} above the table are not part of it.")
    if below:
        reasons.append(f"{counted(below, 'line', 'lines')} below the table are totals.")
    if header is None:
        under = [row for row in rows[1:] if len(row) == width] or rows[:1]
        header, why = guess_header(rows[0], pd.DataFrame(under, dtype=object))
        reasons.append(why)
    header_rows = count_header_rows(rows) if header else 1
    if header_rows > 1:
        reasons.append(f"The first {header_rows} lines name the columns.")
    names = column_names(rows[:header_rows] if header else [], width)
    columns = text.TextColumns(
        lines, delimiter, names, header_rows if header else 0, most=LOOK_ROWS
    )
    guess = Guess(
        name, "csv", names, pd.DataFrame(), encoding=encoding, delimiter=delimiter, header=header,
        header_rows=header_rows, reasons=tuple(reasons),
    )  # fmt: skip
    return guess, columns


def read_survey(data: bytes, guess: Guess) -> tuple[Survey, Report]:
    r"""Read a table according to a guess, with its corrections.

    Parameters
    ----------
    data : bytes
        The file that was inspected.
    guess : Guess
        From `inspect`, with the user's corrections.

    Returns
    -------
    survey : Survey
        People in the order of their ids, arms in the order of their names (of the columns in a
        wide table).
    report : Report
        What was left out, the reasons, and all other decisions.

    Raises
    ------
    ValueError
        In one sentence, if a column is missing or the wrong one, a limit is exceeded, or fewer
        than 2 people, arms or different rewards are left.

    Examples
    --------
    >>> from cbai.datasets.table import inspect, read_survey
    >>> rows = ["1,Alien,5", "1,Babe,2", "2,Alien,4", "2,Babe,4", "3,Alien,5", "3,Babe,3"]
    >>> data = "\n".join(["person,film,stars", *rows]).encode()
    >>> guess = inspect(data, "films.csv")
    >>> survey, report = read_survey(data, guess)
    >>> survey.arms
    ('Alien', 'Babe')
    """
    with one_sentence():
        _check_size(data)
        hopeless = [doubt for doubt in guess.doubts if not doubt.answers]
        if hopeless:
            raise ValueError(str(hopeless[0]))
        check_choices(guess)
        ledger = Ledger()
        try:
            return _read(data, guess, ledger)
        except ValueError as error:
            most = ledger.biggest()
            if not ledger.dropped or most in str(error):
                raise
            raise ValueError(f"{error} Besides, {most}.") from error


def _read(data: bytes, guess: Guess, ledger: Ledger) -> tuple[Survey, Report]:
    table = _columns(data, guess, ledger)
    n_rows = table.n_rows + table.ragged + dict(ledger.dropped).get(TOTALS, 0)
    read = long_rows if guess.layout == "long" else wide_rows
    rows, n_people, arms = read(table, guess, ledger)
    rows = on_scale(rows, guess, ledger)
    if not rows.row.size:
        raise ValueError(f"The table must hold ratings, but {ledger.biggest()}.")
    check_no_totals(rows, guess)
    rows = without_duplicates(rows, table, guess, ledger)
    rows, arms = most_rated(rows, arms, guess, ledger)
    doubts = _doubts(rows, guess)
    survey = _survey(table, guess, rows, n_people, arms, ledger)
    _note_pairs(survey, guess, ledger)
    return survey, Report(
        rows=n_rows,
        ratings=rows.row.size,
        people=survey.n_people,
        arms=survey.n_arms,
        dropped=tuple(ledger.dropped),
        notes=tuple(ledger.notes),
        doubts=doubts,
    )


def _doubts(rows: Rows, guess: Guess) -> tuple[str, ...]:
    """Return the open doubts, and one about ratings that only the whole table shows."""
    known = {*guess.settled, *(doubt.key for doubt in guess.doubts)}
    asked = "missing code" in known or guess.missing or guess.order or guess.scale is not None
    if asked:
        return tuple(map(str, guess.doubts))
    values, counts = np.unique(rows.reward, return_counts=True)
    found = missing_code(values, counts)
    return (*map(str, guess.doubts), *((str(found),) if found is not None else ()))


def _survey(
    table: Columns, guess: Guess, rows: Rows, n_people: int, arms: list[str], ledger: Ledger
) -> Survey:
    person, kept_people = renumbered(rows.person, n_people)
    arm, kept_arms = renumbered(rows.arm, len(arms))
    for what, kept in (("people", kept_people), ("options", kept_arms)):
        if kept.size < 2:
            raise ValueError(f"The table must hold at least 2 {what} with ratings, got 1.")
    support = support_of(rows, guess, ledger)
    if guess.layout == "wide" and kept_arms.size < len(arms):
        empty = [repr(arms[i]) for i in np.setdiff1d(np.arange(len(arms)), kept_arms)[:5]]
        ledger.notes.append(
            f"{len(arms) - kept_arms.size} options without a rating are left out: "
            f"{', '.join(empty)}{' and others' if len(arms) - kept_arms.size > 5 else ''}."
        )
    numbered = rows._replace(person=person)
    return Survey(
        arms=tuple(arms[i] for i in kept_arms),
        values=support.values,
        person=person,
        arm=arm,
        value=support.code,
        weight=rows.weight,
        columns=person_columns(table, guess, numbered, kept_people.size, ledger),
        n_people=kept_people.size,
        reward_max=support.reward_max,
    )


def _note_pairs(survey: Survey, guess: Guess, ledger: Ledger) -> None:
    together = rated_together(tally_of(survey, np.ones(survey.n_people, dtype=bool)))
    alone = np.argwhere(np.triu(together == 0, 1))
    if guess.layout == "long" and guess.user is None:
        ledger.notes.append(
            "No column says who rated, so each row is another person. Nobody rated two options. "
            "Every pseudo-reward is the largest reward, which says nothing."
        )
    elif len(alone):
        first, second = (survey.arms[i] for i in alone[0])
        ledger.notes.append(
            f"Nobody rated both options of {counted(len(alone), 'pair', 'pairs')}, such as "
            f"{first!r} and {second!r}. For these the pseudo-reward is the largest reward, which "
            "says nothing."
        )


def _columns(data: bytes, guess: Guess, ledger: Ledger) -> Columns:
    """Return the columns that are used, of the file."""
    if guess.kind == "parquet":
        return parquet.ParquetColumns(data)
    used = [guess.user, guess.weight, *guess.person_columns]
    used += [guess.arm, guess.reward] if guess.layout == "long" else guess.arm_columns
    used += [guess.time] if guess.duplicates == "last" else []
    used += [guess.finished[0]] if guess.finished is not None else []
    names = list(dict.fromkeys(name for name in used if name is not None))
    lines = to_lines(data, guess.encoding)
    lines, _, below = trimmed(lines, guess.delimiter)
    ledger.count(TOTALS, below)
    _at_most_cells(lines.count(b"\n") * len(guess.columns))
    header_rows = guess.header_rows if guess.header else 0
    named = (guess.user, guess.arm) if guess.layout == "long" else (guess.user,)
    table = text.TextColumns(
        lines, guess.delimiter, guess.columns, header_rows, names,
        names_in=tuple(name for name in named if name is not None),
    )  # fmt: skip
    ledger.count("a row with more or fewer fields than the first", table.ragged)
    if table.inside:
        ledger.notes.append(
            f"{counted(table.inside, 'line break is', 'line breaks are')} inside quoted cells."
        )
    return table


def _check_size(data: bytes) -> None:
    if not data.strip():
        raise ValueError("The file must hold a table, but it is empty.")
    if len(data) > MAX_BYTES:
        raise ValueError(f"A file may have at most {MAX_BYTES:,} bytes, got {len(data):,}.")


def _at_most_cells(cells: int) -> None:
    if cells > MAX_CELLS:
        raise ValueError(f"A table may have at most {MAX_CELLS:,} cells, got {cells:,}.")
