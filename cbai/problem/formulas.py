"""The formulas that turn a survey into pseudo-rewards: one function for each way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import rel_entr

from cbai.problem.estimate import ConditionalMoments, Tally, conditional_quantile, moments
from cbai.problem.pseudo_rewards import off_diagonal

BISECTIONS = 50


@dataclass(frozen=True, eq=False)
class Evidence:
    """The input of a method: the tally of the training half and the largest reward b."""

    tally: Tally
    reward_max: float

    @cached_property
    def moments(self) -> ConditionalMoments:
        """The conditional moments, computed once."""
        return moments(self.tally)


def mean(evidence: Evidence) -> NDArray[np.float64]:
    """Return the mean of the ratings."""
    return evidence.moments.mean


def mean_plus_deviations(evidence: Evidence, deviations: float) -> NDArray[np.float64]:
    """Return the mean plus `deviations` standard deviations of the ratings."""
    return evidence.moments.mean + deviations * evidence.moments.deviation


def hoeffding(evidence: Evidence, level: float) -> NDArray[np.float64]:
    """Return m + b sqrt(log(1 / level) / (2 n)) with n people.

    Notes
    -----
    Hoeffding (1963), Theorem 2, one-sided: independent observations in [0, b] have a mean above
    their average by more than the radius with probability at most `level`. The ratings of one
    person are not independent of each other, but people are. So the observations are the averages
    of n people, and m is the larger of two means: that of these averages and that of all ratings.
    Both are the same if nobody rated an arm twice.
    """
    with np.errstate(divide="ignore"):
        radius = np.sqrt(np.log(1.0 / level) / (2.0 * evidence.moments.people))
    bound: NDArray[np.float64] = _centre(evidence.moments) + evidence.reward_max * radius
    return bound


def empirical_bernstein(evidence: Evidence, level: float) -> NDArray[np.float64]:
    """Return m + S sqrt(2 log(2 / level) / n) + 7 b log(2 / level) / (3 (n - 1)) with n people.

    Notes
    -----
    Maurer and Pontil, *Empirical Bernstein bounds and sample-variance penalization* (COLT 2009),
    Theorem 4, one-sided, scaled to rewards in [0, b]. S is the sample standard deviation (n - 1) of
    the averages of n people; a single person gives b. For m, see `hoeffding`.
    """
    found, log = evidence.moments, np.log(2.0 / level)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = found.person_deviation * np.sqrt(2.0 * log / found.people)
        rest = 7.0 * evidence.reward_max * log / (3.0 * (found.people - 1.0))
    return np.where(found.people > 1, _centre(found) + spread + rest, np.nan)


def soft_mean(evidence: Evidence, d: float) -> NDArray[np.float64]:
    """Return u (1 - d) + b d with u the mean of the ratings."""
    return evidence.moments.mean * (1.0 - d) + evidence.reward_max * d


def soft_quantile(evidence: Evidence, d: float) -> NDArray[np.float64]:
    """Return u (1 - d) + b d with u the (1 - d) quantile of the ratings."""
    u = conditional_quantile(evidence.tally, 1.0 - d)
    return u * (1.0 - d) + evidence.reward_max * d


def maximum(evidence: Evidence) -> NDArray[np.float64]:
    """Return b."""
    return np.full_like(evidence.moments.mean, evidence.reward_max)


def _centre(found: ConditionalMoments) -> NDArray[np.float64]:
    return np.fmax(found.mean, found.person_mean)


def joint(evidence: Evidence, delta_prime: float, in_use: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return confidence bounds that all hold together, except with probability `delta_prime`.

    The bound of an entry is the largest x with n kl(m, x) <= log(1 / level). Here n people rated
    arm l and gave arm k the value v, and m is the mean of their averages (see `hoeffding`). The
    Kullback-Leibler divergence kl is that of two coins. So m and x are first scaled from [smallest
    value, b] to [0, 1].

    Notes
    -----
    Hoeffding (1963), Theorem 1, first inequality: n independent observations in [0, 1] with mean x
    have an average of at most m < x with probability at most exp(-n kl(m, x)). His Theorem 2
    follows from it, so this bound is never above `hoeffding` at the same level.

    The level of an entry is `delta_prime` / (pairs x entries in use of its pair), where only pairs
    that someone rated both of count. This is a union bound. It may use numbers from the survey:
    who rated what does not depend on how they rated. Which entries of (l, k) are in use depends on
    the ratings of k; given these, the ratings of l are still independent with the entries' means.
    """
    found, low, b = evidence.moments, float(evidence.tally.values[0]), evidence.reward_max
    others = off_diagonal(evidence.tally.n_arms)
    used = in_use & others[:, :, None]
    pairs = max(int(((found.people.sum(axis=2) > 0) & others).sum()), 1)
    entries = np.maximum(used.sum(axis=2, keepdims=True), 1)
    share = (_centre(found) - low) / (b - low) if b > low else np.ones(used.shape)
    exponent = np.log(pairs * entries / delta_prime) / np.maximum(found.people, 1)
    bound = low + (b - low) * largest_not_refuted(np.where(used, share, 1.0), exponent)
    return np.where(used, bound, b)


def largest_not_refuted(
    share: NDArray[np.float64], exponent: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the largest x in [share, 1] with kl(share, x) <= exponent, never too small.

    Parameters
    ----------
    share, exponent : ndarray, of the same shape
        In [0, 1]; at least 0.
    """
    m = np.clip(share, 0.0, 1.0)
    low, high = m.copy(), np.ones_like(m)
    for _ in range(BISECTIONS):
        x = (low + high) / 2.0
        with np.errstate(divide="ignore", invalid="ignore"):
            kl = rel_entr(m, x) + rel_entr(1.0 - m, 1.0 - x)
        inside = kl <= exponent
        low, high = np.where(inside, x, low), np.where(inside, high, x)
    return high
