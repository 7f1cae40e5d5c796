"""One value in a link: the same text whether the sidebar or a pinned setup holds it."""

from __future__ import annotations

import re

NUMBER = re.compile(r"[+-]?\d{1,20}(\.\d{0,20})?([eE][+-]?\d{1,3})?", re.ASCII)
LARGEST = 1e15
"""More than any number that can be set on a page."""
LONGEST = 40


def is_number(text: str) -> bool:
    """Return whether a text is a number as people and pages write it.

    Infinities, thousands of digits, underscores and digits of other scripts are none, though Python
    reads some of them, and Streamlit fails on others.
    """
    return NUMBER.fullmatch(text) is not None and abs(float(text)) <= LARGEST


def write(value: str | float) -> str:
    """Return a value as a link holds it: numbers by the digits that it takes to read them back."""
    return value if isinstance(value, str) else repr(value + 0)


def read_number(name: str, text: str, usual: float) -> float:
    """Return the number that a text of a link stands for.

    Parameters
    ----------
    name : str
        What the link calls it.
    text : str
        From anywhere.
    usual : float or int
        What stands there on a first visit: the number is whole if this one is.

    Raises
    ------
    ValueError
        If it is no number, or not a whole one where it should be.
    """
    if not is_number(text):
        raise ValueError(f"{name} must be a number, got {short(text)}")
    if isinstance(usual, float):
        return float(text)
    if not text.isdigit():
        raise ValueError(f"{name} must be a whole number, got {short(text)}")
    return int(text)


def short(text: str, longest: int = LONGEST) -> str:
    """Return a text of a link as a message quotes it: cut where it is long."""
    if not text:
        return "nothing"
    return text if len(text) <= longest else f"{text[:longest]}…"
