"""Pseudo-rewards: safety buffer q and share p of unknown entries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cbai import checks, philox


def off_diagonal(n_arms: int) -> NDArray[np.bool_]:
    """Return which (arm bounded, arm pulled) pairs are of two different arms, shape (K, K)."""
    return ~np.eye(n_arms, dtype=bool)


def add_buffer(
    pseudo_rewards: NDArray[np.float64], q: float, reward_max: float
) -> NDArray[np.float64]:
    """Raise every off-diagonal pseudo-reward by the safety buffer q, to at most b.

    Parameters
    ----------
    pseudo_rewards : ndarray, shape (K, K, V)
        s_{l,k}(values[v]), indexed (l, k, v).
    q : float
        The buffer, in units of reward, in [0, `reward_max`].
    reward_max : float
        The largest possible reward b.

    Returns
    -------
    ndarray, shape (K, K, V)
        A new array; the diagonal s_{l,l}(r) = r does not change.

    Raises
    ------
    ValueError
        If q is outside [0, `reward_max`].
    """
    q = checks.real("q", q, 0.0, reward_max)
    pairs = off_diagonal(len(pseudo_rewards))[:, :, None]
    return np.where(pairs, np.minimum(pseudo_rewards + q, reward_max), pseudo_rewards)


def subtract_buffer(pseudo_lower: NDArray[np.float64], q: float) -> NDArray[np.float64]:
    """Lower every off-diagonal pseudo-lower bound by the safety buffer q, shape (K, K, V).

    No bound is lowered below the smallest reward, which is the smallest entry of the diagonal.
    Bounds that are already below it do not change.
    """
    pairs = off_diagonal(len(pseudo_lower))[:, :, None]
    lowered = np.minimum(np.maximum(pseudo_lower - q, pseudo_lower[0, 0, 0]), pseudo_lower)
    return np.where(pairs, lowered, pseudo_lower)


def masked_count(n_arms: int, n_values: int, p: float) -> int:
    """Return how many of the K (K - 1) V off-diagonal entries a share p is."""
    return round(checks.real("p", p, 0.0, 1.0) * n_arms * (n_arms - 1) * n_values)


def mask(n_arms: int, n_values: int, p: float, seed: int, trial: int) -> NDArray[np.bool_]:
    """Draw which pseudo-rewards are unknown in one trial, uniformly without replacement.

    Parameters
    ----------
    n_arms, n_values : int
        K and V.
    p : float
        The share of the off-diagonal entries that is unknown, in [0, 1].
    seed, trial : int
        The mask depends on these alone. For the same seed and trial, the entries that are unknown
        at a smaller p are also unknown at a larger p.

    Returns
    -------
    ndarray of bool, shape (K, K, V)
        True where the entry is unknown; never on the diagonal.

    Raises
    ------
    ValueError
        If p is outside [0, 1].
    """
    count = masked_count(n_arms, n_values, p)
    free = np.flatnonzero(np.repeat(off_diagonal(n_arms), n_values))
    order = np.argsort(philox.stream(seed, trial, free.size), kind="stable")
    unknown = np.zeros(n_arms * n_arms * n_values, dtype=bool)
    unknown[free[order[:count]]] = True
    return unknown.reshape(n_arms, n_arms, n_values)


def apply_mask(
    pseudo_rewards: NDArray[np.float64], unknown: NDArray[np.bool_], reward_max: float
) -> NDArray[np.float64]:
    """Replace the unknown entries by b, the bound that is always valid, shape (K, K, V)."""
    return np.where(unknown, reward_max, pseudo_rewards)
