"""Errors and losses with a fixed budget: their intervals cover as often as they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import cbai
from cbai.results import (
    budget_error,
    budget_loss,
    clopper_pearson,
    halving_bound,
    summarise_budget,
)
from cbai.results.budget import STEPS
from tests.effort import quick_or_full
from tests.test_budget import coins

REPEATS = quick_or_full(300, 2000)
ALPHA = 1e-6 / 4
"""A correct interval is rejected with this probability at most, in each of four tests."""


@pytest.fixture(scope="module")
def curve():
    problem = coins(0.5, 0.62, 0.55, 0.2)
    return cbai.budget_curve(problem, ["uniform", "c_halving"], [6, 40, 200], trials=400)


def with_answers(curve, answers):
    trials = int(np.sum(answers))
    return replace(curve, answers=np.array([[answers]]), trials=trials, budgets=(40,))


def test_an_error_rate_is_the_exact_interval_of_the_wrong_answers(curve):
    wrong = 400 - int(curve.answers[0, 1, 1])
    assert budget_error(curve, 0, 1) == clopper_pearson(wrong, 400)


def test_a_loss_is_the_mean_gap_of_the_named_arms(curve):
    one = with_answers(curve, [10, 60, 20, 10])
    loss = budget_loss(one, 0, 0)
    assert loss.estimate == pytest.approx((10 * 0.12 + 20 * 0.07 + 10 * 0.42) / 100)
    assert loss.low < loss.estimate < loss.high


def test_without_a_loss_the_interval_begins_at_zero(curve):
    loss = budget_loss(with_answers(curve, [0, 2000, 0, 0]), 0, 0)
    assert (loss.estimate, loss.low) == (0.0, 0.0)
    assert 0.0 < loss.high < 0.42 * clopper_pearson(0, 2000, 1 - 0.05 / 3).high + 1e-12


def test_equal_arms_lose_nothing_and_are_never_wrong():
    curve = cbai.budget_curve(coins(0.4, 0.4, 0.4), ["uniform"], [30], trials=100)
    assert budget_error(curve, 0, 0).count == 0
    loss = budget_loss(curve, 0, 0)
    assert (loss.estimate, loss.low, loss.high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("n_arms", [4, 3 * STEPS])
def test_a_loss_interval_covers_as_often_as_it_says(n_arms):
    """With a planted level of 50 % it covers too seldom."""
    problem = coins(*np.linspace(0.9, 0.1, n_arms))
    gaps = problem.means.max() - problem.means
    rng = np.random.default_rng(n_arms)
    chances = rng.dirichlet(np.full(n_arms, 0.3))
    truth = float(chances @ gaps)
    base = cbai.budget_curve(problem, ["uniform"], [n_arms], trials=2)
    covered = {0.95: 0, 0.5: 0}
    low_only = 0
    for _ in range(REPEATS):
        one = with_answers(base, rng.multinomial(60, chances))
        for level in covered:
            loss = budget_loss(one, 0, 0, level)
            covered[level] += loss.low <= truth <= loss.high
        low_only += loss.estimate <= truth
    assert stats.binomtest(covered[0.95], REPEATS, 0.95, alternative="less").pvalue > ALPHA
    assert stats.binomtest(low_only, REPEATS, 0.95, alternative="less").pvalue < ALPHA


def test_a_summary_leaves_out_budgets_that_are_too_small(curve):
    found = summarise_budget(curve)
    assert found[["algorithm", "budget"]].values.tolist() == [
        ["uniform", 6], ["uniform", 40], ["uniform", 200], ["c_halving", 40], ["c_halving", 200],
    ]  # fmt: skip
    assert (found["error_low"] <= found["error_rate"]).all()
    assert (found["loss_low"] <= found["loss"]).all()
    assert (found["loss"] <= found["loss_high"]).all()


def test_the_bound_is_that_of_the_proof_written_out():
    """Five arms: rounds of 5, 3 and 2 arms with budget 90, so 6, 10 and 15 pulls each."""
    gaps = [0.1, 0.2, 0.3, 0.5]
    means = 0.9 - np.array([0.0, *gaps])
    total = sum(np.exp(-6 * (gap / 2) ** 2) for gap in [0.3, 0.5])
    total += sum(np.exp(-16 * (gap / 2) ** 2) for gap in [0.2, 0.3, 0.5])
    total += sum(np.exp(-31 * (gap / 2) ** 2) for gap in gaps)
    assert halving_bound(means, 2.0, 90) == min(1.0, total)
    large = halving_bound(means, 2.0, 30_000)
    parts = [(2000, [0.3, 0.5]), (5333, [0.2, 0.3, 0.5]), (10_333, gaps)]
    assert large == pytest.approx(
        sum(np.exp(-n * (gap / 2) ** 2) for n, some in parts for gap in some)
    )
    assert large < 1e-8
