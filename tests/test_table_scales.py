"""Columns on another scale, zeros below a scale from 1, and questions that end in a name."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from cbai.datasets.table import inspect, read_survey

N = 300


def answers(low=1, high=7, n=N, seed=0):
    """Return ratings with a hump in the middle of a scale, as people give them."""
    rng = np.random.default_rng(seed)
    middle, width = (low + high) / 2, (high - low) / 5
    return np.clip(np.rint(rng.normal(middle, width, n)), low, high).astype(int)


def brands(low=1, high=7, n=N):
    """Return a table of six brands that everybody rated."""
    names = ("Aurora", "Breeze", "Cobalt", "Dune", "Ember", "Frost")
    return pd.DataFrame({name: answers(low, high, n, i) for i, name in enumerate(names)})


def guessed(frame):
    return inspect(frame.to_csv(index=False).encode(), "f.csv")


@pytest.mark.parametrize("top", [5, 7])
@pytest.mark.parametrize("place", [0, 3, 6])
def test_a_column_from_0_to_10_beside_shorter_scales_is_asked_about(top, place):
    frame = brands(1, top)
    names = tuple(frame.columns)
    frame.insert(place, "recommend", answers(0, 10))
    frame.loc[0, "recommend"] = 10
    guess = guessed(frame)
    (doubt,) = guess.doubts
    assert doubt.key == "options"
    assert str(doubt).startswith("Is 'recommend' rated on the same scale as 'Aurora', 'Breeze', ")
    assert str(doubt).endswith(f"Its largest rating is 10, that of the others is {top}.")
    assert guess.arm_columns == names
    everything = guess.answered("options", doubt.answers[-1])
    assert everything.arm_columns == tuple(frame.columns)


def test_options_that_few_like_are_on_the_same_scale():
    """Nobody gives more than 7 of 10 to some; but few give 7, so more was possible."""
    frame = brands(0, 10)
    for name in ("Dune", "Ember"):
        frame[name] = np.minimum(frame[name] - 1, 7).clip(1)
    frame.loc[frame["Dune"] == 7, "Dune"] = 6
    frame.loc[frame["Ember"] == 7, "Ember"] = 6
    frame.loc[:4, ["Dune", "Ember"]] = 7
    frame.loc[0, "Aurora"] = 10
    guess = guessed(frame)
    assert (guess.doubts, guess.arm_columns) == ((), tuple(frame.columns))


@pytest.mark.parametrize("top", [5, 7])
def test_some_zeros_below_a_scale_that_begins_at_1_are_asked_about(top):
    frame = brands(1, top)
    gaps = np.random.default_rng(1).random(frame.shape) < 0.12
    guess = guessed(frame.mask(gaps, 0))
    (doubt,) = guess.doubts
    assert (doubt.key, guess.missing) == ("missing code", (0.0,))
    assert str(doubt).endswith(f"times. The other ratings range from 1 to {top}.")


def test_zeros_that_belong_to_a_scale_are_not_asked_about():
    assert guessed(brands(0, 5)).doubts == ()
    assert guessed(brands(0, 7)).doubts == ()
    assert guessed(brands(0, 10)).doubts == ()


@pytest.mark.parametrize(
    "name", ["How do you like the new name", "Please rate the ease of zip code"]
)
def test_a_question_that_ends_in_a_name_is_not_left_out_in_silence(name):
    frame = brands()
    frame[name] = answers(seed=9)
    guess = guessed(frame)
    assert [str(doubt).split(" an option")[0] for doubt in guess.doubts] == [f"Is {name!r}"]
    assert guess.arm_columns == tuple(frame.columns)


def test_a_short_name_of_a_code_stays_left_out():
    frame = brands()
    frame["shop id"] = answers(seed=9)
    guess = guessed(frame)
    assert (guess.doubts, guess.arm_columns) == ((), tuple(brands().columns))


def test_weights_that_are_not_used_are_named():
    frame = brands()
    frame.insert(0, "weight", np.random.default_rng(2).uniform(0.5, 2.0, N).round(3))
    guess = guessed(frame)
    assert guess.reasons[-1] == "'weight' is not used: every row counts once."
    assert read_survey(frame.to_csv(index=False).encode(), guess)[1].ratings == 6 * N


@pytest.mark.parametrize("name", ["Overall satisfaction", "NPS", "Gesamtzufriedenheit"])
def test_a_column_about_everything_is_asked_about(name):
    frame = brands()
    frame[name] = answers(seed=9)
    guess = guessed(frame)
    (doubt,) = guess.doubts
    assert str(doubt).startswith(f"Is {name!r} an option like ")
    assert guess.arm_columns == tuple(brands().columns)


def test_options_that_share_such_a_word_are_options():
    frame = brands().add_prefix("Satisfaction with ")
    assert (guessed(frame).doubts, guessed(frame).arm_columns) == ((), tuple(frame.columns))


@pytest.mark.parametrize("name", ["Q1_First Click", "Q1_Page Submit", "Timing - Click Count"])
def test_the_technical_columns_of_a_timing_question_are_no_options(name):
    frame = brands()
    frame[name] = answers(seed=9)
    assert (guessed(frame).doubts, guessed(frame).arm_columns) == ((), tuple(brands().columns))


@pytest.mark.parametrize("write", ["{:,.2f} €", "€ {:,.2f}", "{:.0f} %", "{:.0f}/100"])
def test_ratings_with_a_unit_do_not_name_the_columns(write):
    rng = np.random.default_rng(4)
    names = ("Aurora", "Breeze", "Cobalt")
    frame = pd.DataFrame({name: rng.uniform(10, 99, N) for name in names})
    guess = guessed(frame.map(write.format))
    assert (guess.arm_columns, guess.header_rows) == (names, 1)


@pytest.mark.parametrize("name", ["Kundennummer", "Patientennummer", "customernumber"])
def test_a_number_of_a_customer_in_one_word_says_who(name):
    rows = [
        (f"K{i}", brand, int(score), 1 + i % 9 / 4, 1 + i % 5)
        for brand, scores in brands().items()
        for i, score in enumerate(scores)
    ]
    guess = guessed(pd.DataFrame(rows, columns=[name, "product", "rating", "price", "smell"]))
    assert (guess.user, guess.arm, guess.reward) == (name, "product", "rating")


@pytest.mark.filterwarnings("error")
def test_infinite_numbers_are_read_without_a_warning():
    guess = inspect(b"A,B,C\n1,inf,2\n3,inf,4\n5,inf,1\n2,inf,3\n", "f.csv")
    assert {"A", "C"} <= {*guess.arm_columns}
