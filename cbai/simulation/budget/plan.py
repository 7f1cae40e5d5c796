"""One algorithm with one budget on one problem, ready to be played."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cbai import checks, philox
from cbai.problem import Problem
from cbai.simulation.chunks import CHUNK_SECONDS, Chunk
from cbai.simulation.game import NO_PAIRS
from cbai.simulation.loops.halving import BudgetGame, new_ledger, play_budget
from cbai.simulation.loops.state import pulled_first
from cbai.simulation.plan import buffered, masked
from cbai.simulation.rules.budget_rows import BudgetAlgorithm, Score, find_budget
from cbai.simulation.rules.names import check_different, listed

NO_REPLAY = np.empty((0, 0), np.int64)


class BudgetPlan(NamedTuple):
    """Everything that a worker needs to play any trial of one algorithm with one budget."""

    problem: Problem
    """With the buffer q."""
    algorithm: BudgetAlgorithm
    budget: int
    p: float
    seed: int


class BudgetOutcome(NamedTuple):
    """The arm that a trial named, its number of samples, and the pulls of each arm."""

    best_arm: int
    samples: int
    pulls: NDArray[np.int64]


def rows_of(algorithms: object) -> list[BudgetAlgorithm]:
    """Return the rows of a list of names or rows.

    Raises
    ------
    ValueError
        If it is no list, a name is unknown, or two rows have the same name.
    """
    rows = [find_budget(one) for one in listed(algorithms)]
    check_different([row.name for row in rows])
    return rows


def plans_for(
    problem: Problem,
    rows: Sequence[BudgetAlgorithm],
    budgets: Sequence[int],
    p: float,
    q: float,
    seed: int,
) -> list[BudgetPlan]:
    """Check the parameters, apply the buffer, and return a plan for each row and each budget."""
    known = buffered(problem, checks.real("q", q, 0.0, problem.reward_max))
    share = checks.real("p", p, 0.0, 1.0)
    key = checks.whole("seed", seed, 0, philox.MAX_SEED)
    return [BudgetPlan(known, row, budget, share, key) for row in rows for budget in budgets]


def game_of(plan: BudgetPlan) -> BudgetGame:
    """Return what the trials of a plan share: the game of trial 0 without a mask."""
    problem, row = plan.problem, plan.algorithm
    uses = _uses_bounds(plan)
    known = pulled_first(problem.pseudo_rewards) if uses else NO_PAIRS
    score = row.score if uses else Score.MEAN
    return BudgetGame(
        rules=np.array([row.allocation, score, row.by_variance, row.fresh], dtype=np.int64),
        values=problem.values,
        pseudo_rewards=known,
        reward_max=problem.reward_max,
        thresholds=philox.thresholds(problem.probabilities),
        rewards=NO_REPLAY,
        seed=plan.seed,
        trial=0,
        budget=plan.budget,
    )


def _uses_bounds(plan: BudgetPlan) -> bool:
    """Return whether there are pseudo-rewards and the algorithm looks at them."""
    return plan.algorithm.uses_correlation and plan.problem.has_pseudo_rewards


def play_budget_chunk(
    plan: BudgetPlan, chunk: Chunk, cancelled: threading.Event | None
) -> tuple[list[BudgetOutcome], Chunk]:
    """Play trials until all are done, nobody wants them, or the time of a chunk is over."""
    outcomes: list[BudgetOutcome] = []
    deadline = time.monotonic() + CHUNK_SECONDS
    first = game_of(plan)
    ledger = new_ledger(plan.problem.n_arms, plan.problem.n_values)
    for trial in range(chunk.start, chunk.stop):
        if cancelled is not None and cancelled.is_set():
            return outcomes, chunk._replace(start=trial)
        game = first._replace(trial=trial)
        if plan.p > 0.0 and _uses_bounds(plan):
            known = masked(plan.problem, plan.p, plan.seed, trial)
            game = game._replace(pseudo_rewards=pulled_first(known))
        arm = int(play_budget(game, ledger))
        outcomes.append(BudgetOutcome(arm, int(ledger.pulls.sum()), ledger.pulls.copy()))
        if time.monotonic() > deadline:
            return outcomes, chunk._replace(start=trial + 1)
    return outcomes, chunk._replace(start=chunk.stop)
