"""What is said of a composition's correctness is true: by the arithmetic, and by runs.

The runs are tested with a one-sided exact binomial test on seeded trials: over the whole file
covered compositions are rejected with probability at most `FALSE_ALARM` (Bonferroni). By the same
test two compositions that no theorem covers must be found out.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cbai
from cbai.simulation import CONFIDENCE, find
from cbai.simulation.guarantee import cover, may_never_stop, spending, spent, times_delta
from cbai.simulation.rules.choices import Challenger, Elimination, Leader, Share, Stopping
from cbai.ui.lab.recipe import fitting
from tests.effort import quick_or_full
from tests.strategies import compose, compositions

DELTA = 0.1
TRIALS = quick_or_full(200, 400)
"""The quick number finds both compositions that no theorem covers."""
FALSE_ALARM = 1e-6
N_COVERED = 6
ALPHA = FALSE_ALARM / N_COVERED


# ---------------------------------------------------------------- arithmetic


@pytest.mark.parametrize("k", [2, 3, 18, 60])
def test_the_sums_of_the_known_algorithms(k):
    """Worked out by hand from the table of shares."""
    known = {
        "racing": 1.0,
        "lucb": 1.0,
        "lucb_pp": (k - 1) / (2 * k) + 1 / 2,
        "c_lucb": (2 * k - 1) / (2 * k),
        "maxmin_lucb": (2 * k - 1) / (2 * k),
        "two_lucb": (2 * k - 1) / (2 * k),
        "c_lucb_pp": 2 * (k - 1) / (3 * k) + 1 / 4,
    }
    for name, sum_ in known.items():
        assert spent(find(name), k) == pytest.approx(sum_)
        assert cover(find(name), k, 0.01).covered
    assert spent(find("lucb_pp"), k) == pytest.approx(1 - 1 / (2 * k))
    assert spent(find("c_lucb_pp"), k) < 1.0


def test_rows_with_other_bounds_are_covered_as_long_as_those_hold_at_all_times():
    for name, sequence in CONFIDENCE.items():
        assert cover(find(f"c_lucb@{name}"), 18, 0.01).covered == sequence.anytime
        assert not cover(find(f"lil_ucb@{name}"), 18, 0.01).covered


def test_reasons_name_what_is_wrong():
    assert "fixed" in cover(find("lucb@hoeffding"), 18, 0.01).reason
    assert "rule of thumb" in cover(find("lil_ucb"), 18, 0.01).reason
    large = replace(find("lucb"), elimination_share=Share())
    assert cover(large, 18, 0.01) == cover(large, 18, 0.2)
    assert "18 δ" in cover(large, 18, 0.01).reason
    assert not cover(large, 18, 0.01).covered
    assert "0.48" in cover(find("lucb@lil"), 18, 0.5).reason
    assert "pseudo-reward" in cover(find("c_lucb"), 18, 0.01).reason
    assert "pseudo-reward" not in cover(find("lucb"), 18, 0.01).reason


@pytest.mark.parametrize(
    ("multiple", "text"), [(1.0, "δ"), (0.97222, "0.972 δ"), (18.0, "18 δ"), (1.0000001, "δ")]
)
def test_multiples_of_delta_are_written_in_three_digits(multiple, text):
    assert times_delta(multiple) == text


@given(compositions, st.integers(2, 60))
def test_parts_add_up_and_larger_shares_spend_more(row, n_arms):
    parts = spending(row, n_arms)
    assert spent(row, n_arms) == sum(parts)
    assert (parts.cross > 0) == row.trusts_pseudo_rewards
    larger = replace(row, elimination_share=Share(), leader_share=Share(), challenger_share=Share())
    assert spent(larger, n_arms) >= spent(row, n_arms)
    assert spent(replace(row, sampling_share=Share()), n_arms) == spent(row, n_arms)


@given(compositions)
def test_one_pull_a_round_may_never_stop(row):
    one = row.leader is not Leader.ALL and row.challenger is Challenger.NONE
    assert may_never_stop(row) == (one and row.stopping is not Stopping.PULL_SHARE)
    assert not may_never_stop(find("lil_ucb"))


# ---------------------------------------------------------------- runs


def easy_to_fool(n_arms):
    """Return arms of rewards 0 and 1 where the best is high just when another is low.

    The pseudo-rewards s_{1,k}(r) = 1 - r are valid, and tight but for the gap: E[R_1] = 0.505 =
    1 - E[R_k]. So luck of one arm k raises its own lower bound and lowers what it says of the
    best, and each of the other arms can fool CrossUCB alone.
    """
    values = np.array([0.0, 1.0])
    means = np.full(n_arms, 0.495)
    means[0] = 0.505
    pseudo = np.ones((n_arms, n_arms, 2))
    pseudo[0, 1:] = 1.0 - values
    pseudo[np.arange(n_arms), np.arange(n_arms)] = values
    arms = [f"arm {k}" for k in range(n_arms)]
    return cbai.Problem(arms, values, np.stack([1.0 - means, means], axis=1), pseudo)


def lost(algorithm, n_arms, max_samples):
    """Return in how many trials the best arm was ruled out or another one was named.

    The theorem's proof bounds the probability of just that, whether the trial ends or not.
    """
    problem = easy_to_fool(n_arms)
    trials = cbai.simulate(
        problem, [algorithm], DELTA, trials=TRIALS, seed=2021, max_samples=max_samples
    )
    return int((trials.wrong[0] | (trials.eliminated_at[0, :, problem.best_arm] > 0)).sum())


def refutes_delta(n_lost):
    return stats.binomtest(n_lost, TRIALS, DELTA, alternative="greater").pvalue < ALPHA


def random_covered(number):
    rng = np.random.default_rng([2021, number])
    row = compose(
        Leader(rng.integers(5)),
        Challenger(rng.integers(4)),
        Elimination(rng.integers(3)),
        Stopping(rng.integers(2)),
        (Share(int(rng.integers(1, 5)), bool(rng.integers(2))),) * 4,
        str(rng.choice(["howard", "howard", "lil", "even_dar", "kl_lucb"])),
    )
    return fitting(row)


def test_the_problem_keeps_its_pseudo_rewards():
    problem = easy_to_fool(5)
    bounds = np.einsum("kv,lkv->lk", problem.probabilities, problem.pseudo_rewards)
    assert (bounds >= problem.means[:, None] - 1e-12).all()


@pytest.mark.parametrize("number", range(N_COVERED))
def test_random_covered_compositions_lose_the_best_arm_no_more_often_than_delta(number):
    row = random_covered(number)
    assert cover(row, 12, DELTA).covered
    assert not refutes_delta(lost(row, 12, 5_000)), row.name


@pytest.mark.parametrize(
    "name",
    [
        "lab:all-none-1-cross_ucb-1-none-1-1-howard",  # 159 times delta
        "lab:all-none-1-cross_ucb-1-none-1-1-hoeffding",  # and at one time only
    ],
)
def test_far_too_large_shares_and_a_bound_for_one_time_are_found_out(name):
    assert not cover(find(name), 80, DELTA).covered
    assert refutes_delta(lost(name, 80, 16_000))


def test_the_same_with_shares_that_add_up_is_not():
    assert not refutes_delta(lost("lab:all-none-1-cross_ucb-2K-none-1-1-howard", 80, 16_000))
