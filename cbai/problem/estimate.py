"""Pseudo-rewards estimated from a survey: people who rated several arms each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cbai import checks


@dataclass(frozen=True)
class ConditionalMoments:
    """What a survey says of arm l, given that a person once rated arm k with values[v].

    Attributes
    ----------
    mean, deviation : ndarray, shape (K, K, V)
        Mean and standard deviation of all ratings of arm l by the people who gave arm k at least
        one rating values[v], indexed (l, k, v), in units of reward; NaN where nobody did.
    ratings, people : ndarray of int, shape (K, K, V)
        How many ratings of arm l, by how many people, stand behind each mean.
    """

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    ratings: NDArray[np.int64]
    people: NDArray[np.int64]


def tally(
    person: NDArray[np.integer],
    arm: NDArray[np.integer],
    value: NDArray[np.integer],
    shape: tuple[int, int, int],
) -> NDArray[np.float64]:
    """Count the ratings of each person, arm and value.

    Parameters
    ----------
    person, arm, value : ndarray of int, shape (N,)
        One entry a rating, each an index from 0.
    shape : tuple of int
        Number of people P, arms K and values V.

    Returns
    -------
    ndarray, shape (P, K, V)
        Counts, as floats: sums of whole numbers are exact, so results do not depend on the
        order in which a linear algebra library adds.
    """
    flat = np.ravel_multi_index((person, arm, value), shape)
    return np.bincount(flat, minlength=int(np.prod(shape))).astype(np.float64).reshape(shape)


def conditional_moments(counts: NDArray[np.float64], values: ArrayLike) -> ConditionalMoments:
    """Return mean, deviation and support of arm l given each rating of arm k.

    Parameters
    ----------
    counts : ndarray, shape (P, K, V)
        From `tally`.
    values : array_like, shape (V,)
        The rating each value index stands for.

    Notes
    -----
    Section V-A of Gupta, Joshi and Yağan (2021): the average is over ratings, so a person who
    rated arm l often weighs more. Nothing makes such a mean an upper bound for other people.
    """
    support = np.asarray(values, dtype=np.float64)
    n_people, n_arms, n_values = counts.shape
    gave = (counts > 0).astype(np.float64).reshape(n_people, n_arms * n_values)

    def over_givers(quantity: NDArray[np.float64]) -> NDArray[np.float64]:
        return (quantity.T @ gave).reshape(n_arms, n_arms, n_values)

    number = counts.sum(axis=2)
    ratings = over_givers(number)
    with np.errstate(invalid="ignore"):
        mean = over_givers(counts @ support) / ratings
        square = over_givers(counts @ support**2) / ratings
    deviation = np.sqrt(np.maximum(square - mean**2, 0.0))
    people = over_givers((number > 0).astype(np.float64))
    return ConditionalMoments(mean, deviation, ratings.astype(np.int64), people.astype(np.int64))


def survey_pseudo_rewards(
    moments: ConditionalMoments,
    values: ArrayLike,
    reward_max: float,
    min_ratings: int = 1,
    deviations: float = 0.0,
) -> NDArray[np.float64]:
    """Turn conditional moments into pseudo-rewards.

    Parameters
    ----------
    moments : ConditionalMoments
        From `conditional_moments`.
    values : array_like, shape (V,)
        The rewards.
    reward_max : float
        The largest possible reward b, the bound where the survey says too little.
    min_ratings : int
        Ratings of arm l needed behind an entry; fewer give b. The paper uses 1 for genres and
        5 for books.
    deviations : float
        How many standard deviations are added to the mean: 0 or 1 in the paper.

    Returns
    -------
    ndarray, shape (K, K, V)
        s_{l,k}(values[v]), at most b; the diagonal is s_{l,l}(r) = r.

    Raises
    ------
    ValueError
        If `min_ratings` is below 1 or `deviations` is negative.
    """
    min_ratings = checks.whole("min_ratings", min_ratings, 1)
    deviations = checks.real("deviations", deviations, 0.0, np.inf)
    bound = np.minimum(moments.mean + deviations * moments.deviation, reward_max)
    pseudo = np.where(moments.ratings >= min_ratings, bound, reward_max)
    diagonal = np.arange(len(pseudo))
    pseudo[diagonal, diagonal] = np.asarray(values, dtype=np.float64)
    return pseudo


def soft_bound(u: float, d: float, reward_max: float) -> float:
    """Return the pseudo-reward u (1 - d) + b d of a bound u that holds with probability 1 - d.

    Raises
    ------
    ValueError
        If u is outside [0, b] or d outside [0, 1].
    """
    u = checks.real("u", u, 0.0, reward_max)
    d = checks.real("d", d, 0.0, 1.0)
    return u * (1.0 - d) + reward_max * d
