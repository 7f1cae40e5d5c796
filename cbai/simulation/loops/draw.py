"""The next reward of an arm, compiled."""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import numba

from cbai import compiled, philox


@numba.njit(**compiled.OPTIONS)
def value_of(word, thresholds):
    """Return the value index that belongs to a random word; see `cbai.philox.thresholds`."""
    value = 0
    for i in range(thresholds.size):
        value += word >= thresholds[i]
    return value


@numba.njit(**compiled.OPTIONS)
def draw(arm, pull, thresholds, rewards, words, seed, trial):
    """Return the value index of an arm's next reward, -1 if a replay has no more."""
    if rewards.shape[1] > 0:
        return rewards[arm, pull] if pull < rewards.shape[1] else -1
    if pull & 3 == 0:
        philox.block(pull >> 2, arm, trial, philox.REWARDS, seed, words[arm])
    return value_of(words[arm, pull & 3], thresholds[arm])
