"""From the columns of a file to a guess: notation, meaning, doubts."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from cbai.datasets.table.columns import MISSING, Notation, texts_of
from cbai.datasets.table.doubts import about_ratings
from cbai.datasets.table.guess import PREVIEW_ROWS, SAMPLE_ROWS, Doubt, Guess, Profile
from cbai.datasets.table.layout import guess_mapping
from cbai.datasets.table.notation import evidence, guess_notation, is_quantity
from cbai.datasets.table.profile import Columns, Entries, look_at, look_up


def understood(columns: Columns, guess: Guess, decimal: str | None) -> Guess:
    """Return the guess with all that the columns say.

    Parameters
    ----------
    columns : Columns
        The file.
    guess : Guess
        With its name, kind, columns and dialect.
    decimal : str or None
        The decimal sign, if the user chose it.
    """
    sample = pd.DataFrame(
        {name: texts_of(columns.column(name, SAMPLE_ROWS), SAMPLE_ROWS) for name in columns.names},
        dtype=object,
    )
    entries = {name: look_up(columns, name) for name in columns.names}
    guess = replace(guess, preview=sample.head(PREVIEW_ROWS))
    start = guess
    numeric = [name for name in columns.names if _is_numeric(entries[name])]
    guess, doubt = _with_notation(start, entries, numeric, decimal)
    guess = _mapped(columns, guess, entries, sample)
    rated = guess.arm_columns if guess.layout == "wide" else (guess.reward,)
    again, doubt_again = _with_notation(
        start, entries, [name for name in rated if name in numeric], decimal
    )
    if rated and (again.decimal, again.thousands) != (guess.decimal, guess.thousands):
        doubt, guess = doubt_again, _mapped(columns, again, entries, sample)
    if doubt is not None:
        guess = replace(guess, doubts=(*guess.doubts, doubt))
    return about_ratings(guess)


def _with_notation(
    guess: Guess, entries: dict[str, Entries], names: list[str], decimal: str | None
) -> tuple[Guess, Doubt | None]:
    found = evidence(text for name in names for text in entries[name].texts)
    sign, thousands, why, doubt = guess_notation(found)
    if decimal is not None and decimal != sign:
        other = "." if decimal == "," else ","
        grouped = found.grouped[other] + found.sure[other]
        sign, thousands, why, doubt = decimal, other if grouped else "", "", None
    elif decimal is not None:
        doubt = None
    reasons = (*guess.reasons, why) if why else guess.reasons
    return replace(guess, decimal=sign, thousands=thousands, reasons=reasons), doubt


def _mapped(
    columns: Columns, guess: Guess, entries: dict[str, Entries], sample: pd.DataFrame
) -> Guess:
    notation = Notation(guess.decimal, guess.thousands)
    looked = [
        look_at(columns, name, entries[name], sample[name], notation) for name in columns.names
    ]
    found = guess_mapping(looked, sample, notation)
    profile = Profile({column.name: column for column in looked})
    return replace(
        guess, **{**found, "reasons": guess.reasons + found["reasons"], "profile": profile}
    )


def _is_numeric(entries: Entries) -> bool:
    """Return whether most entries are numbers in some notation."""
    filled = numbers = 0
    for text, count in zip(entries.texts, entries.counts.tolist(), strict=True):
        if count and text.strip().lower() not in MISSING:
            filled, numbers = filled + count, numbers + count * is_quantity(text)
    return numbers > 0 and filled - numbers <= max(0.1 * filled, 1 if filled >= 4 else 0)
