"""The random numbers are Philox4x32-10, and rewards and masks have the right distribution.

The chi-square tests are seeded and reject a correct generator with probability `FALSE_ALARM`
each; the words are fixed by the seed, so a test that passes once passes always.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cbai import philox
from cbai.problem import pseudo_rewards as pr
from tests.reference import philox as reference

FALSE_ALARM = 1e-6

# Salmon et al. (2011), Random123 kat_vectors, philox4x32 with 10 rounds.
KNOWN_ANSWERS = [
    ((0, 0, 0, 0), 0, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (
        (0xFFFFFFFF,) * 4,
        0xFFFFFFFF_FFFFFFFF,
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        0x299F31D0_A4093822,
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def compiled_block(counter, key):
    out = np.zeros(4, np.uint64)
    philox.block(*(np.uint64(c) for c in counter), np.uint64(key), out)
    return tuple(int(word) for word in out)


def rewards_of(probabilities, seed, trials, pulls):
    """Reward indices by the reference rule, shape (K, trials * pulls)."""
    draws = [reference.drawer(probabilities, seed, i) for i in range(trials)]
    arms = range(len(probabilities))
    return np.array([[draw(k, j) for draw in draws for j in range(pulls)] for k in arms])


@pytest.mark.parametrize("block", [reference.block, compiled_block])
@pytest.mark.parametrize(("counter", "key", "words"), KNOWN_ANSWERS)
def test_known_answers(block, counter, key, words):
    assert block(counter, key) == words


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**63 - 1])
@pytest.mark.parametrize("trial", [0, 1, 2**32 - 1])
def test_mask_words_are_those_of_the_reference(seed, trial):
    assert philox.stream(seed, trial, 11).tolist() == reference.mask_words(seed, trial, 11)


def test_thresholds_are_those_of_the_reference():
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet(np.full(6, 0.5), size=20)
    assert philox.thresholds(probabilities).tolist() == reference.thresholds(probabilities.tolist())


def test_impossible_values_have_no_words():
    cuts = philox.thresholds(np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]))
    last = 2**32 - 1
    for word in (0, last):
        assert [(word >= row).sum() for row in cuts] == [1, 2, 0]


def test_reward_frequencies_are_the_probabilities():
    probabilities = [[0.1, 0.2, 0.3, 0.4], [0.7, 0.1, 0.1, 0.1]]
    rewards = rewards_of(probabilities, seed=11, trials=20, pulls=200)
    for row, expected in zip(rewards, probabilities, strict=True):
        observed = np.bincount(row, minlength=4)
        assert stats.chisquare(observed, len(row) * np.array(expected)).pvalue > FALSE_ALARM


def test_the_chi_square_test_sees_a_small_distortion():
    rewards = rewards_of([[0.15, 0.15, 0.3, 0.4]], seed=11, trials=20, pulls=200)
    observed = np.bincount(rewards[0], minlength=4)
    expected = rewards.size * np.array([0.1, 0.2, 0.3, 0.4])
    assert stats.chisquare(observed, expected).pvalue < FALSE_ALARM


@pytest.mark.parametrize("other", ["arm", "trial", "pull", "seed"])
def test_rewards_of_different_arms_trials_pulls_and_seeds_are_independent(other):
    step = {"seed": 0, "trial": 0, "arm": 0, "pull": 0} | {other: 1}
    table = np.zeros((4, 4))
    for j in range(0, 4000, 2):
        here = reference.reward_word(seed=3, trial=5, arm=2, pull=j)
        there = reference.reward_word(
            seed=3 + step["seed"], trial=5 + step["trial"], arm=2 + step["arm"],
            pull=j + step["pull"],
        )  # fmt: skip
        table[here >> 30, there >> 30] += 1
    assert stats.chi2_contingency(table).pvalue > FALSE_ALARM


@pytest.mark.parametrize("p", [0.0, 0.1, 0.2, 1 / 3, 0.35, 0.5, 1.0])
def test_masks_are_those_of_the_reference(p):
    for trial in range(3):
        unknown = pr.mask(5, 4, p, seed=9, trial=trial)
        assert set(map(tuple, np.argwhere(unknown).tolist())) == reference.mask(5, 4, p, 9, trial)


@pytest.mark.parametrize("p", [0.0, 0.1, 0.2, 1 / 3, 0.35, 0.5, 1.0])
@pytest.mark.parametrize(("n_arms", "n_values"), [(2, 2), (3, 7), (18, 5)])
def test_masks_have_the_exact_count_and_spare_the_diagonal(n_arms, n_values, p):
    for trial in range(5):
        unknown = pr.mask(n_arms, n_values, p, seed=4, trial=trial)
        assert unknown.sum() == round(p * n_arms * (n_arms - 1) * n_values)
        assert not unknown[np.arange(n_arms), np.arange(n_arms)].any()


def test_masks_are_nested_in_p():
    for trial in range(10):
        smaller = pr.mask(6, 5, 0.0, seed=1, trial=trial)
        for p in np.linspace(0, 1, 21):
            larger = pr.mask(6, 5, float(p), seed=1, trial=trial)
            assert not (smaller & ~larger).any()
            smaller = larger


def test_masks_are_uniform_over_entries():
    """Without replacement the covariance is p (1 - p) n / (n - 1) times the centring matrix."""
    n_arms, n_values, p, trials = 4, 3, 0.25, 4000
    counts = sum(pr.mask(n_arms, n_values, p, seed=2, trial=i).astype(int) for i in range(trials))
    counts = counts[pr.off_diagonal(n_arms)].ravel()
    n = counts.size
    statistic = ((counts - trials * p) ** 2).sum() / (trials * p * (1 - p)) * (n - 1) / n
    assert stats.chi2.sf(statistic, n - 1) > FALSE_ALARM


def test_masks_are_uniform_over_pairs_of_entries():
    """Each of the 6 pairs that two unknown entries out of four can make is as frequent."""
    pairs: dict[tuple[int, ...], int] = {}
    for trial in range(3000):
        unknown = pr.mask(2, 2, 0.5, seed=8, trial=trial)
        pair = tuple(np.flatnonzero(unknown).tolist())
        pairs[pair] = pairs.get(pair, 0) + 1
    assert len(pairs) == 6
    assert stats.chisquare(list(pairs.values())).pvalue > FALSE_ALARM
