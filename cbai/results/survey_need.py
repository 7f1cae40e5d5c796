"""How many more ratings would decide which option is best: without the survey, and with it."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from scipy import stats

from cbai.problem import Problem
from cbai.results.paired import paired_difference
from cbai.results.summary import LEVEL, Ratio
from cbai.simulation import Trials, simulate
from cbai.simulation.trials import TooManySamples

WITHOUT, WITH = "lucb_pp_bet", "c_lucb_bet"
"""The cheapest proven algorithm that ignores the survey, and its like that uses it."""

FEW, MANY = 20, 100
"""Runs: many where they are short."""

MOST_IN_ALL = 1_000_000
"""Samples that the runs of one algorithm may take together: a second or three."""


@dataclass(frozen=True)
class Need:
    """What one algorithm takes.

    Attributes
    ----------
    mean, low, high : float
        Ratings to stop: the mean over runs, and its interval of 95 %. Where `more`, `mean` is a
        number that the mean exceeds, and there is no interval (NaN).
    runs : int
    more : bool
        Whether the runs were ended, as they took too many.
    """

    mean: float
    low: float
    high: float
    runs: int
    more: bool = False


@dataclass(frozen=True)
class Needs:
    """What it takes to find the best option, if people like the held-out ones are asked.

    Attributes
    ----------
    without, with_survey : Need
    ratio : Ratio or None
        How many times as many with the survey as without it, run against run; None where either
        was ended.
    """

    without: Need
    with_survey: Need
    ratio: Ratio | None


def needs_of(
    problem: Problem, delta: float, *, seed: int = 0, executor: Executor | None = None
) -> Needs | None:
    """Return how many ratings find the best arm at `delta`, without and with pseudo-rewards.

    Parameters
    ----------
    problem : Problem
    delta : float
        The error allowed, in (0, 1).
    seed : int
        Of the runs.
    executor : concurrent.futures.Executor, optional
        Where the runs are played.

    Returns
    -------
    Needs or None
        None if several arms are best: no number of ratings tells them apart.

    Raises
    ------
    ValueError
        If `delta` is outside its range.

    Notes
    -----
    Rewards are drawn from the held-out ratings, so this is about a population that has just their
    shares; that they are an estimate is not part of the intervals.
    """
    if len(problem.best_arms) > 1:
        return None
    played = [_played(problem, name, delta, seed, executor) for name in (WITHOUT, WITH)]
    without, with_survey = (_need(one) for one in played)
    first, second = played
    ratio = None
    if first is not None and second is not None:
        runs = min(first.samples.shape[1], second.samples.shape[1])
        found = paired_difference(second.samples[0, :runs], first.samples[0, :runs])
        ratio = None if found is None else found.ratio
    return Needs(without, with_survey, ratio)


def _played(
    problem: Problem, name: str, delta: float, seed: int, executor: Executor | None
) -> Trials | None:
    """Return the runs of an algorithm; None if they take more than `MOST_IN_ALL` samples."""
    found = None
    for runs in (FEW, MANY):
        try:
            found = simulate(
                problem, [name], delta, trials=runs, seed=seed, executor=executor,
                max_samples=MOST_IN_ALL, total_samples=MOST_IN_ALL,
            )  # fmt: skip
        except TooManySamples:
            return found
        if not found.identified.all():
            return None
        if found.samples.sum() * MANY / FEW > MOST_IN_ALL:
            return found
    return found


def _need(trials: Trials | None) -> Need:
    if trials is None:
        return Need(MOST_IN_ALL / FEW, np.nan, np.nan, FEW, more=True)
    samples = trials.samples[0].astype(np.float64)
    mean, error = float(samples.mean()), float(stats.sem(samples))
    half = float(stats.t.isf((1.0 - LEVEL) / 2.0, samples.size - 1)) * error
    return Need(mean, mean - half, mean + half, samples.size)
