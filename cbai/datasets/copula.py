"""Conditional means under a Gaussian copula with given marginals."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

QUADRATURE_POINTS = 64


def both_above(
    h: NDArray[np.float64], k: NDArray[np.float64], rho: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return P(X > h, Y > k) for standard normal X and Y with correlation rho.

    Parameters
    ----------
    h, k, rho : ndarray
        Finite thresholds and correlations in [0, 1), broadcast against each other.

    Returns
    -------
    ndarray
        Accurate to 1e-13 for rho up to 0.9.

    Notes
    -----
    Plackett (Biometrika, 1954): the derivative in rho is the bivariate density at (h, k). It is
    integrated from 0 by Gauss-Legendre quadrature, with rho = sin(theta) as in Drezner and
    Wesolowsky (1990).
    """
    nodes, weights = np.polynomial.legendre.leggauss(QUADRATURE_POINTS)
    h, k, half = (a[..., None] for a in np.broadcast_arrays(h, k, np.arcsin(rho) / 2.0))
    theta = half * (nodes + 1.0)
    exponent = (h**2 + k**2 - 2.0 * h * k * np.sin(theta)) / (2.0 * np.cos(theta) ** 2)
    area = (np.exp(-exponent) @ weights) * half[..., 0] / (2.0 * np.pi)
    result: NDArray[np.float64] = ndtr(-h[..., 0]) * ndtr(-k[..., 0]) + area
    return result


def conditional_means(
    probabilities: NDArray[np.float64],
    values: NDArray[np.float64],
    correlation: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return E[R_l | R_k = values[v]] when latent normals with `correlation` make the rewards.

    Parameters
    ----------
    probabilities : ndarray, shape (K, V)
        The marginal distribution of each arm; every entry positive.
    values : ndarray, shape (V,)
        The rewards. Arm k gives values[v] when its latent normal lies between the quantiles of
        the cumulative probabilities up to v - 1 and up to v.
    correlation : ndarray, shape (K, K)
        Correlation of the latent normals; off the diagonal in [0, 0.9].

    Returns
    -------
    ndarray, shape (K, K, V)
        Indexed (l, k, v); the diagonal is ``values``.

    Notes
    -----
    E[R_l; Z_k > t] = values[0] P(Z_k > t) + sum of (values[i + 1] - values[i]) times
    P(Z_l > t_i, Z_k > t): each threshold that Z_l exceeds lifts the reward by one step.
    """
    n_arms, n_values = probabilities.shape
    survival = 1.0 - np.cumsum(probabilities, axis=1)[:, :-1]
    threshold = -ndtri(survival)
    rho = np.where(np.eye(n_arms, dtype=bool), 0.0, correlation)
    joint = both_above(
        threshold[:, None, :, None], threshold[None, :, None, :], rho[:, :, None, None]
    )
    mass = np.empty((n_arms, n_arms, n_values + 1))
    mass[:, :, 0] = (probabilities @ values)[:, None]
    mass[:, :, 1:-1] = values[0] * survival + np.einsum("i,lkij->lkj", np.diff(values), joint)
    mass[:, :, -1] = 0.0
    means = -np.diff(mass, axis=2) / probabilities
    means[np.arange(n_arms), np.arange(n_arms)] = values
    return means
