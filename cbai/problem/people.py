"""People as the units of a survey: what each adds to a mean, and how precise the mean is.

The ratings of one person are related; those of different people are not. So every interval here
counts people. A mean of ratings is a ratio of two sums over people. Its error is the sum over
people of (sum of the person's ratings - mean x number of the person's ratings) / number of all
ratings. What a person adds to the difference of two means is a difference of two such numbers. The
person may have rated both arms, one or none. So paired and unpaired comparisons have the same
formula.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import stdtrit

from cbai.problem.survey import Survey

FEW_OTHERS = 10
"""The normal limit is not used if fewer people differ from the most common answer."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class People:
    """The ratings of each person for each arm: one entry for each pair that has ratings.

    Attributes
    ----------
    person, arm : ndarray of int, shape (N,)
    number, total : ndarray, shape (N,)
        How many ratings, and their sum.
    copies : ndarray, shape (P,)
        How many people with the same ratings a person's code means, at least 1.
    n_arms : int
        K.
    values : ndarray, shape (V,)
        The ratings that can be given.
    counts : sparse array, shape (P, K V)
        How often each person gave each value to each arm; column k V + v.
    """

    person: NDArray[np.int64]
    arm: NDArray[np.int64]
    number: Floats
    total: Floats
    copies: Floats
    n_arms: int
    values: Floats
    counts: sparse.csr_array

    @cached_property
    def ratings(self) -> Floats:
        """The number of ratings of each arm, shape (K,)."""
        return self._by_arm(self.number * self.copies[self.person])

    @cached_property
    def means(self) -> Floats:
        """The mean of all ratings of each arm, shape (K,); NaN for an arm without any."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self._by_arm(self.total * self.copies[self.person]) / self.ratings

    @cached_property
    def raters(self) -> Floats:
        """How many people rated each arm, shape (K,)."""
        return self._by_arm(self.copies[self.person])

    @cached_property
    def effective(self) -> Floats:
        """How many people with equally many ratings would make the means as precise, shape (K,).

        (sum of n)^2 / sum of n^2 over people (Kish 1965): at most the number of people, and 1 where
        one person gave all ratings.
        """
        squares = self._by_arm(self.number**2 * self.copies[self.person])
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.ratings**2 / squares

    @cached_property
    def share(self) -> Floats:
        """The share of an entry's person in the ratings of its arm, shape (N,)."""
        return self.number / self.ratings[self.arm]

    @cached_property
    def scale(self) -> Floats:
        """The weight of an entry's residual: 1 / (ratings of the arm, root of 1 - share), (N,).

        The root removes the bias of the variance (Bell and McCaffrey, *Bias reduction in standard
        errors for linear regression with multi-stage samples*, Survey Methodology 28, 2002). A
        person who gave all ratings has no residual, so the weight is 0 there.
        """
        rest = 1.0 - self.share
        scaled = 1.0 / (self.ratings[self.arm] * np.sqrt(np.maximum(rest, 1e-12)))
        return np.where(rest > 1e-12, scaled, 0.0) * np.sqrt(self.copies[self.person])

    @cached_property
    def influence(self) -> sparse.csr_array:
        """What each person adds to the error of each mean, shape (P, K)."""
        residual = (self.total - self.means[self.arm] * self.number) * self.scale
        shape = (self.copies.size, self.n_arms)
        return sparse.csr_array((residual, (self.person, self.arm)), shape=shape)

    @cached_property
    def covariance(self) -> Floats:
        """The covariance of the K means, shape (K, K), in squared units of reward."""
        found: Floats = (self.influence.T @ self.influence).toarray()
        return found

    @cached_property
    def few_others(self) -> NDArray[np.bool_]:
        """Where fewer than `FEW_OTHERS` people differ from the arm's most common average, (K,)."""
        average = np.round(self.total / self.number, 9)
        copies = self.copies[self.person]
        found = np.ones(self.n_arms, dtype=bool)
        for k in range(self.n_arms):
            _, which = np.unique(average[self.arm == k], return_inverse=True)
            same = np.bincount(which, copies[self.arm == k])
            found[k] = same.sum() - same.max(initial=0.0) < FEW_OTHERS
        return found

    def unseen(self, alpha: float) -> Floats:
        """Return the share of people that may differ from all who were asked, shape (K,).

        If a share of more than 1 - alpha**(1 / (n - 1)) differs from the most common answer, then
        n people agree with probability at most alpha: sum of p^n <= max p^(n - 1). Where
        `few_others`, this share times the range is added to the half width: a few people who agree
        prove little.
        """
        more = np.maximum(self.effective - 1.0, 1e-9)
        return 1.0 - alpha ** (1.0 / more)

    @property
    def range(self) -> float:
        """The largest minus the smallest rating that can be given."""
        return float(self.values[-1] - self.values[0])

    def _by_arm(self, amount: Floats) -> Floats:
        return np.bincount(self.arm, amount, minlength=self.n_arms).astype(np.float64)


def people_of(survey: Survey, who: NDArray[np.bool_] | None = None) -> People:
    """Return the ratings of some people for each arm.

    Parameters
    ----------
    survey : Survey
    who : ndarray of bool, shape (P,), optional
        Whose ratings count; default all.

    Notes
    -----
    A rating with weight w counts as w ratings by the same person, so w does not add people. The one
    exception is a table of totals (`is_table_of_totals`): there it counts as w people.
    """
    kept = survey.weight > 0.0
    if who is not None:
        kept = kept & who[survey.person]
    person, arm, value = survey.person[kept], survey.arm[kept], survey.value[kept]
    weight, n_arms, n_values = survey.weight[kept], survey.n_arms, survey.values.size
    copies = np.ones(survey.n_people)
    if is_table_of_totals(survey):
        copies[person] = weight
        weight = np.ones(weight.size)
    pairs, which = np.unique(person.astype(np.int64) * n_arms + arm, return_inverse=True)
    column = arm.astype(np.int64) * n_values + value
    shape = (survey.n_people, n_arms * n_values)
    return People(
        pairs // n_arms,
        pairs % n_arms,
        np.bincount(which, weight, minlength=pairs.size).astype(np.float64),
        np.bincount(which, weight * survey.values[value], minlength=pairs.size).astype(np.float64),
        copies,
        n_arms,
        survey.values,
        sparse.csr_array(sparse.coo_array((weight, (person, column)), shape=shape)),
    )


def is_table_of_totals(survey: Survey) -> bool:
    """Return whether a survey is a table of how often each arm got each rating.

    It is if all weights are whole numbers and not all are 1, if no person has two rows, and if no
    two rows have the same arm and rating. A row then counts as that many people.
    """
    kept = survey.weight > 0.0
    weight = survey.weight[kept]
    if not weight.size or (weight == 1.0).all() or (weight % 1.0).any():
        return False
    cells = survey.arm[kept].astype(np.int64) * survey.values.size + survey.value[kept]
    one_row = np.unique(survey.person[kept]).size == weight.size
    return one_row and np.unique(cells).size == weight.size


def half_widths(error: Floats, effective: Floats, alpha: float) -> Floats:
    """Return Student's t times the standard error, for one side with probability `alpha`.

    Parameters
    ----------
    error : ndarray
        Standard errors.
    effective : ndarray
        The effective number of people of each, of the same shape. The degrees of freedom are one
        less.
    alpha : float
        In (0, 1). The result is infinite for at most one person.
    """
    degrees = effective - 1.0
    enough = degrees > 1e-6
    quantile = -stdtrit(np.where(enough, degrees, 1.0), alpha)
    return np.where(enough, quantile * error, np.inf)
