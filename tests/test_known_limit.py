"""The lower bound with correlation on pages: over masks, in the background, drawn and in words."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.figures.base.style import count
from cbai.figures.base.words import Words
from cbai.figures.samples import sample_counts
from cbai.results.limit import correlated_limit_of, limit_of
from cbai.results.limit.masked import MeanLimit, masked_limits, mean_of
from cbai.ui.compare import lower_bounds
from cbai.ui.compare.sentences import Side
from cbai.ui.runs import known_limit
from cbai.ui.samples.lower_bound_sentences import known_limit_answer
from tests.strategies import make_problem
from tests.test_correlated_limit import known
from tests.visit import SMALL, at, said, setup_of, visit

WORDS = Words("genre", "genres", "rating", "ratings")
THREE_ARMS = cbai.DATASETS["paper-three-arms"]
SECONDS = 60


@pytest.fixture(autouse=True)
def nothing_known():
    known_limit._job.clear()


@pytest.fixture(scope="module")
def trials():
    problem = make_problem(4, 3, "valid", "ratings", False, seed=25)
    return cbai.simulate(problem, ["lucb", "c_lucb"], 0.1, trials=20, seed=3, max_samples=500_000)


def asked(**changes):
    """A setup with valid pseudo-rewards, some of them unknown."""
    usual = {"p": 0.3, "q": 0.0, "trials": 6, "delta": 0.05, "algorithms": ("lucb", "c_lucb")}
    return at("paper-three-arms", **(usual | changes))


def computed(setup):
    """Return the bound, waiting for it as a page does not."""
    job = known_limit._job_of(setup)
    job.start()
    job.thread.join(SECONDS)
    return known_limit.get_known_limit(setup)


# ---------------------------------------------------------------- over masks


def test_each_run_has_the_bound_of_what_it_knows():
    problem = cbai.load_problem("paper-three-arms")
    found = list(masked_limits(problem, 0.05, 0.3, 0.01, 0, 4))
    want = [correlated_limit_of(known(problem, 0.3, 0.01, trial), 0.05) for trial in range(4)]
    assert [one.samples for one in found] == [one.samples for one in want]
    assert len({round(one.samples, 3) for one in found}) > 1
    mean = mean_of(found)
    assert mean.samples == pytest.approx(np.mean([one.samples for one in want]))
    assert mean.masks == 4
    later = masked_limits(problem, 0.05, 0.3, 0.01, 0, 4, first=3)
    assert [one.samples for one in later] == [want[3].samples]


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_where_all_masks_are_the_same_one_is_enough(p):
    problem = cbai.load_problem("paper-three-arms")
    assert len(list(masked_limits(problem, 0.05, p, 0.0, 0, 20))) == 1


# ---------------------------------------------------------------- in the background


def test_it_is_pending_until_a_thread_has_found_it():
    setup = asked()
    assert known_limit.get_known_limit(setup) == (None, known_limit.PENDING)
    found, why_not = computed(setup)
    want = mean_of(list(masked_limits(setup.problem, 0.05, 0.3, 0.0, setup.seed, 6)))
    assert (found.samples, found.masks, why_not) == (pytest.approx(want.samples), 6, "")
    at_another_delta, _ = known_limit.get_known_limit(replace(setup, delta=0.01, max_samples=77))
    assert at_another_delta.samples > found.samples
    assert known_limit.get_known_limit(replace(setup, q=0.1))[1] == known_limit.PENDING


def test_why_there_may_be_none(monkeypatch):
    assert known_limit.get_known_limit(asked(algorithms=("lucb",))) == (None, "")
    false = at("movielens-1m", p=0.0, q=0.0, trials=2, algorithms=("c_lucb",))
    assert known_limit.get_known_limit(false) == (None, known_limit.FALSE)
    monkeypatch.setattr(known_limit, "MOST_ARMS", 2)
    assert known_limit.get_known_limit(asked()) == (None, known_limit.TOO_MANY)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_solver_that_fails_is_no_reason_to_wait_for_ever(monkeypatch):
    def fail(*_, **__):
        raise ArithmeticError
        yield

    monkeypatch.setattr(known_limit, "masked_limits", fail)
    assert computed(asked()) == (None, known_limit.FAILED)


def test_bounds_on_both_sides_count_if_they_are_valid():
    setup = at("ad-campaign", p=0.0, q=0.4, trials=2, algorithms=("c_lucb", "c_lucb_bet_two"))
    both, _ = computed(setup)
    one, _ = computed(replace(setup, algorithms=("c_lucb",)))
    assert (both.two_sided, one.two_sided) == (True, False)
    assert both.samples < one.samples


def test_what_nobody_asks_for_is_given_up_and_what_was_found_is_kept(monkeypatch):
    setup, calls = asked(), []

    def one_by_one(*args, first, **options):
        calls.append(first)
        for limit in masked_limits(*args, first=first, **options):
            if len(calls) == 1:
                monkeypatch.setattr(known_limit, "PATIENCE_SECONDS", -1.0)
            yield limit

    monkeypatch.setattr(known_limit, "masked_limits", one_by_one)
    assert computed(setup)[1] == known_limit.PENDING
    monkeypatch.setattr(known_limit, "PATIENCE_SECONDS", 60.0)
    assert computed(setup)[0].masks == 6
    assert calls == [0, 1]


def test_no_page_waits_for_it(monkeypatch):
    go = threading.Event()

    def slow(*args, **options):
        assert go.wait(SECONDS)
        yield from masked_limits(*args, **options)

    monkeypatch.setattr(known_limit, "masked_limits", slow)
    query = {"data": THREE_ARMS.title, "p": "0.3", "algorithms": ["LUCB", "C-LUCB"], **SMALL}
    app = visit("samples", **query)
    assert not app.exception
    assert "It is being computed" in said(app.main)
    assert "dotted line" not in said(app.main)
    job = known_limit._job_of(setup_of(app))
    assert job.thread.is_alive()
    go.set()
    job.thread.join(SECONDS)
    app.run()
    found, _ = known_limit.get_known_limit(setup_of(app))
    text = said(app.main)
    assert f"the lower bound is {count(found.samples)} pulls on average, if these are valid" in text
    assert "mean over 10 runs" in text
    assert "Dotted line" in text


# ---------------------------------------------------------------- drawn


def test_both_are_drawn_and_never_through_a_label(trials):
    limit = limit_of(trials.problem, 0.1)
    fewer = MeanLimit(0.1, 0.4 * limit.characteristic_time, 20)
    info = sample_counts.gather(trials, limit, known=fewer)
    fig = sample_counts.draw(info, WORDS)
    notes = [note.text for note in fig.layout.annotations]
    assert notes[-2:] == [
        f"▼ lower bound with correlation: {count(fewer.samples)}",
        f"▽ lower bound without correlation: {count(limit.samples)}",
    ]
    lines = fig.layout.shapes
    assert [line.x0 for line in lines] == [limit.samples] * 3 + [fewer.samples] * 3
    assert len({line.line.dash for line in lines}) == 2
    per_pixel = (fig.layout.yaxis.range[0] - fig.layout.yaxis.range[1]) / (fig.layout.height - 70)
    for note in fig.layout.annotations:
        top, bottom = note.y - 16 * per_pixel, note.y
        assert not any(line.y0 < bottom - 1e-9 and line.y1 > top for line in lines)
        assert top >= fig.layout.yaxis.range[1]
    marks = {trace.name: trace for trace in fig.data if "bound" in (trace.name or "")}
    assert list(marks["lower bound with correlation"].x) == [fewer.samples]
    assert "trusts<br>pseudo-rewards" in marks["lower bound with correlation"].hovertemplate
    assert "lower bound with correlation" in sample_counts.alt_text(info, WORDS).lower()


def test_there_is_room_for_it_before_it_is_there(trials):
    limit = limit_of(trials.problem, 0.1)
    before = sample_counts.draw(sample_counts.gather(trials, limit, known_later=True), WORDS)
    now = sample_counts.gather(trials, limit, known=MeanLimit(0.1, 1.0, 20), known_later=True)
    after = sample_counts.draw(now, WORDS)
    assert before.layout.height == after.layout.height
    assert "▼ lower bound with correlation: being computed" in [
        note.text for note in before.layout.annotations
    ]
    assert not any("being" in note.text for note in after.layout.annotations)


# ---------------------------------------------------------------- words


def test_how_many_times_the_bound_those_need_that_trust_pseudo_rewards(trials):
    bound = MeanLimit(0.1, 2.0, 20)
    text = known_limit_answer(trials, bound, WORDS)
    times = trials.samples[1].mean() / bound.samples
    assert f"the lower bound is {count(bound.samples)} ratings on average" in text
    assert f"C-LUCB needs {count(times)} times as many." in text
    assert " LUCB " not in text
    assert "mean over 20 runs" in text
    assert "mean over" not in known_limit_answer(trials, replace(bound, masks=1), WORDS)
    assert "all bounds of the survey" in known_limit_answer(
        trials, replace(bound, two_sided=True), WORDS
    )


def test_why_there_is_no_number_in_words(trials):
    assert known_limit_answer(trials, None, WORDS) == ""
    for why, words in (
        (known_limit.FALSE, "holds only for valid pseudo-rewards. Some that bound the best genre"),
        (known_limit.PENDING, "being computed"),
        (known_limit.TOO_MANY, "not computed for so many genres"),
        (known_limit.FAILED, "could not be computed"),
    ):
        assert words in known_limit_answer(trials, None, WORDS, why)
    nothing = known_limit_answer(trials, MeanLimit(0.1, 0.0, 1), WORDS)
    assert "they alone tell which genre is the best" in nothing


def test_the_table_of_compare_has_both(trials):
    valid = asked(p=0.0, algorithms=("c_lucb",))
    false = at("movielens-1m", p=0.0, q=0.0, trials=2, algorithms=("c_lucb",))
    sides = [
        Side(letter, letter, setup, replace(trials, algorithms=(cbai.ALGORITHMS["c_lucb"],)))
        for letter, setup in (("A", valid), ("B", false))
    ]
    found, _ = computed(lower_bounds.shown_of(sides)["A"])
    table = lower_bounds.table(lower_bounds.shown_of(sides))
    classical = limit_of(valid.problem, valid.delta).samples
    assert table.to_numpy().tolist() == [
        ["A", count(classical), count(found.samples)],
        ["B", table["Without correlation"][1], "pseudo-rewards too low"],
    ]


def test_an_old_thread_does_not_stand_in_the_way():
    job = known_limit._job_of(asked(seed=11))
    job.start()
    first = job.thread
    job.start()
    assert job.thread is first
    first.join(SECONDS)
    assert job.done
    assert time.monotonic() - job.asked < SECONDS
