"""From the rows of a table to a survey, with a report of everything left out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow.compute as pc
from numpy.typing import NDArray

from cbai import checks
from cbai.datasets.table.columns import (
    Notation,
    Numbers,
    codes_of,
    first_text,
    numbers_of,
    some_texts,
)
from cbai.datasets.table.guess import MAX_ARMS, MAX_NAME, MAX_ROWS, Guess, check_name
from cbai.datasets.table.profile import Columns
from cbai.datasets.table.unfinished import is_finished
from cbai.datasets.table.units import units_in
from cbai.problem.counted import counted

TOO_MANY_BAD = 0.5
"""If a larger share of the ratings are not numbers, the column is assumed to be the wrong one."""


MOST_UNITS = 1000
"""Different entries of each part of a column whose units are compared."""


class Rows(NamedTuple):
    """Ratings on their way to a survey, one entry each."""

    row: NDArray[np.int32]
    person: NDArray[np.int32]
    arm: NDArray[np.int32]
    reward: NDArray[np.float64]
    weight: NDArray[np.float64]

    def where(self, kept: NDArray[np.bool_]) -> Rows:
        """Return some of them."""
        row, person, arm, reward, weight = self
        return Rows(row[kept], person[kept], arm[kept], reward[kept], weight[kept])


class Ledger:
    """Counts what is left out, with the reasons, in order."""

    def __init__(self) -> None:
        self.dropped: list[tuple[str, int]] = []
        self.notes: list[str] = []

    def drop(self, rows: Rows, bad: NDArray[np.bool_], reason: str) -> Rows:
        """Leave out the bad rows and write down how many."""
        self.count(reason, int(bad.sum()))
        return rows.where(~bad) if bad.any() else rows

    def count(self, reason: str, number: int) -> None:
        """Record what was left out elsewhere."""
        if number:
            self.dropped.append((reason, number))

    def biggest(self) -> str:
        """Return the most frequent reason, for a message."""
        if not self.dropped:
            return "there are none"
        reason, number = max(self.dropped, key=lambda entry: entry[1])
        return f"{counted(number, 'row was', 'rows were')} left out: {reason}"


def long_rows(table: Columns, guess: Guess, ledger: Ledger) -> tuple[Rows, int, Any]:
    """Return the ratings of a long table, the number of people and the arms' names."""
    n_rows = table.n_rows
    arm = codes_of(table.column(str(guess.arm), names=True), str(guess.arm))
    if guess.user is None:
        person, n_people = np.arange(n_rows, dtype=np.int32), n_rows
    else:
        who = codes_of(table.column(guess.user, names=True), guess.user)
        person, n_people = who.code, len(who.names)
        del who
    reward = _rewards(table, str(guess.reward), guess)
    everything = np.arange(n_rows, dtype=np.int32)
    rows = Rows(everything, person, arm.code, reward.number, _weights(table, guess))
    unfinished = _unfinished(table, guess, ledger)
    absent = ((rows.person < 0) | (rows.arm < 0) | reward.missing) & ~unfinished
    text = reward.text & ~absent & ~unfinished
    what = "person, option or rating" if guess.user is not None else "option or rating"
    ledger.count(f"a missing {what}", int(absent.sum()))
    ledger.count("a rating that is not a number", int(text.sum()))
    kept = ~absent & ~text & ~unfinished
    rows = rows if kept.all() else rows.where(kept)
    rows = ledger.drop(rows, np.isinf(rows.reward), "an infinite rating")
    return _weighted(rows, ledger), n_people, arm.names


def check_no_totals(rows: Rows, guess: Guess) -> None:
    """Raise a ValueError if every arm has one row only, as in a table of totals."""
    once = np.bincount(rows.arm).max() == 1 and np.bincount(rows.person).max() == 1
    if guess.layout == "long" and rows.row.size >= 3 and once:
        raise ValueError(
            f"Every entry of {checks.quoted(guess.arm)} occurs only once, as in a table of totals: "
            "the table must have one row per rating, or one row per person."
        )


def wide_rows(table: Columns, guess: Guess, ledger: Ledger) -> tuple[Rows, int, Any]:
    """Return the ratings of a wide table, the number of people and the arms' names."""
    n_rows = table.n_rows
    person, n_people = np.arange(n_rows, dtype=np.int32), n_rows
    if guess.user is not None:
        found = codes_of(table.column(guess.user, names=True), guess.user)
        person, n_people = found.code, len(found.names)
        ledger.count("a row without a person", int((person < 0).sum()))
    if guess.finished is not None:
        person = np.where(_unfinished(table, guess, ledger), np.int32(-1), person)
    parts, text, infinite, ratings = [], 0, 0, 0
    weight = _weights(table, guess)
    for code, column in enumerate(guess.arm_columns):
        reward = _rewards(table, column, guess)
        here = person >= 0
        text += int((reward.text & here).sum())
        infinite += int((np.isinf(reward.number) & here).sum())
        row = np.flatnonzero(np.isfinite(reward.number) & here).astype(np.int32)
        ratings += row.size
        if ratings > MAX_ROWS:
            raise ValueError(f"A table may hold at most {MAX_ROWS:,} ratings, got {ratings:,}.")
        arm = np.full(row.size, code, dtype=np.int32)
        parts.append(Rows(row, person[row], arm, reward.number[row], weight[row]))
    ledger.count("a cell that is not a number", text)
    ledger.count("an infinite rating", infinite)
    if guess.turned is not None:
        ledger.notes.append(f"1 is the best: every rating r counts as {guess.turned:g} - r.")
    rows = Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    return _weighted(rows, ledger), n_people, list(guess.arm_columns)


def without_duplicates(rows: Rows, table: Columns, guess: Guess, ledger: Ledger) -> Rows:
    """Apply the rule for several ratings of one arm by one person.

    The last is that with the latest time where there is a column of times, and else, or at the
    same time, that of the last row.
    """
    if guess.user is None:
        return rows
    pair = rows.person.astype(np.int64) * (int(rows.arm.max(initial=0)) + 1) + rows.arm
    keys: tuple[NDArray[Any], ...] = (rows.row, pair)
    if guess.duplicates == "last" and guess.time is not None:
        keys = (rows.row, _times(table, guess.time)[rows.row], pair)
    order = np.lexsort(keys)
    ordered = pair[order]
    again = ordered[1:] == ordered[:-1]
    if not again.any():
        return rows
    if guess.duplicates == "last":
        bad = np.zeros(rows.row.size, dtype=bool)
        bad[order[:-1]] = again
        return ledger.drop(rows, bad, "a later rating of the same option by the same person")
    ledger.notes.append(
        f"{again.sum():,} ratings are of an option that the same person rated before. All count."
    )
    return rows


def _times(table: Columns, name: str) -> NDArray[np.float64]:
    """Return a number for each row, larger for later ones; those without a time come first."""
    column = table.column(name)
    number = numbers_of(column).number
    if np.isnan(number).mean() < 0.5:
        return np.where(np.isnan(number), -np.inf, number)
    code, texts = codes_of(column, name)
    moments = pd.Series(texts.to_pylist(), dtype=object)
    day_first = moments.str.match(r"\d{1,2}\.\d{1,2}\.\d{4}").mean() > 0.5
    found = pd.to_datetime(moments, errors="coerce", format="mixed", dayfirst=day_first, utc=True)
    if found.isna().mean() > 0.5:
        raise ValueError(
            f"Column {checks.quoted(name)} must hold times, got {checks.quoted(texts[0].as_py())}."
        )
    rank = found.rank(method="dense").fillna(-np.inf).to_numpy(dtype=np.float64)
    return np.append(rank, -np.inf)[code]


def most_rated(rows: Rows, names: Any, guess: Guess, ledger: Ledger) -> tuple[Rows, list[str]]:
    """Keep only the arms wanted, check that there are not too many, and also return all names.

    Raises
    ------
    ValueError
        If more than `MAX_ARMS` are left, or a name is too long.
    """
    ratings = np.bincount(rows.arm, rows.weight, minlength=len(names))
    found = int((ratings > 0).sum())
    if guess.top_arms is not None and guess.top_arms < found:
        kept = np.zeros(len(names), dtype=bool)
        kept[np.argsort(-ratings, kind="stable")[: guess.top_arms]] = True
        reason = f"an option that is not among the {guess.top_arms} most rated of {found:,}"
        rows = ledger.drop(rows, ~kept[rows.arm], reason)
    elif found > MAX_ARMS:
        raise ValueError(
            f"A problem may have at most {MAX_ARMS} options, got {found:,}: choose how many of the "
            "most rated ones to keep."
        )
    used: NDArray[Any] = np.unique(rows.arm)
    if not isinstance(names, list):  # names that are not used need no text
        some = names.take(used).to_pylist()
        rows = rows._replace(arm=np.searchsorted(used, rows.arm).astype(np.int32))
        names, used = some, np.arange(used.size)
    for arm in used:
        check_name("option", names[arm])
    return rows, [_printable(name) for name in names]


def _printable(name: str) -> str:
    """Return a name on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split()) or "?"


def renumbered(
    codes: NDArray[np.int32], n_codes: int
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return codes without gaps, in the same order, and which old codes they stand for."""
    used = np.bincount(codes, minlength=n_codes) > 0
    new = np.cumsum(used, dtype=np.int32) - 1
    return new[codes], np.flatnonzero(used)


def person_columns(
    table: Columns, guess: Guess, rows: Rows, n_people: int, ledger: Ledger
) -> dict[str, NDArray[np.object_]]:
    """Return what each column says of each person: their first entry, "" if they have none.

    Parameters
    ----------
    table, guess
        The table.
    rows : Rows
        The ratings kept, with people numbered from 0 to `n_people` - 1.
    n_people : int
        P.
    ledger : Ledger
        Is told how many people have several different entries.

    Raises
    ------
    ValueError
        If an entry is too long to be shown.
    """
    result = {}
    for name in guess.person_columns:
        code, entries = codes_of(table.column(name), name)
        own = code[rows.row]
        order = np.lexsort((rows.row, own < 0, rows.person))
        first = order[np.searchsorted(rows.person[order], np.arange(n_people))]
        chosen = own[first]
        differ = (own >= 0) & (own != chosen[rows.person])
        longest = pc.max(pc.utf8_length(entries)).as_py() or 0
        if longest > MAX_NAME:
            raise ValueError(
                f"An entry of {checks.quoted(name)} may have at most {MAX_NAME} letters, got "
                f"{longest:,}."
            )
        several = np.unique(rows.person[differ]).size
        if several:
            ledger.notes.append(
                f"{several:,} people have several entries in {checks.quoted(name)}; their first "
                "one counts."
            )
        names = [_printable(entry) for entry in entries.to_pylist()]
        result[name] = np.array([*names, ""], dtype=object)[chosen]
    return result


def _unfinished(table: Columns, guess: Guess, ledger: Ledger) -> NDArray[np.bool_]:
    """Return which rows are answers that were not finished, if these do not count."""
    if guess.finished is None:
        return np.broadcast_to(np.False_, table.n_rows)
    bad = ~is_finished(table, *guess.finished)
    ledger.count("an answer that was not finished", int(bad.sum()))
    return bad


def _weights(table: Columns, guess: Guess) -> NDArray[np.float64]:
    if guess.weight is None:
        return np.broadcast_to(np.ones(1), table.n_rows)
    notation = Notation(guess.decimal, guess.thousands)
    return numbers_of(table.column(guess.weight), notation).number


def _weighted(rows: Rows, ledger: Ledger) -> Rows:
    usable = np.isfinite(rows.weight) & (rows.weight > 0.0)
    return ledger.drop(rows, ~usable, "a weight that is missing, infinite or not above 0")


def _rewards(table: Columns, name: str, guess: Guess) -> Numbers:
    column = table.column(name)
    if table.is_time(name):
        raise ValueError(f"Column {checks.quoted(name)} must hold numbers, but it holds times.")
    notation = Notation(guess.decimal, guess.thousands, guess.missing, guess.order)
    found = numbers_of(column, notation)
    units = units_in(text for text in some_texts(column, MOST_UNITS))
    if units and not guess.order:
        first, other = map(checks.quoted, units)
        raise ValueError(
            f"Column {checks.quoted(name)} must hold ratings on one scale, got {first} and {other}."
        )
    if guess.turned is not None:
        found = found._replace(number=guess.turned - found.number)
    filled = int((~found.missing).sum())
    bad = int(found.text.sum())
    if filled and bad > TOO_MANY_BAD * filled:
        raise ValueError(
            f"Column {checks.quoted(name)} must hold numbers, but {bad:,} of its {filled:,} "
            f"entries, such as {first_text(column, found.text)}, are none."
        )
    return found
