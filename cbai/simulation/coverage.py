"""Does a confidence sequence keep its promise? Streams of rewards, checked after every reward.

All sequences meet the same streams, so they can be compared stream by stream.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import rel_entr

from cbai import checks, compiled, philox
from cbai.checks import quoted
from cbai.simulation import streams
from cbai.simulation.bounds import mean_bounds
from cbai.simulation.bounds.confidence import CONFIDENCE, ConfidenceSequence, Form

CHUNK_REWARDS = 4_000_000
"""Rewards in a chunk, which takes some hundredths of a second. A run can end after each."""

TOO_LOW, TOO_HIGH = 0, 1
"""Two ways to miss: the upper bound is too low, or the lower bound is too high."""

SIDES = ("either", "upper", "lower", "both")
NEVER = np.iinfo(np.int64).max
BISECTIONS = 60


@numba.njit(**compiled.OPTIONS)
def _widths(shape, level_term, n_max):
    """Return the widths at 0, 1, ..., `n_max` rewards; entry 0 is unused."""
    table = np.empty(n_max + 1)
    table[0] = np.nan
    for n in range(1, n_max + 1):
        table[n] = mean_bounds.width(n, mean_bounds.growth(n, shape), shape, level_term)
    return table


@numba.njit(**compiled.OPTIONS)
def _first_misses(thresholds, values, truth, top, widths, is_kl, screen, seed, first, out):
    """Write into `out`, shape (S, 2, M), the first n at which each bound of a stream misses."""
    words = np.empty(4, np.uint64)
    for i in range(out.shape[2]):
        still_good = 2 * out.shape[0]
        total = 0.0
        for n in range(1, screen.size):
            total += streams.next_reward(n - 1, first + i, seed, thresholds, values, words)
            off = total / n - truth
            if off * off <= screen[n]:
                continue
            side = TOO_HIGH if off > 0.0 else TOO_LOW
            mean = min(max(total / n / top, 0.0), 1.0)
            kl = mean_bounds.divergence(1.0 - mean if off > 0.0 else mean, abs(off) / top)
            for s in range(out.shape[0]):
                if out[s, side, i] == 0 and (kl if is_kl[s] else abs(off)) > widths[s, n]:
                    out[s, side, i] = n
                    still_good -= 1
            if still_good == 0:
                break


def _screen(
    widths: NDArray[np.float64], is_kl: NDArray[np.bool_], truth: float, top: float
) -> NDArray[np.float64]:
    """Return, for every n, a squared distance from the truth within which no bound misses it.

    For Kullback-Leibler bounds, kl(m, x) is at most (m - x)**2 / (x (1 - x)).
    """
    spread = max(truth * (top - truth), 0.0)
    safe = np.where(is_kl[:, None], spread * widths, widths**2).min(axis=0)
    return np.asarray(np.maximum(safe, (checks.TOLERANCE * top) ** 2))


def _chunk(
    source: streams.Source, tables: tuple[Any, ...], seed: int, first: int, size: int
) -> NDArray[np.int64]:
    out = np.zeros((len(tables[1]), 2, size), np.int64)
    _first_misses(*source, *tables, seed, first, out)
    return out


def first_misses(
    distribution: ArrayLike,
    values: ArrayLike,
    reward_max: float,
    sequences: Sequence[str | ConfidenceSequence],
    d: float,
    n_max: int,
    n_streams: int,
    seed: int = 0,
    side: str = "either",
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> NDArray[np.int64]:
    """Return when the bounds around the mean of a stream of rewards first miss the true mean.

    Parameters
    ----------
    distribution : array_like, shape (V,)
        The probability of each value, such as a row of `Problem.probabilities`.
    values : array_like, shape (V,)
        The rewards, strictly increasing, in [0, `reward_max`].
    reward_max : float
        The largest possible reward b, above 0.
    sequences : sequence of str or ConfidenceSequence
        S names in `CONFIDENCE`, or rows of your own.
    d : float
        The error probability of each side, in (0, 1).
    n_max : int
        How many rewards of each stream are looked at, from 1 to 1,000,000.
    n_streams : int
        How many streams M, from 1 to 1,000,000.
    seed : int
        Reward j of stream i is a function of (seed, i, j) alone. Longer streams begin with the same
        rewards, other bounds meet the same streams, and the number of threads changes nothing.
    side : {"either", "upper", "lower", "both"}
        Which bound must miss: the upper one, which then lies below the true mean; the lower one,
        which then lies above it; the first of the two; or each separately.
    executor : concurrent.futures.Executor, optional
        Where streams are drawn; default a thread pool with one thread per core.
    progress : callable, optional
        ``progress(done, total)`` with the number of finished streams, called in this thread. An
        exception raised in it stops the run and is passed on.

    Returns
    -------
    ndarray of int64, shape (S, M)
        The number of rewards after which the bound first missed; 0 if it never did up to `n_max`.
        With ``side="both"`` of shape (S, 2, M), the upper bounds first.

    Raises
    ------
    ValueError
        If a parameter is outside its range.

    Notes
    -----
    An anytime sequence promises that a stream *ever* misses on one side with probability at most d,
    so with ``side="either"`` at most 2 d. Streams end at `n_max`, so their share of misses can
    refute the promise but not prove it. A mean within 1e-9 b of the truth counts as a hit, because
    rounding may hide the difference.
    """
    top = checks.real("reward_max", reward_max, 0.0, np.inf, open_ends=True)
    source = streams.source_of(distribution, values, top)
    rows = _rows(sequences)
    checks.real("d", d, 0.0, 1.0, open_ends=True)
    size = checks.whole("n_max", n_max, 1, streams.MOST_REWARDS)
    total = checks.whole("n_streams", n_streams, 1, streams.MOST_STREAMS)
    key = checks.whole("seed", seed, 0, philox.MAX_SEED)
    checks.one_of("side", side, SIDES)

    widths = np.stack([_widths(row.shape(top), row.level_term(d), size) for row in rows])
    is_kl = np.array([row.form is Form.KL for row in rows])
    tables = (top, widths, is_kl, _screen(widths, is_kl, source.truth, top))
    chunk = max(1, CHUNK_REWARDS // size)
    jobs = [
        (source, tables, key, first, min(chunk, total - first)) for first in range(0, total, chunk)
    ]
    both = np.concatenate(_in_order(jobs, executor, progress, total), axis=2)
    if side == "either":
        earliest = np.where(both > 0, both, NEVER).min(axis=1)
        return np.where(earliest < NEVER, earliest, 0)
    return {"both": both, "upper": both[:, TOO_LOW], "lower": both[:, TOO_HIGH]}[side]


def _rows(sequences: Sequence[str | ConfidenceSequence]) -> list[ConfidenceSequence]:
    if isinstance(sequences, str) or not len(sequences):
        raise ValueError(f"sequences must be a list of at least 1 name, got {quoted(sequences)}.")
    return [
        one
        if isinstance(one, ConfidenceSequence)
        else CONFIDENCE[checks.one_of("sequences", one, CONFIDENCE)]
        for one in sequences
    ]


def _in_order(
    jobs: list[tuple[Any, ...]],
    executor: Executor | None,
    progress: Callable[[int, int], object] | None,
    total: int,
) -> list[NDArray[np.int64]]:
    """Run all chunks; only a few wait in the pool, so other runs that share it get their turn."""
    cores = os.cpu_count() or 1
    results: list[NDArray[np.int64]] = []
    pending: deque[Future[NDArray[np.int64]]] = deque()
    done = 0
    with ThreadPoolExecutor(cores) if executor is None else nullcontext(executor) as pool:
        try:
            while len(results) < len(jobs):
                for job in jobs[len(results) + len(pending) : len(results) + 2 * cores]:
                    pending.append(pool.submit(_chunk, *job))
                results.append(pending.popleft().result())
                done += results[-1].shape[2]
                if progress is not None:
                    progress(done, total)
        finally:
            for future in pending:
                future.cancel()
    return results


def kept_between(
    sequence: ConfidenceSequence, truth: float, n: ArrayLike, d: float, reward_max: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lowest and the highest mean of n rewards whose bounds contain the true mean.

    Parameters
    ----------
    sequence : ConfidenceSequence
    truth : float
        The true mean, in [0, `reward_max`].
    n, d, reward_max
        As in `ConfidenceSequence.radius`.

    Returns
    -------
    low, high : ndarray
        Of the shape of n; may lie beyond the possible means.

    Raises
    ------
    ValueError
        If an argument is outside its range.
    """
    mean = checks.real("truth", truth, 0.0, reward_max)
    radius = sequence.radius(n, d, reward_max)
    if sequence.form is not Form.KL:
        return mean - radius, mean + radius
    share, allowed = mean / reward_max, 2.0 * (radius / reward_max) ** 2
    low = share - _reach(share, allowed)
    high = share + _reach(1.0 - share, allowed)
    return reward_max * low, reward_max * high


def _reach(share: float, allowed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the largest step down from x = `share`, at most to 0, with kl(x - step, x) allowed."""
    good, bad = np.zeros_like(allowed), np.full_like(allowed, share)
    for _ in range(BISECTIONS):
        step = (good + bad) / 2.0
        fits = rel_entr(share - step, share) + rel_entr(1.0 - share + step, 1.0 - share) <= allowed
        good, bad = np.where(fits, step, good), np.where(fits, bad, step)
    return bad
