"""Guess what the columns of a table mean: first by their contents, then by their names."""

from __future__ import annotations

import pandas as pd

from cbai import checks
from cbai.datasets.table.columns import Notation
from cbai.datasets.table.guess import MAX_ARMS, Answer, Doubt
from cbai.datasets.table.long import NAMELESS, Found, Long, person_columns_of, time_of
from cbai.datasets.table.names import TOTALS, words_of
from cbai.datasets.table.profile import Column
from cbai.datasets.table.unfinished import about_unfinished
from cbai.datasets.table.wide import (
    RATING_HIGH,
    Options,
    find_constant_options,
    find_options,
    find_word_options,
)

SEVERAL_ROWS = "An entry such as a name occurs in several rows: one rating per row."


def guess_mapping(columns: list[Column], sample: pd.DataFrame, notation: Notation) -> Found:
    """Return the layout, the columns' meaning and the doubts, as fields of `Guess`.

    Parameters
    ----------
    columns : list of Column
        All columns, in order.
    sample : DataFrame
        The first rows, as texts.
    notation : Notation
        How numbers are written.
    """
    return about_unfinished(_reading(columns, sample, notation), columns)


def _reading(columns: list[Column], sample: pd.DataFrame, notation: Notation) -> Found:
    """Return the layout, the columns' meaning and the doubts about them."""
    filled = [c for c in columns if c.filled]
    long = Long(columns, sample)
    options = find_options(filled, sample, notation)
    words = [] if options.columns else find_word_options(filled)
    totals = _totals(filled, long)
    if totals:
        return {**long.found(["Each option has only one row."]), "doubts": (totals,)}
    if long.named_arm and long.named_rewards:
        return long.found(["The column names are those of a table with one rating per row."])
    if words and all(c in words for c in long.named_arm):
        return _wide(filled, Options(words, [], []))
    group = options.columns
    if len(group) < 2:
        one_a_row = long.found([SEVERAL_ROWS])
        constant = find_constant_options(filled)
        has_reward = one_a_row["reward"] not in (None, *(c.name for c in constant))
        if constant and not has_reward:
            return _wide(filled, Options(constant, [], []))
        return one_a_row
    return _either(filled, options, long)


def _either(columns: list[Column], options: Options, long: Long) -> Found:
    """Choose between a wide table and a long table that has several columns of numbers."""
    wide = _wide(columns, options)
    group = options.columns
    one_a_row = long.found([SEVERAL_ROWS])
    if not (one_a_row["arm"] and one_a_row["reward"]):
        return wide
    alike = bool(long.named_arm) and all(c in group for c in long.named_arm)
    if alike and len(group) >= 4:
        return wide  # a genre called "Action" among genres
    if long.named_arm:
        return _ask_layout(one_a_row, wide) if alike or len(group) >= 3 else one_a_row
    if _is_triple(columns, long):
        return one_a_row
    texts = [c for c in long.arms if not c.numeric and c.meaning is None]
    if not texts:
        user = _user_of_wide(columns)
        twice = user is not None and user.repeats and not any(c.empty for c in group)
        return _ask_layout(one_a_row, wide) if twice and len(group) == 2 else wide
    if any(c.kind == "truth" for c in group) or len(columns) == 3:
        return one_a_row if len(columns) == 3 else _ask_layout(one_a_row, wide)
    return wide if len(group) >= 3 else _ask_layout(wide, one_a_row)


def _ask_layout(likely: Found, other: Found) -> Found:
    fields = ("layout", "user", "arm", "reward", "weight", "arm_columns", "person_columns", "time",
              "turned")  # fmt: skip
    answers = tuple(
        Answer(
            _said(found),
            {name: found.get(name, _EMPTY.get(name)) for name in fields},
            tuple(found["doubts"]),
        )
        for found in (likely, other)
    )
    doubt = Doubt("Does each row hold one rating, or one person's ratings?", "layout", answers)
    return {**likely, "doubts": (doubt, *likely["doubts"])}


_EMPTY: Found = {"arm_columns": (), "person_columns": ()}


def _said(found: Found) -> str:
    if found["layout"] == "wide":
        names = ", ".join(map(checks.quoted, found["arm_columns"][:4]))
        return f"One person's ratings, a column for each option: {names}."
    arm, reward = checks.quoted(found["arm"]), checks.quoted(found["reward"])
    return f"One rating: {arm} is the option, {reward} is the rating."


def _is_triple(columns: list[Column], long: Long) -> bool:
    """Return whether there are three columns, of which the first comes in blocks: who, what, r."""
    three = [c for c in columns if c.kind != "date"]
    if len(three) != 3:
        return False
    first = three[0]
    unnamed = all(c.name.startswith(NAMELESS) for c in three) and all(c.repeats for c in three)
    if unnamed and max(c.different for c in three[:2]) > 3 * three[2].different:
        return True
    return first.repeats and first.rising and first.meaning in (None, "user")


# ---------------------------------------------------------------- wide


def _wide(columns: list[Column], options: Options) -> Found:
    group = options.columns
    user = _user_of_wide([c for c in columns if c not in group])
    who = f"{checks.quoted(user.name)} says who it is" if user else "every row is another person"
    weights = [checks.quoted(c.name) for c in columns if c.meaning == "weight" and c not in group]
    unused = [f"{weights[0]} is not used: every row counts once."] if weights else []
    return {
        "layout": "wide",
        "user": user.name if user else None,
        "arm": None,
        "reward": None,
        "weight": None,
        "time": time_of(columns),
        "arm_columns": tuple(c.name for c in group),
        "person_columns": person_columns_of(columns, group),
        "doubts": tuple(options.doubts),
        "turned": _turned(options.doubts),
        "reasons": (f"{len(group)} columns share a scale: one person per row, {who}.",
                    *options.reasons, *unused),
    }  # fmt: skip


def _turned(doubts: list[Doubt]) -> float | None:
    ranks = [doubt for doubt in doubts if doubt.key == "ranks"]
    return ranks[0].answers[0].changes["turned"] if ranks else None


def _user_of_wide(columns: list[Column]) -> Column | None:
    """Return the column that says who: by its name, else one in which all entries differ."""
    by_name = [c for c in columns if c.meaning == "user" and c.different > 1]
    by_name.sort(key=lambda c: (c.empty, c.repeats, words_of(c.name) == ["id"]))
    if by_name:
        return by_name[0]
    unique = [
        c for c in columns
        if not c.repeats and not c.empty and c.kind != "date" and c.meaning in (None, "id")
        and (not c.numeric or (c.whole and c.different > 5))
    ]  # fmt: skip
    unique.sort(key=lambda c: c.counter)
    return unique[0] if unique else None


# ---------------------------------------------------------------- totals


def _totals(columns: list[Column], long: Long) -> Doubt | None:
    """Return a doubt without an answer if each row sums up many ratings of an option."""
    arms = [
        c for c in columns
        if not c.repeats and c.filled >= 2 and c.kind in ("text", "words", "number", "truth")
        and c.meaning in ("arm", "person", None, "index")
    ]  # fmt: skip
    sums = [c for c in columns if c.numeric and _is_total(c)]
    if arms and len(sums) >= 2 and columns[0].rows <= MAX_ARMS and not _rates(columns, sums):
        return _said_of_totals(arms[0])
    weight = [c for c in columns if c.meaning == "weight" and c.kind == "number"]
    rest = [c for c in columns if c not in weight]
    is_pair = long.named_arm and len(rest) == 2 and weight and rest[0].rows >= 2
    if is_pair and long.named_rewards:
        combinations = long.named_arm[0].different * long.named_rewards[0].different
        if rest[0].rows <= combinations:
            return _said_of_totals(long.named_arm[0])
    return None


def _is_total(c: Column) -> bool:
    return any(word in TOTALS for word in words_of(c.name))


def _rates(columns: list[Column], sums: list[Column]) -> bool:
    """Return whether columns called like totals hold ratings all the same."""
    return max(c.high for c in sums) <= RATING_HIGH


def _said_of_totals(arm: Column) -> Doubt:
    return Doubt(
        f"These look like totals for each entry of {checks.quoted(arm.name)}: the table must have "
        "one row per rating, or one row per person.",
        "totals",
        (),
    )
