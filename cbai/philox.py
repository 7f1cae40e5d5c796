"""A counter-based random number generator: Philox4x32-10.

A number is a function of its key and its counter alone. So a reward depends only on (seed, trial,
arm, pull). Every algorithm meets the same rewards, any trial can be played again alone, and the
number of threads changes nothing.

Source: Salmon, Moraes, Dror and Shaw, *Parallel random numbers: as easy as 1, 2, 3* (SC 2011).
"""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray

from cbai import compiled

REWARDS = 0
MASKS = 1
GENRES = 2
SPLITS = 3
STREAMS = 4
ORDERS = 5
"""The last counter word keeps the streams for different purposes apart."""

MAX_SEED = 2**63 - 1


@numba.njit(**compiled.LEAN, inline="always")
def _mixed(x0, x1, x2, x3, k0, k1):  # type: ignore[no-untyped-def]
    """Return the four words after one round."""
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    product0 = np.uint64(0xD2511F53) * x0
    product1 = np.uint64(0xCD9E8D57) * x2
    next0, next2 = (product1 >> half) ^ x1 ^ k0, (product0 >> half) ^ x3 ^ k1
    return next0, product1 & low, next2, product0 & low


@numba.njit(**compiled.LEAN, inline="always")
def block(c0, c1, c2, c3, key, out):  # type: ignore[no-untyped-def]
    """Write four random 32-bit words for one counter into `out`.

    Parameters
    ----------
    c0, c1, c2, c3 : int
        The counter, each taken modulo 2**32.
    key : int
        The 64-bit key (the seed).
    out : ndarray of uint64, shape (4,)
        Receives the words, each below 2**32.
    """
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    x0 = np.uint64(c0) & low
    x1 = np.uint64(c1) & low
    x2 = np.uint64(c2) & low
    x3 = np.uint64(c3) & low
    k0 = np.uint64(key) & low
    k1 = np.uint64(key) >> half
    for _ in range(10):
        x0, x1, x2, x3 = _mixed(x0, x1, x2, x3, k0, k1)
        k0 = (k0 + np.uint64(0x9E3779B9)) & low
        k1 = (k1 + np.uint64(0xBB67AE85)) & low
    out[0] = x0
    out[1] = x1
    out[2] = x2
    out[3] = x3


@numba.njit(**compiled.LEAN)
def blocks(c0, c1, c2, c3, key, out):  # type: ignore[no-untyped-def]
    """Write the words of consecutive counters; the loops are of a form that becomes vector code.

    Parameters
    ----------
    c0, c1, c2, c3, key : int
        As in `block`; the first counter. Only its first word changes from one to the next.
    out : ndarray of uint64, shape (4, N)
        Receives the words of counter number i in column i.
    """
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    x0, x1, x2, x3 = out[0], out[1], out[2], out[3]
    for i in range(x0.size):
        x0[i] = np.uint64(c0 + i) & low
        x1[i] = np.uint64(c1) & low
        x2[i] = np.uint64(c2) & low
        x3[i] = np.uint64(c3) & low
    k0 = np.uint64(key) & low
    k1 = np.uint64(key) >> half
    for _ in range(10):
        for i in range(x0.size):
            x0[i], x1[i], x2[i], x3[i] = _mixed(x0[i], x1[i], x2[i], x3[i], k0, k1)
        k0 = (k0 + np.uint64(0x9E3779B9)) & low
        k1 = (k1 + np.uint64(0xBB67AE85)) & low


@numba.njit(**compiled.OPTIONS)
def stream(seed, trial, size, purpose=MASKS):  # type: ignore[no-untyped-def]
    """Return `size` random 32-bit words of one trial's stream for a purpose, shape (size,)."""
    words = np.empty((size + 3) // 4 * 4, np.uint64)
    for i in range(0, words.size, 4):
        block(i // 4, 0, trial, purpose, seed, words[i : i + 4])
    return words[:size]


def thresholds(probabilities: NDArray[np.float64]) -> NDArray[np.uint64]:
    """Return the 32-bit thresholds that turn a random word into a value index.

    Parameters
    ----------
    probabilities : ndarray, shape (K, V)
        Rows that sum to 1.

    Returns
    -------
    ndarray of uint64, shape (K, V - 1)
        A word w means the value index ``sum(w >= thresholds[k])``. Each probability is met to
        within 2**-32.
    """
    cumulative = np.cumsum(probabilities, axis=1)[:, :-1]
    return np.rint(np.clip(cumulative, 0.0, 1.0) * 2.0**32).astype(np.uint64)
