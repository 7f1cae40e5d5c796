"""Checks of input: every message quotes the value and the allowed range.

Public functions call these once. Inside the library nothing is checked again.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

TOLERANCE = 1e-9
"""How far rounding may move the sum of a row of probabilities from 1, or a value out of its
range."""

LONGEST_QUOTE = 80
"""How many characters of a value a message quotes at most."""

_NOT_NUMBERS = "USVMmc"
"""Kinds of NumPy types that `array` refuses: texts, bytes, records, times, complex numbers."""

_REPR = reprlib.Repr()
_REPR.maxother = _REPR.maxstring = _REPR.maxlong = LONGEST_QUOTE
_REPR.maxlevel = 3


def quoted(value: Any) -> str:
    r"""Return a value as a message can quote it: short and printable, whatever the value is.

    Parameters
    ----------
    value : Any
        Any object. It may be a text of a million letters, a list that holds itself, or an object
        whose ``repr`` fails.

    Returns
    -------
    str
        At most `LONGEST_QUOTE` characters, all printable. A text is in quotation marks, with
        control characters as ``\n``. "…" or "..." marks a part that was cut off. An object whose
        ``repr`` fails is named by its class.
    """
    try:
        text = _repr(value.item() if isinstance(value, np.number | np.bool_) else value)
    except Exception:  # the object's own code may raise anything
        text = f"an object of type {type(value).__name__}"
    text = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text[:LONGEST_QUOTE])
    return cut(text, LONGEST_QUOTE)


def cut(text: str, longest: int) -> str:
    """Return a text of at most `longest` characters; "…" marks a part that was cut off."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _repr(value: Any) -> str:
    if type(value) in (str, bytes, bytearray):
        text = repr(value[:LONGEST_QUOTE])
        whole_of_it = len(value) <= LONGEST_QUOTE and len(text) <= LONGEST_QUOTE
        return text if whole_of_it else f"{text[: LONGEST_QUOTE - 2]}…{text[-1]}"
    if type(value) is int and value.bit_length() > 4 * LONGEST_QUOTE:
        return f"a whole number of about {value.bit_length() * 0.30103:,.0f} digits"
    return " ".join(_REPR.repr(value).split())


def real(
    name: str,
    value: Any,
    low: float,
    high: float,
    *,
    open_ends: bool = False,
    open_high: bool = False,
) -> float:
    """Return `value` as a float in the interval from `low` to `high`.

    Parameters
    ----------
    name : str
        What the value is called in the message.
    value : Any
        The value to check.
    low, high : float
        The ends of the interval.
    open_ends, open_high : bool
        Whether both ends, or the higher one, are excluded.

    Raises
    ------
    ValueError
        If `value` is not a finite number inside the interval.
    """
    open_high = open_high or open_ends
    allowed = f"{'(' if open_ends else '['}{low:g}, {high:g}{')' if open_high else ']'}"
    number = to_float(value)
    if number is None:
        raise ValueError(f"{name} must be a number in {allowed}, got {quoted(value)}.")
    above = low < number if open_ends else low <= number
    below = number < high if open_high else number <= high
    if not (above and below):
        got = quoted(value if math.isinf(number) else number)
        raise ValueError(f"{name} must be in {allowed}, got {got}.")
    return number


def to_float(value: Any) -> float | None:
    """Return a real number as a float, infinity if it is too large; None if it is not a number.

    Texts, truth values, complex numbers and marks of missing values are not numbers here.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:
        return -math.inf if value < -value else math.inf
    except (TypeError, ValueError):
        return None


def whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return `value` as an int of at least `low` and, if given, at most `high`.

    Raises
    ------
    ValueError
        If `value` is not a whole number in that range.
    """
    allowed = f"of at least {low}" if high is None else f"from {low} to {high}"
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{name} must be a whole number {allowed}, got {quoted(value)}.")
    number = int(value)
    if number < low or (high is not None and number > high):
        raise ValueError(f"{name} must be a whole number {allowed}, got {quoted(number)}.")
    return number


def one_of(name: str, value: Any, allowed: Iterable[str]) -> str:
    """Return `value` if it is one of the `allowed` names.

    Raises
    ------
    ValueError
        If it is not.
    """
    names = list(allowed)
    if not isinstance(value, str) or value not in names:
        raise ValueError(f"{name} must be one of {', '.join(names)}; got {quoted(value)}.")
    return str(value)


def array(name: str, value: ArrayLike, shape: tuple[int | None, ...]) -> NDArray[np.float64]:
    """Return `value` as a new float array of finite numbers with the given shape.

    Parameters
    ----------
    name : str
        What the array is called in the message.
    value : array_like
        The numbers.
    shape : tuple of int or None
        The expected shape; None allows any length along that axis.

    Raises
    ------
    ValueError
        If the shape differs, or an entry is not a finite number.
    """
    try:
        given = np.asarray(value)
        if given.dtype.kind in _NOT_NUMBERS or _holds_texts(given):
            raise ValueError
        result = np.array(given, dtype=np.float64, order="C")
    except Exception:  # an object may raise anything when NumPy asks it for numbers
        raise ValueError(
            f"{name} must be an array of numbers of shape {_shape(shape)}, got entries that are "
            "not numbers or rows of different lengths."
        ) from None
    fits = result.ndim == len(shape) and all(
        want is None or want == have for want, have in zip(shape, result.shape, strict=True)
    )
    if not fits:
        raise ValueError(f"{name} must have shape {_shape(shape)}, got {_shape(result.shape)}.")
    bad = ~np.isfinite(result)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"{name} must be finite numbers, got {result[where]} at index {where}.")
    return result


def entries_between(name: str, value: NDArray[np.float64], low: float, high: float) -> None:
    """Check that every entry of an array lies in [`low`, `high`], up to rounding.

    Raises
    ------
    ValueError
        If one is outside; the message quotes the first of them and its index.
    """
    bad = (value < low - TOLERANCE) | (value > high + TOLERANCE)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"{name} must lie in [{low:g}, {high:g}], got {value[where]:g} at index {where}."
        )


def rows_sum_to_one(name: str, value: NDArray[np.float64]) -> None:
    """Check that every row of a matrix sums to 1, up to rounding.

    Raises
    ------
    ValueError
        If one does not; the message quotes the first of them and its sum.
    """
    sums = value.sum(axis=1)
    bad = np.flatnonzero(np.abs(sums - 1.0) > TOLERANCE * max(1, value.shape[1]))
    if bad.size:
        row = int(bad[0])
        raise ValueError(f"{name} must sum to 1 in every row, got {sums[row]:.9g} in row {row}.")


def strictly_increasing(name: str, value: NDArray[np.float64]) -> None:
    """Check that a vector is strictly increasing.

    Raises
    ------
    ValueError
        If it is not; the message quotes the first pair.
    """
    bad = np.flatnonzero(np.diff(value) <= 0)
    if bad.size:
        i = int(bad[0])
        raise ValueError(
            f"{name} must be strictly increasing, got {value[i]:g} followed by {value[i + 1]:g}."
        )


def _holds_texts(given: NDArray[Any]) -> bool:
    """Return whether an array of objects has texts, which NumPy would read as numbers."""
    return given.dtype.kind == "O" and any(isinstance(one, str | bytes) for one in given.flat)


def _shape(shape: tuple[int | None, ...]) -> str:
    return "(" + ", ".join("any" if n is None else str(n) for n in shape) + ")"
