"""How often which arm is named, against the budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cbai import checks
from cbai.checks import quoted
from cbai.problem import Problem
from cbai.simulation.budget.plan import BudgetOutcome, plans_for, play_budget_chunk, rows_of
from cbai.simulation.chunks import pool_or_own, run_chunks
from cbai.simulation.plan import check_problem
from cbai.simulation.rules.budget_rows import MOST_BUDGET, BudgetAlgorithm

MOST_TRIALS = 10_000_000


@dataclass(frozen=True, eq=False)
class BudgetCurve:
    """How often each arm was named, by algorithm and budget.

    Attributes
    ----------
    answers : ndarray of int64, shape (A, B, K)
        ``answers[a, i, k]`` is how many of the trials of algorithm a with budget i named arm k. It
        is 0 for all arms if the budget is too small for the algorithm.
    budgets : tuple of int
    problem : Problem
        Before the buffer q and the masks.
    algorithms : tuple of BudgetAlgorithm
    trials : int
        Of each algorithm with each budget.
    p, q : float
    seed : int

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("ad-campaign")
    >>> curve = cbai.budget_curve(problem, ["uniform", "bracketing_halving"], [4, 500], trials=50)
    >>> curve.played.tolist()
    [[False, True], [True, True]]
    >>> curve.answers.sum(axis=2).tolist()
    [[0, 50], [50, 50]]

    See Also
    --------
    cbai.results.summarise_budget : the errors and losses with their intervals.
    """

    answers: NDArray[np.int64]
    budgets: tuple[int, ...]
    problem: Problem = field(repr=False)
    algorithms: tuple[BudgetAlgorithm, ...] = field(repr=False)
    trials: int
    p: float
    q: float
    seed: int

    @property
    def played(self) -> NDArray[np.bool_]:
        """Which budgets are large enough for which algorithm, shape (A, B)."""
        return np.asarray(self.answers.sum(axis=2) > 0)


def budget_curve(
    problem: Problem,
    algorithms: Sequence[str | BudgetAlgorithm],
    budgets: Sequence[int],
    trials: int = 2000,
    seed: int = 0,
    p: float = 0.0,
    q: float = 0.0,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> BudgetCurve:
    """Play the same trials with several budgets.

    Parameters
    ----------
    problem : Problem
        The problem before q and p.
    algorithms : sequence of str or BudgetAlgorithm
        Names in `BUDGET_ALGORITHMS`, or rows of your own.
    budgets : sequence of int
        Strictly increasing. An algorithm that cannot split a budget between all arms is left out at
        that budget.
    trials : int
        How many trials of each algorithm with each budget. All of them meet the same rewards.
    seed, p, q, executor, progress
        As in `cbai.simulate`.

    Returns
    -------
    BudgetCurve

    Raises
    ------
    ValueError
        If a parameter is outside its range, or every budget is too small for every algorithm.

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("ad-campaign")
    >>> curve = cbai.budget_curve(problem, ["uniform", "c_halving"], [50, 200], trials=200)
    >>> from cbai.results import budget_error
    >>> [budget_error(curve, 1, i).count for i in (0, 1)]
    [83, 2]
    """
    check_problem(problem)
    rows = rows_of(algorithms)
    asked = _checked_budgets(budgets)
    n_trials = checks.whole("trials", trials, 1, MOST_TRIALS)
    n_arms = problem.n_arms
    fits = [
        (a, i) for a, row in enumerate(rows) for i, n in enumerate(asked) if n >= row.least(n_arms)
    ]
    if not fits:
        least = min(row.least(n_arms) for row in rows)
        raise ValueError(
            f"One of the budgets must be at least {least:,} for {n_arms:,} arms, got at most "
            f"{asked[-1]:,}."
        )
    every = plans_for(problem, rows, asked, p, q, seed)
    plans = [every[a * len(asked) + i] for a, i in fits]
    answers = np.zeros((len(rows), len(asked), n_arms), np.int64)

    def record(which: int, start: int, outcomes: Sequence[BudgetOutcome]) -> None:
        for outcome in outcomes:
            answers[(*fits[which], outcome.best_arm)] += 1

    with pool_or_own(executor) as pool:
        run_chunks(plans, range(n_trials), pool, record, progress, None, play_budget_chunk)
    return BudgetCurve(
        answers, tuple(asked), problem, tuple(rows), n_trials, plans[0].p, float(q), plans[0].seed
    )


def _checked_budgets(budgets: object) -> list[int]:
    if not isinstance(budgets, (list, tuple, np.ndarray)) or not len(budgets):
        raise ValueError(f"budgets must be a list of at least 1 number, got {quoted(budgets)}.")
    asked = [checks.whole("budgets", one, 1, MOST_BUDGET) for one in budgets]
    if any(later <= one for one, later in pairwise(asked)):
        raise ValueError(f"budgets must be strictly increasing, got {quoted(asked)}.")
    return asked
