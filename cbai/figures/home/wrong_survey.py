"""A survey that is wrong about the best arm: what its bounds do, and which buffer mends them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cbai.problem import Problem
from cbai.simulation import Trace, simulate, trace

POINTS = 2.5
"""How much too low the survey is about the best arm, in units of reward."""

AXIS = (4.0, 8.5)
"""The rewards that are drawn: the same with every buffer, for comparison."""
RUNS = 200
BUDGET = 30_000
"""The most samples of each run. After this many nearly no further run rules the best arm out."""


class Misled(NamedTuple):
    """How often a wrong survey made C-LUCB rule out the best arm, within `BUDGET` samples."""

    wrong: int
    runs: int


def misled_problem(problem: Problem, points: float = POINTS) -> Problem:
    """Return a problem whose pseudo-rewards for the best arm are too low by some points.

    Parameters
    ----------
    problem : Problem
        With one best arm.
    points : float
        In units of reward. No pseudo-reward becomes negative.
    """
    best = problem.best_arm
    others = np.arange(problem.n_arms) != best
    lowered = problem.pseudo_rewards.copy()
    lowered[best, others] = np.maximum(lowered[best, others] - points, 0.0)
    return problem.with_pseudo_rewards(lowered)


def misled_trace(problem: Problem, delta: float, buffer: float) -> Trace:
    """Return a recorded trial of C-LUCB on a misled problem, at most `BUDGET` samples long."""
    return trace(problem, "c_lucb", delta, q=buffer, max_samples=BUDGET)


def count_misled(problem: Problem, delta: float, buffer: float) -> Misled:
    """Return in how many runs C-LUCB ruled out the best arm of a misled problem."""
    trials = simulate(problem, ["c_lucb"], delta, trials=RUNS, seed=0, q=buffer, max_samples=BUDGET)
    fell = trials.eliminated_at[0, :, problem.best_arm] > 0
    return Misled(int(fell.sum()), RUNS)
