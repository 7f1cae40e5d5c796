"""One run of an algorithm that spends a fixed budget: compiled, on the same rewards as all others.

`tests/reference/halving.py` is the slow twin in plain Python.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from cbai import compiled, philox
from cbai.simulation.loops.draw import pull
from cbai.simulation.loops.state import BLOCK, COUNTERS
from cbai.simulation.rules.budget_rows import Allocation, Score

ALLOCATION, SCORE, BY_VARIANCE, FRESH = range(4)
"""The places in `BudgetGame.rules`."""

UNIFORM, HALVING, BRACKETS = (int(one) for one in Allocation)
BY_BOUNDS = int(Score.MIN_PSEUDO_REWARD)

LOG_LEVEL = math.log(1.0 / 0.05)
"""log(1 / d) of SHAdaVar: a variance is underestimated with probability at most d = 0.05."""

FIRST_PULLS = math.floor(4.0 * LOG_LEVEL) + 2
"""Pulls of an arm before its variance counts: the estimate is not bounded with fewer."""

LARGER = 1e250
"""Larger than any variance of rewards."""


class BudgetGame(NamedTuple):
    """The part of a run that does not change.

    Attributes
    ----------
    rules : ndarray of int64, shape (4,)
        Allocation, score, whether by variance, whether a round forgets earlier rewards.
    values, pseudo_rewards, reward_max, thresholds, rewards, seed, trial
        As in `cbai.simulation.loops.state.Game`. The pseudo-rewards are empty if they are not used.
    budget : int
        The most samples of the run.
    """

    rules: NDArray[np.int64]
    values: NDArray[np.float64]
    pseudo_rewards: NDArray[np.float64]
    reward_max: float
    thresholds: NDArray[np.uint64]
    rewards: NDArray[np.int64]
    seed: int
    trial: int
    budget: int


class Ledger(NamedTuple):
    """The part of a run that changes. No array is of the size K x K, so K may be thousands.

    Attributes
    ----------
    pulls, counts, sums, means, indices, drawn, words
        As in `cbai.simulation.loops.state.State`, as `pull` needs them.
    squares : ndarray, shape (K,)
        The sum of the squared rewards of each arm.
    old_pulls, old_sums : ndarrays of int64 and of float64, shape (K,)
        Of the rewards that are forgotten.
    scores : ndarray, shape (K,)
        By which the arms of a round are compared.
    place : ndarray of int64, shape (K,)
        The place of each arm in an order drawn at random, which decides ties.
    arms : ndarray of int64, shape (K,)
        The arms of the current round come first.
    """

    pulls: NDArray[np.int64]
    counts: NDArray[np.int64]
    sums: NDArray[np.float64]
    means: NDArray[np.float64]
    indices: NDArray[np.float64]
    drawn: NDArray[np.int32]
    words: NDArray[np.uint64]
    squares: NDArray[np.float64]
    old_pulls: NDArray[np.int64]
    old_sums: NDArray[np.float64]
    scores: NDArray[np.float64]
    place: NDArray[np.int64]
    arms: NDArray[np.int64]


def new_ledger(n_arms: int, n_values: int) -> Ledger:
    """Return a ledger; a run clears it, so it can be used for one run after the other."""
    return Ledger(
        pulls=np.zeros(n_arms, np.int64),
        counts=np.zeros((n_arms, n_values), np.int64),
        sums=np.zeros(n_arms),
        means=np.zeros(n_arms),
        indices=np.zeros((1, n_arms)),
        drawn=np.zeros((n_arms, BLOCK), np.int32),
        words=np.zeros((4, COUNTERS), np.uint64),
        squares=np.zeros(n_arms),
        old_pulls=np.zeros(n_arms, np.int64),
        old_sums=np.zeros(n_arms),
        scores=np.zeros(n_arms),
        place=np.zeros(n_arms, np.int64),
        arms=np.zeros(n_arms, np.int64),
    )


@numba.njit(**compiled.OPTIONS)
def play_budget(game, ledger):
    """Spend the budget and return the arm that is named."""
    n_arms = ledger.pulls.size
    ledger.pulls[:] = 0
    ledger.counts[:] = 0
    ledger.sums[:] = 0.0
    ledger.squares[:] = 0.0
    lots = philox.stream(game.seed, game.trial, 4 * n_arms, philox.ORDERS)
    ledger.arms[:] = np.arange(n_arms)
    _shuffle(ledger.arms, n_arms, lots, 0)
    for i in range(n_arms):
        ledger.place[ledger.arms[i]] = i
    allocation = game.rules[ALLOCATION]
    if allocation == BRACKETS:
        return _best_of_brackets(game, ledger, lots)
    ledger.arms[:] = np.arange(n_arms)
    if allocation == UNIFORM:
        _pull_evenly(n_arms, game.budget // n_arms, game, ledger)
        return _by_mean(ledger, n_arms)
    return _halve(n_arms, game.budget, game, ledger)


@numba.njit(**compiled.LEAN)
def _shuffle(arms, size, lots, start):
    """Put a random choice of `size` arms at the front, by the random words from `start` on."""
    for i in range(size):
        left = np.uint64(arms.size - i)
        j = i + np.int64((lots[start + i] * left) >> np.uint64(32))
        arms[i], arms[j] = arms[j], arms[i]


@numba.njit(**compiled.LEAN, inline="always")
def _pull(arm, game, ledger):
    """Pull an arm once and note its squared reward too."""
    value = pull(arm, game, ledger)
    ledger.squares[arm] += game.values[value] * game.values[value]


@numba.njit(**compiled.LEAN)
def _pull_evenly(n_active, times, game, ledger):
    for i in range(n_active):
        for _ in range(times):
            _pull(ledger.arms[i], game, ledger)


@numba.njit(**compiled.OPTIONS)
def _halve(n_active, budget, game, ledger):
    """Halve the arms at the front of `Ledger.arms` until one is left; return it."""
    rounds = 0
    while 1 << rounds < n_active:
        rounds += 1
    share = budget // rounds
    ledger.old_pulls[:] = 0
    ledger.old_sums[:] = 0.0
    while n_active > 1:
        if game.rules[FRESH]:
            ledger.old_pulls[:] = ledger.pulls
            ledger.old_sums[:] = ledger.sums
        if game.rules[BY_VARIANCE]:
            _pull_by_variance(n_active, share, game, ledger)
        else:
            _pull_evenly(n_active, share // n_active, game, ledger)
        last = n_active == 2
        _score(n_active, game.rules[SCORE] == BY_BOUNDS and not last, game, ledger)
        n_active = _keep_better_half(n_active, ledger)
    return ledger.arms[0]


@numba.njit(**compiled.LEAN)
def _score(n_active, by_bounds, game, ledger):
    """Score the arms of a round: their means, capped by the pseudo-rewards of one another."""
    arms, scores, counts = ledger.arms, ledger.scores, ledger.counts
    for i in range(n_active):
        arm = arms[i]
        n = ledger.pulls[arm] - ledger.old_pulls[arm]
        scores[arm] = (ledger.sums[arm] - ledger.old_sums[arm]) / n
    if not by_bounds:
        return
    for j in range(n_active):
        pulled = arms[j]
        for i in range(n_active):
            bounded = arms[i]
            if bounded == pulled:
                continue
            total = 0.0
            for v in range(counts.shape[1]):
                total += counts[pulled, v] * game.pseudo_rewards[pulled, v, bounded]
            scores[bounded] = min(scores[bounded], total / ledger.pulls[pulled])


@numba.njit(**compiled.OPTIONS)
def _keep_better_half(n_active, ledger):
    """Put the arms with the larger scores first and return how many stay, half of them or more."""
    arms, keys = ledger.arms, np.empty(n_active)
    in_order = np.sort(ledger.place[arms[:n_active]])
    by_place = np.empty(ledger.place.size, np.int64)
    for i in range(n_active):
        by_place[ledger.place[arms[i]]] = arms[i]
    for i in range(n_active):
        arms[i] = by_place[in_order[i]]
        keys[i] = -ledger.scores[arms[i]]
    order = np.argsort(keys, kind="mergesort")
    arms[:n_active] = arms[:n_active][order]
    return (n_active + 1) // 2


@numba.njit(**compiled.LEAN)
def _pull_by_variance(n_active, times, game, ledger):
    """Pull the arm whose mean is least known, again and again; `Ledger.scores` says how little.

    In a tie it is one with fewer pulls, and then the first in the random order.
    """
    arms, pulls, scores, place = ledger.arms, ledger.pulls, ledger.scores, ledger.place
    for i in range(n_active):
        scores[arms[i]] = _unsure(arms[i], ledger)
    for _ in range(times):
        winner = arms[0]
        for i in range(1, n_active):
            arm = arms[i]
            tied = scores[arm] == scores[winner]
            fewer = pulls[arm] - pulls[winner]
            before = fewer < 0 or (fewer == 0 and place[arm] < place[winner])
            if scores[arm] > scores[winner] or (tied and before):
                winner = arm
        _pull(winner, game, ledger)
        scores[winner] = _unsure(winner, ledger)


@numba.njit(**compiled.LEAN)
def _unsure(arm, ledger):
    """Return a cautious estimate of the variance of an arm's mean.

    It is larger than any variance until the arm has `FIRST_PULLS`, and falls with each pull.
    """
    n = ledger.pulls[arm]
    if n < FIRST_PULLS:
        return LARGER * (FIRST_PULLS - n)
    total = ledger.sums[arm]
    variance = max(0.0, (ledger.squares[arm] - total * total / n) / (n - 1))
    return variance / (1.0 - 2.0 * math.sqrt(LOG_LEVEL / (n - 1))) / n


@numba.njit(**compiled.LEAN)
def _by_mean(ledger, n_active):
    """Return the arm with the largest mean; ties go to the first in the random order."""
    winner = ledger.arms[0]
    for i in range(1, n_active):
        arm = ledger.arms[i]
        better = ledger.means[arm] > ledger.means[winner]
        tied = ledger.means[arm] == ledger.means[winner]
        if better or (tied and ledger.place[arm] < ledger.place[winner]):
            winner = arm
    return winner


@numba.njit(**compiled.LEAN)
def n_brackets(budget, n_arms):
    """Return how many brackets a budget affords: number b has 2^b arms, or all of them.

    Each round of each bracket pulls each of its arms at least once.
    """
    most = 1
    while True:
        more = most + 1
        too_large = 1 << most >= n_arms
        if too_large or budget // more < more * min(1 << more, n_arms):
            return most
        most = more


@numba.njit(**compiled.OPTIONS)
def _best_of_brackets(game, ledger, lots):
    """Halve random groups of 2, 4, 8, ... arms, and return the winner with the best lower bound."""
    n_arms = ledger.pulls.size
    n = n_brackets(game.budget, n_arms)
    start, winner, best = n_arms, -1, -math.inf
    for b in range(1, n + 1):
        size = min(1 << b, n_arms)
        ledger.arms[:] = np.arange(n_arms)
        _shuffle(ledger.arms, size, lots, start)
        start += size
        arm = _halve(size, game.budget // n, game, ledger)
        radius = game.reward_max * math.sqrt(math.log(game.budget) / (2.0 * ledger.pulls[arm]))
        if ledger.means[arm] - radius > best:
            winner, best = arm, ledger.means[arm] - radius
    return winner
