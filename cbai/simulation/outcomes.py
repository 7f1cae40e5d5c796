"""The outcomes of trials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cbai import notebook
from cbai.problem import Problem
from cbai.simulation.rules.algorithms import Algorithm

STATUS_NAMES = ("running", "identified", "budget")
"""By the number in ``clock[STATUS]``."""


class Outcome(NamedTuple):
    """The outcome of a trial without its parameters; the fields are those of `Trial`."""

    status: str
    best_arm: int
    samples: int
    rounds: int
    pulls: NDArray[np.int64]
    eliminated_at: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Trial:
    """The outcome of one trial.

    Attributes
    ----------
    status : str
        ``"identified"``, or ``"budget"`` if the trial ran out of samples. In that case `best_arm`
        is only the active arm with the largest mean. It is not an answer.
    best_arm : int
        The arm named.
    samples, rounds : int
        How many pulls and rounds it took, round 1 included.
    pulls, eliminated_at : ndarray of int64, shape (K,)
        Pulls per arm; the round in which an arm was eliminated, 0 for never. If the best few arms
        are wanted, the arms that were never eliminated are the answer.
    algorithm : Algorithm
    delta : float
    max_samples : int
    epsilon : float
        How it was made.

    Examples
    --------
    >>> import cbai
    >>> unknown = [[[0, 1], [1, 1]], [[1, 1], [0, 1]]]
    >>> problem = cbai.Problem(["A", "B"], [0, 1], [[0, 1], [1, 0]], unknown)
    >>> trial = cbai.replay(problem, "lucb", delta=0.1, rewards=[[1] * 100, [0] * 100])
    >>> trial.status, trial.pulls.tolist(), trial.eliminated_at.tolist()
    ('identified', [12, 12], [0, 12])
    """

    status: str
    best_arm: int
    samples: int
    rounds: int
    pulls: NDArray[np.int64]
    eliminated_at: NDArray[np.int64]
    algorithm: Algorithm
    delta: float
    max_samples: int
    epsilon: float = 0.0


@dataclass(frozen=True, eq=False)
class Trials:
    """The outcomes of many trials, with everything that is needed to repeat them.

    Attributes
    ----------
    status : ndarray of str, shape (A, T)
    best_arm, samples, rounds : ndarray of int64, shape (A, T)
    pulls, eliminated_at : ndarray of int64, shape (A, T, K)
        As in `Trial`, for algorithm a and trial t.
    problem : Problem
        Before the buffer q and the masks.
    algorithms : tuple of Algorithm
    delta, p, q : float
    seed, first_trial, max_samples : int
    epsilon : float
        How far below the best mean an answer's may be.
    top : int
        How many best arms were asked for.

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("ad-campaign")
    >>> trials = cbai.simulate(problem, ["lucb", "c_lucb"], delta=0.1, trials=5, seed=0)
    >>> trials.to_frame().groupby("algorithm")["samples"].max().to_dict()
    {'c_lucb': 2412, 'lucb': 5058}
    """

    status: NDArray[np.str_]
    best_arm: NDArray[np.int64]
    samples: NDArray[np.int64]
    rounds: NDArray[np.int64]
    pulls: NDArray[np.int64]
    eliminated_at: NDArray[np.int64]
    problem: Problem = field(repr=False)
    algorithms: tuple[Algorithm, ...] = field(repr=False)
    delta: float
    p: float
    q: float
    seed: int
    first_trial: int
    max_samples: int
    epsilon: float = 0.0
    top: int = 1

    @property
    def identified(self) -> NDArray[np.bool_]:
        """Which trials named an arm within the budget, shape (A, T)."""
        identified: NDArray[np.bool_] = self.status == "identified"
        return identified

    @property
    def wrong(self) -> NDArray[np.bool_]:
        """Which trials named an arm that is not good enough, shape (A, T).

        A trial is wrong if its answer is more than epsilon below the best mean. If several arms are
        wanted, one of them must be more than epsilon below the `top`-th best mean.
        """
        good = self.problem.arms_within(self.epsilon, self.top)
        if self.top == 1:
            return self.identified & ~np.isin(self.best_arm, good)
        poor = np.setdiff1d(np.arange(self.problem.n_arms), good)
        named: NDArray[np.bool_] = self.eliminated_at[:, :, poor] == 0
        return self.identified & np.asarray(named.any(axis=2))

    def _repr_html_(self) -> str:
        """Show what each algorithm needed in a notebook."""
        n_trials, means = self.samples.shape[1], self.samples.mean(axis=1).tolist()
        caption = (
            f"{n_trials:,} trials of each algorithm. delta = {self.delta:g}, p = {self.p:g}, "
            f"q = {self.q:g}, seed = {self.seed}."
        )
        rows = [
            (
                row.title,
                f"{mean:,.1f}",
                notebook.bar(mean / max(means)),
                int(self.wrong[a].sum()),
                n_trials - int(self.identified[a].sum()),
            )
            for a, (row, mean) in enumerate(zip(self.algorithms, means, strict=True))
        ]
        head = ("algorithm", "mean samples", "", "wrong", "no answer")
        return notebook.table(caption, head, rows)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per algorithm and trial, parameters included, and pulls per arm.

        A trial that ran out of samples has no answer: ``best_arm`` and ``correct`` are missing.
        """
        n_algorithms, n_trials = self.samples.shape
        names, answered = np.array(self.problem.arms), self.identified.ravel()
        frame = pd.DataFrame(
            {
                "algorithm": np.repeat([row.name for row in self.algorithms], n_trials),
                "trial": np.tile(self.first_trial + np.arange(n_trials), n_algorithms),
                "status": self.status.ravel(),
                "best_arm": pd.Series(names[self.best_arm.ravel()]).where(answered, None),
                "correct": pd.arrays.BooleanArray(~self.wrong.ravel(), ~answered),
                "samples": self.samples.ravel(),
                "rounds": self.rounds.ravel(),
                "delta": self.delta,
                "p": self.p,
                "q": self.q,
                "seed": self.seed,
                "max_samples": self.max_samples,
                "epsilon": self.epsilon,
                "top": self.top,
            }
        )
        return with_pulls(frame, self.pulls, self.problem.arms)


def with_pulls(frame: pd.DataFrame, pulls: NDArray[np.int64], arms: Sequence[str]) -> pd.DataFrame:
    """Return one row per algorithm and trial with a column more for the pulls of each arm."""
    columns = [f"pulls: {name}" for name in arms]
    table = pd.DataFrame(pulls.reshape(len(frame), -1), columns=columns)
    return pd.concat([frame, table], axis=1)
