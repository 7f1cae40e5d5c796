"""The sum that ruled an arm out, in numbers that a person can check."""

from __future__ import annotations

import math
from typing import Any

from cbai.figures.base.digits import digits_apart
from cbai.figures.base.style import decimal
from cbai.figures.base.words import shown
from cbai.results.why import Why, why
from cbai.simulation import Trace

LEAST_DIGITS = 2


def sum_of(trace: Trace, arm: int) -> dict[str, Any] | None:
    """Return why an arm was ruled out; None if it was not.

    Returns
    -------
    dict
        ``at``, the number of samples by then; ``by``, the arm whose rewards decided; ``leader``;
        ``own``, how many samples the arm itself had; ``upper`` and ``bar``, the two bounds, with
        enough digits to tell them apart; ``average`` and ``radius``, whose sum is ``upper``;
        ``seen``, how many rewards the average is over; ``terms``, one for each of these rewards:
        its value, how often it was seen, and what it says at most about the arm.
    """
    info = why(trace, arm)
    if info.out is None:
        return None
    digits = digits_apart(info.upper, info.bar, LEAST_DIGITS)
    upper = decimal(info.upper, digits)
    average = decimal(float(info.averages[info.by]), digits)
    return {
        "at": int(trace.samples[info.index]),
        "by": info.by,
        "leader": info.leader,
        "own": info.own_pulls,
        "upper": upper,
        "bar": decimal(info.bar, digits),
        "average": average,
        "radius": _difference(upper, average, digits),
        "seen": int(info.seen.sum()),
        "terms": _terms(info),
    }


def _difference(upper: str, average: str, digits: int) -> str:
    """Subtract the numbers as they are written, so that the written sum is right."""
    minus = {ord("\N{MINUS SIGN}"): "-"}
    return decimal(float(upper.translate(minus)) - float(average.translate(minus)), digits)


def _terms(info: Why) -> list[list[str | int]]:
    rows = zip(info.trace.problem.values, info.seen, info.table, strict=True)
    return [[shown(f"{value:g}"), int(n), _short(float(most))] for value, n, most in rows if n]


def _short(number: float) -> str:
    """Write a pseudo-reward with the digits it has, at most three decimals."""
    digits = next(d for d in range(4) if d == 3 or math.isclose(round(number, d), number))
    return decimal(number, digits)
