"""Amounts of money and days in words; no Streamlit here."""

from __future__ import annotations

import unicodedata

from cbai.figures.base.style import THIN_SPACE, count

EXACT = 10.0
"""Below this amount, cents count."""


def is_symbol(unit: str) -> bool:
    """Return whether a unit is the symbol of a currency, which stands before the amount."""
    return len(unit) == 1 and unicodedata.category(unit) == "Sc"


def money(number: float, unit: str) -> str:
    """Write an amount of at most three digits: €1,560, or 1,560 minutes."""
    if not is_symbol(unit):
        return f"{count(number)} {unit}".strip()
    if 0.0 < number < EXACT and number != round(number):
        return f"{unit}{number:.2f}"
    return f"{unit}{count(round(number))}"


def price(number: float, unit: str) -> str:
    """Write the cost of one sample with all its digits: €0.40."""
    if not is_symbol(unit):
        return f"{number:,g} {unit}".strip()
    return f"{unit}{number:,.2f}" if round(number, 2) == number else f"{unit}{number:,g}"


def days(number: float) -> str:
    """Write a number of days as people say it: less than a day, 1 day, 4 days."""
    if number < 0.95:
        return "less than a day"
    whole = count(round(number))
    return f"{whole} {'day' if whole == '1' else 'days'}"


def tick(number: float, unit: str) -> str:
    """Write an amount on an axis, with as few digits as it has."""
    text = f"{number:,.0f}" if number >= 10.0 or number == round(number) else f"{number:g}"
    return f"{unit}{text}" if is_symbol(unit) else text


def share(value: float) -> str:
    """Write an allowed error as a percentage without needless digits: 5 %, 0.01 %."""
    return f"{100.0 * value:.4g}{THIN_SPACE}%"
