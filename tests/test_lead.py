"""Who leads: against plain formulas, and how often a leader is declared that is none."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cbai.problem import lead as module
from cbai.problem import people as units
from cbai.problem.lead import lead_of
from cbai.problem.people import is_table_of_totals, people_of
from cbai.problem.survey import Survey
from tests.surveys import VALUES, alike

FALSE_ALARM = 1e-6
SURVEYS = 1500


def test_where_everyone_rated_both_once_it_is_the_paired_t_interval():
    rng = np.random.default_rng(1)
    survey = alike(rng)
    found = lead_of(survey)
    first, second = (survey.values[survey.value[survey.arm == k]] for k in (0, 1))
    want = stats.ttest_rel(first, second).confidence_interval(0.95)
    signed = found.difference if found.leader == 0 else -found.difference
    assert signed == pytest.approx((first - second).mean())
    assert 2 * found.half_width == pytest.approx(want.high - want.low)
    own = stats.t.interval(0.95, 299, first.mean(), stats.sem(first))
    assert (found.low[0], found.high[0]) == pytest.approx(own)
    assert found.people == 300


@pytest.mark.parametrize("seed", range(4))
def test_the_doubt_of_two_arms_is_the_p_value_of_the_paired_t_test(seed):
    survey = alike(np.random.default_rng(seed))
    first, second = (survey.values[survey.value[survey.arm == k]] for k in (0, 1))
    want = stats.ttest_rel(first, second).pvalue
    assert lead_of(survey).doubt == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize("n_arms", [2, 5])
def test_the_doubt_says_from_which_level_on_a_lead_is_declared(n_arms):
    rng = np.random.default_rng(n_arms)
    found = 0
    for _ in range(30):
        survey = alike(rng, 60, n_arms)
        doubt = lead_of(survey).doubt
        if doubt < 1.0:
            found += 1
            assert lead_of(survey, level=1.0 - 1.001 * doubt).decided
            assert not lead_of(survey, level=1.0 - 0.999 * doubt).decided
        else:
            assert not lead_of(survey, level=0.001).decided
    assert found >= 3


def test_alike_arms_seldom_look_as_if_one_were_surely_better():
    """A doubt of at most 20 % comes in at most 20 % of such surveys; a third of it more often."""
    rng = np.random.default_rng(9)
    doubts = np.array([lead_of(alike(rng, 100, 3)).doubt for _ in range(SURVEYS)])
    seldom = {"alternative": "greater"}
    assert stats.binomtest(int((doubts <= 0.2).sum()), SURVEYS, 0.2, **seldom).pvalue > FALSE_ALARM
    planted = int((doubts / 3 <= 0.2).sum())
    assert stats.binomtest(planted, SURVEYS, 0.2, **seldom).pvalue < FALSE_ALARM


def test_where_nobody_rated_both_it_is_the_unpaired_standard_error():
    rng = np.random.default_rng(2)
    value = rng.integers(0, 5, 240)
    arm = (np.arange(240) >= 100).astype(int)
    found = lead_of(Survey(["a", "b"], VALUES, np.arange(240), arm, value))
    parts = [stats.sem(VALUES[value[arm == k]]) ** 2 for k in (0, 1)]
    assert found.half_width == pytest.approx(stats.t.isf(0.025, 99) * np.sqrt(sum(parts)))
    assert found.people == 240


def declared(rng, most=1, n_arms=2, paired=True, n_people=300):
    surveys = (alike(rng, n_people, n_arms, most, paired) for _ in range(SURVEYS))
    return sum(lead_of(survey).decided for survey in surveys)


def rejected(count):
    """Say whether more than 5 % of the surveys were decided; false alarm at most 1e-6."""
    return stats.binomtest(int(count), SURVEYS, 0.05, alternative="greater").pvalue < FALSE_ALARM


@pytest.mark.parametrize("options", [{}, {"most": 8, "n_people": 80}, {"paired": False}])
def test_people_who_cannot_tell_two_ads_apart_are_said_not_to(options):
    """1,500 surveys in which both ads are alike: at most 5 % may name a leader."""
    assert not rejected(declared(np.random.default_rng(3), **options))


def test_the_same_test_sees_ratings_taken_for_people(monkeypatch):
    def naive(survey, who=None):
        n = survey.person.size
        return people_of(Survey(survey.arms, survey.values, np.arange(n), survey.arm, survey.value))

    monkeypatch.setattr(module, "people_of", naive)
    assert rejected(declared(np.random.default_rng(3), most=8, n_people=80))


def test_a_best_arm_is_seldom_left_out_whoever_leads():
    """Ten ads alike, so the first is a best one: it is told from the leader in at most 5 %.

    Rejected at a p-value of 1e-6, the false-alarm rate; the usual interval, which does not allow
    for a leader that was chosen by the data, must be rejected.
    """
    rng = np.random.default_rng(4)
    left_out = naive = 0
    for _ in range(SURVEYS):
        people = people_of(alike(rng, 60, 10))
        left_out += 0 not in module.perhaps_best(people, 0.05)
        naive += 0 not in module.perhaps_best(people, 0.05 * 10 / 2)
    assert not rejected(left_out)
    assert rejected(naive)


def test_a_clear_lead_is_seen():
    """With a true lead of a whole point, 300 people decide."""
    survey = alike(np.random.default_rng(5))
    value = np.where(survey.arm == 1, np.minimum(survey.value + 1, 4), survey.value)
    found = lead_of(Survey(survey.arms, VALUES, survey.person, survey.arm, value))
    assert (found.leader, found.decided, found.tied, found.rival) == (1, True, (), 0)
    assert found.perhaps_best == (1,)


@pytest.mark.parametrize("n_people", [1, 2, 5])
def test_a_few_people_who_agree_are_no_certainty(n_people):
    person = np.tile(np.arange(n_people), 2)
    arm = np.repeat([0, 1], n_people)
    survey = Survey(["a", "b"], VALUES, person, arm, np.where(arm == 0, 3, 2))
    found = lead_of(survey)
    assert np.isfinite(found.half_width)
    assert not found.decided
    assert found.tied == (1,)
    many = np.tile(np.arange(300), 2), np.repeat([0, 1], 300)
    assert lead_of(Survey(["a", "b"], VALUES, *many, np.where(many[1] == 0, 3, 2))).decided


def test_a_rare_click_is_not_taken_for_a_sure_one():
    """300 people, true rate 1 %: at most 5 % of intervals may miss it, and without the floor more.

    Rejected at a p-value of 1e-6, the false-alarm rate.
    """
    rng = np.random.default_rng(6)
    missed = bare = 0
    for _ in range(SURVEYS):
        value = (rng.random(600) < 0.01).astype(int)
        survey = Survey(["a", "b"], [0.0, 1.0], np.arange(600), np.arange(600) % 2, value)
        found = lead_of(survey)
        missed += not found.low[0] <= 0.01 <= found.high[0]
        mean, error = found.means[0], np.sqrt(people_of(survey).covariance[0, 0])
        bare += abs(mean - 0.01) > stats.t.isf(0.025, 299) * error
    assert not rejected(missed)
    assert rejected(bare)


def test_a_table_of_totals_counts_its_weights_as_people():
    rows = [0, 0, 1, 1], [1, 0, 1, 0], [30.0, 970.0, 60.0, 940.0]
    survey = Survey(["a", "b"], [0.0, 1.0], range(4), *rows)
    assert is_table_of_totals(survey)
    long = np.repeat(np.arange(4), np.array(rows[2], int))
    alone = Survey(["a", "b"], [0.0, 1.0], np.arange(2000), *(np.array(r)[long] for r in rows[:2]))
    one, two = lead_of(survey), lead_of(alone)
    assert one.people == two.people == 2000
    assert one.half_width == pytest.approx(two.half_width)
    assert one.low == pytest.approx(two.low)
    assert one.decided


@pytest.mark.parametrize(
    "change",
    [
        {"person": [0, 1, 2, 2]},  # someone has two rows
        {"arm": [0, 0, 1, 1], "value": [1, 1, 1, 0]},  # the same answer twice
        {"weight": [1.0, 1.0, 1.0, 1.0]},
        {"weight": [1.5, 1.0, 1.0, 1.0]},
    ],
)
def test_other_weights_are_ratings_of_one_person(change):
    columns = {
        "person": [0, 1, 2, 3], "arm": [0, 0, 1, 1], "value": [1, 0, 1, 0],
        "weight": [9.0, 1.0, 1.0, 9.0], **change,
    }  # fmt: skip
    survey = Survey(["a", "b"], [0.0, 1.0], **columns)
    assert not is_table_of_totals(survey)
    assert people_of(survey).copies.max() == 1.0
    assert not lead_of(survey).decided


def test_one_person_with_most_ratings_is_still_one():
    """A thousand equal ratings by one person do not decide."""
    person = np.append(np.zeros(1000, int), np.arange(1, 21))
    arm = np.append(np.zeros(1000, int), np.arange(20) % 2)
    value = np.append(np.full(1000, 4), np.arange(20) % 5)
    found = lead_of(Survey(["a", "b"], VALUES, person, arm, value))
    assert found.leader == 0
    assert not found.decided


def test_bad_input_is_quoted():
    survey = Survey(["a", "b", "c"], VALUES, [0, 0], [0, 1], [1, 2])
    with pytest.raises(ValueError, match="Every option needs a rating, got none of 'c'"):
        lead_of(survey)
    with pytest.raises(ValueError, match=r"level must be in \(0, 1\), got 1"):
        lead_of(Survey(["a", "b"], VALUES, [0, 0], [0, 1], [1, 2]), level=1.0)


def test_half_widths_with_one_person_are_infinite():
    found = units.half_widths(np.array([0.0, 1.0]), np.array([1.0, 2.0]), 0.025)
    assert found[0] == np.inf
    assert found[1] == pytest.approx(12.7062, abs=1e-4)
