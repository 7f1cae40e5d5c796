"""Names of algorithms: what is spelled out is found again, and a bad name gets a clear sentence."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cbai
from cbai.simulation import CONFIDENCE, find
from cbai.simulation.rules.names import LAB, LAB_TITLE, code
from cbai.ui.lab.recipe import STARTS
from tests.strategies import compositions, make_problem

WORDS = ("name", "title", "guarantee", "source", "beyond")
PAPER = [name for name in STARTS if "@" in name]


COMPOSED = [name for name, row in cbai.ALGORITHMS.items() if row.is_composed]


def rules(row):
    return {f.name: getattr(row, f.name) for f in fields(row) if f.name not in WORDS}


@pytest.mark.parametrize("name", [*COMPOSED, *PAPER])
def test_a_row_spelled_out_is_that_row(name):
    spelled = find(code(find(name)))
    assert rules(spelled) == rules(find(name))
    assert spelled.title == LAB_TITLE
    assert find(spelled.name) == spelled


@given(compositions)
def test_a_composition_spelled_out_is_that_composition(row):
    assert find(code(row)) == row
    assert code(find(code(row))) == code(row)


@pytest.mark.parametrize("name", COMPOSED)
def test_a_row_spelled_out_plays_as_that_row(name):
    problem = make_problem(4, 3, "valid", "ratings", False, seed=1)
    both = cbai.simulate(problem, [name, code(find(name))], 0.1, trials=5, p=0.3)
    for table in (both.samples, both.best_arm, both.pulls, both.eliminated_at):
        np.testing.assert_array_equal(table[0], table[1])


def test_another_sequence_changes_only_the_bounds_and_says_so():
    for name in CONFIDENCE:
        row = find(f"c_lucb@{name}")
        changed = {"confidence"} if name != "howard" else set()
        before, after = rules(find("c_lucb")), rules(row)
        assert {key for key in before if before[key] != after[key]} == changed
        assert CONFIDENCE[name].title in row.title
        assert CONFIDENCE[name].conditions in row.guarantee


def test_betting_is_no_part_of_a_recipe():
    for word in ("own_wealth", "pooled_wealth"):
        with pytest.raises(ValueError, match="elimination must be one of none, own_ucb, cross_ucb"):
            find(f"lab:mean-own_ucb-1K-{word}-1K-none-1-1-howard")


GOOD = "mean-own_ucb-1K-own_ucb-1K-none-1-1-howard"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nobody", "nobody"),
        ("lucb@", "confidence must be one of"),
        ("nobody@lil", "algorithm must be one of"),
        ("lucb@nothing", "nothing"),
        (LAB, "9 choices"),
        (LAB + GOOD + "-1", "9 choices"),
        (LAB + GOOD.replace("mean", "best"), "leader must be one of all, mean"),
        (LAB + GOOD.replace("own_ucb", "someone"), "challenger must be one of"),
        (LAB + GOOD.replace("-1K-none", "-0K-none"), "from 1 to 99"),
        (LAB + GOOD.replace("1K", "100"), "from 1 to 99"),
        (LAB + GOOD.replace("1K", "K"), "'K'"),
        (LAB + GOOD.replace("1K", "-1"), "9 choices"),
        (LAB + GOOD.replace("howard", "Howard"), "'Howard'"),
        (LAB + GOOD.replace("own_ucb-1K-none", "none-1K-none"), "must eliminate or"),
        (LAB + GOOD.replace("mean", "all"), "no challenger"),
        (LAB + "all-none-1-own_ucb-1K-pull_share-1-1-howard", "no stopping"),
    ],
)
def test_a_bad_name_gets_one_sentence(name, said):
    with pytest.raises(ValueError, match=r"\.$") as error:
        find(name)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@given(st.text(max_size=60))
def test_no_text_does_worse_than_a_sentence(text):
    for name in (f"{LAB}{text}", f"lucb@{text}*"):
        with pytest.raises(ValueError, match=r"\.$"):
            find(name)
