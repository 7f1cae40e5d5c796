"""The columns that are options in a table with one person per row: those that share a scale."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cbai import checks
from cbai.datasets.table.columns import Notation
from cbai.datasets.table.guess import Answer, Doubt
from cbai.datasets.table.names import words_of
from cbai.datasets.table.profile import Column
from cbai.datasets.table.rows import about_rows, cells_of
from cbai.datasets.table.scales import MAX_WORDS, known_scale, same_word

PERHAPS = ("time", "weight", "duration", "total", "text", "other")
"""Meanings of columns that may still be options, such as a brand called Total."""

NO_OPTIONS = ("user", "id", "person", "index", *PERHAPS)
"""Meanings of columns that are not options."""

ENOUGH = 10
"""With at least this many rows, a column that never changes or never repeats is not an option."""

SENTENCE = 5
"""A column whose name has at least this many words may be a question, whatever its last word."""

_SUMMARY = """
overall nps recommend satisfaction satisfied
insgesamt gesamt gesamtzufriedenheit gesamtbewertung weiterempfehlung zufriedenheit
"""
SUMMARY = frozenset(_SUMMARY.split())
"""Words in the name of a column that asks about everything, not about one option."""

USUAL_HIGH = (5.0, 7.0)
"""The largest ratings of scales that are often used beside longer ones."""

OFTEN = 30
"""With this many ratings at its end, a scale is very unlikely to go on."""

RATING_HIGH = 11.0
"""The largest rating on a usual scale."""


class Options(NamedTuple):
    """The columns that share a scale, doubts about them, and the columns left out with reasons."""

    columns: list[Column]
    doubts: list[Doubt]
    reasons: list[str]


def find_options(columns: list[Column], sample: pd.DataFrame, notation: Notation) -> Options:
    """Return the columns of numbers that share a scale.

    Parameters
    ----------
    columns : list of Column
        All columns.
    sample : DataFrame
        The first rows, as texts.
    notation : Notation
        How numbers are written.
    """
    possible = [c for c in columns if c.numeric and not _names_or_counts(c)]
    few = [c for c in possible if c.scores]
    possible = few if len(few) >= 2 else possible
    possible, reasons = _without_sums(possible, sample, notation)
    group = _without_suspects(_largest_group(possible))
    left = [c for c in possible if c not in group]
    if left and group:
        names = ", ".join(checks.quoted(c.name) for c in left[:5])
        reasons.append(f"Not on the scale of the options, so left out: {names}.")
    doubts = _doubts(group, left)
    if doubts:
        group = [c for c in columns if c.name in doubts[0].answers[0].changes["arm_columns"]]
    values = {float(value) for one in group for value in one.core}
    named = [] if doubts or len(group) < 2 else [c for c in columns if _is_like(c, values)]
    if named:
        doubts, group = _ask_named(named, group)
    return Options(group, doubts or about_rows(group, sample, notation), reasons)


def _is_like(c: Column, values: set[float]) -> bool:
    """Return whether a column has exactly the values of the options, whatever its name means."""
    perhaps = c.meaning in PERHAPS
    perhaps |= c.meaning in NO_OPTIONS and len(words_of(c.name)) >= SENTENCE
    if not c.numeric or not perhaps or c.filled < ENOUGH:
        return False
    enough = len(values) >= (2 if c.meaning in ("time", "duration", "total") else 3)
    return enough and set(c.core.tolist()) == values


def _ask_named(named: list[Column], group: list[Column]) -> tuple[list[Doubt], list[Column]]:
    everything = sorted([*group, *named], key=lambda c: c.place)
    one = len(named) == 1
    question = f"{'Is' if one else 'Are'} {_list(named)} {'an option' if one else 'options'}"
    answers = (_answer("Yes. The options are", everything), _answer("No. The options are", group))
    return [Doubt(f"{question} like {_list(group)}?", "options", answers)], everything


def find_word_options(columns: list[Column]) -> list[Column]:
    """Return the columns that share a few words, such as "agree" and "disagree"."""
    possible = [
        c for c in columns
        if c.kind == "words" and c.meaning not in NO_OPTIONS and c.repeats and c.different >= 2
    ]  # fmt: skip
    best: list[Column] = []
    for first in possible:
        alike = [c for c in possible if _alike(first, c)]
        words = {same_word(word) for c in alike for word in c.words}
        if len(alike) > len(best) and len(words) <= MAX_WORDS:
            best = alike
    return best if len(best) >= 2 else []


def find_constant_options(columns: list[Column]) -> list[Column]:
    """Return the columns of ratings that are all equal, if there are no other ratings."""
    possible = [c for c in columns if c.numeric and c.meaning not in NO_OPTIONS and not c.counter]
    constant = [c for c in possible if c.different == 1 and abs(c.high) <= RATING_HIGH]
    return constant if len(constant) >= 2 and constant == possible else []


def _without_suspects(group: list[Column]) -> list[Column]:
    """Leave out a column that is constant or has only 1 and 2, if others have more values."""
    suspects = [
        c for c in group
        if c.filled >= ENOUGH and (c.core.size == 1 or c.core.tolist() == [1.0, 2.0])
    ]  # fmt: skip
    rest = [c for c in group if c not in suspects]
    more = [c for c in rest if c.core.size >= 3]
    return rest if suspects and len(rest) >= 2 and len(more) == len(rest) else group


def _names_or_counts(c: Column) -> bool:
    counts = c.counter and (c.filled >= ENOUGH or c.place == 0)
    if c.meaning in NO_OPTIONS or counts or not c.filled:
        return True
    unique = c.different == c.filled and c.whole and c.filled >= ENOUGH
    return unique and (c.rising or c.high - c.low > 3 * c.filled)


def _without_sums(
    columns: list[Column], sample: pd.DataFrame, notation: Notation
) -> tuple[list[Column], list[str]]:
    """Leave out a column that is the sum or the mean of the others in every row."""
    if len(columns) < 3:
        return columns, []
    cells = cells_of(columns, sample, notation)
    counting = _counting(columns, cells)
    if counting is not None:
        said = f"{checks.quoted(counting.name)} counts the ratings of its row."
        rest, more = _without_sums([c for c in columns if c is not counting], sample, notation)
        return rest, [said, *more]
    rows = cells[np.isfinite(cells).all(axis=1)]
    if len(rows) < 5:
        return columns, []
    for place, column in enumerate(columns):
        others = np.delete(rows, place, axis=1)
        groups = [others[:, :place], others] if place >= 2 else [others]
        for group in groups:
            for made in (group.sum(axis=1), group.mean(axis=1)):
                if np.abs(made - rows[:, place]).max() < 0.006 and np.ptp(made) > 0:
                    rest = [c for c in columns if c is not column]
                    said = f"{checks.quoted(column.name)} is the sum or mean of the options."
                    rest, more = _without_sums(rest, sample, notation)
                    return rest, [said, *more]
    return columns, []


def _counting(columns: list[Column], cells: NDArray[np.float64]) -> Column | None:
    """Return a column that says how many of the others are rated, if the number differs."""
    rated = np.column_stack(
        [np.isfinite(row) & ~np.isin(row, c.codes) for c, row in zip(columns, cells.T, strict=True)]
    )
    for place, column in enumerate(columns):
        number = np.delete(rated, place, axis=1).sum(axis=1)
        if len(number) >= 5 and np.ptp(number) > 0 and (cells[:, place] == number).all():
            return column
    return None


def _largest_group(columns: list[Column]) -> list[Column]:
    """Return the largest group of columns that share a scale; of equal ones, the lower scale."""
    best: list[Column] = []
    rest = list(columns)
    while rest:
        group, new = [], [rest.pop(0)]
        while new:
            one = new.pop()
            group.append(one)
            near = [c for c in rest if share_scale(one, c)]
            rest = [c for c in rest if c not in near]
            new += near
        group = _without_constants(group)
        if (len(group), -_height(group)) > (len(best), -_height(best)):
            best = group
    return sorted(best, key=lambda c: c.place) if len(best) >= 2 else []


def _without_constants(group: list[Column]) -> list[Column]:
    constant = [c for c in group if c.core.size < 2]
    others = [c for c in group if c.core.size >= 2]
    low = min((c.low for c in others), default=0.0)
    high = max((c.high for c in others), default=0.0)
    near = 1.0 if all(_is_rating(c) for c in others) else 0.0
    kept = [
        c for c in constant
        if low - near <= c.low <= high + near and (c.filled < ENOUGH or c.low not in (0.0, 1.0))
    ]  # fmt: skip
    return others + kept if len(others) >= 1 else []


def _height(group: list[Column]) -> float:
    return max((c.high for c in group), default=0.0)


def share_scale(a: Column, b: Column) -> bool:
    """Return whether two columns of numbers may be ratings on one scale."""
    if not a.core.size or not b.core.size:
        return False
    if (a.kind == "truth") != (b.kind == "truth"):
        return False
    if _is_binary(a) != _is_binary(b) and min(a.filled, b.filled) >= ENOUGH:
        return False
    if _is_rating(a) and _is_rating(b):
        return True
    gap = max(a.low - b.high, b.low - a.high)
    widths = (a.high - a.low, b.high - b.low)
    size = sorted((max(abs(a.low), abs(a.high)), max(abs(b.low), abs(b.high))))
    few = max(a.different, b.different) <= 3 * min(a.different, b.different)
    if gap <= 0:
        return size[1] <= 3 * size[0] and (few or size[1] <= 1.5 * size[0])
    return gap <= max(widths) and size[1] <= 1.5 * size[0]


def _is_binary(c: Column) -> bool:
    return c.kind == "truth" or c.core.tolist() == [0.0, 1.0]


def _is_rating(c: Column) -> bool:
    inside = c.low >= -RATING_HIGH and c.high <= RATING_HIGH
    return inside and bool((2 * c.core == np.rint(2 * c.core)).all())


def _alike(a: Column, b: Column) -> bool:
    first, second = ({same_word(word) for word in c.words} for c in (a, b))
    return len(first & second) >= 0.5 * min(len(first), len(second)) or bool(
        known_scale(first | second)
    )


def _doubts(group: list[Column], left: list[Column]) -> list[Doubt]:
    if len(group) < 2:
        return []
    binary = [c for c in left if _is_binary(c) and c.kind != "truth"]
    if scales := _two_scales(group):
        return [scales]
    low, high = min(c.low for c in group), max(c.high for c in group)
    constant = [
        c for c in left if c.kind == "number" and c.core.size == 1 and low <= c.low <= high
    ]  # fmt: skip
    halves = [c for c in left if c.core.tolist() == [1.0, 2.0] and low <= 2.0 and high >= 1.0]
    summary = _summaries(group)
    group = [c for c in group if c not in summary]
    names = tuple(c.name for c in group)
    odd = summary + (binary if _height(group) <= RATING_HIGH else []) + constant + halves
    lower = [c for c in group if 1.7 * c.high < _height(group)]
    if min(c.low for c in group) < 0 or _height(group) <= 7:
        lower = []
    if lower and len(lower) < len(group) and group[0].rows >= 2 * ENOUGH and len(group) > 2:
        upper = [c for c in group if c not in lower]
        answers = [_answer("All of them:", group)]
        answers += [_answer("Only", g) for g in (lower, upper) if len(g) >= 2]
        if len(answers) > 1:
            said = f"Are all of these options on one scale: {_list(group)}?"
            return [Doubt(said, "options", tuple(answers))]
    if odd:
        everything = sorted([*group, *odd], key=lambda c: c.place)
        question, said = ("Is {} an option", "it is") if len(odd) == 1 else (
            "Are {} options", "they are")  # fmt: skip
        return [
            Doubt(
                f"{question.format(_list(odd))} like {_list(group)}?",
                "options",
                (
                    Answer(f"No: {said} left out. The options are {_list(group)}.",
                           {"arm_columns": names}),
                    _answer("Yes. The options are", everything),
                ),
            )
        ]  # fmt: skip
    return []


def _summaries(group: list[Column]) -> list[Column]:
    """Return the few columns that ask about everything, by their names, beside options."""
    found = [c for c in group if SUMMARY & {*words_of(c.name)}]
    return found if len(group) - len(found) >= max(2, 2 * len(found)) else []


def _two_scales(group: list[Column]) -> Doubt | None:
    """Return a doubt if some columns end at 5 or 7, where many answers are, and others later."""
    top = max(c.high for c in group)
    short = [c for c in group if c.high <= top - 2]
    high = max((c.high for c in short), default=0.0)
    other = [c for c in group if c.high >= high + 2]
    often = sum(int(c.counts[c.values == high].sum()) for c in short)
    usual = high in USUAL_HIGH and all(c.low >= 1.0 and c.whole for c in short)
    if not usual or often < OFTEN or len(short) + len(other) < len(group):
        return None
    one = len(other) == 1
    said = (
        f"{'Is' if one else 'Are'} {_list(other)} rated on the same scale as {_list(short)}? "
        f"{'Its' if one else 'Their'} largest rating is {top:g}, that of the others is {high:g}."
    )
    parts = [g for g in sorted((short, other), key=len, reverse=True) if len(g) >= 2]
    answers = [_answer("No. The options are", g) for g in parts]
    answers.append(_answer("Yes. The options are", group))
    return Doubt(said, "options", tuple(answers)) if parts else None


def _answer(words: str, group: list[Column]) -> Answer:
    return Answer(f"{words} {_list(group)}.", {"arm_columns": tuple(c.name for c in group)})


def _list(group: list[Column]) -> str:
    more = f" and {len(group) - 4} more" if len(group) > 4 else ""
    return ", ".join(checks.quoted(c.name) for c in group[:4]) + more
