"""The fixed part of a trial, made from a problem and an algorithm."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cbai import philox
from cbai.problem import Problem
from cbai.simulation.bounds.mean_bounds import growth_table, root_table, width_table
from cbai.simulation.families import kind_of
from cbai.simulation.loops.state import Game, Widths, pulled_first
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.choices import Elimination, Family, Leader, Share, Stopping

NO_TABLE = np.empty(0)
NO_TABLE.setflags(write=False)
NO_PAIRS = np.empty((0, 0, 0))
"""Read-only as all tables are. Otherwise the loop would be compiled for each mix of the two."""


def new_game(
    problem: Problem,
    algorithm: Algorithm,
    delta: float,
    max_samples: int,
    *,
    epsilon: float = 0.0,
    top: int = 1,
    rewards: NDArray[np.int64] | None = None,
    seed: int = 0,
    trial: int = 0,
) -> Game:
    """Return the fixed part of one trial of an algorithm on a problem; `delta` in (0, 1).

    For `top` > 1 the algorithm's version for the best few, see `cbai.simulation.loops.top`.
    """
    kind = kind_of(algorithm)
    shape = kind.constants(algorithm, problem.reward_max)
    shares = (
        algorithm.sampling_share,
        algorithm.elimination_share,
        algorithm.leader_share,
        algorithm.challenger_share,
    )
    if top > 1:
        shares = (share_for_top(algorithm, top),) * 4
    rules = (
        algorithm.leader,
        algorithm.challenger,
        algorithm.elimination,
        algorithm.stopping,
        algorithm.uses_correlation,
        algorithm.family if top == 1 else Family.TOP,
        top,
        algorithm.guarded,
    )
    level_terms = [kind.level_term(algorithm, share.of(delta, problem.n_arms)) for share in shares]
    return Game(
        rules=np.array(rules, dtype=np.int64),
        level_terms=np.array(level_terms),
        shape=shape,
        widths=(
            _widths(algorithm, level_terms, shape) if kind.from_state is None else (NO_TABLE,) * 5
        ),
        growths=growth_table(*shape[:7]) if kind.has_growth else np.empty(0),
        values=problem.values,
        pseudo_rewards=(
            pulled_first(problem.pseudo_rewards)
            if kind.pairwise or algorithm.uses_correlation
            else NO_PAIRS
        ),
        pseudo_lower=(pulled_first(problem.lower_bounds) if algorithm.two_sided else NO_PAIRS),
        reward_max=problem.reward_max,
        epsilon=epsilon,
        thresholds=philox.thresholds(problem.probabilities),
        rewards=np.empty((problem.n_arms, 0), np.int64) if rewards is None else rewards,
        seed=seed,
        trial=trial,
        max_samples=max_samples,
    )


def _widths(
    algorithm: Algorithm, level_terms: Sequence[float], shape: NDArray[np.float64]
) -> Widths:
    """Return the tables of the widths that an algorithm's rules use."""
    compares = algorithm.stopping is Stopping.LEADER_ABOVE_ALL
    used = (
        algorithm.leader is not Leader.ALL,
        algorithm.elimination is not Elimination.NONE,
        compares,
        compares,
    )
    tables = [
        width_table(term, *shape) if use else NO_TABLE
        for term, use in zip(level_terms, used, strict=True)
    ]
    return (*tables, root_table() if algorithm.uses_correlation else NO_TABLE)  # type: ignore[return-value]


def share_for_top(algorithm: Algorithm, top: int) -> Share:
    """Return the share of delta of each bound when the best few arms are asked for.

    Two kinds of bounds must hold: the upper bounds of these arms, by K source arms each if
    pseudo-rewards count, and the lower bounds of the others. These are at most (top + 1) K bounds,
    or K if only own rewards count.
    """
    return Share(top + 1 if algorithm.trusts_pseudo_rewards else 1, per_arm=True)
