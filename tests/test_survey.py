"""Surveys and their splits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cbai.problem import splits
from cbai.problem.splits import split
from cbai.problem.survey import Survey, choose_arms, tally_of, top_arms
from tests.reference import philox
from tests.strategies import SEEDS

GOOD = {
    "arms": ["a", "b"],
    "values": [1.0, 2.0],
    "person": [0, 0, 1],
    "arm": [0, 1, 1],
    "value": [1, 0, 1],
}


def survey_of(ratings_per_person, **options):
    """Return a survey in which person i has that many ratings, arms in turn."""
    person = np.repeat(np.arange(len(ratings_per_person)), ratings_per_person)
    turn = np.arange(person.size)
    return Survey(["a", "b", "c"], [1.0, 2.0], person, turn % 3, turn % 2, **options)


def test_heaviest_covers_half_and_breaks_ties_by_id():
    survey = survey_of([2, 5, 3, 5, 3, 2])
    assert split(survey, "heaviest").train.tolist() == [False, True, False, True, False, False]
    near = split(survey_of([3, 3, 3, 2]), "heaviest")
    assert near.train.tolist() == [True, True, False, False]
    assert near.test.tolist() == [False, False, True, True]


def test_where_all_rate_equally_much_the_heaviest_half_is_random():
    """Half of the people prefer b, and the file is sorted so; its first half must not train."""
    value = np.concatenate([np.tile([1, 0], 50), np.tile([0, 1], 50)])
    survey = Survey(["a", "b"], [1.0, 2.0], np.repeat(np.arange(100), 2), [0, 1] * 100, value)
    heavy = split(survey, "heaviest", seed=7)
    assert (heavy.train == split(survey, "random", seed=7).train).all()
    assert 10 < heavy.train[:50].sum() < 40
    assert "equally many ratings" in heavy.words
    assert "at random (seed 7)" in heavy.words
    assert "equally many" not in split(survey_of([3, 2, 3]), "heaviest").words


@pytest.mark.parametrize(
    ("number", "usual"),
    [
        ([3, 3, 3, 3], "random"),  # all alike
        ([3, 3, 3, 2], "random"),  # no useful difference
        ([9, 9, 3, 3, 3, 3], "heaviest"),
        ([9, 3, 3], "random"),  # one person would train
        ([9, 9, 1, 1], "random"),  # the light half lacks an arm
        ([0, 0], "random"),
    ],
)
def test_the_usual_split_is_by_who_rates_most_only_where_that_means_something(number, usual):
    assert splits.usual_split(survey_of(number, n_people=len(number))) == usual


@given(st.lists(st.integers(0, 9), min_size=2, max_size=30).filter(lambda n: sum(map(bool, n)) > 1))
def test_heaviest_is_the_shortest_list_of_the_heaviest(number):
    halves = split(survey_of(number, n_people=len(number)), "heaviest")
    ratings = np.array(number)
    inside, outside = ratings[halves.train], ratings[halves.test]
    assert inside.sum() >= ratings.sum() / 2 > inside.sum() - inside.min()
    assert inside.min() >= outside.max()
    assert halves.held_out
    assert (halves.train | halves.test).tolist() == (ratings > 0).tolist()


@given(SEEDS, st.integers(2, 60), st.floats(0.2, 0.8))
@settings(max_examples=40)
def test_random_draws_that_share_of_the_people_and_the_same_again(seed, n_people, share):
    survey = survey_of([1] * n_people)
    if not 0 < round(share * n_people) < n_people:
        return
    first, second = (split(survey, "random", seed=seed, share=share) for _ in range(2))
    assert first.train.sum() == round(share * n_people)
    assert (first.train == second.train).all()
    assert not (first.train & first.test).any()


def test_random_does_not_change_with_versions():
    """The plain generator's words for the counter (i // 4, 0, 0, 3), the smallest of them train."""
    halves = split(survey_of([1] * 10), "random", seed=2021)
    words = [philox.block((i // 4, 0, 0, 3), 2021)[i % 4] for i in range(10)]
    assert np.flatnonzero(halves.train).tolist() == sorted(np.argsort(words)[:5].tolist())


def test_by_column_and_none():
    survey = survey_of([1, 2, 1, 0], columns={"country": ["DE", "FR", "DE", "DE"]})
    halves = split(survey, "column", column="country", entry="DE")
    assert halves.train.tolist() == [True, False, True, False]
    assert halves.test.tolist() == [False, True, False, False]
    assert "country = DE" in halves.words
    both = split(survey, "none")
    assert both.train.tolist() == both.test.tolist() == [True, True, True, False]
    assert not both.held_out
    assert "nothing is held out" in both.words


@pytest.mark.parametrize(
    ("how", "options", "words"),
    [
        ("oldest", {}, "how must be one of heaviest.*'oldest'"),
        ("random", {"share": 0.0}, r"share.*\(0, 1\)"),
        ("random", {"seed": -1}, "seed.*-1"),
        ("random", {"share": 0.01}, "none in the training half"),
        ("column", {}, "needs one of the survey's columns.*country.*None"),
        ("column", {"column": "age", "entry": 3}, "column must be one of country.*'age'"),
        ("column", {"column": "country", "entry": "XX"}, "none in the training half"),
    ],
)
def test_bad_splits_are_quoted(how, options, words):
    survey = survey_of([1, 2, 1], columns={"country": ["DE", "FR", "DE"]})
    with pytest.raises(ValueError, match=words):
        split(survey, how, **options)


def test_one_person_cannot_be_split():
    with pytest.raises(ValueError, match="none in the test half"):
        split(survey_of([4]), "heaviest")
    with pytest.raises(ValueError, match="at least one rating"):
        split(survey_of([0, 0], n_people=2), "none")


def test_arms_are_chosen_in_the_order_given_and_by_number():
    survey = Survey(["a", "b", "c"], [1.0, 2.0], [0, 0, 1, 1, 2], [0, 1, 1, 2, 2], [0, 1, 1, 0, 1])
    chosen = choose_arms(survey, ["c", "a"])
    assert chosen.arms == ("c", "a")
    assert (chosen.person.tolist(), chosen.arm.tolist()) == ([0, 1, 2], [1, 0, 0])
    assert chosen.n_people == 3
    assert top_arms(survey, 2).arms == ("b", "c")
    heavy = Survey(
        survey.arms, survey.values, survey.person, survey.arm, survey.value, [9, 1, 1, 1, 2]
    )
    assert top_arms(heavy, 2).arms == ("a", "c")
    for bad, words in ((["a", "x"], "got 'x'"), (["a"], "at least 2"), (["a", "a"], "different")):
        with pytest.raises(ValueError, match=words):
            choose_arms(survey, bad)
    with pytest.raises(ValueError, match="n must be a whole number from 2 to 3, got 4"):
        top_arms(survey, 4)


def test_the_tally_counts_some_people_only():
    survey = Survey(**GOOD, weight=[1.0, 2.0, 5.0])
    some = tally_of(survey, np.array([True, False]))
    assert some.counts.toarray().tolist() == [[0.0, 1.0, 2.0, 0.0], [0.0] * 4]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"arms": ["a"]}, "at least 2 different names"),
        ({"arms": ["a", "a"]}, "different"),
        ({"values": [2.0, 1.0]}, "increasing"),
        ({"values": [-1.0, 1.0]}, r"values must lie in \[0, 1\], got -1"),
        ({"person": [0, 0]}, "must be 2 whole numbers"),
        ({"person": [0.5, 0, 1]}, "person must be 3 whole numbers, got float64"),
        ({"arm": [0, 1, 2]}, r"arm must lie in \[0, 2\), got from 0 to 2"),
        ({"value": [0, -1, 1]}, "value must lie in"),
        ({"weight": [1.0, -1.0, 1.0]}, "weight must lie in.*-1"),
        ({"weight": [1.0, np.inf, 1.0]}, "weight must be finite"),
        ({"columns": {"age": [1]}}, "column 'age' must hold 2 entries"),
        ({"reward_max": 1.5}, "values must lie in"),
    ],
)
def test_bad_surveys_are_quoted(change, words):
    assert Survey(**GOOD).n_people == 2
    with pytest.raises(ValueError, match=words):
        Survey(**{**GOOD, **change})


def test_every_split_says_what_it_does():
    assert set(splits.SPLITS) == {"heaviest", "random", "column", "none"}
