"""Pseudo-rewards estimated from a survey: people who rated several arms each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from cbai import checks


@dataclass(frozen=True)
class ConditionalMoments:
    """What a survey says about arm l, given that a person rated arm k with values[v].

    Attributes
    ----------
    mean, deviation : ndarray, shape (K, K, V)
        Mean and standard deviation of all ratings of arm l by the people who gave arm k at least
        one rating values[v], indexed (l, k, v), in units of reward; NaN where nobody did.
    ratings, people : ndarray, shape (K, K, V)
        The number of ratings of arm l (with their weights) in each mean, and of people who gave
        them.
    person_mean, person_deviation : ndarray, shape (K, K, V)
        Mean and sample standard deviation (n - 1 in the denominator) of the averages of those
        people. Each person's ratings of arm l are averaged first, so the averages are independent
        if the people are. Both are NaN without any person; the deviation is also NaN for one
        person.
    """

    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    ratings: NDArray[np.float64]
    people: NDArray[np.int64]
    person_mean: NDArray[np.float64]
    person_deviation: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tally:
    """How often each person gave each value to each arm; only entries above 0 take memory.

    Attributes
    ----------
    counts : sparse array, shape (P, K * V)
        Ratings with their weights; column k V + v is arm k and value v.
    values : ndarray, shape (V,)
        The rewards.
    n_arms : int
        K.
    """

    counts: sparse.csr_array
    values: NDArray[np.float64]
    n_arms: int

    @property
    def gave(self) -> sparse.csr_array:
        """Whether a person gave a value to an arm at least once, 0 or 1, shape (P, K V)."""
        gave = self.counts.copy()
        gave.data = np.ones_like(gave.data)
        return gave

    def per_arm(self, factor: NDArray[np.float64]) -> sparse.csr_array:
        """Return each person's sum over an arm's values of counts times `factor`, shape (P, K)."""
        n_values = self.values.size
        fold = sparse.csr_array(
            (
                np.tile(factor, self.n_arms),
                (np.arange(self.n_arms * n_values), np.repeat(np.arange(self.n_arms), n_values)),
            ),
            shape=(self.n_arms * n_values, self.n_arms),
        )
        return self.counts @ fold


def mirrored(tally: Tally, reward_max: float) -> Tally:
    """Return the tally in which every rating r is replaced by b - r."""
    n_values = tally.values.size
    column = np.arange(tally.n_arms * n_values)
    flipped = (column // n_values + 1) * n_values - 1 - column % n_values
    counts = sparse.csr_array(tally.counts.tocsc()[:, flipped])
    return Tally(counts, (reward_max - tally.values)[::-1].copy(), tally.n_arms)


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
        One entry for each rating; indices from 0.
    shape : tuple of int
        Number of people P, arms K and values V.

    Returns
    -------
    ndarray, shape (P, K, V)
        Counts, as floats. Sums of whole numbers are exact, so results do not depend on the order
        in which a linear algebra library adds.
    """
    flat = np.ravel_multi_index((person, arm, value), shape)
    return np.bincount(flat, minlength=int(np.prod(shape))).astype(np.float64).reshape(shape)


def sparse_tally(
    person: NDArray[np.integer],
    arm: NDArray[np.integer],
    value: NDArray[np.integer],
    weight: NDArray[np.float64],
    n_people: int,
    n_arms: int,
    values: ArrayLike,
) -> Tally:
    """Count as `tally` does, but with weights, and without storing the zeros.

    Parameters
    ----------
    person, arm, value : ndarray of int, shape (N,)
        One entry for each rating; indices from 0.
    weight : ndarray, shape (N,)
        How many times the rating counts. A rating with weight 0 is ignored.
    n_people, n_arms : int
        P and K.
    values : array_like, shape (V,)
        The rewards.
    """
    support = np.asarray(values, dtype=np.float64)
    column = arm.astype(np.int64) * support.size + value
    shape = (n_people, n_arms * support.size)
    counts = sparse.coo_array((weight, (person, column)), shape=shape).tocsr()
    counts.eliminate_zeros()
    return Tally(counts, support, n_arms)


def conditional_moments(counts: NDArray[np.float64], values: ArrayLike) -> ConditionalMoments:
    """Return mean, deviation and counts of arm l, given each rating of arm k.

    Parameters
    ----------
    counts : ndarray, shape (P, K, V)
        From `tally`.
    values : array_like, shape (V,)
        The rating of each value index.

    Notes
    -----
    Section V-A of Gupta, Joshi and Yağan (2021). The average is over ratings, so a person who rated
    arm l often counts more. For other people this mean need not be an upper bound.
    """
    n_people, n_arms, n_values = counts.shape
    flat = sparse.csr_array(counts.reshape(n_people, n_arms * n_values))
    return moments(Tally(flat, np.asarray(values, dtype=np.float64), n_arms))


def moments(tally: Tally) -> ConditionalMoments:
    """Return the moments of arm l given each rating of arm k, as `conditional_moments` does."""
    shape = (tally.n_arms, tally.n_arms, tally.values.size)
    gave = tally.gave

    def over_givers(quantity: sparse.csr_array) -> NDArray[np.float64]:
        product: NDArray[np.float64] = (quantity.T @ gave).toarray().reshape(shape)
        return product

    middle = (tally.values[0] + tally.values[-1]) / 2.0  # sums of squares lose less around it
    centred = tally.values - middle
    number = tally.per_arm(np.ones_like(centred))
    summed = tally.per_arm(centred)
    average = summed.multiply(_power(number, -1)).tocsr()
    ratings = over_givers(number)
    people = over_givers(_power(number, 0))
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = over_givers(summed) / ratings
        square = over_givers(tally.per_arm(centred**2)) / ratings - mean**2
        person_mean = over_givers(average) / people
        rest = (over_givers(_power(average, 2)) - people * person_mean**2) / (people - 1)
    rest[people < 2] = np.nan
    return ConditionalMoments(
        mean=mean + middle,
        deviation=np.sqrt(np.maximum(square, 0.0)),
        ratings=ratings,
        people=np.rint(people).astype(np.int64),
        person_mean=person_mean + middle,
        person_deviation=np.sqrt(np.maximum(rest, 0.0)),
    )


def conditional_quantile(tally: Tally, share: float) -> NDArray[np.float64]:
    """Return the quantile of arm l's ratings given each rating of arm k, shape (K, K, V).

    Parameters
    ----------
    tally : Tally
        The survey.
    share : float
        In [0, 1]. Take the ratings of arm l by the people who gave arm k that rating. The quantile
        is the smallest value that at least this share of them do not exceed. NaN where nobody did.
    """
    gave, n_values = tally.gave, tally.values.size
    counts = tally.counts.tocsc()
    result = np.empty((tally.n_arms, tally.n_arms, n_values))
    for arm in range(tally.n_arms):
        own = counts[:, arm * n_values : (arm + 1) * n_values]
        below = np.cumsum((own.T @ gave).toarray(), axis=0)
        enough = below >= share * below[-1] * (1.0 - checks.TOLERANCE)
        enough &= below > 0.0
        quantile = np.where(below[-1] > 0.0, tally.values[enough.argmax(axis=0)], np.nan)
        result[arm] = quantile.reshape(tally.n_arms, n_values)
    return result


def _power(quantity: sparse.csr_array, exponent: int) -> sparse.csr_array:
    result = quantity.copy()
    result.data = result.data**exponent
    return result


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
        The largest possible reward b. It is the bound where the survey has too few ratings.
    min_ratings : int
        The least number of ratings of arm l for an entry; with fewer it is b. The paper uses 1 for
        genres and 5 for books.
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
    """Return the pseudo-reward u (1 - d) + b d, for a bound u that holds with probability 1 - d.

    Raises
    ------
    ValueError
        If u is outside [0, b] or d outside [0, 1].
    """
    u = checks.real("u", u, 0.0, reward_max)
    d = checks.real("d", d, 0.0, 1.0)
    return u * (1.0 - d) + reward_max * d
