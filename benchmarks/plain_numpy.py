"""LUCB and C-LUCB in plain NumPy, with which the compiled kernel is compared.

The definitions are those of the library, so both take exactly the same samples on the same rewards
(``tests/test_benchmarks_twins.py``). They are written with care, as fair rivals: vectors over the
arms, running sums instead of histories, rewards drawn in blocks; only the loop over rounds is
Python's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import cbai

Draw = Callable[[int, int], int]
"""``draw(arm, pull)`` returns the index into `values` of an arm's reward number 0, 1, ..."""


class Result(NamedTuple):
    """How a trial ended, in the terms of `cbai.Trial`."""

    status: str
    best_arm: int
    samples: int
    rounds: int
    pulls: np.ndarray
    eliminated_at: np.ndarray


def radius(n: np.ndarray, d: float, b: float) -> np.ndarray:
    """Return the radius B(n, d) of Howard et al. (2021) for each number of pulls."""
    v = np.maximum(n * (b * b / 4.0), 1.0)
    return 1.7 * np.sqrt(v * (np.log(np.log(2.0 * v)) + 0.72 * np.log(5.2 / d))) / n


def lucb(problem: cbai.Problem, draw: Draw, delta: float, max_samples: int = 5_000_000) -> Result:
    """Play one trial of LUCB."""
    n_arms, b, values = problem.n_arms, problem.reward_max, problem.values
    share = delta / n_arms
    pulls, sums = np.zeros(n_arms, np.int64), np.zeros(n_arms)
    eliminated_at = np.zeros(n_arms, np.int64)
    out = np.zeros(n_arms, dtype=bool)
    named = range(n_arms)
    rounds = 0
    while True:
        for arm in named:
            sums[arm] += values[draw(arm, pulls[arm])]
            pulls[arm] += 1
        rounds += 1
        mean = sums / pulls
        width = radius(pulls, share, b)
        upper = mean + width
        lower = mean - width
        lower[out] = -np.inf
        leader = lower.argmax()
        removed = (upper < lower[leader]) & ~out
        removed[leader] = False
        if removed.any():
            out |= removed
            eliminated_at[removed] = rounds
        mean[out] = upper[out] = -np.inf
        first = int(mean.argmax())
        if out.sum() == n_arms - 1:
            status = "identified"
            break
        upper[first] = -np.inf
        named = (first, int(upper.argmax()))
        if pulls.sum() + 2 > max_samples:
            status = "budget"
            break
    return Result(status, first, int(pulls.sum()), rounds, pulls, eliminated_at)


def c_lucb(problem: cbai.Problem, draw: Draw, delta: float, max_samples: int = 5_000_000) -> Result:
    """Play one trial of C-LUCB."""
    n_arms, b, values = problem.n_arms, problem.reward_max, problem.values
    by_pull = np.ascontiguousarray(problem.pseudo_rewards.transpose(1, 2, 0))
    share = delta / (2 * n_arms)
    pulls, sums = np.zeros(n_arms, np.int64), np.zeros(n_arms)
    pseudo_sums = np.zeros((n_arms, n_arms))  # (arm pulled, arm bounded): a pull adds a row
    eliminated_at = np.zeros(n_arms, np.int64)
    out = np.zeros(n_arms, dtype=bool)
    named = range(n_arms)
    rounds = 0
    while True:
        for arm in named:
            value = draw(arm, pulls[arm])
            sums[arm] += values[value]
            pseudo_sums[arm] += by_pull[arm, value]
            pulls[arm] += 1
        rounds += 1
        mean = sums / pulls
        phi = pseudo_sums / pulls[:, None]
        width = radius(pulls, share, b)
        lower = mean - width
        lower[out] = -np.inf
        leader = lower.argmax()
        removed = ((phi + width[:, None]).min(axis=0) < lower[leader]) & ~out
        removed[leader] = False
        if removed.any():
            out |= removed
            eliminated_at[removed] = rounds
        if out.sum() == n_arms - 1:
            status, answer = "identified", int(np.flatnonzero(~out)[0])
            break
        explore = b * np.sqrt(2.0 * np.log(rounds + 1.0)) / np.sqrt(pulls)
        pseudo_ucb = (phi + explore[:, None]).min(axis=0)
        pseudo_ucb[out] = -np.inf
        first = int(pseudo_ucb.argmax())
        index = np.minimum(mean + width, pseudo_ucb)
        index[first] = -np.inf
        named = (first, int(index.argmax()))
        if pulls.sum() + 2 > max_samples:
            mean[out] = -np.inf
            status, answer = "budget", int(mean.argmax())
            break
    return Result(status, answer, int(pulls.sum()), rounds, pulls, eliminated_at)


ALGORITHMS = {"lucb": lucb, "c_lucb": c_lucb}
"""By the names of `cbai.ALGORITHMS`."""


def in_blocks(problem: cbai.Problem, seed: int, block: int = 4096) -> Draw:
    """Return a draw function that takes NumPy's random numbers a block at a time."""
    rng = np.random.default_rng(seed)
    cumulative = np.cumsum(problem.probabilities, axis=1)[:, :-1]
    kept: list[list[int]] = [[] for _ in problem.arms]

    def draw(arm: int, pull: int) -> int:
        left = kept[arm]
        if not left:
            left.extend(np.searchsorted(cumulative[arm], rng.random(block), "right").tolist())
        return left.pop()

    return draw
