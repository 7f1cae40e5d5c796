"""Whether the assumption holds: smallest buffers, masks, verdicts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cbai
from cbai.problem.buffers import buffer_curve
from cbai.problem.pseudo_rewards import add_buffer, mask, off_diagonal
from cbai.problem.validity import (
    BEST_ARM_ONLY,
    VALID,
    VIOLATED,
    check_validity,
    expected_pseudo_rewards,
    smallest_buffers,
    violations,
)
from tests.strategies import problems


def two_arms(on_best, on_other):
    """Means 0.6 and 0.5; constant pseudo-rewards `on_best` and `on_other`."""
    pseudo = [[[0, 1], [on_best] * 2], [[on_other] * 2, [0, 1]]]
    return cbai.Problem(["A", "B"], [0, 1], [[0.4, 0.6], [0.5, 0.5]], pseudo)


def test_expected_pseudo_rewards_by_hand():
    problem = cbai.load_problem("paper-two-arms")
    # P(R_1 = 1) = 0.6, P(R_2 = 1) = 0.4
    np.testing.assert_allclose(
        expected_pseudo_rewards(problem),
        [[0.6, 0.6 * 0.8 + 0.4 * 0.5], [0.4 * 0.7 + 0.6 * 0.4, 0.4]],
    )


def test_smallest_buffers_by_hand():
    """0.45 + q >= 0.6 asks for 0.15; a pair that holds asks for nothing."""
    buffers = smallest_buffers(two_arms(on_best=0.45, on_other=0.7))
    np.testing.assert_allclose(buffers, [[0.0, 0.15], [0.0, 0.0]], atol=1e-8)


def test_the_smallest_buffer_minds_the_cap_at_b():
    """s = (1.0, 0.1) at probabilities one half: only the lower entry can still rise.

    0.5 * 1 + 0.5 * (0.1 + q) >= 0.6 asks for q = 0.1, not for the 0.05 of an uncapped sum.
    """
    problem = cbai.Problem(
        ["A", "B"],
        [0, 1],
        [[0.4, 0.6], [0.5, 0.5]],
        [[[0, 1], [1.0, 0.1]], [[0.7, 0.7], [0, 1]]],
    )
    assert smallest_buffers(problem)[0, 1] == pytest.approx(0.1, abs=1e-8)


@given(problems)
@settings(max_examples=60)
def test_at_the_smallest_buffer_a_pair_holds_and_just_below_it_does_not(problem):
    b = problem.reward_max
    buffers = smallest_buffers(problem)
    target = problem.means[:, None]

    def phi(q):
        raised = np.minimum(problem.pseudo_rewards + q[:, :, None], b)
        return np.einsum("kv,lkv->lk", problem.probabilities, raised)

    assert ((buffers >= 0.0) & (buffers <= b)).all()
    assert (phi(buffers) >= target - 2e-9).all()
    needy = (buffers > 1e-6) & off_diagonal(problem.n_arms)
    assert (phi(buffers) <= target + 1e-9)[needy].all()
    # just below, a pair falls short by 1e-6 times the probability that can still rise
    below = phi(np.maximum(buffers - 1e-6, 0.0))
    noticeable = phi(buffers) - below > 2e-9
    assert (below < target - 1e-9)[needy & noticeable].all()


@given(problems, st.floats(0.0, 1.0), st.integers(0, 50))
@settings(max_examples=40)
def test_masks_only_help(problem, p, seed):
    known = check_validity(problem)
    masked = check_validity(problem, p=p, seed=seed, masks=20)
    assert masked.violated_share <= known.violated_share + 1e-12
    assert masked.best_arm_share >= known.best_arm_share
    severity = [VALID, BEST_ARM_ONLY, VIOLATED]
    assert severity.index(masked.verdict) <= severity.index(known.verdict)
    assert (masked.violated_pairs == known.violated_pairs).all()
    assert (masked.smallest_q_best, masked.smallest_q_all) == (
        known.smallest_q_best,
        known.smallest_q_all,
    )


@given(problems)
@settings(max_examples=40)
def test_with_everything_unknown_or_the_largest_buffer_all_is_valid(problem):
    assert check_validity(problem, p=1.0, masks=3).verdict == VALID
    assert check_validity(problem, q=problem.reward_max).verdict == VALID


@given(problems)
@settings(max_examples=40)
def test_the_smallest_buffers_of_the_report_are_enough(problem):
    found = check_validity(problem)
    assert found.smallest_q_best <= found.smallest_q_all
    assert check_validity(problem, q=found.smallest_q_all).verdict == VALID
    assert check_validity(problem, q=found.smallest_q_best).verdict != VIOLATED


@pytest.mark.parametrize(
    ("on_best", "on_other", "verdict", "share", "best_share"),
    [
        (0.65, 0.55, VALID, 0.0, 1.0),
        (0.6, 0.5, VALID, 0.0, 1.0),
        (0.65, 0.4, BEST_ARM_ONLY, 0.5, 1.0),
        (0.45, 0.7, VIOLATED, 0.5, 0.0),
        (0.45, 0.4, VIOLATED, 1.0, 0.0),
    ],
)
def test_verdicts(on_best, on_other, verdict, share, best_share):
    found = check_validity(two_arms(on_best, on_other))
    assert found.verdict == verdict
    assert found.violated_share == share
    assert found.best_arm_share == best_share


def test_the_safe_buffer_is_rounded_up_to_a_step():
    found = check_validity(two_arms(on_best=0.456, on_other=0.3))
    assert found.smallest_q_best == pytest.approx(0.144)
    assert found.smallest_q_all == pytest.approx(0.2)
    assert found.smallest_safe_q == pytest.approx(0.15)
    assert check_validity(two_arms(0.456, 0.3), q=found.smallest_safe_q).verdict == BEST_ARM_ONLY
    assert check_validity(two_arms(0.65, 0.55)).smallest_safe_q == 0.0


def test_the_share_of_violated_pairs_is_an_average_over_masks():
    """Each pair of two constant entries is saved where the raised sum reaches the mean."""
    problem = two_arms(on_best=0.2, on_other=0.1)
    found = check_validity(problem, p=0.5, masks=400, seed=7)
    # 2 of 4 entries are unknown, six equally likely masks. One entry at 1 lifts arm A's bound to
    # (0.2 + 1) / 2 = 0.6, enough; arm B's to 0.46 or 0.64, enough for 0.5 only in the second case.
    assert found.violated_share == pytest.approx((0 + 1 + 1 + 1 + 0 + 1) / 12, abs=0.05)
    assert found.best_arm_share == pytest.approx(5 / 6, abs=0.08)


def test_ties_for_best_are_all_counted_as_best():
    problem = cbai.Problem(
        list("ABC"), [0, 1], [[0.4, 0.6], [0.4, 0.6], [0.9, 0.1]],
        add_buffer(np.array([[[0, 1]] + [[0.7, 0.7]] * 2,
                             [[0.7, 0.7], [0, 1], [0.5, 0.5]],
                             [[0.7, 0.7]] * 2 + [[0, 1]]], dtype=float), 0.0, 1.0),
    )  # fmt: skip
    assert check_validity(problem).verdict == VIOLATED


@pytest.mark.parametrize("options", [{"p": -0.1}, {"p": 1.1}, {"q": -0.1}, {"q": 6.0}])
def test_bad_parameters_are_met_at_the_boundary(options):
    with pytest.raises(ValueError, match="must be in"):
        check_validity(cbai.load_problem("movielens-1m"), **options)


def planted():
    """Four arms; the best one's bounds fail only if one certain pair is known entirely, p = 0.9."""
    pseudo = np.full((4, 4, 2), 1.0)
    pseudo[0, 1] = 0.5
    for arm in range(4):
        pseudo[arm, arm] = [0.0, 1.0]
    return cbai.Problem(list("ABCD"), [0, 1], [[0.4, 0.6]] + [[0.6, 0.4]] * 3, pseudo)


def test_all_masks_that_run_are_looked_at_and_no_others():
    """At p = 0.9 one mask in 276 leaves both entries of the pair known.

    The first such mask of this seed is number `first`: fewer masks must not see it, and exactly one
    more than that must. Looking at a fixed number, as was done, fails one of the two.
    """
    problem, p = planted(), 0.9
    broken = {
        seed: np.array([not mask(4, 2, p, seed, m)[0, 1].any() for m in range(1000)])
        for seed in range(300)
    }
    seed, first = next(
        (seed, int(found.argmax())) for seed, found in broken.items()
        if found.any() and found.argmax() > 200
    )  # fmt: skip
    assert check_validity(problem, p, 0.0, seed, masks=first).verdict == VALID
    found = check_validity(problem, p, 0.0, seed, masks=first + 1)
    assert found.verdict == VIOLATED
    assert found.best_arm_share == pytest.approx(1.0 - 1.0 / (first + 1))
    whole = check_validity(problem, p, 0.0, seed, masks=1000)
    assert whole.best_arm_share == pytest.approx(1.0 - broken[seed].mean())
    curve = buffer_curve(problem, [0.0, 0.5], p, seed, masks=1000)
    assert curve.best_arm_share == pytest.approx([whole.best_arm_share, 1.0])


@given(problems, st.floats(0.0, 1.0), st.integers(0, 50), st.floats(0.0, 1.0))
@settings(max_examples=40)
def test_violations_are_those_of_the_masked_problem(problem, p, seed, share):
    """The direct way: apply each mask, and compare each expected pseudo-reward with its mean."""
    q = share * problem.reward_max
    counts, on_best = violations(problem, p, [0.0, q], seed, 3)
    for i, buffer in enumerate([0.0, q]):
        raised = add_buffer(problem.pseudo_rewards, buffer, problem.reward_max)
        for m in range(counts.shape[1]):
            unknown = mask(problem.n_arms, problem.n_values, p, seed, m)
            whole = np.where(unknown, problem.reward_max, raised)
            phi = (whole * problem.probabilities[None]).sum(axis=2)
            low = (phi < problem.means[:, None] - 1e-9) & off_diagonal(problem.n_arms)
            near = np.abs(phi - problem.means[:, None] + 1e-9) < 1e-12
            if not near.any():
                assert counts[i, m] == low.sum()
                assert on_best[i, m] == low[problem.best_arms].any()
