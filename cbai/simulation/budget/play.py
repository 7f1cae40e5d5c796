"""Many trials of several algorithms with one budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor

import numpy as np

from cbai import checks
from cbai.problem import Problem
from cbai.simulation.budget.outcomes import BudgetTrials
from cbai.simulation.budget.plan import BudgetOutcome, plans_for, play_budget_chunk, rows_of
from cbai.simulation.chunks import pool_or_own, run_chunks
from cbai.simulation.plan import check_problem
from cbai.simulation.rules.budget_rows import BudgetAlgorithm, check_budget

MOST_NUMBERS = 250_000_000
"""The most pulls per arm, algorithm and trial that one call may return: 2 GB."""


def simulate_budget(
    problem: Problem,
    algorithms: Sequence[str | BudgetAlgorithm],
    budget: int,
    trials: int = 100,
    seed: int = 0,
    p: float = 0.0,
    q: float = 0.0,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
    first_trial: int = 0,
) -> BudgetTrials:
    """Play trials that spend a budget; `cbai.simulate` with ``budget=n`` calls this.

    Raises
    ------
    ValueError
        If a parameter is outside its range; the message quotes the first one.
    """
    check_problem(problem)
    rows = rows_of(algorithms)
    most = check_budget(budget, rows, problem.n_arms)
    plans = plans_for(problem, rows, [most], p, q, seed)
    enough = MOST_NUMBERS // (len(rows) * problem.n_arms)
    n_trials = checks.whole("trials", trials, 1, enough)
    first = checks.whole("first_trial", first_trial, 0, 2**32 - n_trials)
    best_arm = np.zeros((len(rows), n_trials), np.int64)
    pulls = np.zeros((len(rows), n_trials, problem.n_arms), np.int64)

    def record(which: int, start: int, outcomes: Sequence[BudgetOutcome]) -> None:
        for i, outcome in enumerate(outcomes, start - first):
            best_arm[which, i], pulls[which, i] = outcome.best_arm, outcome.pulls

    with pool_or_own(executor) as pool:
        span = range(first, first + n_trials)
        run_chunks(plans, span, pool, record, progress, None, play_budget_chunk)
    return BudgetTrials(
        best_arm,
        pulls,
        problem=problem,
        algorithms=tuple(rows),
        budget=most,
        p=plans[0].p,
        q=float(q),
        seed=plans[0].seed,
        first_trial=first,
    )
