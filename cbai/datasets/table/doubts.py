"""Doubts about the ratings themselves: which numbers are none, and which words are."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from cbai import checks
from cbai.datasets.table.codes import KNOWN, apart
from cbai.datasets.table.columns import Notation, numbers_in
from cbai.datasets.table.guess import Answer, Doubt, Guess
from cbai.datasets.table.profile import Column
from cbai.datasets.table.scales import (
    MAX_WORDS,
    as_written,
    by_number,
    known_scale,
    same_word,
)

KEYS = ("missing code", "order of words")
"""The doubts that depend on which columns are ratings."""


def about_ratings(guess: Guess) -> Guess:
    """Return the guess with the doubts about its ratings, and their likely answers taken."""
    columns = [guess.profile[name] for name in _rated(guess) if name in guess.profile]
    if not columns:
        return guess
    for doubt in (_missing_code(columns, guess), _order_of_words(columns)):
        if doubt is None or doubt.key in guess.settled or doubt.key in _keys(guess):
            continue
        guess = replace(guess, **doubt.answers[0].changes, doubts=(*guess.doubts, doubt))
    return guess


def renewed(before: Guess, after: Guess) -> Guess:
    """Return a corrected guess with the doubts about its ratings as they now are.

    Parameters
    ----------
    before, after : Guess
        Before and after a correction. What the correction sets is not asked.
    """
    if before.layout != after.layout and before.turned == after.turned:
        after = replace(after, turned=None)  # ranks are those of a row
    same_ratings = (_rated(before), before.decimal) == (_rated(after), after.decimal)
    rest = tuple(
        still for doubt in after.doubts
        if not any(_differs(before, after, name) for name in _fields_of(doubt))
        and (same_ratings or doubt.key not in KEYS) and (still := _possible(doubt, after))
    )  # fmt: skip
    if same_ratings:
        return replace(after, doubts=rest)
    if before.missing == after.missing:
        after = replace(after, missing=())
    if before.order == after.order:
        after = replace(after, order=())
    settled = tuple(key for key in after.settled if key not in KEYS)
    return about_ratings(replace(after, doubts=rest, settled=settled))


def _possible(doubt: Doubt, guess: Guess) -> Doubt | None:
    """Return a doubt without the answers that give a column two meanings; None if one is left."""
    if not doubt.answers:
        return doubt
    answers = tuple(a for a in doubt.answers if _fits(replace(guess, **a.changes)))
    if len(answers) < 2:
        return None
    return Doubt(str(doubt), doubt.key, answers, doubt.likely)


def _fits(guess: Guess) -> bool:
    roles = (guess.user, guess.weight, guess.arm, guess.reward)
    taken = [name for name in roles if name is not None]
    return guess.layout != "long" or len(set(taken)) == len(taken)


def _keys(guess: Guess) -> list[str]:
    return [doubt.key for doubt in guess.doubts]


def _fields_of(doubt: Doubt) -> set[str]:
    return {name for answer in doubt.answers for name in answer.changes}


def _differs(before: Guess, after: Guess, name: str) -> bool:
    return bool(getattr(before, name) != getattr(after, name))


def _rated(guess: Guess) -> tuple[str, ...]:
    if guess.layout == "wide":
        return tuple(guess.arm_columns)
    return (guess.reward,) if guess.reward else ()


def _missing_code(columns: list[Column], guess: Guess) -> Doubt | None:
    if any(c.kind != "number" for c in columns):
        return None
    notation = Notation(guess.decimal, guess.thousands)
    found = [numbers_in(pa.array(c.entries.texts, pa.string()), notation) for c in columns]
    values = np.concatenate([one.number for one in found])
    counts = np.concatenate([c.entries.counts for c in columns])
    here = np.isfinite(values) & (counts > 0)
    return missing_code(values[here], counts[here])


def missing_code(values: NDArray[np.float64], counts: NDArray[Any]) -> Doubt | None:
    """Return the doubt whether some ratings mean "not rated", or None.

    Parameters
    ----------
    values, counts : (N,) array
        Ratings, and how often each occurs; a value may come more than once.
    """
    together, place = np.unique(values, return_inverse=True)
    number = np.bincount(place, counts, minlength=together.size)
    codes = apart(together, number)
    if not codes:
        return None
    often = int(number[np.isin(together, codes)].sum())
    rest = together[~np.isin(together, codes)]
    named = " and ".join(f"{code:g}" for code in codes)
    is_one = len(codes) == 1
    verb = "is" if is_one else "are"
    does, it = ("Does", "It occurs") if is_one else ("Do", "They occur")
    kept = "a rating" if is_one else "ratings"
    is_known = all(code in KNOWN or code == 0.0 for code in codes)
    answers = (
        Answer(f"Not rated: {named} {verb} left out.", {"missing": codes}),
        Answer(f"{kept.capitalize()}: {named} {verb} kept.", {"missing": ()}),
    )
    return Doubt(
        f'{does} {named} mean "not rated"? {it} {often:,} times. '
        f"The other ratings range from {rest.min():g} to {rest.max():g}.",
        "missing code",
        answers if is_known else answers[::-1],
    )


def _order_of_words(columns: list[Column]) -> Doubt | None:
    if not all(c.kind == "words" for c in columns):
        return None
    words: dict[str, str] = {}
    for column in columns:
        for word in column.words:
            words.setdefault(same_word(word), " ".join(word.split()))
    if not 2 <= len(words) <= MAX_WORDS or not any(c.repeats for c in columns):
        return None
    known = known_scale(words.values())
    if known:
        found = _written(as_written(known, words.values()), words)
        orders = [found, found[::-1]]
    else:
        listed = by_number(words.values()) or tuple(words.values())
        few = len(listed) <= 3
        orders = [tuple(o) for o in permutations(listed)] if few else [listed, listed[::-1]]
    return Doubt(
        "The ratings are words. Are they in this order, the lowest first?",
        "order of words",
        tuple(_answer(order) for order in orders),
        likely=bool(known or by_number(words.values())),
    )


def _written(scale: tuple[str, ...], words: dict[str, str]) -> tuple[str, ...]:
    return tuple(words.get(word, word) for word in scale)


def _answer(order: tuple[str, ...]) -> Answer:
    said = " < ".join(checks.quoted(word)[1:-1] for word in order)
    return Answer(f"{said} stand for 1 to {len(order)}.", {"order": order})
