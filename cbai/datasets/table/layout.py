"""Guessing what the columns of a table mean: by what they hold first, then by their names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cbai import checks
from cbai.datasets.table.columns import Notation
from cbai.datasets.table.guess import MAX_ARMS, Answer, Doubt
from cbai.datasets.table.names import TOTALS, words_of
from cbai.datasets.table.profile import Column
from cbai.datasets.table.wide import RATING_HIGH, Options, find_options, find_word_options

NAMELESS = "column "
FEW_ROWS = 10
"""Rows below which an arm need not repeat."""

Found = dict[str, Any]
"""Fields of `Guess`."""


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
    filled = [c for c in columns if c.filled]
    long = _Long(columns)
    options = find_options(filled, sample, notation)
    words = [] if options.columns else find_word_options(filled)
    totals = _totals(filled, long)
    if totals:
        return {**long.found(["Each option has one row only."]), "doubts": (totals,)}
    if long.named_arm and long.named_rewards:
        return long.found(["The columns are called as in a table of one rating a row."])
    if words and not long.named_arm:
        return _wide(filled, Options(words, [], []))
    group = options.columns
    if len(group) < 2:
        return long.found(["An entry such as a name comes in several rows: one rating a row."])
    return _either(filled, options, long)


def _either(columns: list[Column], options: Options, long: _Long) -> Found:
    """Choose between a wide table and a long one that has several columns of numbers."""
    wide = _wide(columns, options)
    group = options.columns
    one_a_row = long.found(["An entry such as a name comes in several rows: one rating a row."])
    if not (one_a_row["arm"] and one_a_row["reward"]):
        return wide
    if long.named_arm:
        return _ask_layout(one_a_row, wide) if len(group) >= 3 else one_a_row
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
    fields = ("layout", "user", "arm", "reward", "weight", "arm_columns", "person_columns", "time")
    answers = tuple(
        Answer(_said(found), {name: found.get(name, _EMPTY.get(name)) for name in fields})
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
    return f"One rating: {arm} says of which option, {reward} is the rating."


def _is_triple(columns: list[Column], long: _Long) -> bool:
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
    who = f"{checks.quoted(user.name)} says whose" if user else "every row is another person's"
    return {
        "layout": "wide",
        "user": user.name if user else None,
        "arm": None,
        "reward": None,
        "weight": None,
        "time": _time(columns),
        "arm_columns": tuple(c.name for c in group),
        "person_columns": _person_columns(columns, group),
        "doubts": tuple(options.doubts),
        "reasons": (f"{len(group)} columns share a scale: one person a row, {who}.",
                    *options.reasons),
    }  # fmt: skip


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


# ---------------------------------------------------------------- long


class _Long:
    """The columns that a long table's arm, rating and person may be."""

    def __init__(self, columns: list[Column]) -> None:
        self.named_rewards = _named_rewards(columns)
        self.columns = columns = [c for c in columns if c.filled]
        has_user = any(c.meaning == "user" and c.repeats for c in columns)
        self.named_arm = [
            c for c in columns
            if c.meaning == "arm" and c.kind != "date"
            and (c.repeats or c.different < 3 or has_user)
        ]  # fmt: skip
        roles = ("user", "weight", "time", "text", "index", "duration", "total", "other")
        self.arms = self.named_arm or [
            c for c in columns
            if c.meaning not in (*roles, "reward", "person") and _may_be_arm(c)
            and not (c.numeric and not c.whole) and c.kind != "truth"
        ]  # fmt: skip
        if not self.arms:
            self.arms = [c for c in columns if c.meaning == "person" and _may_be_arm(c)]

    def found(self, reasons: list[str]) -> Found:
        """Return the fields of `Guess` of a long table."""
        rewards, doubts = self._rewards(), []
        reward = rewards[0] if rewards else None
        arms = [c for c in self.arms if c is not reward]
        user = self._user(reward, arms)
        arms = [c for c in arms if c is not user] or arms
        arm = min(arms, key=lambda c: (c.meaning == "id", c.different)) if arms else None
        if user is arm:
            user = None
        if arm is None:
            arm = self._any_arm(user, reward)
        rewards = [c for c in rewards if c is not arm and c is not user]
        reward = rewards[0] if rewards else None
        if user and arm and not self.named_arm and user.meaning != "user":
            doubts += _doubt_who(user, arm)
        if len(rewards) > 1:
            doubts.append(_doubt_reward(rewards))
        weights = [c for c in self.columns if c.meaning == "weight" and c.kind == "number"]
        weight = next((c for c in weights if c is not reward), None)
        roles = {"user": user, "arm": arm, "reward": reward}
        said = ", ".join(f"{role}: {checks.quoted(c.name)}" for role, c in roles.items() if c)
        free = [c for c in self.columns if c not in roles.values()]
        return {
            "layout": "long",
            **{role: c.name if c else None for role, c in roles.items()},
            "weight": weight.name if weight else None,
            "time": _time(free),
            "arm_columns": (),
            "person_columns": _person_columns(free, []),
            "doubts": tuple(doubts),
            "reasons": (*reasons, f"Taken as {said}." if said else "No column is a rating."),
        }

    def _user(self, reward: Column | None, arms: list[Column]) -> Column | None:
        """Return who: by name, else the column besides the arm that has the most entries."""
        named = [c for c in self.columns if c.meaning == "user"]
        named = [c for c in named if c.different > 1] or named
        named = [c for c in named if not c.counter or len(named) == 1]
        named.sort(key=lambda c: (words_of(c.name) == ["id"], c.empty))
        if named and not (self.named_arm and named[0] in self.named_arm):
            return named[0]
        arm = self.named_arm[0] if self.named_arm else None
        fewest = arm or min(arms, key=lambda c: c.different, default=None)
        possible = [
            c for c in self.columns
            if c is not reward and c is not fewest and not c.counter and c.different > 1
            and c.meaning in (None, "id", "arm") and c.kind in ("number", "text", "words")
            and not (c.numeric and not (c.whole and c.low >= 0)) and not c.entries.different < 2
        ]  # fmt: skip
        if self.named_arm or fewest is None:  # other columns of a log say nothing of persons
            possible = [c for c in possible if c.repeats and len(self.columns) <= 4]
        more = [c for c in possible if fewest is None or c.different >= fewest.different]
        return max(more, key=lambda c: c.different) if more else None

    def _any_arm(self, user: Column | None, reward: Column | None) -> Column | None:
        """Return a column that may be the arm of a table too small or too uniform to tell."""
        left = [
            c for c in self.columns
            if c is not user and c is not reward and c.kind in ("text", "words", "number")
            and c.meaning in (None, "id", "arm")
            and (c.repeats or c.filled < FEW_ROWS) and not (c.numeric and not c.whole)
        ]  # fmt: skip
        return min(left, key=lambda c: (c.numeric, c.different < 2), default=None)

    def _rewards(self) -> list[Column]:
        """Return the columns that may be the rating, the likely one first."""
        if self.named_rewards:
            return self.named_rewards
        roles = ("user", "weight", "time", "index", "person", "id", "text", "duration")
        free = [c for c in self.columns if c.numeric and not c.counter and c.different > 1]
        free = [c for c in free if c.meaning not in roles] or [
            c for c in free if c.meaning == "weight"
        ]
        if self.named_arm:
            free = [c for c in free if c not in self.named_arm]
        likely = [c for c in free if c.scores and not (c.repeats and c.rising)] or free
        rated = [c for c in likely if _is_like_ratings(c)] or likely
        rated.sort(key=lambda c: -c.place)
        if len(self.columns) <= 4 and not self.named_arm and rated:
            truths = [c for c in rated if c.kind == "truth"]
            return rated if len(truths) > 1 else rated[:1]
        truths = [c for c in rated if c.kind == "truth"]
        return sorted(truths or rated, key=lambda c: c.place)


def _may_be_arm(c: Column) -> bool:
    """Return whether a column may say which option: its entries repeat and are few, no dates."""
    kinds = ("number", "text", "words", "truth")
    fraction = c.numeric and not c.whole
    return c.kind in kinds and c.repeats and c.different >= 2 and not fraction


def _named_rewards(columns: list[Column]) -> list[Column]:
    named = [c for c in columns if c.meaning == "reward"]
    usable = [c for c in named if c.numeric or c.kind == "words"] or named
    return [c for c in usable if c.scores] or usable


def _is_like_ratings(c: Column) -> bool:
    if c.kind == "truth":
        return True
    inside = -RATING_HIGH <= c.low <= 1.0 and c.high <= RATING_HIGH
    return inside and bool((2 * c.core == np.rint(2 * c.core)).all())


def _doubt_who(user: Column, arm: Column) -> list[Doubt]:
    """Return a doubt if the arm may as well be who rated."""
    clear = user.numeric and not arm.numeric and user.rising
    if clear or not _may_be_arm(user) or user.different > MAX_ARMS:
        return []
    if not arm.numeric and user.different >= 3 * arm.different:
        return []
    if not user.name.startswith(NAMELESS) and not arm.numeric and user.numeric:
        return []
    pairs = ((arm, user), (user, arm))
    answers = tuple(
        Answer(
            f"{checks.quoted(what.name)} is the option, {checks.quoted(who.name)} the person.",
            {"arm": what.name, "user": who.name},
        )
        for what, who in pairs
    )
    return [Doubt("Which column says what was rated, and which who rated?", "arm column", answers)]


def _doubt_reward(rewards: list[Column]) -> Doubt:
    names = ", ".join(checks.quoted(c.name) for c in rewards[:5])
    answers = tuple(
        Answer(f"{checks.quoted(c.name)} is the rating.", {"reward": c.name}) for c in rewards[:12]
    )
    return Doubt(f"Which column is the rating: {names}?", "reward column", answers)


def _totals(columns: list[Column], long: _Long) -> Doubt | None:
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
        "one row a rating, or one row a person.",
        "totals",
        (),
    )


def _time(columns: list[Column]) -> str | None:
    named = [c for c in columns if c.meaning == "time" and c.different > 1]
    times = [c for c in named if c.kind in ("date", "number")]
    times += [c for c in columns if c.kind == "date" and c.different > 1]
    return times[0].name if times else None


def _person_columns(columns: list[Column], arms: list[Column]) -> tuple[str, ...]:
    return tuple(c.name for c in columns if c.meaning == "person" and c not in arms)
