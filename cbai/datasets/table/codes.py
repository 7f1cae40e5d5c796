"""Numbers far apart from the others, such as 99, that may mean "not rated"."""

from __future__ import annotations

from typing import Any

import numpy as np

KNOWN = frozenset(
    {-1, -2, -3, -7, -8, -9, -77, -88, -98, -99, -999, -9999, 7, 8, 9, 66, 77, 88, 96, 97, 98, 99}
    | {777, 888, 998, 999, 9998, 9999, 99999}
)
"""Numbers besides 0 that survey tools and data sets use for "not rated"."""

ENOUGH = 10
"""With at least this many ratings, a single odd number leads to a question."""

CROWDED = 12
"""With at least this many different ratings, a small gap may be chance."""

FREQUENT = 0.3
"""If at least this share of the ratings are zeros, the zeros may mean "not rated"."""

FROM_ONE = (5, 7)
"""Scales that usually begin at 1; with zeros below it, fewer of them may mean "not rated"."""


def apart(values: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]) -> tuple[float, ...]:
    """Return the numbers that may mean "not rated", smallest first.

    Parameters
    ----------
    values, counts : (V,) array
        The different numbers, sorted, and how often each occurs.
    """
    found: list[float] = []
    rest, number = np.asarray(values, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    for _ in range(4):
        some = _outermost(rest, number)
        if not some.any():
            break
        found += rest[some].tolist()
        rest, number = rest[~some], number[~some]
    return tuple(sorted(found))


def _outermost(values: np.ndarray[Any, Any], counts: np.ndarray[Any, Any]) -> Any:
    """Return which numbers at one end stand apart from the others."""
    none = np.zeros(values.size, dtype=bool)
    if values.size < 3:
        return none
    steps = np.diff(values)
    for split in np.argsort(-steps)[:2]:
        for is_upper in (True, False):
            some = none.copy()
            some[split + 1 :] = True
            some = some if is_upper else ~some
            if some.sum() <= 3 and _stand_alone(values, counts, some, float(steps[split])):
                return some
    lone = none.copy()
    lone[0] = True
    if values[0] < 0 <= values[1] and values[0] in KNOWN and _only_negative(values, counts):
        return lone
    if values[0] == 0.0 and _many_zeros(values, counts):
        return lone
    return none


def _stand_alone(values: Any, counts: Any, some: Any, gap: float) -> bool:
    rest = values[~some]
    if rest.size < 2:
        return False
    step = float(np.diff(rest).max())
    span = float(rest[-1] - rest[0])
    known = all(value in KNOWN for value in values[some])
    crowded = rest.size > CROWDED or (values[some].min() < 0.0 and rest[0] < 0.0)
    if crowded and gap <= span / 2:
        return False
    is_few = counts.sum() < ENOUGH
    if values[some].tolist() == [0.0]:
        often = counts[some].sum() >= 0.05 * counts.sum()
        return bool(3 <= rest.size <= CROWDED and gap > 1.5 * step and often and not is_few)
    if known:
        far = gap > 3 * span if is_few else gap > 1.5 * step
        return far and (rest.size >= 3 or gap > 3 * span)
    common = (counts[some] >= 3).all() and counts[some].sum() >= 0.01 * counts.sum()
    return bool(common and not is_few and rest.size >= 3 and gap > 3 * max(step, span / 2))


def _only_negative(values: Any, counts: Any) -> bool:
    return bool(values.size >= 4 and counts.sum() >= ENOUGH)


def _many_zeros(values: Any, counts: Any) -> bool:
    rest, often, far = counts[1:], FREQUENT, 3
    if any(np.array_equal(values, np.arange(top + 1)) for top in FROM_ONE):
        often, far = 0.05, 2
    many = counts[0] >= often * counts.sum() and counts[0] > far * rest[0]
    return bool(values.size >= 5 and many and counts.sum() >= ENOUGH and rest.argmax() > 0)
