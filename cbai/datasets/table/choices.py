"""Check that the user's choices fit together."""

from __future__ import annotations

from cbai import checks
from cbai.datasets.table.guess import (
    DECIMALS,
    DUPLICATES,
    LAYOUTS,
    MAX_ARMS,
    MAX_REWARD,
    MAX_VALUES,
    THOUSANDS,
    Guess,
)
from cbai.datasets.table.scales import same_word


def check_choices(guess: Guess) -> None:
    """Raise a ValueError in one sentence if the choices of a guess do not fit together."""
    checks.one_of("layout", guess.layout, LAYOUTS)
    checks.one_of("duplicates", guess.duplicates, DUPLICATES)
    checks.one_of("decimal", guess.decimal, DECIMALS)
    checks.one_of("thousands", guess.thousands, THOUSANDS)
    if guess.decimal == guess.thousands:
        raise ValueError(
            f"The decimal sign and the separator of thousands must differ, both are "
            f"{guess.decimal!r}."
        )
    checks.whole("header_rows", guess.header_rows, 1, 10)
    for code in guess.missing:
        checks.real("missing", code, -MAX_REWARD, MAX_REWARD)
    if guess.turned is not None:
        checks.real("turned", guess.turned, -MAX_REWARD, MAX_REWARD)
    if not all(isinstance(word, str) for word in guess.order):
        raise ValueError(f"order must be words, got {checks.quoted(guess.order)}.")
    if len({same_word(word) for word in guess.order}) < len(guess.order):
        raise ValueError(f"order must hold different words, got {checks.quoted(guess.order)}.")
    if guess.order and not 2 <= len(guess.order) <= MAX_VALUES:
        raise ValueError(f"order must hold from 2 to {MAX_VALUES} words, got {len(guess.order)}.")
    if guess.top_arms is not None:
        checks.whole("top_arms", guess.top_arms, 2, MAX_ARMS)
    roles = {"user": guess.user, "weight": guess.weight}
    if guess.layout == "long":
        roles |= {"arm": guess.arm, "reward": guess.reward}
        for role in ("arm", "reward"):
            if roles[role] is None:
                raise ValueError(
                    "A table with one rating per row needs a column for the "
                    f"{'rating' if role == 'reward' else 'option'}, but no column looks like "
                    f"{'ratings' if role == 'reward' else 'options'}."
                )
    elif not 2 <= len(guess.arm_columns) <= MAX_ARMS:
        raise ValueError(
            f"A table with one person per row needs from 2 to {MAX_ARMS} columns that are options, "
            f"got {len(guess.arm_columns)}."
        )
    taken = [name for name in roles.values() if name is not None]
    taken += guess.arm_columns if guess.layout == "wide" else ()
    time = [guess.time] if guess.time is not None else []
    finished = [guess.finished[0]] if guess.finished is not None else []
    for name in (*taken, *guess.person_columns, *time, *finished):
        if name not in guess.columns:
            known = ", ".join(map(checks.quoted, guess.columns[:8]))
            raise ValueError(f"column must be one of {known}; got {checks.quoted(name)}.")
    twice = [name for name in taken if taken.count(name) > 1]
    if twice:
        raise ValueError(
            f"A column can have only one meaning, got {checks.quoted(twice[0])} twice."
        )
