"""Pseudo-rewards from a latent source: knowledge about groups whose shares are unknown."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cbai import checks


def worst_case_pseudo_rewards(
    behaviour: NDArray[np.float64], values: NDArray[np.float64], reward_max: float
) -> NDArray[np.float64]:
    """Return bounds that hold for every mix of latent groups.

    Parameters
    ----------
    behaviour : ndarray, shape (X, K, V)
        ``behaviour[x, k, v]`` is P(R_k = values[v] | X = x). Given X, rewards of different
        arms are independent.
    values : ndarray, shape (V,)
        The rewards.
    reward_max : float
        The largest possible reward b. It is the bound for a reward that no group can give.

    Returns
    -------
    ndarray, shape (K, K, V)
        s_{l,k}(values[v]) = max of E[R_l | X = x] over the groups x that can give values[v] on
        arm k. E[R_l | R_k = values[v]] is an average over these groups, so the bound is valid for
        any shares. The diagonal is s_{l,l}(r) = r.
    """
    means = behaviour @ values
    possible = (behaviour > 0.0)[:, None, :, :]
    bound: NDArray[np.float64] = np.where(possible, means[:, :, None, None], -np.inf).max(axis=0)
    bound[np.isneginf(bound)] = reward_max
    diagonal = np.arange(bound.shape[0])
    bound[diagonal, diagonal] = values
    return bound


def best_case_pseudo_lower(
    behaviour: NDArray[np.float64], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return lower bounds that hold for every mix of latent groups, shape (K, K, V).

    w_{l,k}(values[v]) is the smallest E[R_l | X = x] over the groups x that can give values[v] on
    arm k. Where no group can, it is the smallest value. Parameters as in
    `worst_case_pseudo_rewards`.
    """
    top = values[-1]
    flipped = worst_case_pseudo_rewards(behaviour, top - values, top - values[0])
    lower: NDArray[np.float64] = top - flipped
    diagonal = np.arange(lower.shape[0])
    lower[diagonal, diagonal] = values
    return lower


def mixed_marginals(
    shares: NDArray[np.float64], behaviour: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return P(R_k = values[v]) in a population with the given shares, shape (K, V)."""
    mixed: NDArray[np.float64] = np.einsum("x,xkv->kv", shares, behaviour)
    return mixed


def soft_pseudo_rewards(
    low: ArrayLike, high: ArrayLike, values: ArrayLike, kappa: float, reward_max: float
) -> NDArray[np.float64]:
    """Return the pseudo-rewards of soft bounds on the reward at each latent state.

    Parameters
    ----------
    low, high : array_like, shape (X, K)
        With probability 1 - kappa, the reward of arm k at latent state x lies between them;
        0 <= low <= high <= `reward_max`.
    values : array_like, shape (V,)
        The rewards, strictly increasing, in [0, `reward_max`].
    kappa : float
        How often the bounds may fail, in [0, 1).
    reward_max : float
        The largest possible reward b (M in the paper). It is also the bound where no state explains
        a reward, see `unexplained_rewards`.

    Returns
    -------
    ndarray, shape (K, K, V)
        (1 - kappa)^2 max of high_l(x) over the x with low_k(x) <= r <= high_k(x), plus
        (1 - (1 - kappa)^2) b; the diagonal is s_{l,l}(r) = r.

    Raises
    ------
    ValueError
        If a shape is wrong or a number outside its range.

    Notes
    -----
    Equation 2 of Gupta, Joshi and Yağan (2021).
    """
    fits, upper, support = _explained(low, high, values, reward_max)
    kappa = checks.real("kappa", kappa, 0.0, 1.0)
    if kappa == 1.0:
        raise ValueError("kappa must be in [0, 1), got 1: bounds that never hold say nothing.")
    highest = np.where(fits[:, None], upper[:, :, None, None], -np.inf).max(axis=0)
    highest[np.isneginf(highest)] = reward_max
    weight = (1.0 - kappa) ** 2
    bound: NDArray[np.float64] = weight * highest + (1.0 - weight) * reward_max
    diagonal = np.arange(bound.shape[0])
    bound[diagonal, diagonal] = support
    return bound


def unexplained_rewards(
    low: ArrayLike, high: ArrayLike, values: ArrayLike, reward_max: float
) -> NDArray[np.bool_]:
    """Return which rewards of which arm lie outside the bounds at every latent state.

    Returns
    -------
    ndarray of bool, shape (K, V)
        True where the reward contradicts the bounds. Every pseudo-reward is b there.
    """
    fits, _, _ = _explained(low, high, values, reward_max)
    return np.logical_not(fits.any(axis=0))


def _explained(
    low: ArrayLike, high: ArrayLike, values: ArrayLike, reward_max: float
) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64]]:
    """Check the bounds; return whether x allows values[v] on arm k, (X, K, V), high and values."""
    b = checks.real("reward_max", reward_max, 0.0, np.inf, open_ends=True)
    lower = checks.array("low", low, (None, None))
    upper = checks.array("high", high, lower.shape)
    support = checks.array("values", values, (None,))
    if not lower.size or not support.size:
        raise ValueError(
            f"There must be at least 1 state, arm and value, got low of shape {lower.shape} and "
            f"{support.size} values."
        )
    checks.strictly_increasing("values", support)
    for name, bounds in (("low", lower), ("high", upper), ("values", support)):
        checks.entries_between(name, bounds, 0.0, b)
    if (lower > upper).any():
        x, k = (int(i) for i in np.argwhere(lower > upper)[0])
        raise ValueError(
            f"low must not be above high, got {lower[x, k]:g} above {upper[x, k]:g} "
            f"for state {x} and arm {k}."
        )
    slack = checks.TOLERANCE  # rounding must not make a reward at the edge unexplained
    fits = (lower[:, :, None] - slack <= support) & (support <= upper[:, :, None] + slack)
    return fits, upper, support
