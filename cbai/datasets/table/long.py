"""The columns of a table with one rating per row: who rated, what was rated, and the rating."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cbai import checks
from cbai.datasets.table.guess import MAX_ARMS, Answer, Doubt
from cbai.datasets.table.names import words_of
from cbai.datasets.table.profile import Column
from cbai.datasets.table.wide import RATING_HIGH

NAMELESS = "column "
FEW_ROWS = 10
"""With fewer rows, an option need not repeat."""

ROLES = {"user": "person", "arm": "option", "reward": "rating"}
"""What a field of `Guess` is called in a sentence."""

MOST_OPTIONS = 30
"""If a second column has at most this many different entries, it may be the option: ask."""

Found = dict[str, Any]
"""Fields of `Guess`."""


class Long:
    """The columns that a long table's arm, rating and person may be."""

    def __init__(self, columns: list[Column], sample: pd.DataFrame) -> None:
        self._sample = sample
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
            if c.meaning not in (*roles, "reward", "person") and may_be_arm(c)
            and not (c.numeric and not c.whole) and c.kind != "truth"
        ]  # fmt: skip
        if not self.arms:
            self.arms = [c for c in columns if c.meaning == "person" and may_be_arm(c)]

    def found(self, reasons: list[str]) -> Found:
        """Return the fields of `Guess` of a long table."""
        rewards, doubts = self._rewards(), []
        reward = rewards[0] if rewards else None
        arms = [c for c in self.arms if c is not reward]
        user = self._user(rewards if self.named_arm else rewards[:1], arms)
        arms = [c for c in arms if c is not user] or arms
        arm = min(arms, key=lambda c: (c.meaning == "id", c.different)) if arms else None
        if user is arm:
            user = None
        if arm is None:
            arm = self._any_arm(user, reward)
        rewards = [c for c in rewards if c is not arm and c is not user]
        reward = rewards[0] if rewards else self._constant(arm, user)
        if user and arm and not self.named_arm and user.meaning != "user":
            doubts += _doubt_who(user, arm)
        if arm and not doubts:
            doubts += _doubt_option(arm, self._rivals(arm, user, reward))
        if len(rewards) > 1:
            doubts.append(_doubt_reward(rewards))
        weights = [c for c in self.columns if c.meaning == "weight" and c.kind == "number"]
        weight = next((c for c in weights if c is not reward), None)
        roles = {"user": user, "arm": arm, "reward": reward}
        said = ", ".join(
            f"{ROLES[role]}: {checks.quoted(c.name)}" for role, c in roles.items() if c
        )
        free = [c for c in self.columns if c not in roles.values()]
        return {
            "layout": "long",
            **{role: c.name if c else None for role, c in roles.items()},
            "weight": weight.name if weight else None,
            "time": time_of(free),
            "arm_columns": (),
            "person_columns": person_columns_of(free, []),
            "doubts": tuple(doubts),
            "reasons": (*reasons, f"Taken as {said}." if said else "No column is a rating."),
        }

    def _constant(self, arm: Column | None, user: Column | None) -> Column | None:
        """Return the last column that may hold ratings that are all equal."""
        equal = [
            c for c in self.columns
            if c.numeric and c.different == 1 and c.filled > 1 and abs(c.high) <= RATING_HIGH
            and c.meaning in (None, "reward") and c is not arm and c is not user
        ]  # fmt: skip
        return equal[-1] if equal else None

    def _rivals(self, arm: Column, user: Column | None, reward: Column | None) -> list[Column]:
        """Return the other columns that may be the option, such as a device beside a variant.

        A column that only says the arm in other words, or that says something of the person, is
        none.
        """
        some = [
            c for c in self.columns
            if c not in (arm, user, reward) and may_be_arm(c) and c.different <= MOST_OPTIONS
            and (c in self.named_arm or (c.meaning is None and c.kind in ("words", "text")))
        ]  # fmt: skip
        by_user = user is not None and user.repeats
        return [
            c for c in some
            if not (self._follows(c, arm) and (c not in self.named_arm or self._follows(arm, c)))
            and not (by_user and user and self._follows(c, user))
        ]  # fmt: skip

    def _follows(self, one: Column, other: Column) -> bool:
        """Return whether an entry of the other column has one entry of this one."""
        pairs = self._sample[[one.name, other.name]].drop_duplicates()
        return bool(pairs[other.name].is_unique)

    def _user(self, rewards: list[Column], arms: list[Column]) -> Column | None:
        """Return the person column: by name, else the other column with the most entries."""
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
            if c not in rewards and c is not fewest and not c.counter and c.different > 1
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


def may_be_arm(c: Column) -> bool:
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
    """Return a doubt if the option may also be the person who rated."""
    clear = user.numeric and not arm.numeric and user.rising
    if clear or not may_be_arm(user) or user.different > MAX_ARMS:
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
    question = "Which column says what was rated, and which column says who rated?"
    return [Doubt(question, "arm column", answers)]


def _doubt_option(arm: Column, rivals: list[Column]) -> list[Doubt]:
    """Return a doubt if other columns may be the option too."""
    if not rivals:
        return []
    both = [arm, *rivals]
    answers = tuple(
        Answer(f"{checks.quoted(c.name)} is the option.", {"arm": c.name}) for c in both[:12]
    )
    names = ", ".join(checks.quoted(c.name) for c in both[:5])
    return [Doubt(f"Which column says what was rated: {names}?", "option column", answers)]


def _doubt_reward(rewards: list[Column]) -> Doubt:
    names = ", ".join(checks.quoted(c.name) for c in rewards[:5])
    answers = tuple(
        Answer(f"{checks.quoted(c.name)} is the rating.", {"reward": c.name}) for c in rewards[:12]
    )
    return Doubt(f"Which column is the rating: {names}?", "reward column", answers)


def time_of(columns: list[Column]) -> str | None:
    """Return the column that says when, or None."""
    named = [c for c in columns if c.meaning == "time" and c.different > 1]
    times = [c for c in named if c.kind in ("date", "number")]
    times += [c for c in columns if c.kind == "date" and c.different > 1]
    return times[0].name if times else None


def person_columns_of(columns: list[Column], arms: list[Column]) -> tuple[str, ...]:
    """Return the columns that say something of the person, without those that are arms."""
    return tuple(c.name for c in columns if c.meaning == "person" and c not in arms)
