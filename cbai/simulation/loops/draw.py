"""The next reward of an arm, compiled. Rewards are drawn in blocks, and each arm keeps its own."""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import numba

from cbai import compiled, philox
from cbai.simulation.loops.state import BLOCK, COUNTERS, STANDING


@numba.njit(**compiled.LEAN)
def value_of(word, thresholds):
    """Return the value index that belongs to a random word; see `cbai.philox.thresholds`."""
    value = 0
    for i in range(thresholds.size):
        value += word >= thresholds[i]
    return value


@numba.njit(**compiled.LEAN, inline="always")
def place(n):
    """Return where an arm's reward number n stands in `State.drawn`, once its block is there."""
    return (n & 3) * COUNTERS + ((n >> 2) & (COUNTERS - 1))


@numba.njit(**compiled.LEAN)
def refill(arm, game, state):
    """Draw an arm's next block of rewards, or take it from a replay; -1 where that has no more.

    Word w of the block's counter number c is at place 16 w + c.
    """
    first = state.pulls[arm]
    drawn, words, thresholds = state.drawn, state.words, game.thresholds
    given = game.rewards.shape[1]
    if given > 0:
        for j in range(BLOCK):
            n = first + j
            drawn[arm, place(n)] = game.rewards[arm, n] if n < given else -1
        return
    philox.blocks(first // 4, arm, game.trial, philox.REWARDS, game.seed, words)
    for j in range(BLOCK):
        drawn[arm, j] = 0
    for i in range(thresholds.shape[1]):
        for w in range(4):
            for c in range(COUNTERS):
                drawn[arm, w * COUNTERS + c] += words[w, c] >= thresholds[arm, i]


@numba.njit(**compiled.LEAN, inline="always")
def pull(arm, game, state):
    """Pull an arm and note its reward; return the value index, -1 if a replay has no more."""
    n = state.pulls[arm]
    if n % BLOCK == 0:
        refill(arm, game, state)
    value = state.drawn[arm, place(n)]
    if value >= 0:
        state.pulls[arm] = n + 1
        state.counts[arm, value] += 1
        state.sums[arm] += game.values[value]
        state.means[arm] = state.sums[arm] / (n + 1)
        state.indices[STANDING, arm] = state.means[arm]
    return value
