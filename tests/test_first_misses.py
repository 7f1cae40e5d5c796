"""First misses and paths of streams: the compiled kernels against plain Python."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import rel_entr

from cbai.simulation import coverage, streams
from cbai.simulation.bounds import mean_bounds
from cbai.simulation.bounds.confidence import CONFIDENCE, Form
from cbai.simulation.coverage import first_misses, kept_between
from cbai.simulation.streams import paths
from tests.reference import philox as reference
from tests.test_coverage import SEED, SOURCES, D, narrower

NARROW = [narrower(name, 0.15) for name in CONFIDENCE]
"""Planted, so that there is much to miss within few rewards."""


def twin(distribution, values, reward_max, sequences, d, means):
    """Return first misses, shape (S, 2, M), given the means after 1, 2, ... rewards, (M, N)."""
    truth = np.dot(distribution, values)
    n = np.broadcast_to(np.arange(1, means.shape[1] + 1), means.shape)

    def first(missed):
        return np.where(missed.any(axis=1), missed.argmax(axis=1) + 1, 0)

    return np.array(
        [
            [
                first(row.upper(means, n, d, reward_max) < truth),
                first(row.lower(means, n, d, reward_max) > truth),
            ]
            for row in sequences
        ]
    )


def plain_means(distribution, values, streams, n_max, seed):
    """Return the means of streams drawn word by word in plain Python, shape (M, N)."""
    cuts = reference.thresholds([list(distribution)])[0]
    rewards = [
        [
            values[sum(reference.stream_word(seed, i, j) >= cut for cut in cuts)]
            for j in range(n_max)
        ]
        for i in range(streams)
    ]
    return np.cumsum(rewards, axis=1) / np.arange(1, n_max + 1)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("seed", [0, 2**40 + 7])
def test_first_misses_are_those_of_plain_python(source, seed):
    given_ = SOURCES[source]
    means = plain_means(*given_[:2], streams=6, n_max=200, seed=seed)
    np.testing.assert_array_equal(paths(*given_[:2], range(1, 201), 6, seed), means)
    found = first_misses(*given_, NARROW, 0.3, 200, 6, seed, side="both")
    np.testing.assert_array_equal(found, twin(*given_, NARROW, 0.3, means))
    assert (found > 0).any(axis=(1, 2)).sum() >= 4


@pytest.mark.parametrize("source", SOURCES)
def test_first_misses_over_thousands_of_rewards(source):
    given_ = SOURCES[source]
    means = paths(*given_[:2], range(1, 4001), 100, SEED)
    rows = [*CONFIDENCE.values(), *NARROW]
    found = first_misses(*given_, rows, D, 4000, 100, SEED, side="both")
    np.testing.assert_array_equal(found, twin(*given_, rows, D, means))


@settings(max_examples=40, deadline=None)
@given(
    weights=st.lists(st.floats(0.0, 1.0), min_size=2, max_size=5).filter(lambda w: sum(w) > 0.1),
    above=st.floats(0.0, 1.0),
    d=st.floats(1e-4, 0.4),
    seed=st.integers(0, 2**63 - 1),
)
def test_any_distribution_gives_the_misses_of_the_twin(weights, above, d, seed):
    chances = np.array(weights) / sum(weights)
    values = np.arange(len(weights)) * 0.7
    source = (chances, values, values[-1] + above)
    means = paths(chances, values, range(1, 301), 5, seed)
    found = first_misses(*source, NARROW, d, 300, 5, seed, side="both")
    np.testing.assert_array_equal(found, twin(*source, NARROW, d, np.minimum(means, source[2])))


@pytest.mark.parametrize("value", [0.0, 0.1, 0.7])
def test_a_reward_that_never_varies_is_never_missed(value):
    found = first_misses([1.0], [value], 0.7, list(CONFIDENCE), 0.4, 20_000, 2)
    assert not found.any()


def test_sides_are_parts_of_one_answer():
    given_ = (*SOURCES["a fair coin"], NARROW, D, 3000, 50, SEED)
    both = first_misses(*given_, side="both")
    np.testing.assert_array_equal(first_misses(*given_, side="upper"), both[:, 0])
    np.testing.assert_array_equal(first_misses(*given_, side="lower"), both[:, 1])
    either = first_misses(*given_)
    for one, (low, high) in zip(
        either.ravel(), both.transpose(0, 2, 1).reshape(-1, 2), strict=True
    ):
        assert one == min((n for n in (low, high) if n), default=0)


def test_neither_threads_nor_chunks_nor_a_longer_look_change_a_stream(monkeypatch):
    given_ = (*SOURCES["a fair coin"], ["hoeffding", NARROW[5]], D)
    expected = first_misses(*given_, 3000, 64, SEED)
    monkeypatch.setattr(coverage, "CHUNK_REWARDS", 9_000)
    for threads in (1, 4):
        with ThreadPoolExecutor(threads) as pool:
            found = first_misses(*given_, 3000, 64, SEED, executor=pool)
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(first_misses(*given_, 3000, 10, SEED), expected[:, :10])
    longer = first_misses(*given_, 5000, 64, SEED)
    np.testing.assert_array_equal(np.where(longer <= 3000, longer, 0), expected)
    assert (first_misses(*given_, 3000, 64, SEED + 1) != expected).any()


def test_the_kernels_are_compiled_for_one_signature_only():
    for source in SOURCES.values():
        first_misses(*source, ["howard"], D, 10, 2, 2**63 - 1)
        paths(*source[:2], [1, 2], 2)
    assert len(coverage._first_misses.signatures) == len(streams._paths.signatures) == 1


def test_progress_goes_up_to_all_streams_and_can_stop_the_run(monkeypatch):
    monkeypatch.setattr(coverage, "CHUNK_REWARDS", 1_000)
    given_ = (*SOURCES["a fair coin"], ["howard"], D, 100, 95)
    seen = []
    first_misses(*given_, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(min(10 * i, 95), 95) for i in range(1, 11)]

    class Enough(Exception):
        pass

    def stop(done, total):
        raise Enough

    with pytest.raises(Enough):
        first_misses(*given_, progress=stop)


GOOD = {
    "distribution": [0.5, 0.5], "values": [0, 1], "reward_max": 1.0, "sequences": ["howard"],
    "d": 0.1, "n_max": 10, "n_streams": 2,
}  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"distribution": [0.5, 0.6]}, "distribution must sum to 1"),
        ({"distribution": [1.0]}, "distribution must have shape"),
        ({"distribution": [1.5, -0.5]}, "distribution must lie in"),
        ({"values": [1, 0]}, "values must be strictly increasing"),
        ({"values": [0, 2]}, "values must lie in"),
        ({"distribution": [], "values": []}, "values must hold at least 1"),
        ({"reward_max": 0.0}, "reward_max must be in"),
        ({"sequences": []}, "sequences must be a list"),
        ({"sequences": "howard"}, "sequences must be a list"),
        ({"sequences": ["nobody"]}, "sequences must be one of"),
        ({"d": 1.0}, "d must be in"),
        ({"n_max": 0}, "n_max must be a whole number"),
        ({"n_max": 10**9}, "n_max must be a whole number"),
        ({"n_streams": 2.5}, "n_streams must be a whole number"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"side": "left"}, "side must be one of"),
    ],
    ids=lambda x: str(x)[:40],
)
def test_bad_input_is_met_with_one_sentence(wrong, said):
    with pytest.raises(ValueError, match=said) as caught:
        first_misses(**(GOOD | wrong))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("at", [[], [0, 1], [2, 1], [1.5], [10**9]])
def test_paths_are_asked_for_at_whole_increasing_numbers(at):
    with pytest.raises(ValueError, match="at must"):
        paths([0.5, 0.5], [0, 1], at, 3)


@pytest.mark.parametrize("name", CONFIDENCE)
@pytest.mark.parametrize("truth", [0.0, 0.25, 2.5, 4.9, 5.0])
def test_the_corridor_is_where_the_bounds_begin_to_miss(name, truth):
    row, n = CONFIDENCE[name], np.array([1, 7, 100, 20_000])
    low, high = kept_between(row, truth, n, D, 5.0)
    if row.form is Form.RADIUS:
        np.testing.assert_allclose(high - truth, row.radius(n, D, 5.0))
        np.testing.assert_allclose(truth - low, row.radius(n, D, 5.0))
        return
    x = truth / 5.0
    for allowed, *ends in zip(2.0 * (row.radius(n, D, 5.0) / 5.0) ** 2, low, high, strict=True):
        for edge, end in zip((0.0, 1.0), ends, strict=True):

            def excess(m, allowed=allowed):
                return rel_entr(m, x) + rel_entr(1.0 - m, 1.0 - x) - allowed

            expected = edge if x == edge or excess(edge) <= 0.0 else brentq(excess, x, edge)
            assert end / 5.0 == pytest.approx(expected, abs=1e-9)


@settings(max_examples=300, deadline=None)
@given(
    room=st.floats(1e-9, 1.0),
    allowed=st.one_of(st.floats(1e-9, 10.0), st.floats(20.0, 60.0)),
    by_room=st.booleans(),
)
@example(room=1.0 - 1.4 / 1.401953125, allowed=0.04591666, by_room=False)
def test_a_kl_bound_reaches_as_far_as_is_allowed_even_next_to_the_edge(room, allowed, by_room):
    """Where the bound is within rounding of 1, it must be 1 and not fall back to the mean."""
    mean = 1.0 - room
    size = allowed * room if by_room else allowed
    upper = mean_bounds.kl_upper(mean, size)
    assert mean <= upper <= 1.0
    reached = rel_entr(mean, upper) + rel_entr(1.0 - mean, 1.0 - upper)
    nearly = mean + 0.999 * (upper - mean)
    before = rel_entr(mean, nearly) + rel_entr(1.0 - mean, 1.0 - nearly)
    assert upper == 1.0 or reached >= 0.99 * size - 1e-14
    assert before <= 1.01 * size + 1e-14
