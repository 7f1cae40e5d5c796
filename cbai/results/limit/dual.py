"""How far a reward distribution is from those that meet several linear conditions, by duality."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cbai.results.kl_inf import Array

BARRIERS = (1e-1, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11)
"""The weights of the logarithmic barrier."""
STEPS, NEAR = 30, 0.3
"""The most steps of Newton's method at one weight, and the decrement at which they end."""
LEAST_LEFT, MOST_STAKED, RIDGE = 1e-14, 1e7, 1e-9


def divergence(bets: Array, p: Array, free: NDArray[np.bool_] | None = None) -> tuple[Array, Array]:
    """Return the smallest divergence to a distribution on which none of M bets is favourable.

    Parameters
    ----------
    bets : ndarray, shape (N, M, V)
        What a stake of 1 on each bet wins at each value. For each of the N problems, some
        distribution gives every bet a negative mean, or a mean of 0 where it is free.
    p : ndarray, shape (N, V)
        The probability of each value.
    free : ndarray of bool, shape (N, M), optional
        Bets on which stakes may be negative, too: the distribution must give them a mean of 0.

    Returns
    -------
    value : ndarray, shape (N,)
        In nats: the max over stakes >= 0 of E[log(1 + the sum of stakes times bets)], where nothing
        may lose more than everything, also at values of probability 0. It is at most
        (V + M) times the last barrier too small.
    stakes : ndarray, shape (N, M)
        The maximisers.

    Notes
    -----
    By Newton's method with a logarithmic barrier. Each objective divided by the barrier's weight is
    self-concordant, so that a step divided by 1 + its decrement stays inside and makes it larger.
    """
    free = np.zeros(bets.shape[:2], dtype=bool) if free is None else free
    scale = np.where(free, np.abs(bets).max(axis=2), -bets.min(axis=2))
    scale = np.maximum(scale, 1e-12)
    unit = bets / scale[:, :, None]
    stakes = np.where(free, 0.0, 0.5 / bets.shape[1])
    for barrier in BARRIERS:
        todo = np.arange(len(bets))
        for _ in range(STEPS):
            moved, decrement = _newton(unit[todo], p[todo], free[todo], stakes[todo], barrier)
            stakes[todo] = moved
            todo = todo[decrement > NEAR]
            if not todo.size:
                break
    value = (p * np.log(_left(unit, stakes))).sum(axis=1)
    return np.maximum(value, 0.0), stakes / scale


def _won(bets: Array, stakes: Array) -> Array:
    won: Array = (stakes[:, None, :] @ bets)[:, 0]
    return won


def _left(bets: Array, stakes: Array) -> Array:
    """Return what is left of 1 at each value; rounding may not take all of it."""
    left: Array = np.maximum(1.0 + _won(bets, stakes), LEAST_LEFT)
    return left


def _newton(
    bets: Array, p: Array, free: NDArray[np.bool_], stakes: Array, barrier: float
) -> tuple[Array, Array]:
    """Return stakes after a damped step of Newton's method, and the decrement before it."""
    left = _left(bets, stakes)
    weight = (p + barrier) / left
    pull = np.where(free, 0.0, barrier / np.where(free, 1.0, stakes))
    slope = (bets @ weight[:, :, None])[:, :, 0] + pull
    curve = (bets * (weight / left)[:, None, :]) @ bets.transpose(0, 2, 1)
    at = np.arange(stakes.shape[1])
    curve[:, at, at] += np.where(free, 0.0, pull * pull / barrier)
    curve[:, at, at] *= 1.0 + RIDGE  # bets that are alike leave no curvature
    curve[:, at, at] += 1e-300
    step = np.asarray(np.linalg.solve(curve, slope[:, :, None])[:, :, 0], dtype=np.float64)
    decrement = np.sqrt(np.maximum((step * slope).sum(axis=1), 0.0) / barrier)
    # a full step reaches the edge, or the largest stake, where one of these is 1
    room = np.where(free, np.inf, stakes)
    losing = np.concatenate(
        [-_won(bets, step) / left, -step / room, step / np.maximum(MOST_STAKED - stakes, 1.0)],
        axis=1,
    ).max(axis=1)
    larger = np.minimum(0.99 / np.maximum(losing, 1e-300), 1.0)
    share = np.minimum(1.0 / (1.0 + decrement), larger)
    ahead = _height(bets, p, free, stakes + larger[:, None] * step, barrier)
    better = ahead >= _height(bets, p, free, stakes, barrier)
    moved: Array = stakes + np.where(better, larger, share)[:, None] * step
    return moved, decrement


def _height(bets: Array, p: Array, free: NDArray[np.bool_], stakes: Array, barrier: float) -> Array:
    edges = np.log(np.where(free, 1.0, np.maximum(stakes, 1e-300))).sum(axis=1)
    height: Array = ((p + barrier) * np.log(_left(bets, stakes))).sum(axis=1) + barrier * edges
    return height
