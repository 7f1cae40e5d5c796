"""The figures of the assumption page: numbers as computed directly, and all data sets draw."""

from __future__ import annotations

import numpy as np
import pytest

import cbai
from cbai.figures.assumption import buffer_effect
from cbai.figures.base.words import Words
from cbai.problem.buffers import BufferCurve, buffer_curve

WORDS = Words("drug", "drugs", "patient", "patients")


@pytest.fixture(scope="module")
def runs():
    problem = cbai.load_problem("drug-trial")
    return [cbai.simulate(problem, ["c_lucb"], 0.1, trials=20, q=q) for q in (0.0, 1.0)]


def test_numbers_are_those_of_the_trials(runs):
    info = buffer_effect.gather(runs)
    assert info.q.tolist() == [0.0, 1.0]
    assert info.mean.tolist() == [one.samples.mean() for one in runs]
    assert info.errors[0].count == int(runs[0].wrong.sum())
    assert info.ran_out.tolist() == [0, 0]
    assert "patients" in buffer_effect.alt_text(info, WORDS)


def test_error_bars_are_the_exact_interval_and_all_marks_fit(runs):
    info = buffer_effect.gather(runs)
    figure = buffer_effect.draw_errors(info)
    low, high = figure.layout.yaxis.range
    assert low < 0.0 < info.errors[0].high < high
    bars = figure.data[0].error_y
    np.testing.assert_allclose(
        np.array(bars["array"]), [one.high - one.estimate for one in info.errors]
    )
    assert buffer_effect.draw_samples(info, WORDS).data[0].y is not None


@pytest.mark.parametrize("name", cbai.DATASETS)
def test_the_curve_of_every_data_set_draws(name):
    problem = cbai.load_problem(name)
    grid = np.linspace(0.0, problem.reward_max, 5)
    curve = buffer_curve(problem, grid, 0.2, masks=5)
    figure = buffer_effect.draw_violations(curve, 0.0)
    np.testing.assert_array_equal(figure.data[0].y, curve.violated_share)
    assert curve.best_arm_ok[-1]
    assert len(figure.layout.shapes) == 2


@pytest.mark.parametrize(("sure", "starts"), [(None, 0.0), (1.3, 1.3), (9.0, None)])
def test_of_an_estimate_only_what_is_sure_is_called_safe(sure, starts):
    curve = BufferCurve(np.arange(3.0), np.zeros(3), np.ones(3))
    figure = buffer_effect.draw_violations(curve, 0.0, sure)
    assert [shape.x0 for shape in figure.layout.shapes[1:]] == ([] if starts is None else [starts])
    said = " ".join(note.text for note in figure.layout.annotations)
    assert ("95" in said) == (sure is not None and starts is not None)


def test_where_runs_ran_out_there_is_no_answer_to_draw():
    problem = cbai.load_problem("drug-trial")
    runs = [
        cbai.simulate(problem, ["c_lucb"], 0.1, trials=20, q=q, max_samples=budget)
        for q, budget in ((0.0, 100_000), (1.0, 50))
    ]
    info = buffer_effect.gather(runs)
    assert info.answered.tolist() == info.some_answer.tolist() == [True, False]
    assert len(buffer_effect.draw_errors(info).data[0].x) == 1
    line, triangles = buffer_effect.draw_samples(info, WORDS).data
    assert np.isnan(line.y).tolist() == [False, True]
    assert triangles.x.tolist() == [1.0]
    assert "20 of 40 runs had no answer" in buffer_effect.without_answer(info, WORDS)
    assert "over" in buffer_effect.alt_text(info, WORDS)
    assert buffer_effect.without_answer(buffer_effect.gather(runs[:1]), WORDS) == ""


def test_a_bound_that_these_people_contradict_is_not_called_safe():
    curve = BufferCurve(np.arange(3.0), np.zeros(3), np.array([False, False, True]))
    figure = buffer_effect.draw_violations(curve, 0.0, 1.3)
    assert [shape.x0 for shape in figure.layout.shapes[1:]] == [2.0]
