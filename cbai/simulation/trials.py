"""Many trials of several algorithms, spread over any `concurrent.futures` executor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cbai import checks
from cbai.checks import quoted
from cbai.problem import Problem
from cbai.simulation.budget import BudgetTrials, simulate_budget
from cbai.simulation.chunks import outcome_of, play_chunk, pool_or_own, run_chunks
from cbai.simulation.families import advance
from cbai.simulation.loops.state import (
    ANSWER,
    EXHAUSTED,
    RUNNING,
    STATUS,
    begin,
)
from cbai.simulation.outcomes import STATUS_NAMES, Outcome, Trial, Trials
from cbai.simulation.plan import MAX_SAMPLES, first_game, plan_for
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.budget_rows import BUDGET_ALGORITHMS, BudgetAlgorithm
from cbai.simulation.rules.names import check_different, listed

MOST_TRIALS = 2**31
MOST_BYTES = 2_000_000_000
"""The most memory that the results of one call of `simulate` may take, in bytes."""


@overload
def simulate(
    problem: Problem,
    algorithms: Sequence[str | Algorithm],
    delta: float,
    trials: int = ...,
    seed: int = ...,
    p: float = ...,
    q: float = ...,
    max_samples: int = ...,
    executor: Executor | None = ...,
    progress: Callable[[int, int], object] | None = ...,
    first_trial: int = ...,
    epsilon: float = ...,
    top: int = ...,
    total_samples: int | None = ...,
) -> Trials: ...


@overload
def simulate(
    problem: Problem,
    algorithms: Sequence[str | BudgetAlgorithm],
    *,
    budget: int,
    trials: int = ...,
    seed: int = ...,
    p: float = ...,
    q: float = ...,
    executor: Executor | None = ...,
    progress: Callable[[int, int], object] | None = ...,
    first_trial: int = ...,
) -> BudgetTrials: ...


def simulate(
    problem: Problem,
    algorithms: Sequence[str | Algorithm] | Sequence[str | BudgetAlgorithm],
    delta: float | None = None,
    trials: int = 100,
    seed: int = 0,
    p: float = 0.0,
    q: float = 0.0,
    max_samples: int = MAX_SAMPLES,
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
    first_trial: int = 0,
    epsilon: float = 0.0,
    top: int = 1,
    total_samples: int | None = None,
    *,
    budget: int | None = None,
) -> Trials | BudgetTrials:
    """Play independent trials of several algorithms on common random numbers.

    With `delta`, an algorithm samples until it is sure. With `budget`, it spends a fixed number of
    samples and names an arm in any case.

    Parameters
    ----------
    problem : Problem
        The problem before q and p.
    algorithms : sequence of str or Algorithm
        Names that `find` knows, or rows of your own. With a budget, names in `BUDGET_ALGORITHMS`,
        or rows of that kind.
    delta : float
        The error probability allowed, in (0, 1). It is left out if a budget is given.
    trials : int
        How many trials of each algorithm.
    seed : int
        A reward depends on (seed, trial, arm, pull) alone, and a mask on (seed, trial) alone. All
        algorithms meet the same rewards and masks, and no result depends on the number of threads.
    p : float
        The share of the off-diagonal pseudo-rewards that is unknown, in [0, 1].
    q : float
        The safety buffer added to every off-diagonal pseudo-reward, in [0, b].
    max_samples : int
        A trial that would need more ends with status ``"budget"``: it has no answer. With a budget
        there is no such limit, because every trial has an answer.
    executor : concurrent.futures.Executor, optional
        Where trials are played. By default a thread pool with one thread for each core.
    progress : callable, optional
        ``progress(done, total)``, called in this thread a few times a second with the number of
        finished trials. An exception raised in it stops the run and is passed on.
    first_trial : int
        The number of the first trial. With it any trial can be played again alone.
    epsilon : float
        How far below the best mean the answer's mean may be, in units of reward, in [0, b].
        Algorithms then stop as soon as their bounds show this of one arm. lil'UCB stops by no
        bounds, so epsilon has no effect on it.
    top : int
        How many best arms are wanted, 1 to K - 1. ``"lucb"`` and ``"c_lucb"`` have versions for
        more than 1. With probability at least 1 - delta, each arm named is then at most epsilon
        below the `top`-th best mean.
    total_samples : int, optional
        How many samples all trials of all algorithms may take together. By default there is no
        limit. Whether they take more depends on the other parameters alone.
    budget : int, optional
        The fixed number of samples that a trial may spend, from 1 to 10,000,000. A row of
        `BUDGET_ALGORITHMS` says how many samples it needs at least. `delta`, `max_samples`,
        `epsilon`, `top` and `total_samples` do not go with it.

    Returns
    -------
    Trials or BudgetTrials
        `BudgetTrials` if a budget is given.

    Raises
    ------
    ValueError
        If a parameter is outside its range, a name is unknown, or the results would take more than
        `MOST_BYTES` in memory.
    cbai.simulation.chunks.TooManySamples
        As soon as the finished trials took more than `total_samples`. There is no result then,
        because the trials that end first are a biased sample.

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("ad-campaign")
    >>> trials = cbai.simulate(problem, ["lucb", "c_lucb"], delta=0.1, trials=5, seed=0)
    >>> trials.samples.shape
    (2, 5)
    >>> trials.samples.mean(axis=1).tolist()
    [4533.2, 2162.0]
    >>> int(trials.wrong.sum())
    0
    >>> names = ["sequential_halving", "c_halving"]
    >>> cbai.simulate(problem, names, budget=100, trials=100).wrong.sum(axis=1).tolist()
    [14, 10]
    """
    if budget is not None:
        others = {
            "delta": delta is not None,
            "max_samples": max_samples != MAX_SAMPLES,
            "epsilon": epsilon != 0.0,
            "top": top != 1,
            "total_samples": total_samples is not None,
        }
        _check_alone(budget, [name for name, given in others.items() if given])
        return simulate_budget(
            problem,
            algorithms,  # type: ignore[arg-type]
            budget,
            trials,
            seed,
            p,
            q,
            executor,
            progress,
            first_trial,
        )
    _check_not_for_budget(algorithms)
    plans = [
        plan_for(problem, row, delta, p, q, seed, max_samples, epsilon, top)  # type: ignore[arg-type]
        for row in listed(algorithms)
    ]
    check_different([plan.algorithm.name for plan in plans])
    n_trials = checks.whole("trials", trials, 1, MOST_TRIALS)
    first = checks.whole("first_trial", first_trial, 0, 2**32 - n_trials)
    if total_samples is not None:
        total_samples = checks.whole("total_samples", total_samples, 0)
    _check_memory(len(plans), n_trials, problem.n_arms)

    shape = (len(plans), n_trials)
    status = np.full(shape, STATUS_NAMES[RUNNING], dtype="U10")
    best_arm, samples, rounds = (np.zeros(shape, np.int64) for _ in range(3))
    pulls, eliminated_at = (np.zeros((*shape, problem.n_arms), np.int64) for _ in range(2))
    tables = (status, best_arm, samples, rounds, pulls, eliminated_at)

    def record(which: int, start: int, outcomes: list[Outcome]) -> None:
        for i, outcome in enumerate(outcomes, start - first):
            for table, value in zip(tables, outcome, strict=True):
                table[which, i] = value

    with pool_or_own(executor) as pool:
        span = range(first, first + n_trials)
        run_chunks(plans, span, pool, record, progress, total_samples, play_chunk)
    return Trials(
        *tables,
        problem=problem,
        algorithms=tuple(plan.algorithm for plan in plans),
        delta=plans[0].delta,
        p=plans[0].p,
        q=float(q),
        seed=plans[0].seed,
        first_trial=first,
        max_samples=plans[0].max_samples,
        epsilon=plans[0].epsilon,
        top=plans[0].top,
    )


def _check_alone(budget: int, others: list[str]) -> None:
    """Refuse what belongs to sampling until sure, if a budget is given."""
    if others:
        raise ValueError(
            f"budget = {quoted(budget)} must be given without {' and '.join(others)}: a trial "
            "spends the budget and then names an arm, however sure it is."
        )


def _check_not_for_budget(algorithms: Sequence[object]) -> None:
    """Refuse rows that spend a budget, if none is given."""
    for row in algorithms:
        name = row.name if isinstance(row, BudgetAlgorithm) else row
        if isinstance(name, str) and name in BUDGET_ALGORITHMS:
            raise ValueError(
                f"algorithm {quoted(name)} spends a fixed budget: give budget, a number of "
                "samples, and not delta."
            )


def _check_memory(n_algorithms: int, n_trials: int, n_arms: int) -> None:
    """Refuse a run whose results would not fit into memory, before anything is played."""
    a_trial = 4 * len(max(STATUS_NAMES, key=len)) + 8 * (3 + 2 * n_arms)
    most = MOST_BYTES // (a_trial * n_algorithms)
    if n_trials > most:
        raise ValueError(
            f"trials must be at most {most:,} for {n_algorithms} algorithms and {n_arms} arms, as "
            f"results may take {MOST_BYTES:,} bytes, got {n_trials:,}."
        )


def replay(
    problem: Problem,
    algorithm: str | Algorithm,
    delta: float,
    rewards: ArrayLike,
    max_samples: int = MAX_SAMPLES,
    epsilon: float = 0.0,
    top: int = 1,
) -> Trial:
    """Play one trial on given rewards; deterministic.

    Parameters
    ----------
    problem : Problem
        Its pseudo-rewards are used without buffer and mask.
    algorithm : str or Algorithm
        A name that `find` knows, or a row of your own.
    delta : float
        The error probability allowed, in (0, 1).
    rewards : array_like of int, shape (K, N)
        ``rewards[k, j]`` is the index into `values` of the j-th reward of arm k.
    max_samples : int
        A trial that would need more ends with status ``"budget"``.
    epsilon, top
        As in `simulate`.

    Returns
    -------
    Trial

    Raises
    ------
    ValueError
        If a parameter is outside its range, or the trial needs more rewards than given.

    Examples
    --------
    Arm A always gives 1, arm B always 0. LUCB knows after 12 samples of each.

    >>> import cbai
    >>> unknown = [[[0, 1], [1, 1]], [[1, 1], [0, 1]]]
    >>> problem = cbai.Problem(["A", "B"], [0, 1], [[0, 1], [1, 0]], unknown)
    >>> trial = cbai.replay(problem, "lucb", delta=0.1, rewards=[[1] * 100, [0] * 100])
    >>> problem.arms[trial.best_arm], trial.samples
    ('A', 24)
    """
    plan = plan_for(problem, algorithm, delta, 0.0, 0.0, 0, max_samples, epsilon, top)
    table = _reward_indices(problem, rewards)
    game = first_game(plan)._replace(rewards=table)
    state = begin(game)
    advance(game, state)
    if state.clock[STATUS] == EXHAUSTED:
        arm = problem.arms[state.clock[ANSWER]]
        raise ValueError(
            f"rewards must be enough for the whole trial: arm {quoted(arm)} needs more than the "
            f"{table.shape[1]} given, after {state.pulls.sum()} samples."
        )
    return Trial(
        **outcome_of(state)._asdict(),
        algorithm=plan.algorithm,
        delta=plan.delta,
        max_samples=plan.max_samples,
        epsilon=plan.epsilon,
    )


def _reward_indices(problem: Problem, rewards: ArrayLike) -> NDArray[np.int64]:
    numbers = checks.array("rewards", rewards, (problem.n_arms, None))
    if not numbers.shape[1]:
        raise ValueError("rewards must hold at least 1 reward for each arm, got 0.")
    checks.entries_between("rewards (indices into values)", numbers, 0, problem.n_values - 1)
    table = numbers.astype(np.int64)
    if (table != numbers).any():
        odd = numbers[table != numbers][0]
        raise ValueError(
            f"rewards must be whole-number indices from 0 to {problem.n_values - 1}, got {odd:g}."
        )
    return table
