"""A user's own table of ratings: look at it, correct what was guessed, read it.

Files are bytes from strangers: their size is checked before they are cut into cells, and whatever
cannot be used is either one ValueError in one sentence or a line of the `Report`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa

from cbai import checks
from cbai.datasets.table import layout, parquet, text
from cbai.datasets.table.columns import texts_of
from cbai.datasets.table.guess import (
    DELIMITERS,
    DUPLICATES,
    ENCODINGS,
    LAYOUTS,
    MAX_ARMS,
    MAX_BYTES,
    MAX_CELLS,
    PREVIEW_ROWS,
    SAMPLE_ROWS,
    Guess,
    Report,
)
from cbai.datasets.table.survey import (
    Ledger,
    Rows,
    long_rows,
    most_rated,
    person_columns,
    renumbered,
    wide_rows,
    without_duplicates,
)
from cbai.datasets.table.values import on_scale, support_of
from cbai.problem.survey import Survey, rated_together, tally_of

__all__ = ["Guess", "Report", "inspect", "read_survey"]


def inspect(
    data: bytes,
    name: str,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
) -> Guess:
    """Look at the first rows of a table and say how it is to be read.

    Parameters
    ----------
    data : bytes
        A CSV or Parquet file.
    name : str
        What it is called.
    encoding, delimiter, header : optional
        What the user knows better; guessed if left out.

    Returns
    -------
    Guess

    Raises
    ------
    ValueError
        In one sentence, if the file is too large, empty, damaged or no table.
    """
    _check_size(data)
    if parquet.is_parquet(data):
        return _inspect_parquet(data, name)
    reasons = []
    encoding = checks.one_of("encoding", encoding or text.guess_encoding(data), ENCODINGS)
    sample = text.sample_of(text.to_lines(data, encoding))
    delimiter = checks.one_of("delimiter", delimiter or text.guess_delimiter(sample), DELIMITERS)
    reasons.append(f"The text is {ENCODINGS[encoding]}.")
    reasons.append(f"Columns are separated by a {DELIMITERS[delimiter]}.")
    first = text.first_row(sample, delimiter)
    lines = sample.encode() + b"\n"
    below = lines if header is False or lines.count(b"\n") == 1 else lines.partition(b"\n")[2]
    blank = text.column_names(first, header=False)
    cells = _texts(text.parse(below, delimiter, blank, header=False)[0])
    decimal, why = layout.guess_decimal(cells, delimiter)
    reasons += [why] if why else []
    if header is None:
        header, why = layout.guess_header(first, cells, decimal)
        reasons.append(why)
    columns = text.column_names(first, header)
    rows = _texts(text.parse(lines, delimiter, columns, header)[0])
    guess = Guess(
        name, "csv", columns, rows.head(PREVIEW_ROWS), encoding=encoding, delimiter=delimiter,
        decimal=decimal, header=header, reasons=tuple(reasons),
    )  # fmt: skip
    return _with_mapping(guess, rows)


def read_survey(data: bytes, guess: Guess) -> tuple[Survey, Report]:
    """Read a table as the guess, or the corrected guess, says.

    Parameters
    ----------
    data : bytes
        The file that was looked at.
    guess : Guess
        From `inspect`, with the user's corrections.

    Returns
    -------
    survey : Survey
        People in the order of their ids, arms in the order of their names (of the columns in a
        wide table).
    report : Report
        What was left out, why, and what else was decided.

    Raises
    ------
    ValueError
        In one sentence, if a column is missing or the wrong one, a limit is exceeded, or fewer
        than 2 people, arms or different rewards are left.
    """
    _check_size(data)
    _check_choices(guess)
    ledger = Ledger()
    try:
        return _read(data, guess, ledger)
    except ValueError as error:
        most = ledger.biggest()
        if not ledger.dropped or most in str(error):
            raise
        raise ValueError(f"{error} Besides, {most}.") from error


def _read(data: bytes, guess: Guess, ledger: Ledger) -> tuple[Survey, Report]:
    table, n_rows = _table(data, guess, ledger)
    read = long_rows if guess.layout == "long" else wide_rows
    rows, people, arms = read(table, guess, ledger)
    rows = on_scale(rows, guess, ledger)
    if not rows.row.size:
        raise ValueError(f"The table must hold ratings, but {ledger.biggest()}.")
    rows = without_duplicates(rows, guess, ledger)
    rows = most_rated(rows, arms, guess, ledger)
    survey = _survey(table, guess, rows, people, arms, ledger)
    _note_pairs(survey, ledger)
    return survey, Report(
        rows=n_rows,
        ratings=rows.row.size,
        people=survey.n_people,
        arms=survey.n_arms,
        dropped=tuple(ledger.dropped),
        notes=tuple(ledger.notes),
    )


def _survey(
    table: pa.Table, guess: Guess, rows: Rows, people: list[str], arms: list[str], ledger: Ledger
) -> Survey:
    person, kept_people = renumbered(rows.person, people)
    arm, kept_arms = renumbered(rows.arm, arms)
    for what, kept in (("people", kept_people), ("arms", kept_arms)):
        if kept.size < 2:
            raise ValueError(f"The table must hold at least 2 {what} with ratings, got 1.")
    support = support_of(rows, guess, ledger)
    if guess.layout == "wide" and kept_arms.size < len(arms):
        empty = [repr(arms[i]) for i in np.setdiff1d(np.arange(len(arms)), kept_arms)[:5]]
        ledger.notes.append(
            f"{len(arms) - kept_arms.size} arms without a rating are left out: {', '.join(empty)}"
            f"{' and others' if len(arms) - kept_arms.size > 5 else ''}."
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


def _note_pairs(survey: Survey, ledger: Ledger) -> None:
    together = rated_together(tally_of(survey, np.ones(survey.n_people, dtype=bool)))
    alone = np.argwhere(np.triu(together == 0, 1))
    if len(alone):
        first, second = (survey.arms[i] for i in alone[0])
        ledger.notes.append(
            f"Pairs of arms that nobody rated both: {len(alone):,}, such as {first!r} and "
            f"{second!r}. Their pseudo-rewards are the largest reward, which says nothing."
        )


def _table(data: bytes, guess: Guess, ledger: Ledger) -> tuple[pa.Table, int]:
    used = [guess.user, guess.weight, *guess.person_columns]
    used += [guess.arm, guess.reward] if guess.layout == "long" else guess.arm_columns
    names = list(dict.fromkeys(name for name in used if name is not None))
    if guess.kind == "parquet":
        return parquet.read(data, names)
    lines = text.to_lines(data, guess.encoding)
    _at_most_cells(lines.count(b"\n") * len(guess.columns))
    table, ragged = text.parse(lines, guess.delimiter, guess.columns, guess.header)
    ledger.count("a row with more or fewer fields than the first", ragged)
    return table, table.num_rows + ragged


def _inspect_parquet(data: bytes, name: str) -> Guess:
    columns = parquet.column_names(data)
    if len(columns) < 2:
        raise ValueError(f"The file must have at least 2 columns, got {len(columns)}.")
    table, n_rows = parquet.read(data, list(columns), limit=SAMPLE_ROWS)
    if not n_rows:
        raise ValueError("The file must hold rows of data, but it has none.")
    rows = _texts(table)
    guess = Guess(name, "parquet", columns, rows.head(PREVIEW_ROWS))
    return _with_mapping(replace(guess, reasons=("It is a Parquet file.",)), rows)


def _with_mapping(guess: Guess, rows: pd.DataFrame) -> Guess:
    found = layout.guess_mapping(rows, guess.decimal)
    return replace(guess, **{**found, "reasons": guess.reasons + found["reasons"]})


def _texts(table: pa.Table) -> pd.DataFrame:
    """Return the cells as texts, "" for missing ones and long ones cut, for guesses and show."""
    return pd.DataFrame({name: texts_of(table[name]) for name in table.column_names}, dtype=object)


def _check_size(data: bytes) -> None:
    if not data.strip():
        raise ValueError("The file must hold a table, but it is empty.")
    if len(data) > MAX_BYTES:
        raise ValueError(f"A file may have at most {MAX_BYTES:,} bytes, got {len(data):,}.")


def _at_most_cells(cells: int) -> None:
    if cells > MAX_CELLS:
        raise ValueError(f"A table may have at most {MAX_CELLS:,} cells, got {cells:,}.")


def _check_choices(guess: Guess) -> None:
    checks.one_of("layout", guess.layout, LAYOUTS)
    checks.one_of("duplicates", guess.duplicates, DUPLICATES)
    if guess.top_arms is not None:
        checks.whole("top_arms", guess.top_arms, 2, MAX_ARMS)
    roles = {"user": guess.user, "weight": guess.weight}
    if guess.layout == "long":
        roles |= {"arm": guess.arm, "reward": guess.reward}
        for role in ("user", "arm", "reward"):
            if roles[role] is None:
                raise ValueError(f"A table of one rating a row needs a column for the {role}.")
    elif not 2 <= len(guess.arm_columns) <= MAX_ARMS:
        raise ValueError(
            f"A table of one person a row needs from 2 to {MAX_ARMS} columns that are arms, got "
            f"{len(guess.arm_columns)}."
        )
    taken = [name for name in roles.values() if name is not None]
    taken += guess.arm_columns if guess.layout == "wide" else ()
    for name in (*taken, *guess.person_columns):
        checks.one_of("column", name, guess.columns)
    twice = [name for name in taken if taken.count(name) > 1]
    if twice:
        raise ValueError(f"A column can have one meaning only, got {twice[0]!r} twice.")
