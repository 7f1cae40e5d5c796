"""Numbers with as many digits as tell them apart."""

from __future__ import annotations

from cbai.figures.base.style import decimal

MOST_DIGITS = 12
"""The most digits that are written to tell two bounds apart. A double has hardly more."""


def digits_apart(one: float, other: float, least: int = 3) -> int:
    """Return how many decimals tell two numbers apart, from `least` to `MOST_DIGITS`."""
    digits = least
    while digits < MOST_DIGITS and decimal(one, digits) == decimal(other, digits):
        digits += 1
    return digits


def apart(one: float, other: float, digits: int = 3) -> tuple[str, str]:
    """Write two numbers with enough digits to tell them apart, at most `MOST_DIGITS`.

    Examples
    --------
    >>> apart(4.3459331, 4.3459334)
    ('4.3459331', '4.3459334')
    >>> apart(4.2, 4.5)
    ('4.200', '4.500')
    """
    digits = digits_apart(one, other, digits)
    return decimal(one, digits), decimal(other, digits)
