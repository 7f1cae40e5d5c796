"""The outcomes of runs that spend a fixed budget."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cbai import notebook
from cbai.problem import Problem
from cbai.simulation.outcomes import with_pulls
from cbai.simulation.rules.budget_rows import BudgetAlgorithm


@dataclass(frozen=True, eq=False)
class BudgetTrials:
    """The outcomes of many trials with a fixed budget. Every trial names an arm.

    Attributes
    ----------
    best_arm : ndarray of int64, shape (A, T)
        The arm named by algorithm a in trial t.
    pulls : ndarray of int64, shape (A, T, K)
        Pulls per arm. Their sum is at most the budget.
    problem : Problem
        Before the buffer q and the masks.
    algorithms : tuple of BudgetAlgorithm
    budget : int
        The most samples of one trial.
    p, q : float
    seed, first_trial : int

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("ad-campaign")
    >>> names = ["sequential_halving", "c_halving"]
    >>> trials = cbai.simulate(problem, names, budget=100, trials=100, seed=0)
    >>> trials.wrong.mean(axis=1).tolist()
    [0.14, 0.1]
    """

    best_arm: NDArray[np.int64]
    pulls: NDArray[np.int64]
    problem: Problem = field(repr=False)
    algorithms: tuple[BudgetAlgorithm, ...] = field(repr=False)
    budget: int
    p: float
    q: float
    seed: int
    first_trial: int

    @property
    def samples(self) -> NDArray[np.int64]:
        """How many samples each trial took, shape (A, T)."""
        return np.asarray(self.pulls.sum(axis=2))

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Which trials named an arm that is not best, shape (A, T)."""
        return ~np.isin(self.best_arm, self.problem.best_arms)

    @property
    def loss(self) -> NDArray[np.float64]:
        """How far the named arm's mean is below the best mean (simple regret), shape (A, T)."""
        means = self.problem.means
        return np.asarray(means.max() - means[self.best_arm])

    def _repr_html_(self) -> str:
        """Show how often each algorithm was wrong in a notebook."""
        n_trials = self.best_arm.shape[1]
        caption = (
            f"{n_trials:,} trials of each algorithm with a budget of {self.budget:,}. "
            f"p = {self.p:g}, q = {self.q:g}, seed = {self.seed}."
        )
        rows = [
            (row.title, int(wrong.sum()), notebook.bar(wrong.mean()), f"{loss.mean():.4g}")
            for row, wrong, loss in zip(self.algorithms, self.wrong, self.loss, strict=True)
        ]
        return notebook.table(caption, ("algorithm", "wrong", "", "mean loss"), rows)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per algorithm and trial, parameters included, and pulls per arm."""
        n_algorithms, n_trials = self.best_arm.shape
        names = np.array(self.problem.arms)
        frame = pd.DataFrame(
            {
                "algorithm": np.repeat([row.name for row in self.algorithms], n_trials),
                "trial": np.tile(self.first_trial + np.arange(n_trials), n_algorithms),
                "best_arm": names[self.best_arm.ravel()],
                "correct": ~self.wrong.ravel(),
                "loss": self.loss.ravel(),
                "samples": self.samples.ravel(),
                "budget": self.budget,
                "p": self.p,
                "q": self.q,
                "seed": self.seed,
            }
        )
        return with_pulls(frame, self.pulls, self.problem.arms)
