"""Easier and harder versions of a problem: fewer arms, or another gap between the two best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from cbai import checks
from cbai.problem.problem import Problem

NEAREST = 1e-6
"""How close a mean may come to the ends of its arm's rewards, or to a tie, relative to the span."""


def keep_best(problem: Problem, n: int) -> Problem:
    """Return the problem of the `n` arms with the largest true means, without the others.

    Parameters
    ----------
    problem : Problem
    n : int
        How many arms stay, from 2 to K. The best and the second best are always among them.

    Returns
    -------
    Problem
        The arms that stay keep their order, their rewards and all bounds on and by each other. The
        problem itself if all stay.

    Raises
    ------
    ValueError
        If n is outside its range.
    """
    return keep_arms(problem, problem.ranking[: checks.whole("n", n, 2, problem.n_arms)].tolist())


def keep_arms(problem: Problem, arms: Sequence[int]) -> Problem:
    """Return the problem of some arms, without the others; the best of them is then the best arm.

    Parameters
    ----------
    problem : Problem
    arms : sequence of int
        At least two arms, in any order.

    Returns
    -------
    Problem
        As in `keep_best`.

    Raises
    ------
    ValueError
        If there are fewer than two arms, or one that the problem does not have.
    """
    stay = np.unique([checks.whole("arms", arm, 0, problem.n_arms - 1) for arm in arms])
    checks.whole("number of arms", len(stay), 2, problem.n_arms)
    if len(stay) == problem.n_arms:
        return problem
    pairs = np.ix_(stay, stay)
    lower = problem.pseudo_lower
    return Problem(
        [problem.arms[arm] for arm in stay],
        problem.values,
        problem.probabilities[stay],
        problem.pseudo_rewards[pairs] if problem.has_pseudo_rewards else None,
        problem.reward_max,
        None if lower is None else lower[pairs],
    )


def gap_of(problem: Problem) -> float:
    """Return by how much the best arm's mean is above the second best's."""
    return float(problem.means[problem.best_arm] - problem.means[problem.second_arm])


def gap_range(problem: Problem) -> tuple[float, float]:
    """Return the smallest and the largest gap that `with_gap` can give, in units of reward.

    If the best arm always gives the same reward, it can have no other mean. Both are then the
    present gap.
    """
    best = problem.best_arm
    given = problem.values[problem.probabilities[best] > 0.0]
    nearest = NEAREST * float(given[-1] - given[0])
    second = float(problem.means[problem.second_arm])
    low = max(nearest, float(given[0]) + nearest - second)
    high = float(given[-1]) - nearest - second
    if nearest == 0.0 or high <= low:
        return gap_of(problem), gap_of(problem)
    return low, high


def with_gap(problem: Problem, gap: float) -> Problem:
    """Return the problem with another gap between the best arm and the second best.

    Parameters
    ----------
    problem : Problem
    gap : float
        In units of reward, in `gap_range`, or the present gap.

    Returns
    -------
    Problem
        The problem itself if the gap does not change. Whether its pseudo-rewards are valid must be
        checked again.

    Raises
    ------
    ValueError
        If the gap is outside its range.

    Notes
    -----
    Only the best arm changes. Its probabilities are tilted exponentially, p_v e^(theta r_v) up to a
    constant. On the same values, this is the distribution with the new mean that is nearest to the
    old one in Kullback-Leibler divergence (Csiszár 1975).

    A pseudo-reward s_{l,k}(r) is about l, given the reward of k. If a joint distribution is tilted
    by the reward of the best arm, everything that is conditional on this reward is unchanged. So
    what the best arm's rewards say about others does not change. Bounds *on* the best arm move with
    its mean, at most to b, as in a survey of the changed arm. An entry of b says nothing, before
    and after. So a bound on the best arm that is valid on average stays valid, unless it reaches b.
    """
    now, best = gap_of(problem), problem.best_arm
    if abs(gap - now) <= checks.TOLERANCE:
        return problem
    low, high = gap_range(problem)
    gap = checks.real("gap", gap, low, high)
    moved = gap - now
    probabilities = problem.probabilities.copy()
    probabilities[best] = tilted(
        problem.values, probabilities[best], float(problem.means[best]) + moved
    )
    b, least = problem.reward_max, float(problem.values[0])
    pseudo = problem.pseudo_rewards.copy() if problem.has_pseudo_rewards else None
    if pseudo is not None:
        known = pseudo[best] < b
        pseudo[best] = np.where(known, np.clip(pseudo[best] + moved, 0.0, b), b)
        pseudo[best, best] = problem.values
    lower = problem.pseudo_lower
    if lower is not None:
        lower = lower.copy()
        lower[best] = np.where(
            lower[best] > least, np.clip(lower[best] + moved, least, b), lower[best]
        )
        lower[best, best] = problem.values
    return Problem(problem.arms, problem.values, probabilities, pseudo, b, lower)


def tilted(
    values: NDArray[np.float64], probabilities: NDArray[np.float64], mean: float
) -> NDArray[np.float64]:
    """Tilt one arm's probabilities exponentially to another mean, shape (V,).

    Parameters
    ----------
    values, probabilities : ndarray, shape (V,)
    mean : float
        Strictly between the smallest and the largest value of positive probability.
    """
    given = probabilities > 0.0
    low, high = float(values[given][0]), float(values[given][-1])
    place = (values[given] - low) / (high - low)
    start, target = np.log(probabilities[given]), (mean - low) / (high - low)

    def at(theta: float) -> NDArray[np.float64]:
        exponents = start + theta * place
        weights = np.exp(exponents - exponents.max())
        return np.asarray(weights / weights.sum())

    def excess(theta: float) -> float:
        return float((at(theta) * place).sum()) - target

    reach = 1.0
    while excess(-reach) > 0.0 or excess(reach) < 0.0:
        reach *= 2.0
    changed = np.zeros_like(probabilities)
    changed[given] = at(float(optimize.brentq(excess, -reach, reach, xtol=1e-13)))
    return changed
