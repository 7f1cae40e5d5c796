"""A fixed budget on the pages Samples and What if: sentences, figures, links, stopping."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.figures.base.style import BUDGET_COLOURS, percent
from cbai.figures.base.words import Words
from cbai.figures.samples import budget_curves
from cbai.figures.whatif.inks import PAPERS, contrast, luminance
from cbai.problem.lead import lead_of
from cbai.results import budget_error
from cbai.simulation import BudgetCurve
from cbai.ui.parts import budget_sentences as say
from cbai.ui.parts.fixed_budget import FIXED, HINTS, UNTIL_SURE, USUAL
from cbai.ui.runs import budget_runs, stopping
from cbai.ui.your_data.survey_sentences import sure
from tests.surveys import alike
from tests.test_budget import coins
from tests.visit import said, setup_of, visit

WORDS = Words("ad", "ads", "showing", "showings")
DRUGS = {"data": cbai.DATASETS["drug-trial"].title}
PROBLEM = coins(0.9, 0.5, 0.4)
NAMES = ("uniform", "sequential_halving", "c_halving")


def curve_of(answers, budgets=(10, 20, 40), names=NAMES):
    """Return a curve with these answers of three arms, the first of which is best."""
    answers = np.array(answers)
    rows = tuple(cbai.BUDGET_ALGORITHMS[name] for name in names)
    return BudgetCurve(answers, budgets, PROBLEM, rows, int(answers.sum(axis=2).max()), 0.2, 0.0, 0)


@pytest.fixture
def curve():
    return curve_of(
        [
            [[1000, 800, 200], [1400, 500, 100], [1900, 90, 10]],
            [[0, 0, 0], [1800, 150, 50], [1990, 10, 0]],
            [[0, 0, 0], [1900, 50, 50], [2000, 0, 0]],
        ]
    )


def test_every_row_has_a_colour_of_its_own_that_can_be_seen_and_a_hint():
    assert set(BUDGET_COLOURS) == set(HINTS) == set(cbai.BUDGET_ALGORITHMS)
    assert len(set(BUDGET_COLOURS.values())) == len(BUDGET_COLOURS)
    for colour in BUDGET_COLOURS.values():
        for paper in PAPERS.values():
            assert contrast(luminance(colour), luminance(paper)) >= 3.0
    assert set(USUAL) <= set(HINTS)


def test_the_answer_is_about_the_algorithm_that_errs_least(curve):
    rate = budget_error(curve, 2, 1)
    assert say.budget_answer(curve, 20, WORDS) == (
        f"With 20 showings C-Halving is right 95\u202f% of the time (95\u202f% interval "
        f"{percent(1 - rate.high)} to {percent(1 - rate.low)})."
    )
    assert say.budget_answer(curve, 10, WORDS).startswith("With 10 showings Uniform allocation is")


def test_an_algorithm_that_relies_on_false_bounds_is_not_praised(curve):
    told = say.budget_answer(curve, 40, WORDS, ["c_halving"])
    assert told.startswith("With 40 showings Sequential Halving is right 99.5\u202f% of the time")
    alone = curve_of(curve.answers[2:], names=("c_halving",))
    assert "rely on bounds that are false" in say.budget_answer(alone, 40, WORDS, ["c_halving"])
    assert say.loss_answer(alone, 40, WORDS, ["c_halving"]) == ""


def test_no_error_is_said_with_what_it_leaves_open(curve):
    assert say.budget_answer(curve, 40, WORDS) == (
        "With 40 showings C-Halving is right in all 2,000 runs (95\u202f% interval: at least "
        "99.8\u202f% of the time)."
    )
    told = say.loss_answer(curve, 40, WORDS)
    assert "the ad that C-Halving names is 0 below the best (95\u202f% interval 0 to 0.00" in told


def test_a_budget_that_is_too_small_is_said_with_the_smallest_one():
    curve = curve_of([[[0, 0, 0]], [[0, 0, 0]], [[0, 0, 0]]], budgets=(2,))
    assert say.budget_answer(curve, 2, WORDS) == (
        "2 showings are too few here: these algorithms need at least 3."
    )
    assert say.others_answer(curve, 2, WORDS) == ""
    assert say.loss_answer(curve, 2, WORDS) == say.needed_answer(curve, 2, WORDS) == ""


def test_the_others_are_told_with_their_intervals(curve):
    told = say.others_answer(curve, 10, WORDS)
    assert told == (
        "With as many showings, Sequential Halving needs at least 6; C-Halving needs at least 6."
    )
    told = say.others_answer(curve, 20, WORDS)
    assert "Uniform allocation is right 70\u202f% of the time" in told
    assert "Sequential Halving is right 90\u202f% of the time" in told


def test_what_an_equal_split_needs_is_read_off_the_curve(curve):
    assert "it takes up to 40 showings to be as sure" in say.needed_answer(curve, 20, WORDS)
    less = curve.answers.copy()
    less[0, 2] = [1500, 300, 200]
    told = say.needed_answer(replace(curve, answers=less), 20, WORDS)
    assert told == "Even with 40 showings, an equal number for each ad is less sure."
    assert say.needed_answer(curve, 40, WORDS) == ""  # no error, so no rate to reach
    assert say.needed_answer(curve, 10, WORDS) == ""  # the equal split is the best there


@pytest.mark.parametrize(
    ("loss", "text"),
    [(0.0, "0"), (3e-5, "0"), (0.00123, "0.0012"), (0.0456, "0.046"), (2.5, "2.50")],
)
def test_losses_are_written_with_few_digits(loss, text):
    assert say.loss_text(loss) == text


def test_the_figure_shows_estimates_and_their_bands(curve):
    info = budget_curves.gather(curve, 20)
    for draw, estimate, low, high in (
        (budget_curves.draw, "error", "error_low", "error_high"),
        (budget_curves.draw_loss, "loss", "loss_low", "loss_high"),
    ):
        fig = draw(info, WORDS)
        bands, lines = fig.data[::2], fig.data[1::2]
        for band, line, one in zip(bands, lines, info.lines, strict=True):
            assert line.name == one.algorithm.title
            assert line.line.color == BUDGET_COLOURS[one.algorithm.name]
            assert line.line.dash == ("solid" if one.algorithm.uses_correlation else "dash")
            assert list(line.x) == list(one.budgets)
            assert np.allclose(line.y, getattr(one, estimate), rtol=1e-3)
            upper, lower = np.split(np.array(band.y), 2)
            assert np.allclose(upper, getattr(one, high), rtol=1e-3)
            assert np.allclose(lower[::-1], getattr(one, low), rtol=1e-3)
            assert (upper >= line.y).all()
            assert (lower[::-1] <= np.array(line.y)).all()
    assert [list(line.budgets) for line in info.lines] == [[10, 20, 40], [20, 40], [20, 40]]


def test_the_figure_says_what_it_shows(curve):
    info = budget_curves.gather(curve, 20)
    assert "C-Halving from 5\u202f% with 20 to 0\u202f% with 40 showings" in (
        budget_curves.alt_text(info, WORDS)
    )
    assert "Uniform allocation from 0.210 with 10 to 0.021" in (
        budget_curves.loss_alt_text(info, WORDS)
    )


def test_a_figure_without_any_point_is_drawn():
    info = budget_curves.gather(curve_of([[[0, 0, 0]]], (2,), ("uniform",)), 2)
    assert len(budget_curves.draw(info, WORDS).data) == 2
    assert budget_curves.draw_loss(info, WORDS).layout.height > 0


def test_a_curve_goes_around_the_budget_that_was_asked_for():
    assert budget_runs.budgets_around(2000) == (100, 200, 500, 1000, 2000, 5000, 10_000)
    assert budget_runs.budgets_around(2) == (1, 2, 5, 10)
    assert 777 in budget_runs.budgets_around(777)
    largest = budget_runs.budgets_around(budget_runs.MOST_ANSWERS)
    assert max(largest) == 5 * budget_runs.MOST_ANSWERS


def test_work_that_would_take_minutes_is_refused_by_a_table_not_a_clock():
    setup = setup_of(visit("samples", **DRUGS, trials="10"))
    every = list(cbai.BUDGET_ALGORITHMS)
    usual = budget_runs.budgets_around(2000)
    assert budget_runs.too_slow(setup, every, usual) == []
    assert budget_runs.too_slow(setup, list(USUAL), budget_runs.budgets_around(100_000)) == []
    many = np.full((2000, 2), 0.5)
    large = replace(setup, problem=cbai.Problem([str(k) for k in range(2000)], [0, 1], many))
    assert budget_runs.too_slow(large, every, (100_000, 200_000)) == ["sh_ada_var"]


@pytest.mark.parametrize("page", ["samples", "whatif"])
def test_where_nothing_is_known_the_same_line_is_not_drawn_twice(page):
    app = visit(page, data="Cartoon captions (contest 683)", sampling=FIXED, answers="200")
    assert not app.exception
    text = said(app.main)
    assert "So C-Halving does the same as Sequential Halving, and is left out." in text
    assert "C-Halving is right" not in text
    assert "With 200 ratings Sequential Halving is right" in text


def test_an_algorithm_that_is_too_slow_is_left_out_and_named(monkeypatch):
    monkeypatch.setattr(budget_runs, "MOST_SECONDS", 1e-9)
    app = visit("samples", **DRUGS, sampling=FIXED, answers="100")
    assert not app.exception
    assert "Uniform allocation, Sequential Halving and C-Halving would take" in app.warning[0].value
    assert "is right" not in said(app.main)


def test_samples_answers_and_keeps_the_choice_in_the_link():
    app = visit("samples", **DRUGS, sampling=FIXED, answers="100")
    assert not app.exception
    assert [toast.value for toast in app.toast] == []
    assert app.title[0].value == f"How sure can you be after 100 {setup_of(app).words.samples}?"
    text = said(app.main)
    curve = cbai.budget_curve(
        setup_of(app).problem, list(USUAL), [100], trials=budget_runs.RUNS, p=setup_of(app).p,
        q=setup_of(app).q, seed=setup_of(app).seed,
    )  # fmt: skip
    assert say.budget_answer(curve, 100, setup_of(app).words) in text
    assert say.NO_PROMISE in text
    assert app.query_params["sampling"] == FIXED
    assert app.query_params["answers"] == "100"
    app.number_input(key="answers").set_value(200).run()
    assert not app.exception
    assert "200" in app.title[0].value
    app.pills(key="spend").set_value([]).run()
    assert "Choose at least one algorithm" in app.info[0].value
    app.segmented_control(key="sampling").set_value(UNTIL_SURE).run()
    assert app.title[0].value == "What does each algorithm cost?"


def test_samples_warns_of_bounds_that_are_too_low():
    app = visit("samples", data="Film genres (MovieLens)", sampling=FIXED, q="0", answers="100")
    assert not app.exception
    text = said(app.main)
    assert "A bound on the best genre is too low." in text
    assert "With 100 ratings Sequential Halving is right" in text


@pytest.mark.parametrize(
    "change",
    [{"answers": "1"}, {"answers": "x"}, {"spend": "No such"}, {"sampling": "Never"}],
)
def test_a_wrong_link_is_answered_with_the_usual(change):
    app = visit("samples", **({**DRUGS, "sampling": FIXED, "answers": "100"} | change), trials="10")
    assert not app.exception
    assert any("not valid" in toast.value for toast in app.toast)


def test_what_if_answers_for_fewer_arms_and_keeps_the_number():
    app = visit("whatif", **DRUGS, sampling=FIXED, answers="60")
    assert not app.exception
    assert app.title[0].value == "How sure can you be?"
    all_of_them = said(app.main)
    n = setup_of(app).problem.n_arms
    app.selectbox(key="have").set_value(n - 2).run()
    assert not app.exception
    assert app.number_input(key="answers").value == 60
    assert "With 60" in said(app.main)
    assert said(app.main) != all_of_them


def test_a_stopped_run_shows_nothing_and_can_go_on():
    budget_runs._slot.clear()
    app = visit("samples", **DRUGS)
    key_of = {}

    def note(run):
        key_of["run"] = run
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget_runs, "is_stopped", note)
        app.segmented_control(key="sampling").set_value(FIXED).run()
        assert stopping.NOTHING_SHOWN in [info.value for info in app.info]
        assert "right" not in " ".join(one.value for one in app.main.markdown[:3])
    assert key_of["run"].startswith("budget ")
    app.button(key="again").click().run()
    assert not app.exception
    assert "is right" in said(app.main)


def test_what_was_simulated_is_not_simulated_again(monkeypatch):
    app = visit("samples", **DRUGS, sampling=FIXED, answers="100")
    calls = []
    real = budget_runs.budget_curve
    monkeypatch.setattr(
        budget_runs, "budget_curve", lambda *args, **more: calls.append(args) or real(*args, **more)
    )
    app.run()
    assert calls == []
    app.pills(key="spend").set_value(["uniform", "bracketing_halving"]).run()
    assert {tuple(names) for _, names, _ in calls} == {("bracketing_halving",)}
    calls.clear()
    app.number_input(key="answers").set_value(200).run()
    assert {budgets[0] for _, _, budgets in calls} == {1000}  # the others are known


@pytest.mark.parametrize(
    ("doubt", "told"),
    [
        (0.032, "At most 3.2\u202f% of such surveys would put a wrong ad so clearly ahead."),
        (1e-6, "At most 1 in 10,000 such surveys would put a wrong ad so clearly ahead."),
        (1.0, "So small a lead may well be chance."),
    ],
)
def test_a_survey_that_exists_is_a_budget_already_spent(doubt, told):
    lead = replace(lead_of(alike(np.random.default_rng(0))), doubt=doubt)
    start = "**How sure is the leader?** These answers are a budget already spent. "
    assert sure(lead, WORDS) == start + told
