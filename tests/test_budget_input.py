"""What runs with a fixed budget refuse, each in one sentence that quotes the value."""

from __future__ import annotations

from dataclasses import replace

import pytest

import cbai
from cbai.simulation.rules.budget_rows import Score
from tests.test_budget import coins


@pytest.mark.parametrize(
    "special", [{"score": Score.MIN_PSEUDO_REWARD}, {"by_variance": True}, {"fresh": True}]
)
def test_choices_that_do_not_go_together_are_refused(special):
    with pytest.raises(ValueError, match="Halving may do one of three things"):
        replace(cbai.BUDGET_ALGORITHMS["uniform"], **special)
    with pytest.raises(ValueError, match="Halving may do one of three things"):
        replace(cbai.BUDGET_ALGORITHMS["sh_ada_var"], fresh=True)


SIMULATE = {"budget": 100, "trials": 2}
BAD = {
    "no number": ({"budget": "500"}, "budget must be a whole number from 1 to 10000000, got '500'"),
    "half": ({"budget": 2.5}, "budget must be a whole number .* got 2.5"),
    "none left": ({"budget": 0}, "budget must be a whole number .* got 0"),
    "too large": ({"budget": 10**8}, "budget must be a whole number .* got 100000000"),
    "delta too": ({"delta": 0.1}, "budget = 100 must be given without delta: "),
    "two more": ({"delta": 0.1, "epsilon": 0.1}, "without delta and epsilon: "),
    "a limit": ({"max_samples": 50}, "without max_samples: "),
    "trials": ({"trials": 0}, "trials must be a whole number from 1 to .* got 0"),
    "p": ({"p": 2.0}, r"p must be in \[0, 1\], got 2"),
    "q": ({"q": -1.0}, r"q must be in \[0, 1\], got -1"),
    "seed": ({"seed": -1}, "seed must be a whole number .* got -1"),
    "first": ({"first_trial": -1}, "first_trial must be a whole number .* got -1"),
}


@pytest.mark.parametrize(("change", "said"), BAD.values(), ids=list(BAD))
def test_bad_input_is_refused_in_one_sentence(change, said):
    with pytest.raises(ValueError, match=said) as caught:
        cbai.simulate(coins(0.2, 0.8), ["uniform"], **(SIMULATE | change))
    assert str(caught.value).count(". ") == 0


@pytest.mark.parametrize(
    ("algorithms", "said"),
    [
        (["lucb"], "With a budget, algorithms must be among uniform, .*; got 'lucb'"),
        ([], "algorithms must be a list of at least 1 name"),
        ("uniform", "algorithms must be a list of at least 1 name"),
        (["uniform", "uniform"], "algorithms must have different names"),
        ([3], "With a budget, algorithms must be among .*; got 3"),
    ],
)
def test_bad_algorithms_are_refused(algorithms, said):
    for call in (
        lambda: cbai.simulate(coins(0.2, 0.8), algorithms, budget=100),
        lambda: cbai.budget_curve(coins(0.2, 0.8), algorithms, [100]),
    ):
        with pytest.raises(ValueError, match=said):
            call()


def test_a_row_for_a_budget_needs_one():
    with pytest.raises(ValueError, match="'uniform' spends a fixed budget: give budget"):
        cbai.simulate(coins(0.2, 0.8), ["uniform"], delta=0.1)
    with pytest.raises(ValueError, match="'c_halving' spends a fixed budget: give budget"):
        cbai.simulate(coins(0.2, 0.8), [cbai.BUDGET_ALGORITHMS["c_halving"]], delta=0.1)
    with pytest.raises(ValueError, match="delta must be a number"):
        cbai.simulate(coins(0.2, 0.8), ["lucb"])


@pytest.mark.parametrize(
    ("budgets", "said"),
    [
        ([], "budgets must be a list of at least 1 number"),
        (500, "budgets must be a list of at least 1 number"),
        ([500, 500], "budgets must be strictly increasing"),
        ([500, 2.5], "budgets must be a whole number"),
        ([1], "One of the budgets must be at least 2 for 2 arms, got at most 1"),
    ],
)
def test_bad_budgets_are_refused(budgets, said):
    with pytest.raises(ValueError, match=said):
        cbai.budget_curve(coins(0.2, 0.8), ["uniform"], budgets, trials=2)


def test_a_problem_is_needed():
    with pytest.raises(ValueError, match="problem must be a Problem"):
        cbai.simulate("movielens-1m", ["uniform"], budget=100)
    with pytest.raises(ValueError, match="problem must be a Problem"):
        cbai.budget_curve("movielens-1m", ["uniform"], [100])
