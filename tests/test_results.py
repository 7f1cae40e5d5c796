"""Summaries and competitive sets: hand-computed examples and stated coverage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import cbai
from cbai.problem.validity import expected_pseudo_rewards
from cbai.results import (
    Ratio,
    cheapest_ratio,
    clopper_pearson,
    error_rates,
    estimated_competitive,
    pulls_per_arm,
    sample_ratio,
    summarise,
    true_competitive,
)
from tests.strategies import make_problem

# ---------------------------------------------------------------- intervals


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        (0, 200, 0.0, 0.018275),  # 1 - 0.025 ** (1 / 200)
        (5, 100, 0.01643, 0.11283),  # statsmodels proportion_confint(5, 100, method="beta")
        (100, 100, 0.963783, 1.0),  # 0.025 ** (1 / 100)
        (1, 2, 0.01258, 0.98742),  # 1 - 0.975 ** (1 / 2)
    ],
)
def test_clopper_pearson_against_known_values(count, total, low, high):
    rate = clopper_pearson(count, total)
    assert (rate.low, rate.high) == pytest.approx((low, high), abs=6e-6)
    assert rate.estimate == count / total
    assert (rate.count, rate.total) == (count, total)


@pytest.mark.parametrize("arguments", [(-1, 10), (11, 10), (0, 0), (1, 10, 1.0), (1, 10, 0.0)])
def test_clopper_pearson_refuses_what_is_no_rate(arguments):
    with pytest.raises(ValueError, match="must be"):
        clopper_pearson(*arguments)


def pairs(rng, n):
    """Draw the samples of two algorithms that share much of their luck; true ratio 2.5."""
    luck = rng.gamma(20.0, 1.0, (2, n))
    to = 2000.0 * luck[0] + 2000.0 * luck[1]
    return (10_000.0 * luck[0] + 100_000.0 * rng.gamma(2.0, 0.5, n)).round(), to.round()


RATIO = (10_000.0 * 20.0 + 100_000.0) / (4000.0 * 20.0)


def coverage(interval, repeats=2000, n=60):
    rng = np.random.default_rng(20210909)
    hits = 0
    for _ in range(repeats):
        ratio = interval(*pairs(rng, n))
        hits += ratio.low <= RATIO <= ratio.high
    return hits / repeats


RUNS = [3, 10, 100]
ENOUGH = (0.92, 0.97)


@pytest.mark.parametrize("n", RUNS)
def test_the_ratio_covers_the_truth_about_as_often_as_it_says(n):
    """Seeded, so it never fails by chance. With a fresh seed each time one of the three would fail
    in about 1 of 2,500 runs: the coverage is 0.945, 0.939 and 0.946 here (20,000 repeats), a share
    of 2,000 has standard deviation 0.0054, and the nearest ends are 4.6, 3.4 and 4.4 away."""
    assert ENOUGH[0] <= coverage(sample_ratio, n=n) <= ENOUGH[1]


@pytest.mark.parametrize("n", RUNS[:2])
def test_the_coverage_test_would_notice_the_normal_quantile(n):
    """It covers far less at 3 runs and less at 10."""

    def normal(of, to):
        found = sample_ratio(of, to)
        half = np.log(found.high / found.estimate) * 1.959964 / stats.t.isf(0.025, n - 1)
        return Ratio(found.estimate, found.estimate * np.exp(-half), found.estimate * np.exp(half))

    assert coverage(normal, n=n) < ENOUGH[0]


def five(rng, n):
    """Draw five algorithms that are equally good, and one that takes twice as many samples."""
    luck = rng.gamma(20.0, 1.0, n)
    equal = 1000.0 * luck * rng.gamma(20.0, 0.05, (5, n))
    return list(equal), [2000.0 * luck * rng.gamma(20.0, 0.05, n)]


def chosen_coverage(interval, repeats=2000, n=10):
    rng = np.random.default_rng(4)
    found = [interval(*five(rng, n)) for _ in range(repeats)]
    return np.mean([one.low <= 2.0 <= one.high for one in found])


def test_the_ratio_of_the_cheapest_covers_the_truth_although_it_was_chosen():
    """Seeded. All five have the same mean, so any choice is right and the true ratio is 2. The
    coverage is 0.98, and a share of 2,000 has standard deviation 0.003: with a fresh seed each time
    it would fall below 0.95 in fewer than 1 of 10,000 runs."""
    assert chosen_coverage(cheapest_ratio) >= 0.95


def test_the_coverage_test_would_notice_that_the_choice_was_forgotten():
    def forgetful(ours, theirs):
        return sample_ratio(theirs[0], min(ours, key=np.mean))

    assert chosen_coverage(forgetful) < 0.93


def test_the_coverage_test_would_notice_an_interval_that_ignores_the_pairing():
    def unpaired(of, to):
        return sample_ratio(of, np.random.default_rng(1).permutation(to))

    assert not ENOUGH[0] <= coverage(unpaired) <= ENOUGH[1]


def test_ratio_of_a_sample_to_itself_and_of_too_few():
    samples = np.array([100, 120, 90])
    same = sample_ratio(samples, samples)
    assert (same.estimate, same.low, same.high) == pytest.approx((1.0, 1.0, 1.0))
    assert sample_ratio(2 * samples, samples).low == pytest.approx(2.0)
    assert sample_ratio(samples[:1], samples[:1]) is None


def test_ratio_by_hand():
    ratio = sample_ratio(np.array([30, 50]), np.array([10, 30]))
    # relative differences 30/40 - 10/20 = 0.25 and -0.25: standard error 0.25
    assert ratio.estimate == pytest.approx(2.0)
    # Student's t with one degree of freedom: 12.7062
    assert ratio.high == pytest.approx(2.0 * np.exp(12.7062 * 0.25), rel=1e-5)
    assert ratio.low == pytest.approx(2.0 / np.exp(12.7062 * 0.25), rel=1e-5)


# ---------------------------------------------------------------- summaries


@pytest.fixture(scope="module")
def trials():
    """Twenty trials; of LUCB one named a wrong arm and two ran out of samples."""
    problem = make_problem(4, 3, "valid", "ratings", False, seed=1)
    played = cbai.simulate(problem, ["lucb", "c_lucb"], 0.1, trials=20, max_samples=50_000)
    status, best_arm = played.status.copy(), played.best_arm.copy()
    status[:], best_arm[:] = "identified", problem.best_arm
    worst = problem.ranking[-1]
    best_arm[0, 4] = worst
    status[0, [7, 8]] = "budget"
    best_arm[0, 7] = worst
    return replace(played, status=status, best_arm=best_arm)


def test_summarise_by_hand(trials):
    table = summarise(trials).set_index("algorithm")
    assert list(table.index) == ["lucb", "c_lucb"]
    lucb = table.loc["lucb"]
    samples = trials.samples[0]
    assert lucb["mean"] == pytest.approx(sum(samples) / 20)
    spread = np.sqrt(sum((samples - samples.mean()) ** 2) / 19)
    assert lucb["two_sigma"] == pytest.approx(2.0 * spread)
    assert lucb["q50"] == np.median(samples)
    assert lucb["q05"] <= lucb["q25"] <= lucb["q50"] <= lucb["q75"] <= lucb["q95"]
    assert lucb["title"] == "LUCB"
    assert (lucb["trials"], lucb["errors"], lucb["budget"]) == (20, 1, 2)
    assert lucb["error_rate"] == 0.05
    assert lucb["error_low"] < 0.05 < lucb["error_high"]


def test_a_budget_trial_is_neither_an_error_nor_a_success(trials):
    lucb = error_rates(trials)[0]
    assert (lucb.count, lucb.total) == (1, 20)
    assert trials.identified[0].sum() == 18
    assert (trials.identified & ~trials.wrong)[0].sum() == 17
    assert trials.to_frame().query("algorithm == 'lucb'")["correct"].sum() == 17


def test_one_trial_has_no_spread(trials):
    one = cbai.simulate(trials.problem, ["lucb"], 0.1, trials=1)
    row = summarise(one).iloc[0]
    assert np.isnan(row["two_sigma"])
    assert row["mean"] == row["q05"] == row["q95"]


def test_pulls_per_arm_add_up_to_the_samples(trials):
    table = pulls_per_arm(trials)
    assert list(table.index) == list(trials.problem.arms)
    np.testing.assert_allclose(table.sum(), trials.samples.mean(axis=1))


# ---------------------------------------------------------------- competitive arms


def three_arms(bounds):
    """Means 0.6, 0.5, 0.2; `bounds` is (s_{2,1}(0), s_{2,1}(1)), (s_{3,1}(0), s_{3,1}(1))."""
    pseudo = np.ones((3, 3, 2))
    pseudo[[0, 1, 2], [0, 1, 2]] = [0.0, 1.0]
    pseudo[1, 0], pseudo[2, 0] = bounds
    return cbai.Problem(list("ABC"), [0, 1], [[0.4, 0.6], [0.5, 0.5], [0.8, 0.2]], pseudo)


def test_competitive_set_by_hand():
    # phi_{2,1} = 0.4 * 0.8 + 0.6 * 0.5 = 0.62; phi_{3,1} = 0.4 * 0.3 + 0.6 * 0.4 = 0.36
    found = true_competitive(three_arms([(0.8, 0.5), (0.3, 0.4)]))
    np.testing.assert_allclose(found.gap, [0.0, 0.1, 0.4], atol=1e-12)
    np.testing.assert_allclose(found.pseudo_gap, [-0.1, -0.12, 0.14], atol=1e-12)
    assert list(found.competitive) == [True, True, False]
    assert (found.best, found.second) == (0, 1)
    assert not found.contradicted


def test_a_pseudo_gap_of_zero_is_competitive():
    found = true_competitive(three_arms([(0.8, 0.5), (0.5, 0.5)]))
    assert found.competitive.all()


def test_a_non_competitive_second_arm_is_reported_as_a_contradiction():
    # phi_{2,1} = 0.4 * 0.4 + 0.6 * 0.4 = 0.4 < mu_2 = 0.5
    found = true_competitive(three_arms([(0.4, 0.4), (0.3, 0.4)]))
    assert found.pseudo_gap[1] > 0.0
    assert found.competitive[1]
    assert found.contradicted


def test_estimates_settle_at_the_truth():
    problem = three_arms([(0.8, 0.5), (0.3, 0.4)])
    trace = cbai.trace(problem, "racing", 0.001, seed=4)
    found, truth = estimated_competitive(trace), true_competitive(problem)
    assert found.pseudo_gap.shape == (len(trace.rounds), 3)
    assert found.best.shape == found.contradicted.shape == (len(trace.rounds),)
    np.testing.assert_allclose(found.pseudo_gap[-1], truth.pseudo_gap, atol=0.05)
    assert list(found.competitive[-1]) == list(truth.competitive)


def test_estimates_use_what_the_round_had_seen():
    problem = three_arms([(0.8, 0.5), (0.3, 0.4)])
    trace = cbai.trace(problem, "racing", 0.1, seed=4)
    i = len(trace.rounds) // 2
    best = int(found_best := estimated_competitive(trace).best[i])
    assert found_best == np.argmax(trace.mean[i])
    seen = trace.counts[i] / trace.pulls[i][:, None]
    expected = np.sort(trace.mean[i])[-2] - problem.pseudo_rewards[:, best] @ seen[best]
    np.testing.assert_allclose(estimated_competitive(trace).pseudo_gap[i], expected)


@pytest.mark.parametrize("seed", range(20))
def test_valid_pseudo_rewards_never_contradict_themselves(seed):
    problem = make_problem(6, 4, "valid", "ratings", False, seed=seed)
    assert (expected_pseudo_rewards(problem) >= problem.means[:, None] - 1e-9).all()
    assert not true_competitive(problem).contradicted
