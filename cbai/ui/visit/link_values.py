"""One value in a link: its text is the same for the sidebar and for a pinned setup."""

from __future__ import annotations

import re

NUMBER = re.compile(r"[+-]?\d{1,20}(\.\d{0,20})?([eE][+-]?\d{1,3})?", re.ASCII)
LARGEST = 1e15
"""Larger than any number that can be set on a page."""
LONGEST = 40


def is_number(text: str) -> bool:
    """Return whether a text is a number in the form that people and pages write.

    Infinities, thousands of digits, underscores and digits of other scripts do not count. Python
    reads some of them, and Streamlit fails on others.
    """
    return NUMBER.fullmatch(text) is not None and abs(float(text)) <= LARGEST


def write(value: str | float) -> str:
    """Return the text of a value in a link: a number with all digits needed to read it back."""
    return value if isinstance(value, str) else repr(value + 0)


def read_number(name: str, text: str, usual: float) -> float:
    """Return the number that a text of a link stands for.

    Parameters
    ----------
    name : str
        What the link calls it.
    text : str
        From any source.
    usual : float or int
        The default. If it is whole, the number must be whole.

    Raises
    ------
    ValueError
        If the text is not a number, or not a whole number where one is needed.
    """
    if not is_number(text):
        raise ValueError(f"{name} must be a number, got {short(text)}")
    if isinstance(usual, float):
        return float(text)
    if not text.isdigit():
        raise ValueError(f"{name} must be a whole number, got {short(text)}")
    return int(text)


def short(text: str, longest: int = LONGEST) -> str:
    """Return a text of a link for a message, shortened if it is long."""
    if not text:
        return "nothing"
    return text if len(text) <= longest else f"{text[:longest]}…"
