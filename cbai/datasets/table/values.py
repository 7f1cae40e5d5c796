"""From ratings to finitely many values: scale, offset, bins."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cbai import checks
from cbai.datasets.table.guess import MAX_REWARD, MAX_VALUES, Guess
from cbai.datasets.table.survey import Ledger, Rows
from cbai.problem.counted import counted

MANY = 10_000
"""Different rewards from which on those that differ by rounding alone stay apart."""


class Support(NamedTuple):
    """The V values of the rewards, the value index of each rating, and the largest reward b."""

    values: NDArray[np.float64]
    code: NDArray[np.int64]
    reward_max: float


def on_scale(rows: Rows, guess: Guess, ledger: Ledger) -> Rows:
    """Leave out the ratings outside the scale given.

    Raises
    ------
    ValueError
        If the scale is none, or a rating is too large to compute with.
    """
    if guess.scale is not None:
        low, high = (checks.real("scale", end, -MAX_REWARD, MAX_REWARD) for end in guess.scale)
        if not low < high:
            raise ValueError(f"scale must go from low to high, got from {low:g} to {high:g}.")
        outside = (rows.reward < low) | (rows.reward > high)
        rows = ledger.drop(rows, outside, f"a rating outside the scale from {low:g} to {high:g}")
    largest = np.abs(rows.reward).max(initial=0.0)
    if largest > MAX_REWARD:
        raise ValueError(f"Ratings must be at most {MAX_REWARD:g} in size, got {largest:g}.")
    return rows


def support_of(rows: Rows, guess: Guess, ledger: Ledger) -> Support:
    """Return the values of the ratings, after the offset and in bins if wanted.

    Parameters
    ----------
    rows : Rows
        At least one rating.
    guess : Guess
        With ``scale``, ``offset`` and ``bins``.
    ledger : Ledger
        Is told of offset and bins.

    Raises
    ------
    ValueError
        If a reward is negative, all are the same, or there are too many different ones.
    """
    offset = checks.real("offset", guess.offset, -MAX_REWARD, MAX_REWARD)
    low, high = guess.scale if guess.scale is not None else _ends(rows.reward)
    if low + offset < -checks.TOLERANCE:
        raise ValueError(
            f"Ratings must be at least 0, got {low:g}: add an offset of {-low:g} to every rating."
        )
    if offset:
        ledger.notes.append(f"{offset:g} is added to every rating, because none may be below 0.")
    values, index = np.unique(rows.reward, return_inverse=True)
    if values.size <= MANY:
        values, merged = np.unique(_rounded(values), return_inverse=True)
        index = merged[index]
    if guess.bins is not None:
        values, index = _binned(rows, values[index], (low, high), guess.bins, ledger)
    if values.size > MAX_VALUES:
        raise ValueError(
            f"There may be at most {MAX_VALUES} different ratings, got {values.size:,}: choose "
            "into how many bins they are sorted."
        )
    if values.size < 2:
        raise ValueError(_all_equal(float(values[0])))
    shifted = _rounded(np.maximum(values + offset, 0.0))
    return Support(shifted, index, float(max(_rounded(np.array([high + offset]))[0], shifted[-1])))


def _binned(
    rows: Rows,
    reward: NDArray[np.float64],
    ends: tuple[float, float],
    bins: int,
    ledger: Ledger,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Sort the rewards into bins of equal width, each standing for its mean.

    Notes
    -----
    With the mean of a bin, unlike its centre, the mean of all ratings stays exactly what it was,
    and no rating moves by as much as the width of a bin.
    """
    bins = checks.whole("bins", bins, 2, MAX_VALUES)
    low, high = ends
    width = (high - low) / bins
    if not width > 0.0:
        raise ValueError(_all_equal(low))
    place = np.clip(((reward - low) / width).astype(np.int64), 0, bins - 1)
    weight = np.bincount(place, rows.weight, minlength=bins)
    total = np.bincount(place, rows.weight * (reward - low), minlength=bins)
    used = weight > 0.0
    means = low + total[used] / weight[used]
    index = (np.cumsum(used) - 1)[place]
    moved = np.abs(means[index] - reward).max()
    empty = bins - means.size
    ledger.notes.append(
        f"Ratings are sorted into {bins} bins of width {width:.4g}. Each rating is replaced by the "
        f"mean of its bin. No rating changes by more than {moved:.4g}."
        + (f" {counted(empty, 'bin is', 'bins are')} empty." if empty else "")
    )
    return means, index


def _all_equal(value: float) -> str:
    return (
        "All ratings are equal, so no option is better than another: there must be at least 2 "
        f"different ratings, all are {value:g}."
    )


def _ends(reward: NDArray[np.float64]) -> tuple[float, float]:
    return float(reward.min()), float(reward.max())


def _rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Round to 12 digits: 0.1 + 0.2 and 0.3 are then one value."""
    return np.array([float(f"{value:.12g}") for value in values])
