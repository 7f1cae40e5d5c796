"""Philox4x32-10 in plain Python, and the rules that turn its words into rewards and masks.

Source: Salmon, Moraes, Dror and Shaw, *Parallel random numbers: as easy as 1, 2, 3* (SC 2011),
section 3.3 and table 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

WORD = 2**32
REWARDS, MASKS, STREAMS = 0, 1, 4


def block(counter: Sequence[int], key: int) -> tuple[int, int, int, int]:
    """Return the four random words of one counter.

    Parameters
    ----------
    counter : sequence of int
        Four 32-bit words.
    key : int
        The 64-bit key; its low half is the first key word.
    """
    x0, x1, x2, x3 = counter
    k0, k1 = key % WORD, key // WORD
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * x0, WORD)
        high1, low1 = divmod(0xCD9E8D57 * x2, WORD)
        x0, x1, x2, x3 = high1 ^ x1 ^ k0, low1, high0 ^ x3 ^ k1, low0
        k0 = (k0 + 0x9E3779B9) % WORD
        k1 = (k1 + 0xBB67AE85) % WORD
    return x0, x1, x2, x3


def reward_word(seed: int, trial: int, arm: int, pull: int) -> int:
    """Return the word behind the reward of pull number `pull` (from 0) of an arm in a trial."""
    return block((pull // 4, arm, trial, REWARDS), seed)[pull % 4]


def mask_words(seed: int, trial: int, size: int) -> list[int]:
    """Return the first `size` words of a trial's mask stream."""
    return [block((i // 4, 0, trial, MASKS), seed)[i % 4] for i in range(size)]


def stream_word(seed: int, stream: int, number: int) -> int:
    """Return the word behind reward number `number` (from 0) of a stream of one distribution."""
    return block((number // 4, 0, stream, STREAMS), seed)[number % 4]


def thresholds(probabilities: Sequence[Sequence[float]]) -> list[list[int]]:
    """Return, for each arm, the cumulative probabilities without the last, in units of 2**-32."""
    table = []
    for row in probabilities:
        total, cuts = 0.0, []
        for probability in row[:-1]:
            total += probability
            cuts.append(round(min(total, 1.0) * WORD))
        table.append(cuts)
    return table


def drawer(
    probabilities: Sequence[Sequence[float]], seed: int, trial: int
) -> Callable[[int, int], int]:
    """Return the function (arm, pull) -> value index of one trial's rewards."""
    cuts = thresholds(probabilities)

    def draw(arm: int, pull: int) -> int:
        word = reward_word(seed, trial, arm, pull)
        return sum(word >= cut for cut in cuts[arm])

    return draw


def mask(n_arms: int, n_values: int, p: float, seed: int, trial: int) -> set[tuple[int, int, int]]:
    """Return the entries (arm bounded, arm pulled, value) that are unknown in one trial.

    The off-diagonal entries in index order get one word of the mask stream each; the
    ``round(p K (K - 1) V)`` with the smallest words are unknown, the first among equal words.
    """
    entries = [
        (bounded, pulled, v)
        for bounded in range(n_arms)
        for pulled in range(n_arms)
        for v in range(n_values)
        if bounded != pulled
    ]
    ranked = sorted(zip(mask_words(seed, trial, len(entries)), entries, strict=True))
    return {entry for _, entry in ranked[: round(p * len(entries))]}
