"""One algorithm on one problem, ready to be played: parameters checked, buffer applied."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cbai import checks, philox
from cbai.checks import quoted
from cbai.problem import Problem
from cbai.problem.pseudo_rewards import add_buffer, apply_mask, mask, subtract_buffer
from cbai.simulation.game import new_game
from cbai.simulation.loops.state import Game, pulled_first
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.names import find

MAX_SAMPLES = 5_000_000
MOST_SAMPLES = 10**15
SMALLEST_DELTA = 1e-100
FOR_TOP = ("lucb", "c_lucb")
"""The algorithms with a version for the best few arms."""


class Plan(NamedTuple):
    """Everything that a worker needs to play any trial of one algorithm; can be pickled."""

    problem: Problem
    algorithm: Algorithm
    delta: float
    p: float
    seed: int
    max_samples: int
    epsilon: float
    top: int


def pseudo_rewards_of(plan: Plan, trial: int) -> NDArray[np.float64]:
    """Return the pseudo-rewards of one trial: those of the plan under its own mask, (K, K, V)."""
    return masked(plan.problem, plan.p, plan.seed, trial)


def masked(problem: Problem, p: float, seed: int, trial: int) -> NDArray[np.float64]:
    """Return a problem's pseudo-rewards under the mask of one trial, (K, K, V)."""
    unknown = mask(problem.n_arms, problem.n_values, p, seed, trial)
    return apply_mask(problem.pseudo_rewards, unknown, problem.reward_max)


def known_in(plan: Plan, trial: int) -> Problem:
    """Return the problem with the bounds that are known in one trial, under its own mask."""
    problem = plan.problem
    lower = problem.pseudo_lower
    if not problem.has_pseudo_rewards and lower is None:
        return problem
    if lower is not None:
        unknown = mask(problem.n_arms, problem.n_values, plan.p, plan.seed, trial)
        lower = apply_mask(lower, unknown, float(problem.values[0]))
    return problem.with_pseudo_rewards(pseudo_rewards_of(plan, trial), lower)


def first_game(plan: Plan) -> Game:
    """Return what all trials of a plan share: the game of trial 0 without a mask."""
    return new_game(
        plan.problem,
        plan.algorithm,
        plan.delta,
        plan.max_samples,
        epsilon=plan.epsilon,
        top=plan.top,
        seed=plan.seed,
    )


def game_of(plan: Plan, trial: int, first: Game | None = None) -> Game:
    """Return the game of one trial: its rewards and its own mask of unknown pseudo-rewards.

    `first` is the plan's `first_game`. Passing it saves work when many trials are played.
    """
    game = (first or first_game(plan))._replace(trial=trial)
    if not plan.algorithm.uses_correlation or plan.p == 0.0:
        return game
    known = known_in(plan, trial)
    game = game._replace(pseudo_rewards=pulled_first(known.pseudo_rewards))
    if not plan.algorithm.two_sided:
        return game
    return game._replace(pseudo_lower=pulled_first(known.lower_bounds))


def plan_for(
    problem: Problem,
    algorithm: str | Algorithm,
    delta: float,
    p: float,
    q: float,
    seed: int,
    max_samples: int,
    epsilon: float = 0.0,
    top: int = 1,
) -> Plan:
    """Check the parameters of a simulation and apply the buffer q.

    Raises
    ------
    ValueError
        If a parameter is outside its range; the message quotes the first one.
    """
    check_problem(problem)
    delta = checks.real("delta", delta, SMALLEST_DELTA, 1.0, open_high=True)
    row = find(algorithm)
    return Plan(
        buffered(problem, checks.real("q", q, 0.0, problem.reward_max)),
        row,
        delta,
        checks.real("p", p, 0.0, 1.0),
        checks.whole("seed", seed, 0, philox.MAX_SEED),
        checks.whole("max_samples", max_samples, problem.n_arms, MOST_SAMPLES),
        checks.real("epsilon", epsilon, 0.0, problem.reward_max),
        _checked_top(top, row, problem),
    )


def check_problem(problem: object) -> None:
    """Refuse anything but a problem, such as the name of a data set."""
    if not isinstance(problem, Problem):
        raise ValueError(
            f"problem must be a Problem, such as load_problem(name) returns, got {quoted(problem)}."
        )


def buffered(problem: Problem, q: float) -> Problem:
    """Apply the buffer to what is known; where nothing is known, there is nothing to change."""
    lower = problem.pseudo_lower
    lower = None if lower is None else subtract_buffer(lower, q)
    if not problem.has_pseudo_rewards:
        return problem if lower is None else problem.with_pseudo_rewards(None, lower)
    upper = add_buffer(problem.pseudo_rewards, q, problem.reward_max)
    return problem.with_pseudo_rewards(upper, lower)


def _checked_top(top: int, algorithm: Algorithm, problem: Problem) -> int:
    n_best = checks.whole("top", top, 1, problem.n_arms - 1)
    if n_best > 1 and algorithm.name not in FOR_TOP:
        raise ValueError(
            f"For top = {n_best} the algorithm must be {' or '.join(FOR_TOP)}, got "
            f"{quoted(algorithm.name)}: it finds one best arm only."
        )
    return n_best
