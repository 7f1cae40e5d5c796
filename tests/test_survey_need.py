"""How many ratings would decide: against runs played here, and where there are too many."""

from __future__ import annotations

import numpy as np
import pytest

import cbai
from cbai.results import survey_need
from cbai.results.survey_need import WITH, WITHOUT, needs_of

NOTHING = np.ones((2, 2, 2))
NOTHING[[0, 1], [0, 1]] = [0.0, 1.0]


def test_the_need_is_the_mean_of_the_runs_and_the_ratio_is_run_against_run():
    problem = cbai.load_problem("paper-three-arms")
    found = needs_of(problem, 0.05, seed=3)
    runs = cbai.simulate(problem, [WITHOUT, WITH], 0.05, trials=found.without.runs, seed=3)
    assert found.without.mean == runs.samples[0].mean()
    assert found.with_survey.mean == runs.samples[1].mean()
    assert found.ratio.estimate == pytest.approx(runs.samples[1].mean() / runs.samples[0].mean())
    assert found.without.low < found.without.mean < found.without.high


def test_no_number_of_ratings_tells_equals_apart():
    even = cbai.Problem(["a", "b"], [0.0, 1.0], np.full((2, 2), 0.5), NOTHING, 1.0)
    assert needs_of(even, 0.05) is None


def test_runs_that_take_too_many_are_more_than_a_number_and_not_an_answer(monkeypatch):
    monkeypatch.setattr(survey_need, "MOST_IN_ALL", 20_000)
    near = cbai.Problem(["a", "b"], [0.0, 1.0], [[0.5, 0.5], [0.501, 0.499]], NOTHING, 1.0)
    found = needs_of(near, 0.01)
    assert found.without.more
    assert found.without.mean == 1_000
    assert np.isnan(found.without.low)
    assert found.ratio is None
