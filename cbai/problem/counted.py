"""A number with its noun, in the singular or the plural."""

from __future__ import annotations


def counted(number: float, one: str = "person", many: str = "people") -> str:
    """Write a number with its noun: "1 person", "0 people", "1,200 people".

    Parameters
    ----------
    number : float
        The number; shown as a whole number.
    one, many : str
        The noun for 1, and for every other number.
    """
    return f"{number:,.0f} {one if round(number) == 1 else many}"
