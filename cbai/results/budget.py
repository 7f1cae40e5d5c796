"""Errors and losses with a fixed budget, each with an interval that is exact for the runs seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cbai.results.summary import LEVEL, Rate, clopper_pearson
from cbai.simulation import BudgetCurve

STEPS = 24
"""How many values of the loss the interval tells apart at most, besides 0."""


@dataclass(frozen=True)
class Loss:
    """An expected loss in units of reward, with its interval from `low` to `high`.

    Examples
    --------
    >>> from cbai.results import Loss
    >>> Loss(0.02, 0.01, 0.05).estimate
    0.02
    """

    estimate: float
    low: float
    high: float


def budget_error(curve: BudgetCurve, algorithm: int, budget: int, level: float = LEVEL) -> Rate:
    """Return how often an arm was named that is not best, with its exact interval.

    Parameters
    ----------
    curve : BudgetCurve
    algorithm, budget : int
        Their places in the curve.
    level : float
        The coverage, in (0, 1).

    Examples
    --------
    >>> import cbai
    >>> from cbai.results import budget_error
    >>> problem = cbai.load_problem("ad-campaign")
    >>> curve = cbai.budget_curve(problem, ["sequential_halving"], [100], trials=100)
    >>> budget_error(curve, 0, 0).estimate
    0.14
    """
    answers = curve.answers[algorithm, budget]
    right = int(answers[curve.problem.best_arms].sum())
    return clopper_pearson(curve.trials - right, curve.trials, level)


def budget_loss(curve: BudgetCurve, algorithm: int, budget: int, level: float = LEVEL) -> Loss:
    """Return the mean loss: how far the named arm is below the best one, on average.

    Parameters
    ----------
    curve : BudgetCurve
    algorithm, budget : int
        Their places in the curve.
    level : float
        The coverage, in (0, 1).

    Notes
    -----
    A mean loss is a sum over the steps between the possible losses: step height times the
    probability of a loss of at least this step. Each probability gets an exact interval, all of
    them together with the coverage asked for (Bonferroni). So the interval covers at least as often
    as it says, whatever the distribution. With more than `STEPS` different losses it rounds some of
    them up for the upper end and down for the lower end.

    Examples
    --------
    >>> import cbai
    >>> from cbai.results import budget_loss
    >>> problem = cbai.load_problem("ad-campaign")
    >>> curve = cbai.budget_curve(problem, ["sequential_halving"], [100], trials=100)
    >>> round(budget_loss(curve, 0, 0).estimate, 3)
    0.202
    """
    gaps = _gaps(curve)
    answers = curve.answers[algorithm, budget]
    steps = _steps(gaps)
    height = np.diff(steps, prepend=0.0)
    part = 1.0 - (1.0 - level) / max(steps.size, 1)
    low = high = 0.0
    for j in range(steps.size):
        above = int(answers[gaps >= steps[j]].sum())
        low += height[j] * clopper_pearson(above, curve.trials, part).low
        under = 0.0 if j == 0 else steps[j - 1]
        at_least = int(answers[gaps > under].sum())
        high += height[j] * clopper_pearson(at_least, curve.trials, part).high
    return Loss(float(answers @ gaps) / curve.trials, float(low), float(high))


def _gaps(curve: BudgetCurve) -> NDArray[np.float64]:
    """Return how far each arm's mean is below the best, 0 for all best arms, shape (K,)."""
    gaps = curve.problem.means.max() - curve.problem.means
    gaps[curve.problem.best_arms] = 0.0
    return np.asarray(gaps)


def _steps(gaps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the losses to tell apart: all of them, or some that are dense near the best arm."""
    steps = np.unique(gaps[gaps > 0.0])
    if steps.size <= STEPS:
        return steps
    places = np.unique(np.geomspace(1, steps.size, STEPS).astype(np.int64)) - 1
    return steps[places]


def halving_bound(means: NDArray[np.float64], reward_max: float, budget: int) -> float:
    """Return a proven bound on the error of Sequential Halving that keeps its rewards.

    Parameters
    ----------
    means : ndarray, shape (K,)
        The true means.
    reward_max : float
        The largest reward b; rewards are in [0, b].
    budget : int

    Returns
    -------
    float
        At most 1. The proof is in docs/beyond.md.

    Examples
    --------
    >>> import numpy as np
    >>> from cbai.results import halving_bound
    >>> f"{halving_bound(np.array([0.9, 0.2]), 1.0, budget=20):.4f}"
    '0.0074'
    """
    gaps = np.sort(means.max() - means)
    n_arms = gaps.size
    rounds = (n_arms - 1).bit_length()
    active, pulls, total = n_arms, 0, 0.0
    while active > 1:
        pulls += budget // rounds // active
        stay = (active + 1) // 2
        total += float(np.exp(-pulls * (gaps[stay:] / reward_max) ** 2).sum())
        active = stay
    return min(1.0, total)


def summarise_budget(curve: BudgetCurve) -> pd.DataFrame:
    """Return one row per algorithm and budget: errors and losses with their 95 % intervals.

    Budgets that are too small for an algorithm are left out.

    Examples
    --------
    >>> import cbai
    >>> from cbai.results import summarise_budget
    >>> problem = cbai.load_problem("ad-campaign")
    >>> curve = cbai.budget_curve(problem, ["uniform"], [50, 200], trials=100)
    >>> summarise_budget(curve)[["budget", "errors"]].values.tolist()
    [[50, 37], [200, 0]]
    """
    rows = []
    for a, i in zip(*np.nonzero(curve.played), strict=True):
        rate, loss = budget_error(curve, a, i), budget_loss(curve, a, i)
        rows.append(
            {
                "algorithm": curve.algorithms[a].name,
                "title": curve.algorithms[a].title,
                "budget": curve.budgets[i],
                "trials": curve.trials,
                "errors": rate.count,
                "error_rate": rate.estimate,
                "error_low": rate.low,
                "error_high": rate.high,
                "loss": loss.estimate,
                "loss_low": loss.low,
                "loss_high": loss.high,
            }
        )
    return pd.DataFrame(rows)
