"""What more certainty costs: slopes, and that only competitive arms make C-LUCB pay.

Statistical tests are seeded. A correct library is rejected with probability at most `FALSE_ALARM` a
test, as far as the t interval of a mean of 200 slopes is exact.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cbai
from cbai.results.certainty import DELTAS, allowed_slope, cost_of_certainty, slope
from cbai.results.theory import theory_of
from cbai.simulation.rules.choices import Challenger, Elimination, Leader
from cbai.simulation.rules.rows import ALGORITHMS
from tests.strategies import SEEDS
from tests.test_theory import CLEAR, FALSE_ALARM, TRIALS


def test_slope_by_hand():
    """Trials that cost 10 and 30 more per tenfold smaller delta, one with a wiggle of no slope."""
    found = slope([0.1, 0.01, 0.001], [[5, 100], [15 + 3, 130], [25, 160]])
    assert found.estimate == pytest.approx(20.0)
    half = stats.t.ppf(0.975, 1) * np.std([10, 30], ddof=1) / np.sqrt(2)
    assert (found.low, found.high) == pytest.approx((20 - half, 20 + half))
    assert not found.grows


@given(st.integers(2, 8), st.integers(2, 30), SEEDS)
def test_slope_against_numpy_and_scipy(n_deltas, n_trials, seed):
    rng = np.random.default_rng(seed)
    delta = 10.0 ** -np.sort(rng.uniform(1, 9, n_deltas))
    pulls = rng.poisson(100, (n_deltas, n_trials))
    each = [np.polyfit(-np.log10(delta), column, 1)[0] for column in pulls.T]
    interval = stats.t.interval(0.95, n_trials - 1, np.mean(each), stats.sem(each) or 1e-300)
    found = slope(delta, pulls)
    assert found.estimate == pytest.approx(np.mean(each), abs=1e-6)
    assert (found.low, found.high) == pytest.approx(interval, abs=1e-6)


def test_one_trial_has_a_slope_but_no_interval():
    found = slope([0.1, 0.01], [[5], [9]])
    assert (found.estimate, found.low, found.high) == (4.0, -math.inf, math.inf)


@pytest.mark.parametrize("delta", [[0.1], [0.1, 0.1]])
def test_no_slope_without_different_deltas(delta):
    with pytest.raises(ValueError, match="delta"):
        slope(delta, np.ones((len(delta), 3)))


def test_pulls_are_split_by_each_trials_own_set():
    problem = cbai.load_problem("movielens-1m")
    theory = theory_of(problem, 0.1, 0.2, 0.13, trials=12)
    assert len(set(theory.competitive.sum(axis=1))) > 1
    runs = [cbai.simulate(problem, ["c_lucb"], d, trials=12, p=0.2, q=0.13) for d in (0.1, 1e-6)]
    cost = cost_of_certainty(runs, theory)
    undecided = [[], []]
    for i, trials in enumerate(runs):
        for t, chosen in enumerate(theory.competitive):
            assert cost.competitive[i, t] == trials.pulls[0, t][chosen].sum()
            assert cost.others[i, t] == trials.pulls[0, t][~chosen].sum()
            n = trials.pulls[0, t, problem.best_arm]
            bonus = problem.reward_max * math.sqrt(2.0 * math.log(n + 1) / n)
            undecided[i] += [bonus >= gap for gap in theory.pseudo_gap[t][~chosen]]
    assert cost.open_share == pytest.approx(np.mean(undecided[1]))
    assert 0.0 < np.mean(undecided[1]) < np.mean(undecided[0])
    assert cost.no_answer == 0
    stopped = [cbai.simulate(problem, ["c_lucb"], 0.1, trials=12, p=0.2, max_samples=100)]
    assert cost_of_certainty(stopped, theory).no_answer == 12
    with pytest.raises(ValueError, match="12 trials and 18 arms"):
        cost_of_certainty(runs, theory_of(problem, 0.1))


LEVEL = 1.0 - 2.0 * FALSE_ALARM


def slopes(algorithm):
    """Return the slopes on the competitive and on the other arms of `CLEAR`."""
    runs = [cbai.simulate(CLEAR, [algorithm], d, trials=TRIALS, seed=7) for d in DELTAS]
    cost = cost_of_certainty(runs, theory_of(CLEAR, 0.1, trials=TRIALS))
    assert cost.no_answer == 0
    return slope(DELTAS, cost.competitive, LEVEL), slope(DELTAS, cost.others, LEVEL)


def others_are_free(competitive, others):
    """Return whether non-competitive arms cost no more, within 1 % of what the others do."""
    assert competitive.grows
    return not others.grows and others.high < 0.01 * competitive.low


def test_certainty_costs_only_competitive_arms():
    """From 0.1 to 1e-8; about 920 samples a tenfold step on the competitive arms."""
    competitive, others = slopes("c_lucb")
    assert others_are_free(competitive, others)
    allowed = allowed_slope([theory_of(CLEAR, d) for d in DELTAS])
    assert 0.05 * allowed < competitive.low < competitive.high < allowed


def test_the_slope_test_would_notice_if_c_lucb_did_not_use_the_correlation():
    rule_of_lucb = replace(
        ALGORITHMS["c_lucb"], name="planted", leader=Leader.MEAN, challenger=Challenger.OWN_UCB,
        elimination=Elimination.OWN_UCB,
    )  # fmt: skip
    for algorithm in ("lucb", rule_of_lucb):
        competitive, others = slopes(algorithm)
        assert not others_are_free(competitive, others)
        assert others.grows
