"""Problems with fewer arms or another gap: what changes, and that nothing else does."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import cbai
from cbai.problem.changes import gap_of, gap_range, keep_arms, keep_best, tilted, with_gap
from cbai.problem.validity import check_validity, expected_pseudo_rewards
from tests.strategies import make_problem, problems

exact = settings(derandomize=True, deadline=None, max_examples=150)


@exact
@given(problems, st.data())
def test_the_best_arms_stay_with_all_that_is_known_of_them(problem, data):
    n = data.draw(st.integers(2, problem.n_arms))
    fewer = keep_best(problem, n)
    assert fewer.n_arms == n
    assert {problem.arms[arm] for arm in problem.ranking[:n]} == set(fewer.arms)
    assert gap_of(fewer) == pytest.approx(gap_of(problem), abs=1e-12)
    if gap_of(problem) > 1e-9:  # in a tie, rounding decides who is first
        assert fewer.arms[fewer.best_arm] == problem.arms[problem.best_arm]
    where = [problem.arms.index(name) for name in fewer.arms]
    assert where == sorted(where)
    np.testing.assert_array_equal(fewer.probabilities, problem.probabilities[where])
    np.testing.assert_array_equal(fewer.pseudo_rewards, problem.pseudo_rewards[where][:, where])
    assert (fewer is problem) == (n == problem.n_arms)


@exact
@given(problems, st.data())
def test_the_best_of_the_arms_that_stay_is_the_truth(problem, data):
    stay = data.draw(
        st.lists(st.integers(0, problem.n_arms - 1), min_size=2, unique=True), label="stay"
    )
    fewer = keep_arms(problem, stay)
    where = sorted(stay)
    assert list(fewer.arms) == [problem.arms[arm] for arm in where]
    np.testing.assert_array_equal(fewer.pseudo_rewards, problem.pseudo_rewards[where][:, where])
    assert fewer.means[fewer.best_arm] == pytest.approx(problem.means[where].max())


def test_fewer_than_two_arms_are_refused():
    problem = cbai.load_problem("ad-campaign")
    with pytest.raises(ValueError, match="number of arms must be a whole number from 2 to 6"):
        keep_arms(problem, [3, 3])


@exact
@given(problems, st.floats(0.0, 1.0))
def test_the_gap_is_as_asked_and_only_the_best_arm_changes(problem, share):
    low, high = gap_range(problem)
    assume(high > low)
    gap = low + share * (high - low)
    changed, best = with_gap(problem, gap), problem.best_arm
    assert gap_of(changed) == pytest.approx(gap, abs=1e-8)
    assert changed.best_arm == best
    assert changed.arms == problem.arms
    others = np.arange(problem.n_arms) != best
    np.testing.assert_array_equal(changed.probabilities[others], problem.probabilities[others])
    np.testing.assert_array_equal(changed.pseudo_rewards[others], problem.pseudo_rewards[others])
    new, old = changed.probabilities[best], problem.probabilities[best]
    assert not new[old == 0.0].any()
    known = problem.pseudo_rewards[best] < problem.reward_max
    known[best] = False
    moved = changed.pseudo_rewards[best] - problem.pseudo_rewards[best]
    assert not moved[~known].any()
    shift = changed.means[best] - problem.means[best]
    assert (np.abs(moved[known]) <= abs(shift) + 1e-12).all()
    assert (moved[known] * shift >= 0.0).all()


@exact
@given(problems, st.floats(0.0, 1.0))
def test_bounds_on_the_best_arm_hold_as_before_unless_they_meet_the_top(problem, share):
    low, high = gap_range(problem)
    assume(high > low)
    changed, best = with_gap(problem, low + share * (high - low)), problem.best_arm
    assume(changed is not problem)
    shift = changed.means[best] - problem.means[best]
    before = expected_pseudo_rewards(problem)[best] - problem.means[best]
    after = expected_pseudo_rewards(changed)[best] - changed.means[best]
    room = problem.pseudo_rewards[best] + shift <= problem.reward_max
    free = room.all(axis=1) & (np.arange(problem.n_arms) != best)
    assert (after[free] >= before[free] - 1e-8).all()


def test_a_tilt_is_exponential():
    values, start = np.array([0.0, 1.0, 3.0, 4.0]), np.array([0.1, 0.4, 0.0, 0.5])
    new = tilted(values, start, 1.5)
    assert new @ values == pytest.approx(1.5)
    given_ = start > 0.0
    slopes = np.diff(np.log(new[given_] / start[given_])) / np.diff(values[given_])
    assert slopes == pytest.approx(slopes[0])


def test_what_was_unknown_stays_unknown_and_lower_bounds_move_too():
    problem = cbai.load_problem("movielens-1m")
    best = problem.best_arm
    nothing = problem.pseudo_rewards.copy()
    nothing[best, (best + 1) % problem.n_arms] = problem.reward_max
    problem = problem.with_pseudo_rewards(nothing)
    changed = with_gap(problem, gap_of(problem) / 2.0)
    assert (changed.pseudo_rewards[best, (best + 1) % problem.n_arms] == problem.reward_max).all()
    fall = problem.means[best] - changed.means[best]
    assert fall == pytest.approx(gap_of(problem) / 2.0)
    other = (best + 2) % problem.n_arms
    assert problem.lower_bounds[best, other] - changed.lower_bounds[best, other] == pytest.approx(
        np.minimum(fall, problem.lower_bounds[best, other] - problem.values[0])
    )


def test_validity_must_be_checked_anew():
    problem = cbai.load_problem("movielens-1m")
    before = check_validity(problem, 0.0, 0.13).violated_share
    after = check_validity(with_gap(problem, 0.7), 0.0, 0.13).violated_share
    assert before != after


@pytest.mark.parametrize("n", [1, 3, 2.5])
def test_too_few_or_too_many_arms_are_refused(n):
    with pytest.raises(ValueError, match=r"n must be a whole number from 2 to 2, got"):
        keep_best(cbai.load_problem("paper-two-arms"), n)


@pytest.mark.parametrize("gap", [-0.1, 0.0, 0.7, float("nan")])
def test_a_gap_that_no_rewards_can_give_is_refused(gap):
    problem = cbai.load_problem("paper-two-arms")
    with pytest.raises(ValueError, match=r"gap must be in \[.*\], got"):
        with_gap(problem, gap)


def test_the_same_gap_is_the_same_problem_and_a_sure_arm_has_no_other():
    problem = make_problem(4, 3, "valid", "ratings", False, seed=1)
    assert with_gap(problem, gap_of(problem)) is problem
    sure = cbai.Problem(
        ["a", "b"], [0.0, 1.0], [[0.0, 1.0], [0.5, 0.5]], [[[0, 1], [1, 1]], [[1, 1], [0, 1]]]
    )
    assert gap_range(sure) == (0.5, 0.5)
    with pytest.raises(ValueError, match="gap"):
        with_gap(sure, 0.3)
