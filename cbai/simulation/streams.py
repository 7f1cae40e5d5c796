"""Streams of rewards of one distribution; each depends on (seed, stream) alone."""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from cbai import checks, compiled, philox
from cbai.simulation.loops.draw import value_of

MOST_REWARDS = 1_000_000
MOST_STREAMS = 1_000_000


class Source(NamedTuple):
    """A distribution to draw from: thresholds of random words, shape (V - 1,), and V values."""

    thresholds: NDArray[np.uint64]
    values: NDArray[np.float64]
    truth: float
    """The true mean."""


def source_of(distribution: ArrayLike, values: ArrayLike, reward_max: float) -> Source:
    """Check a distribution and return it in the form that is drawn from.

    Raises
    ------
    ValueError
        If the probabilities do not sum to 1, or the values are not increasing in [0, b].
    """
    support = checks.array("values", values, (None,))
    if not support.size:
        raise ValueError("values must hold at least 1 reward value, got none.")
    checks.strictly_increasing("values", support)
    checks.entries_between("values", support, 0.0, reward_max)
    chances = checks.array("distribution", distribution, (support.size,))
    checks.entries_between("distribution", chances, 0.0, 1.0)
    checks.rows_sum_to_one("distribution", chances[None])
    thresholds = philox.thresholds(chances[None])[0].copy()
    return Source(thresholds, support, min(float(chances @ support), reward_max))


@numba.njit(**compiled.OPTIONS)
def next_reward(j, stream, seed, thresholds, values, words):
    """Return reward number j (from 0) of a stream; to be called for j = 0, 1, ... in order."""
    if j & 3 == 0:
        philox.block(j >> 2, 0, stream, philox.STREAMS, seed, words)
    return values[value_of(words[j & 3], thresholds)]


@numba.njit(**compiled.OPTIONS)
def _paths(thresholds, values, seed, at, out):
    """Write the mean after the first at[0], at[1], ... rewards of each stream into `out`."""
    words = np.empty(4, np.uint64)
    for i in range(out.shape[0]):
        total, k = 0.0, 0
        for j in range(at[-1]):
            total += next_reward(j, i, seed, thresholds, values, words)
            if j + 1 == at[k]:
                out[i, k] = total / at[k]
                k += 1


def paths(
    distribution: ArrayLike, values: ArrayLike, at: ArrayLike, streams: int, seed: int = 0
) -> NDArray[np.float64]:
    """Return the means of streams after some numbers of rewards.

    Parameters
    ----------
    distribution : array_like, shape (V,)
        The probability of each value, such as a row of `Problem.probabilities`.
    values : array_like, shape (V,)
        The rewards, strictly increasing and not negative.
    at : array_like of int, shape (N,)
        Numbers of rewards, strictly increasing, from 1 to 1,000,000.
    streams : int
        How many streams M, from 1 to 1,000,000. They are the first streams of
        `coverage.first_misses`.
    seed : int
        Reward j of stream i is a function of (seed, i, j) alone.

    Returns
    -------
    ndarray, shape (M, N)

    Raises
    ------
    ValueError
        If a parameter is outside its range.
    """
    source = source_of(distribution, values, np.inf)
    numbers = checks.array("at", at, (None,))
    checks.strictly_increasing("at", numbers)
    if not numbers.size or (numbers != np.rint(numbers)).any():
        raise ValueError(f"at must be whole numbers, at least one, got {numbers.tolist()}.")
    checks.entries_between("at", numbers, 1, MOST_REWARDS)
    total = checks.whole("streams", streams, 1, MOST_STREAMS)
    key = checks.whole("seed", seed, 0, philox.MAX_SEED)
    out = np.empty((total, numbers.size))
    _paths(source.thresholds, source.values, key, numbers.astype(np.int64), out)
    return out
