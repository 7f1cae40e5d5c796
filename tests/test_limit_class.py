"""On which rewards an algorithm is right, and the limit that it is set against."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.results.limit import class_of, limit_of, split_factor
from cbai.simulation import ALGORITHMS, find
from cbai.ui.runs import cache
from cbai.ui.visit.setup import DEFAULT


def far_from_zero():
    """Rewards 3 to 5 of a scale up to 5: the smallest value matters."""
    values = [3.0, 4.0, 5.0]
    pseudo = np.full((2, 2, 3), 5.0)
    pseudo[0, 0] = pseudo[1, 1] = values
    return cbai.Problem(["A", "B"], values, [[0.2, 0.3, 0.5], [0.4, 0.3, 0.3]], pseudo, 5.0)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("lucb", "scale"), ("track_and_stop", "scale"), ("exp_gap", "scale"), ("c_lucb", "scale"),
     ("lucb_pp_bet", "values"), ("c_lucb_bet_two", "values"), ("c_lucb_eb", "values"),
     ("lucb@range", "values"), ("lucb_pp@eb", "values")],
)  # fmt: skip
def test_betting_and_bounds_that_adapt_are_right_on_the_values_only(name, expected):
    row = find(name)
    assert class_of(row) == expected
    said = "smallest and the largest value" in row.guarantee
    if name in ALGORITHMS:
        assert said == (expected == "values")
        assert ("[0, b]" in row.guarantee) <= (expected == "scale")


def test_the_limit_is_that_of_the_smallest_class_chosen():
    problem = far_from_zero()
    setup = replace(DEFAULT, problem=problem, delta=0.1)
    scale, values = (limit_of(problem, 0.1, rewards) for rewards in ("scale", "values"))
    assert values.samples < 0.99 * scale.samples
    classical = cache.get_limit(replace(setup, algorithms=("lucb", "c_lucb")))
    betting = cache.get_limit(replace(setup, algorithms=("lucb", "lucb_pp_bet")))
    assert classical.samples == pytest.approx(scale.samples)
    assert betting.samples == pytest.approx(values.samples)
    assert (classical.rewards, betting.rewards) == ("scale", "values")


def test_the_split_is_measured_on_the_class_of_its_limit():
    problem = far_from_zero()
    for rewards in ("scale", "values"):
        limit = limit_of(problem, 0.1, rewards)
        assert split_factor(limit, problem, limit.proportions) == pytest.approx(1.0, rel=1e-9)
