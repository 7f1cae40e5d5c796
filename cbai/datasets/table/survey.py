"""From the rows of a table to a survey, with a report of everything left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cbai.datasets.table.columns import Codes, Numbers, codes_of, first_text, numbers_of
from cbai.datasets.table.guess import MAX_ARMS, MAX_NAME, MAX_ROWS, Guess, check_name

TOO_MANY_BAD = 0.5
"""The share of rewards that are no numbers from which the column is taken to be the wrong one."""


class Rows(NamedTuple):
    """Ratings on their way to a survey, one entry each."""

    row: NDArray[np.int64]
    person: NDArray[np.int32]
    arm: NDArray[np.int32]
    reward: NDArray[np.float64]
    weight: NDArray[np.float64]

    def where(self, kept: NDArray[np.bool_]) -> Rows:
        """Return some of them."""
        row, person, arm, reward, weight = self
        return Rows(row[kept], person[kept], arm[kept], reward[kept], weight[kept])


class Ledger:
    """Counts what is dropped, and why, in order."""

    def __init__(self) -> None:
        self.dropped: list[tuple[str, int]] = []
        self.notes: list[str] = []

    def drop(self, rows: Rows, bad: NDArray[np.bool_], reason: str) -> Rows:
        """Leave out the bad rows and write down how many."""
        self.count(reason, int(bad.sum()))
        return rows.where(~bad) if bad.any() else rows

    def count(self, reason: str, number: int) -> None:
        """Write down what was left out elsewhere."""
        if number:
            self.dropped.append((reason, number))

    def biggest(self) -> str:
        """Return the reason for most of it, for a message."""
        if not self.dropped:
            return "there are none"
        reason, number = max(self.dropped, key=lambda entry: entry[1])
        return f"{number:,} were left out: {reason}"


def long_rows(table: pa.Table, guess: Guess, ledger: Ledger) -> tuple[Rows, list[str], list[str]]:
    """Return the ratings of a long table, the people's ids and the arms' names."""
    person, arm = codes_of(table[guess.user]), codes_of(table[guess.arm])
    reward = _rewards(table[guess.reward], str(guess.reward), guess.decimal)
    everything = np.arange(table.num_rows)
    rows = Rows(everything, person.code, arm.code, reward.number, _weights(table, guess))
    absent = (rows.person < 0) | (rows.arm < 0) | reward.missing
    text = reward.text & ~absent
    ledger.count("a missing user, arm or reward", int(absent.sum()))
    ledger.count("a reward that is not a number", int(text.sum()))
    rows = rows.where(~absent & ~text)
    rows = ledger.drop(rows, np.isinf(rows.reward), "an infinite reward")
    return _weighted(rows, ledger), person.names, arm.names


def wide_rows(table: pa.Table, guess: Guess, ledger: Ledger) -> tuple[Rows, list[str], list[str]]:
    """Return the ratings of a wide table, the people's ids and the arms' names."""
    n_rows = table.num_rows
    person = Codes(np.arange(n_rows, dtype=np.int32), [])
    names = [str(row + 1) for row in range(n_rows)] if guess.user is None else []
    if guess.user is not None:
        person = codes_of(table[guess.user])
        names = person.names
        ledger.count("a row without a user", int((person.code < 0).sum()))
    parts, text, infinite = [], 0, 0
    weight = _weights(table, guess)
    for code, column in enumerate(guess.arm_columns):
        found = _rewards(table[column], column, guess.decimal)
        here = person.code >= 0
        text += int((found.text & here).sum())
        infinite += int((np.isinf(found.number) & here).sum())
        row = np.flatnonzero(np.isfinite(found.number) & here)
        arm = np.full(row.size, code, dtype=np.int32)
        parts.append(Rows(row, person.code[row], arm, found.number[row], weight[row]))
    ledger.count("a cell that is not a number", text)
    ledger.count("an infinite reward", infinite)
    rows = Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    if rows.row.size > MAX_ROWS:
        raise ValueError(f"A table may hold at most {MAX_ROWS:,} ratings, got {rows.row.size:,}.")
    return _weighted(rows, ledger), names, list(guess.arm_columns)


def without_duplicates(rows: Rows, guess: Guess, ledger: Ledger) -> Rows:
    """Apply the rule for several ratings of one arm by one person."""
    order = np.lexsort((rows.row, rows.arm, rows.person))  # the last is the last in the file
    person, arm = rows.person[order], rows.arm[order]
    again = (person[1:] == person[:-1]) & (arm[1:] == arm[:-1])
    if not again.any():
        return rows
    if guess.duplicates == "last":
        bad = np.zeros(rows.row.size, dtype=bool)
        bad[order[:-1]] = again
        return ledger.drop(rows, bad, "a later rating of the same arm by the same person")
    ledger.notes.append(
        f"{again.sum():,} ratings are of an arm that the same person had rated before; all count."
    )
    return rows


def most_rated(rows: Rows, names: list[str], guess: Guess, ledger: Ledger) -> Rows:
    """Keep as many arms as wanted, and see that there are not too many.

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
        reason = f"an arm that is not among the {guess.top_arms} most rated of {found:,}"
        rows = ledger.drop(rows, ~kept[rows.arm], reason)
    elif found > MAX_ARMS:
        raise ValueError(
            f"A problem may have at most {MAX_ARMS} arms, got {found:,}: choose how many of the "
            "most rated ones to keep."
        )
    for arm in np.unique(rows.arm):
        check_name("arm", names[arm])
    return rows


def renumbered(
    codes: NDArray[np.int32], names: list[str]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return codes without gaps, in the same order, and which old codes they stand for."""
    used = np.bincount(codes, minlength=len(names)) > 0
    new = np.cumsum(used, dtype=np.int32) - 1
    return new[codes], np.flatnonzero(used)


def person_columns(
    table: pa.Table, guess: Guess, rows: Rows, n_people: int, ledger: Ledger
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
        code, entries = codes_of(table[name])
        own = code[rows.row]
        order = np.lexsort((rows.row, own < 0, rows.person))
        first = order[np.searchsorted(rows.person[order], np.arange(n_people))]
        chosen = own[first]
        differ = (own >= 0) & (own != chosen[rows.person])
        if max(map(len, entries), default=0) > MAX_NAME:
            raise ValueError(
                f"An entry of {name!r} may have at most {MAX_NAME} letters, got "
                f"{max(map(len, entries)):,}."
            )
        several = np.unique(rows.person[differ]).size
        if several:
            ledger.notes.append(
                f"{several:,} people have several entries in {name!r}; their first one counts."
            )
        result[name] = np.array([*entries, ""], dtype=object)[chosen]
    return result


def _weights(table: pa.Table, guess: Guess) -> NDArray[np.float64]:
    if guess.weight is None:
        return np.ones(table.num_rows)
    return numbers_of(table[guess.weight], guess.decimal).number


def _weighted(rows: Rows, ledger: Ledger) -> Rows:
    usable = np.isfinite(rows.weight) & (rows.weight > 0.0)
    return ledger.drop(rows, ~usable, "a weight that is missing, infinite or not above 0")


def _rewards(column: pa.ChunkedArray, name: str, decimal: str) -> Numbers:
    found = numbers_of(column, decimal)
    filled = int((~found.missing).sum())
    bad = int(found.text.sum())
    if filled and bad > TOO_MANY_BAD * filled:
        raise ValueError(
            f"Column {name!r} must hold numbers, but {bad:,} of its {filled:,} entries, such as "
            f"{first_text(column, found.text)!r}, are none."
        )
    return found
