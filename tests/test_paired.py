"""Differences with intervals: as scipy has them, and right about as often as they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

import cbai
from cbai.results import sample_ratio
from cbai.results.paired import paired_difference, times_more_runs, welch_difference
from tests.effort import examples

BOTH = [paired_difference, welch_difference]
quick = examples(150)
counts = st.integers(1, 10**6)
runs = st.integers(2, 40).flatmap(lambda n: arrays(np.int64, n, elements=counts))
two_by_two = st.integers(2, 40).flatmap(
    lambda n: st.tuples(*[arrays(np.int64, n, elements=counts)] * 2)
)
levels = st.sampled_from([0.5, 0.9, 0.95, 0.99])


def varies(samples):
    return np.unique(samples).size > 1


# ---------------------------------------------------------------- against scipy


@quick
@given(two_by_two, levels)
def test_paired_is_the_t_interval_of_scipy(both, level):
    of, to = both
    assume(varies(of - to))
    found = paired_difference(of, to, level)
    theirs = stats.ttest_rel(of, to).confidence_interval(level)
    assert (found.low, found.high) == pytest.approx(tuple(theirs), rel=1e-9, abs=1e-6)
    assert found.estimate == pytest.approx(np.mean(of) - np.mean(to), abs=1e-6)
    assert found.ratio == sample_ratio(of, to, level)
    assert found.paired


@pytest.mark.filterwarnings("ignore:Precision loss")
@quick
@given(runs, runs, levels)
def test_unpaired_is_the_interval_of_welch(of, to, level):
    assume(varies(of) or varies(to))
    found = welch_difference(of, to, level)
    theirs = stats.ttest_ind(of, to, equal_var=False).confidence_interval(level)
    assert (found.low, found.high) == pytest.approx(tuple(theirs), rel=1e-9, abs=1e-6)
    assert not found.paired


# ---------------------------------------------------------------- properties


@quick
@given(two_by_two, st.sampled_from(BOTH))
def test_the_other_way_round_it_is_the_negative(both, difference):
    there, back = difference(*both), difference(*both[::-1])
    assert (back.estimate, back.low, back.high) == pytest.approx(
        (-there.estimate, -there.high, -there.low), abs=1e-6
    )
    assert back.ratio.estimate == pytest.approx(1.0 / there.ratio.estimate)
    assert back.ratio.low == pytest.approx(1.0 / there.ratio.high)
    assert there.low <= there.estimate <= there.high
    assert there.clear == back.clear


@quick
@given(two_by_two, st.integers(2, 50), st.sampled_from(BOTH))
def test_other_units_change_the_unit_only(both, factor, difference):
    of, to = both
    plain, scaled = difference(of, to), difference(factor * of, factor * to)
    assert scaled.low == pytest.approx(factor * plain.low, rel=1e-9, abs=1e-4)
    assert scaled.width == pytest.approx(factor * plain.width, rel=1e-9, abs=1e-4)
    assert scaled.ratio.high == pytest.approx(plain.ratio.high)


@quick
@given(runs, st.integers(1, 1000), st.sampled_from(BOTH))
def test_what_all_runs_share_is_found_exactly_by_pairing_alone(to, more, difference):
    found = difference(to + more, to)
    assert found.estimate == pytest.approx(more)
    if difference is paired_difference:
        assert found.width == pytest.approx(0.0, abs=1e-6)
        assert found.clear
    else:
        assert (found.width > 0.0) == varies(to)


@quick
@given(two_by_two)
def test_the_order_of_the_pairs_does_not_matter_but_who_is_paired_with_whom(both):
    of, to = both
    order = np.random.default_rng(of.size).permutation(of.size)
    assert paired_difference(of[order], to[order]).width == pytest.approx(
        paired_difference(of, to).width, rel=1e-6, abs=1e-6
    )
    assert welch_difference(of[order], to).width == pytest.approx(
        welch_difference(of, to).width, rel=1e-6, abs=1e-6
    )


def test_pairing_narrows_what_goes_together_and_widens_what_goes_apart():
    of, to = np.array([100, 200, 300, 410]), np.array([50, 110, 150, 200])
    assert paired_difference(of, to).width < welch_difference(of, to).width
    assert paired_difference(of, to[::-1]).width > welch_difference(of, to).width


@pytest.mark.parametrize("difference", BOTH)
def test_a_single_run_has_no_interval(difference):
    assert difference([5], [7]) is None


@pytest.mark.parametrize(
    ("difference", "arguments", "said"),
    [
        (paired_difference, ([1, 2], [1, 2, 3]), "as many runs, got 2 and 3"),
        (paired_difference, ([1, 2], [1, 2], 1.0), "level must be in"),
        (welch_difference, ([1, 2], [1, 2], 0.0), "level must be in"),
        (paired_difference, ([1, 0], [1, 2]), "of must be positive numbers of samples, got 0"),
        (welch_difference, ([1, 2], [np.nan, 2]), "to must be finite"),
        (welch_difference, ([[1, 2]], [1, 2]), "of must have shape"),
    ],
)
def test_what_makes_no_sense_is_refused(difference, arguments, said):
    with pytest.raises(ValueError, match=said):
        difference(*arguments)


# ---------------------------------------------------------------- coverage


def together(rng, n):
    """Draw runs that share half of their luck, with unequal spreads and as skew as real ones."""
    luck = rng.gamma(10.0, 300.0, n)
    return luck + rng.gamma(5.0, 600.0, n), luck + rng.gamma(5.0, 200.0, n)


def apart(rng, n):
    """Draw runs of which one is long where the other is short."""
    luck = rng.gamma(10.0, 300.0, n)
    return luck + rng.gamma(5.0, 600.0, n), 6000.0 - 0.5 * np.minimum(luck, 11_000.0)


def independent(rng, n):
    return together(rng, n)[0], together(rng, n // 2)[1]


TRUTH = 2000.0
"""Of `together` and `independent`: 6,000 minus 4,000."""
APART = 3000.0 + 3000.0 - (6000.0 - 1500.0)


def coverage(difference, draw, truth, repeats=2000, n=40):
    rng = np.random.default_rng(20261)
    found = [difference(*draw(rng, n)) for _ in range(repeats)]
    return np.mean([one.low <= truth <= one.high for one in found])


def permuted(of, to):
    return paired_difference(of, np.random.default_rng(1).permutation(to))


CASES = {
    "paired": (paired_difference, together, TRUTH),
    "paired, apart": (paired_difference, apart, APART),
    "welch": (welch_difference, independent, TRUTH),
}
BUGS = {
    "unpaired although they go together": (welch_difference, together, TRUTH),
    "paired with the wrong run": (permuted, together, TRUTH),
    "unpaired although they go apart": (welch_difference, apart, APART),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_interval_covers_the_truth_about_as_often_as_it_says(case):
    """Seeded, so it never fails by chance. With a fresh seed each time one of the three would fail
    in about 1 of 5,000 runs: the coverage is 0.9456, 0.9469 and 0.9523 here (20,000 repeats), a
    share of 2,000 has standard deviation 0.005, and the nearest ends are 4.1, 4.4 and 3.7 away."""
    assert 0.925 <= coverage(*case) <= 0.97


@pytest.mark.parametrize("case", BUGS.values(), ids=BUGS)
def test_the_coverage_test_would_notice_runs_that_are_set_against_each_other_wrongly(case):
    assert not 0.925 <= coverage(*case) <= 0.97


RATIOS = {"paired": (paired_difference, together), "independent": (welch_difference, independent)}


def ratio_coverage(difference, draw, n, quantile=None, repeats=2000):
    rng, truth, hits = np.random.default_rng(99), 6000.0 / 4000.0, 0
    for _ in range(repeats):
        found = difference(*draw(rng, n)).ratio
        half = np.log(found.high / found.estimate)
        if quantile is not None:
            half *= quantile
        hits += abs(np.log(truth / found.estimate)) <= half
    return hits / repeats


@pytest.mark.parametrize("case", RATIOS.values(), ids=RATIOS)
@pytest.mark.parametrize("n", [4, 10, 100])
def test_the_ratio_covers_the_truth_about_as_often_as_it_says(case, n):
    """Seeded, so it never fails by chance. The shares of 2,000 are from 0.946 to 0.965 and have
    standard deviation 0.005: with a fresh seed each time one of the six would fail in about 1 of
    500 runs. Four is the fewest with two runs on either side."""
    assert 0.925 <= ratio_coverage(*case, n) <= 0.98


@pytest.mark.parametrize("n", [4, 10])
def test_the_coverage_test_would_notice_the_normal_quantile(n):
    """It covers 0.84 and 0.91 of paired runs."""
    normal = stats.norm.isf(0.025) / stats.t.isf(0.025, n - 1)
    assert ratio_coverage(paired_difference, together, n, normal) < 0.925


def test_the_degrees_of_freedom_of_an_independent_ratio_are_those_of_welch_and_satterthwaite():
    of, to = np.array([10.0, 14.0, 12.0]), np.array([3.0, 5.0, 4.0, 8.0])
    parts = [np.var(x, ddof=1) / x.size / x.mean() ** 2 for x in (of, to)]
    degrees = sum(parts) ** 2 / (parts[0] ** 2 / 2 + parts[1] ** 2 / 3)
    half = stats.t.isf(0.025, degrees) * np.sqrt(sum(parts))
    found = welch_difference(of, to).ratio
    assert (found.low, found.high) == pytest.approx((2.4 * np.exp(-half), 2.4 * np.exp(half)))


def test_runs_of_one_seed_are_not_independent_even_on_different_problems():
    """What `welch_difference` warns of: so other data of the same seed are paired, too."""
    one, other = (cbai.load_problem("paper-two-arms", table=table) for table in "ab")
    of, to = (
        cbai.simulate(problem, ["c_lucb"], 0.05, trials=200, p=0.2).samples[0]
        for problem in (one, other)
    )
    assert np.corrcoef(of, to)[0, 1] < -0.3
    assert welch_difference(of, to).width < 0.9 * paired_difference(of, to).width


# ---------------------------------------------------------------- how many runs


def test_so_many_more_runs_tell_the_difference_four_times_in_five():
    """Seeded. The share of 1,000 has standard deviation 0.013; the bounds are 4 of these away."""
    rng, n, true = np.random.default_rng(7), 40, 300.0
    spread = np.sqrt(n) * true / 1.2  # so that n runs hardly ever tell
    first = paired_difference(*_with_mean(rng.normal(true, spread, n), true, spread))
    assert not first.clear
    more = round(n * times_more_runs(first))
    clear = [
        paired_difference(10_000.0 + rng.normal(true, spread, more), np.full(more, 10_000.0)).clear
        for _ in range(1000)
    ]
    assert 0.75 <= np.mean(clear) <= 0.85


def _with_mean(differences, mean, spread):
    exact = (differences - differences.mean()) / differences.std(ddof=1) * spread + mean
    return 10_000.0 + exact, np.full(exact.size, 10_000.0)


def test_runs_needed_at_the_ends():
    same = paired_difference([5, 7, 6], [5, 7, 6])
    assert times_more_runs(same) == np.inf
    unclear = paired_difference([5, 9, 6, 7], [6, 7, 6, 7])
    assert not unclear.clear
    assert times_more_runs(unclear) > 1.0
    with pytest.raises(ValueError, match="power must be in"):
        times_more_runs(unclear, power=1.0)
