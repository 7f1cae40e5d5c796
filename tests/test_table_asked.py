"""What a file cannot tell is asked, and an answer leads to the questions of its own reading."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cbai.datasets.table import inspect, read_survey
from tests.stranger_tables import (
    IDS,
    MEANS,
    RATED,
    N,
    ab_log,
    csv,
    finished_means,
    long,
    unfinished,
)
from tests.test_table_kinds import means_of


def keys(guess):
    return [doubt.key for doubt in guess.doubts]


def attributes():
    """Return a long table with three columns like ratings."""
    rows = [
        {"product": name, **{a: int(RATED[name][i * k % N])
                             for a, k in (("taste", 1), ("smell", 7), ("look", 11))}}
        for i in range(N) for name in RATED
    ]  # fmt: skip
    return pd.DataFrame(rows)


EQUAL = {
    "wide": b"id,A,B,C\n" + b"".join(b"%d,3,3,3\n" % i for i in range(20)),
    "three rows": b"id,A,B,C\n1,3,3,3\n2,3,3,3\n3,3,3,3\n",
    "named": b"respondent,A,B\n" + b"".join(b"p%d,5,5\n" % i for i in range(12)),
    "long": b"who,what,x\n" + b"".join(b"p%d,%c,3\n" % (i // 2, 65 + i % 2) for i in range(20)),
    "words of yes": b"id,A,B\n" + b"".join(b"%d,yes,yes\n" % i for i in range(12)),
}


@pytest.mark.parametrize("what", EQUAL)
def test_ratings_that_are_all_equal_are_said_to_be(what):
    with pytest.raises(ValueError, match=r"^All ratings are equal.*all are [135]\.$"):
        read_survey(EQUAL[what], inspect(EQUAL[what], "f.csv"))


@pytest.mark.parametrize("progress", [True, False])
def test_whether_unfinished_answers_count_is_asked(progress):
    data = unfinished(progress)
    guess = inspect(data, "f.csv")
    assert keys(guess) == ["unfinished"]
    survey, report = read_survey(data, guess)
    assert means_of(survey) == pytest.approx(finished_means())
    assert report.dropped == (("an answer that was not finished", 20),)
    every = guess.answered("unfinished", guess.doubts[0].answers[1])
    assert every.doubts == ()
    assert means_of(read_survey(data, every)[0]) == pytest.approx(MEANS)


FLAGS = {
    "progress alone": ("Progress", [100, 80, 35]),
    "0 and 1": ("Finished", [1, 0, 0]),
    "German": ("Beendet", ["Ja", "Nein", "Nein"]),
    "SurveyMonkey": ("Response Status", ["Completed", "Partial", "Disqualified"]),
    "Typeform": ("Response Type", ["completed", "partial", "started"]),
}


@pytest.mark.parametrize("flag", FLAGS)
@pytest.mark.parametrize("shape", ["wide", "long"])
def test_columns_of_many_tools_say_who_has_finished(flag, shape):
    name, entries = FLAGS[flag]
    state = [entries[0] if i % 3 else entries[1 + i % 2] for i in range(N)]
    frame = (
        pd.DataFrame({"who": IDS, name: state, **RATED})
        if shape == "wide"
        else long(**{name: lambda i, _: state[i]})
    )
    guess = inspect(csv(frame), "f.csv")
    assert keys(guess) == ["unfinished"]
    survey, _ = read_survey(csv(frame), guess)
    assert means_of(survey) == pytest.approx(finished_means())


def test_all_finished_is_not_asked_about():
    for state in ("True", "100", "Completed"):
        data = csv({"ResponseId": IDS, "Finished": [state] * N, **RATED})
        assert inspect(data, "f.csv").doubts == ()


def test_all_columns_like_ratings_are_offered_as_the_rating():
    data = csv(attributes())
    guess = inspect(data, "f.csv")
    assert keys(guess) == ["layout", "reward column"]
    assert guess.user is None
    offered = [answer.changes["reward"] for answer in guess.doubts[1].answers]
    assert offered == ["taste", "smell", "look"]
    one = guess.answered("layout", guess.doubts[0].answers[0])
    assert keys(one) == ["reward column"]
    last = one.answered("reward column", one.doubts[0].answers[2])
    assert (last.doubts, last.reward) == ((), "look")
    want = {n: RATED[n][np.arange(N) * 11 % N].mean() for n in RATED}
    assert means_of(read_survey(data, last)[0]) == pytest.approx(want)


def test_an_answer_about_the_layout_leads_to_the_questions_of_that_layout():
    """With a column of 1 and 2 the wide reading has a question of its own, the long one another."""
    frame = attributes().assign(zz=[1 + i % 2 for i in range(3 * N)])
    guess = inspect(csv(frame), "f.csv")
    assert keys(guess) == ["layout", "reward column"]
    long_, wide = (guess.answered("layout", answer) for answer in guess.doubts[0].answers)
    assert keys(long_) == ["reward column"]
    assert (wide.layout, keys(wide)) == ("wide", ["options"])
    assert wide.answered("options", wide.doubts[0].answers[1]).arm_columns == (
        "taste", "smell", "look", "zz",
    )  # fmt: skip


def test_no_answer_gives_a_column_two_meanings():
    """A column chosen as the person is no longer offered as the rating."""
    guess = inspect(csv(attributes()), "f.csv")
    guess = guess.answered("layout", guess.doubts[0].answers[0]).corrected(user="smell")
    assert [answer.changes["reward"] for answer in guess.doubts[0].answers] == ["taste", "look"]


ODD = {"1 and 2": [1 + i % 2 for i in range(N)], "a constant": [3] * N}


@pytest.mark.parametrize("odd", ODD)
def test_a_column_that_hardly_changes_is_asked_about(odd):
    data = csv({"who": IDS, "zz": ODD[odd], **RATED})
    guess = inspect(data, "f.csv")
    assert keys(guess) == ["options"]
    assert guess.arm_columns == tuple(RATED)
    assert means_of(read_survey(data, guess)[0]) == pytest.approx(MEANS)
    yes = guess.answered("options", guess.doubts[0].answers[1])
    assert (yes.doubts, yes.arm_columns) == ((), ("zz", *RATED))


def test_two_columns_that_may_be_the_option_are_asked_about():
    guess = inspect(ab_log(), "f.csv")
    assert keys(guess) == ["option column"]
    assert guess.arm == "variant"
    other = guess.answered("option column", guess.doubts[0].answers[1])
    assert (other.arm, other.doubts) == ("device", ())
    assert set(read_survey(ab_log(), other)[0].arms) == {"mobile", "desktop", "tablet"}


def test_two_columns_called_like_options_are_asked_about():
    """A genre says less than an item, so each may be meant."""
    genres = dict(zip(RATED, ("sweet", "sweet", "sour"), strict=True))
    guess = inspect(csv(long(genre=lambda i, name: genres[name])), "f.csv")
    assert keys(guess) == ["option column"]
    assert {answer.changes["arm"] for answer in guess.doubts[0].answers} == {"product", "genre"}


def test_other_words_for_the_option_and_what_is_said_of_a_person_are_no_options():
    title = long(title=lambda i, name: f"{name} juice", city=lambda i, name: "AB"[i % 2])
    guess = inspect(csv(title.rename(columns={"city": "hood"})), "f.csv")
    assert guess.doubts == ()
    assert guess.arm == "product"
