"""Pseudo-rewards from a latent source: what an expert knows without knowing the population."""

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
        The largest possible reward b, used for a reward that no group can give.

    Returns
    -------
    ndarray, shape (K, K, V)
        s_{l,k}(values[v]) = max of E[R_l | X = x] over the groups x that can give values[v] on
        arm k. E[R_l | R_k = values[v]] is an average over just those groups, so the bound holds
        whatever their shares are. The diagonal is s_{l,l}(r) = r.
    """
    means = behaviour @ values
    possible = (behaviour > 0.0)[:, None, :, :]
    bound: NDArray[np.float64] = np.where(possible, means[:, :, None, None], -np.inf).max(axis=0)
    bound[np.isneginf(bound)] = reward_max
    diagonal = np.arange(bound.shape[0])
    bound[diagonal, diagonal] = values
    return bound


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
        With probability 1 - kappa, the reward of arm k at latent state x lies between them.
    values : array_like, shape (V,)
        The rewards.
    kappa : float
        In [0, 1].
    reward_max : float
        The largest possible reward b, also the bound where no state explains a reward.

    Returns
    -------
    ndarray, shape (K, K, V)
        (1 - kappa)^2 max of high_l(x) over the x with low_k(x) <= r <= high_k(x), plus
        (1 - (1 - kappa)^2) b; the diagonal is s_{l,l}(r) = r.

    Raises
    ------
    ValueError
        If a shape is wrong or kappa is outside [0, 1].

    Notes
    -----
    Equation 2 of Gupta, Joshi and Yağan (2021).
    """
    kappa = checks.real("kappa", kappa, 0.0, 1.0)
    lower = checks.array("low", low, (None, None))
    upper = checks.array("high", high, lower.shape)
    support = checks.array("values", values, (None,))
    fits = (lower[:, :, None] <= support) & (support <= upper[:, :, None])
    highest = np.where(fits[:, None], upper[:, :, None, None], -np.inf).max(axis=0)
    highest[np.isneginf(highest)] = reward_max
    weight = (1.0 - kappa) ** 2
    bound: NDArray[np.float64] = weight * highest + (1.0 - weight) * reward_max
    diagonal = np.arange(bound.shape[0])
    bound[diagonal, diagonal] = support
    return bound
