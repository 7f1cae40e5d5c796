"""Checks of data from JSON, before they are used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cbai.checks import quoted

MOST_DIGITS = 25


def shape(
    name: str, value: Any, keys: Sequence[str], optional: Sequence[str] = ()
) -> dict[str, Any]:
    """Return an object that must have all `keys`, may have the `optional` ones, and has no others.

    Raises
    ------
    ValueError
        If it is not an object, or a key is missing or unknown.
    """
    if not isinstance(value, dict):
        raise ValueError(
            f"{name} must be an object with the keys {', '.join(keys)}, got {quoted(value)}."
        )
    allowed = list(dict.fromkeys([*keys, *optional]))
    for key in value:
        if key not in allowed:
            raise ValueError(f"{name} may have the keys {', '.join(allowed)}, got {quoted(key)}.")
    for key in keys:
        if key not in value and key not in optional:
            raise ValueError(f"{name} must have the key {quoted(key)}, got {quoted([*value])}.")
    return value


def text(name: str, value: Any, longest: int) -> str:
    """Return a text that has at most the allowed number of characters.

    Raises
    ------
    ValueError
        If it is not a text, or longer.
    """
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError(
            f"{name} must be a text of at most {longest} characters, got {quoted(value)}."
        )
    return value


def whole_number(digits: str) -> int:
    """Return the number of a JSON text.

    Raises
    ------
    ValueError
        If it has more digits than any valid number.
    """
    if len(digits) > MOST_DIGITS:
        raise ValueError(
            f"Whole numbers must have at most {MOST_DIGITS} digits, got {len(digits):,}."
        )
    return int(digits)
