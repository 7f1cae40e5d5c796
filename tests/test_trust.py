"""Whether bounds hold, and which buffer is safe: estimates set against a known population."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from cbai.problem.choose import choose_method
from cbai.problem.formulas import largest_not_refuted
from cbai.problem.lead import LEVEL, perhaps_best
from cbai.problem.methods import METHODS, pseudo_rewards
from cbai.problem.people import people_of
from cbai.problem.slack import slack_moments
from cbai.problem.splits import evidence_of, make_problem, split
from cbai.problem.survey import Survey
from cbai.problem.trust import rules_out, trust_of
from cbai.problem.validity import expected_pseudo_rewards, smallest_buffers
from tests.surveys import Population

FALSE_ALARM = 1e-6
SURVEYS = 150


def rejected(count, total=SURVEYS, rate=0.05):
    """Say whether an event is more frequent than `rate`; false alarm at most 1e-6."""
    return stats.binomtest(int(count), total, rate, alternative="greater").pvalue < FALSE_ALARM


@pytest.mark.parametrize("n_people", [60, 200])
def test_the_safe_buffer_is_estimated_too_small_often_but_its_upper_end_is_not(n_people):
    """150 surveys from a known population; the estimate is the planted bug of the upper end."""
    population, rng = Population(), np.random.default_rng(n_people)
    point = upper = lower = safe = wrongly = 0
    for seed in range(SURVEYS):
        survey = population.survey(rng, n_people)
        halves = split(survey, "random", seed=seed)
        problem = make_problem(survey, halves, "mean")
        found = trust_of(problem, survey, halves)
        true = population.with_truth(problem)
        needed = smallest_buffers(true)[true.best_arm].max() - 1e-7
        point += found.q_estimate < needed
        upper += found.q_high < needed
        lower += found.q_low > needed + 2e-7
        safe += found.q_estimate == 0.0
        wrongly += found.q_estimate == 0.0 and needed > 0.0
        assert found.q_low <= found.q_estimate <= found.q_high
    assert not rejected(upper)
    assert not rejected(lower)
    assert rejected(point)
    assert wrongly / safe > 0.1


def test_all_intervals_hold_together_and_one_alone_as_often_as_it_says():
    population, rng = Population(), np.random.default_rng(8)
    apart = np.zeros((5, 5))
    together = naive = 0
    for seed in range(SURVEYS):
        survey = population.survey(rng, 300)
        halves = split(survey, "random", seed=seed)
        problem = make_problem(survey, halves, "mean")
        moments = slack_moments(people_of(survey, halves.test))
        one, every = (moments.slack(problem.pseudo_rewards, 0.025 / n) for n in (1, 20))
        true = population.with_truth(problem)
        slack = expected_pseudo_rewards(true) - true.means[:, None]
        missed = (slack < one.low - 1e-9) | (slack > one.high + 1e-9)
        apart += missed
        naive += missed.any()
        together += ((slack < every.low - 1e-9) | (slack > every.high + 1e-9)).any()
    assert not rejected(together)
    assert rejected(naive)
    assert not rejected(apart.max())


def test_slack_is_paired_by_person():
    """With everyone rating both once, the interval is that of the people's differences."""
    survey = Population().survey(np.random.default_rng(9), 120, rate=1.0)
    bound = np.random.default_rng(1).uniform(1.0, 5.0, (5, 5, 5))
    found = slack_moments(people_of(survey)).slack(bound, 0.025)
    value = np.empty((120, 5), int)
    value[survey.person, survey.arm] = survey.value
    for low, k in ((0, 1), (3, 2)):
        differences = bound[low, k][value[:, k]] - survey.values[value[:, low]]
        want = stats.t.interval(0.95, 119, differences.mean(), stats.sem(differences))
        assert (found.low[low, k], found.high[low, k]) == pytest.approx(want)
        assert found.estimate[low, k] == pytest.approx(differences.mean())
    assert (np.diag(found.low) == 0.0).all()


def test_who_estimates_and_who_tests_is_said_and_nothing_is_tested_on_oneself():
    survey = Population().survey(np.random.default_rng(10), 200)
    halves = split(survey, "random", seed=1)
    found = trust_of(make_problem(survey, halves, "mean"), survey, halves)
    assert (found.estimating, found.testing) == (halves.train.sum(), halves.test.sum())
    assert f"{halves.test.sum()} other people test them" in found.words
    everyone = split(survey, "none")
    found = trust_of(make_problem(survey, everyone, "mean"), survey, everyone)
    assert (found.q_high, found.safe, found.useful) == (5.0, False, False)
    assert found.holds.sum() == 5
    assert "nothing is tested" in found.words


def test_what_is_clear_is_said_to_be():
    survey = Population().survey(np.random.default_rng(11), 2000)
    halves = split(survey, "random", seed=1)
    safe = make_problem(survey, halves, "maximum")
    found = trust_of(safe, survey, halves)
    assert found.safe
    assert found.holds.all()
    off = ~np.eye(5, dtype=bool)[:, :, None]
    bad = safe.with_pseudo_rewards(np.where(off, 1.0, safe.pseudo_rewards))
    found = trust_of(bad, survey, halves)
    assert found.clearly_unsafe
    assert found.violated.sum() == 20
    best = safe.means.max()
    assert found.q_low < best - 1.0 < found.q_high


def test_the_largest_reward_holds_without_a_test():
    """One person tests, which shows nothing; b bounds every mean all the same."""
    survey = Survey(["a", "b"], [1.0, 2.0, 5.0], [0, 0, 1, 1], [0, 1, 0, 1], [1, 0, 1, 2])
    halves = split(survey, "random")
    problem = make_problem(survey, halves, "maximum")
    found = trust_of(problem, survey, halves)
    assert (found.testing, found.q_high, found.useful) == (1, 0.0, False)
    assert found.holds.all()
    pseudo = problem.pseudo_rewards.copy()
    pseudo[0, 1], pseudo[1, 0] = 3.0, 4.0
    found = trust_of(problem.with_pseudo_rewards(pseudo), survey, halves)
    assert found.q_high == pytest.approx(2.0, abs=1e-6)
    assert found.holds.sum() == 2


def test_a_buffer_is_useful_while_the_survey_still_rules_something_out():
    survey = Population().survey(np.random.default_rng(13), 2000)
    problem = make_problem(survey, split(survey, "random", seed=1), "mean")
    lowest = expected_pseudo_rewards(problem)
    worst = np.delete(np.arange(5), problem.best_arm)
    room = problem.means.max() - lowest[worst].min()
    assert rules_out(problem, 0.0)
    assert rules_out(problem, 0.9 * room)
    assert not rules_out(problem, 1.5 * room)


def test_another_survey_is_refused():
    survey = Population().survey(np.random.default_rng(12), 60)
    halves = split(survey, "random")
    problem = make_problem(survey, halves, "mean")
    other = replace(survey, arms=tuple("abcde"))
    with pytest.raises(ValueError, match=r"arms and values of the survey.*'arm 0'.*'a'"):
        trust_of(problem, other, halves)


# ---------------------------------------------------------------- bounds that hold together


def test_joint_bounds_hold_together_and_without_the_union_they_do_not():
    """400 surveys from a known population: with probability 0.8 every entry must hold."""
    population, rng = Population(), np.random.default_rng(13)
    total, joint, alone = 400, 0, 0
    off = ~np.eye(5, dtype=bool)[:, :, None]
    for _ in range(total):
        survey = population.survey(rng, 400, rate=0.9)
        evidence = evidence_of(survey, split(survey, "none"))
        bound = pseudo_rewards(evidence, "joint", min_people=10, delta_prime=0.2)
        joint += ((bound < population.truth - 1e-9) & off).any()
        moments, used = evidence.moments, bound < 5.0
        share = np.where(used, (moments.person_mean - 1.0) / 4.0, 1.0)
        each = largest_not_refuted(share, np.log(1.0 / 0.2) / np.maximum(moments.people, 1))
        alone += ((1.0 + 4.0 * each < population.truth - 1e-9) & off & used).any()
    assert not rejected(joint, total, 0.2)
    assert rejected(alone, total, 0.2)


def test_joint_is_never_above_hoeffding_at_the_same_level():
    survey = Population().survey(np.random.default_rng(14), 400)
    evidence = evidence_of(survey, split(survey, "none"))
    level = 0.05 / (20 * 5)  # the smallest any entry can have
    wide = pseudo_rewards(evidence, "hoeffding", min_people=10, level=level)
    joint = pseudo_rewards(evidence, "joint", min_people=10)
    assert (joint <= wide + 1e-12).all()
    assert (joint >= pseudo_rewards(evidence, "mean", min_people=10) - 1e-12).all()
    assert (joint < wide).any()


def test_an_entry_with_fewer_people_is_not_believed():
    survey = Population().survey(np.random.default_rng(15), 60)
    evidence = evidence_of(survey, split(survey, "none"))
    people = evidence.moments.people
    off = ~np.eye(5, dtype=bool)[:, :, None] & np.ones((5, 5, 5), dtype=bool)
    for method in METHODS:
        bound = pseudo_rewards(evidence, method, min_people=10)
        assert (bound[off & (people < 10)] == 5.0).all()
        same = pseudo_rewards(evidence, method, 1, 1)
        assert (same == pseudo_rewards(evidence, method)).all()
    assert (off & (people < 10)).any()
    with pytest.raises(ValueError, match="min_people must be a whole number of at least 1, got 0"):
        pseudo_rewards(evidence, "mean", min_people=0)


# ---------------------------------------------------------------- which way


def test_the_choice_is_the_tightest_that_no_held_out_person_speaks_against():
    population, rng = Population(), np.random.default_rng(16)
    chosen = set()
    for seed in range(12):
        survey = population.survey(rng, 400)
        halves = split(survey, "random", seed=seed)
        found = choose_method(survey, halves)
        table = {one.method: one for one in found.table}
        assert list(table) == list(METHODS)
        assert table[found.method].valid
        assert table[found.method].mean == min(one.mean for one in found.table if one.valid)
        assert found.parameters == METHODS[found.method].checked({})
        assert table["maximum"].valid
        assert "other people test them" in found.words
        assert "Their ratings also chose the way." in found.words
        chosen.add(found.method)
        problem = make_problem(survey, halves, found.method, 1, 10, **found.parameters)
        best = perhaps_best(people_of(survey, halves.test), 1.0 - LEVEL)
        assert (trust_of(problem, survey, halves).slack[list(best)] >= -1e-9).all()
    assert len(chosen) > 1, "the mean is not always valid, nor always invalid"


def test_the_intervals_allow_for_all_ways_that_the_same_people_compared():
    """Bonferroni over the ways, by hand; with one way nothing changes."""
    survey = Population().survey(np.random.default_rng(21), 200)
    halves = split(survey, "random", seed=0)
    problem = make_problem(survey, halves, "mean")
    one, eight = (trust_of(problem, survey, halves, ways=ways) for ways in (1, len(METHODS)))
    moments = slack_moments(people_of(survey, halves.test))
    by_hand = moments.slack(problem.pseudo_rewards, 0.025 / len(METHODS) / 20)
    np.testing.assert_allclose(eight.low_all, by_hand.low, atol=1e-12)
    np.testing.assert_allclose(eight.high_all, by_hand.high, atol=1e-12)
    np.testing.assert_array_equal(one.slack, eight.slack)
    assert eight.q_low <= one.q_low <= one.q_estimate == eight.q_estimate
    assert one.q_high < eight.q_high
    assert one.perhaps_best == eight.perhaps_best
    with pytest.raises(ValueError, match="ways must be a whole number from 1 to 1000, got 0"):
        trust_of(problem, survey, halves, ways=0)


def test_where_nothing_is_held_out_bounds_that_hold_together_are_chosen():
    survey = Population().survey(np.random.default_rng(17), 400)
    found = choose_method(survey, split(survey, "none"))
    assert found.method == "joint"
    assert "nothing is tested" in found.words


def test_an_arm_that_nobody_tests_is_named():
    survey = Survey(["a", "b"], [1.0, 2.0], [0, 0, 1], [0, 1, 1], [0, 1, 1])
    with pytest.raises(ValueError, match="people held out, got none of 'a'"):
        choose_method(survey, split(survey, "heaviest"))
