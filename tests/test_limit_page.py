"""The limit as it is shown: in both figures, in words and on the page Samples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.figures.base.style import count
from cbai.figures.base.words import Words
from cbai.figures.samples import costs, sample_counts
from cbai.results.limit import limit_of, split_factor
from cbai.ui.runs import cache
from cbai.ui.samples.lower_bound_sentences import lower_bound_answer, split_answer
from tests.strategies import make_problem
from tests.visit import SMALL, said, setup_of, simulated, visit

WORDS = Words("genre", "genres", "rating", "ratings")
NAMES = ["lucb", "c_lucb", "lil_ucb"]
TWO_ARMS = cbai.DATASETS["paper-two-arms"].title
LABEL = "lower bound without correlation"


@pytest.fixture(scope="module")
def trials():
    problem = make_problem(4, 3, "valid", "ratings", False, seed=25)
    return cbai.simulate(problem, NAMES, 0.1, trials=20, seed=3, max_samples=500_000)


@pytest.fixture(scope="module")
def limit(trials):
    return limit_of(trials.problem, 0.1)


@pytest.fixture(scope="module")
def tied():
    problem = make_problem(2, 3, "ties", "ratings", False, seed=0)
    return cbai.simulate(problem, ["lucb"], 0.01, trials=3, max_samples=500)


def with_means(trials, means, status="identified"):
    """The same trials, all right, with other means of samples."""
    around = np.arange(20) - 9.5
    return replace(
        trials,
        status=np.full(trials.status.shape, status),
        samples=np.array([mean + around for mean in means]),
    )


def notes(fig):
    return [note.text for note in fig.layout.annotations]


# ---------------------------------------------------------------- figures


def test_the_limit_is_drawn_where_it_is_and_never_through_a_label(trials, limit):
    info = sample_counts.gather(trials, limit)
    assert info.limit_drawn
    fig = sample_counts.draw(info, WORDS)
    assert notes(fig)[-1] == f"▽ {LABEL}: {count(limit.samples)}"
    lines = fig.layout.shapes
    assert len(lines) == 1 + len(NAMES)
    assert {line.x0 for line in lines} == {line.x1 for line in lines} == {limit.samples}
    per_pixel = (fig.layout.yaxis.range[0] - fig.layout.yaxis.range[1]) / (fig.layout.height - 70)
    for note in fig.layout.annotations:
        top, bottom = note.y - 16 * per_pixel, note.y
        assert not any(line.y0 < bottom - 1e-9 and line.y1 > top for line in lines)
        assert top >= fig.layout.yaxis.range[1]
    marker = next(trace for trace in fig.data if trace.name == "lower bound")
    assert list(marker.x) == [limit.samples]
    assert f"at least {count(limit.samples)} ratings" in marker.hovertemplate
    assert LABEL in sample_counts.alt_text(info, WORDS).lower()


def test_without_a_limit_nothing_changes(trials, tied):
    bare = sample_counts.draw(sample_counts.gather(trials), WORDS)
    assert not bare.layout.shapes
    for some, none in [(trials, None), (tied, limit_of(tied.problem, 0.01))]:
        info = sample_counts.gather(some, none)
        fig = sample_counts.draw(info, WORDS)
        assert not any(LABEL in text for text in notes(fig))
        assert fig.layout.height == 74 * len(some.algorithms) + 70
        assert sample_counts.alt_text(info, WORDS).endswith(".")


def test_the_axis_reaches_to_a_limit_beyond_the_bars_but_not_to_one_far_out(trials, limit):
    limit = replace(limit, characteristic_time=1000.0)
    near = sample_counts.gather(with_means(trials, [0.5 * limit.samples] * 3), limit)
    assert near.limit_drawn
    assert near.reach == pytest.approx(1.04 * limit.samples)
    far = sample_counts.gather(with_means(trials, [0.05 * limit.samples] * 3), limit)
    assert not far.limit_drawn
    assert far.reach < limit.samples
    fig = sample_counts.draw(far, WORDS)
    assert notes(fig)[-1].endswith("→")
    assert not fig.layout.shapes


def test_the_optimal_split_is_beside_the_pulls(trials, limit):
    info = costs.gather(trials, limit)
    order = trials.problem.ranking
    np.testing.assert_allclose(info.optimal, limit.samples * limit.proportions[order])
    fig = costs.draw(info, WORDS)
    ticks = next(trace for trace in fig.data if trace.name == costs.OPTIMAL)
    np.testing.assert_allclose(ticks.x, info.optimal, rtol=6e-4)
    left, right = 10.0 ** np.array(fig.layout.xaxis.range)
    assert left < ticks.x.min() < ticks.x.max() < right
    assert costs.draw(costs.gather(trials), WORDS).layout.height <= fig.layout.height


def test_a_tie_has_no_optimal_split(tied):
    info = costs.gather(tied, limit_of(tied.problem, 0.01))
    assert info.optimal is None
    assert costs.OPTIMAL not in [trace.name for trace in costs.draw(info, WORDS).data]


# ---------------------------------------------------------------- words


def test_how_many_times_the_limit(trials, limit):
    text = lower_bound_answer(with_means(trials, [2000.0, 1000.0, 4000.0]), limit, WORDS)
    assert f"lower bound is {count(limit.samples)} ratings" in text
    assert f"LUCB needs {count(2000 / limit.samples)} times as many" in text
    assert f"C-LUCB {count(1000 / limit.samples)} times" in text
    assert "below" not in text
    assert "more than" not in text


def test_whoever_is_below_is_explained(trials, limit):
    half = 0.5 * limit.samples
    text = lower_bound_answer(with_means(trials, [2000.0, half, 4000.0]), limit, WORDS)
    assert "C-LUCB is below the lower bound. This is no contradiction" in text
    assert "chance" not in text
    text = lower_bound_answer(
        with_means(trials, [2000.0, half, 4000.0]), limit, WORDS, violated=True
    )
    assert "contradiction" not in text
    assert "too low here, so nothing is proven about its answers" in text
    text = lower_bound_answer(with_means(trials, [2000.0, 4000.0, half]), limit, WORDS)
    assert "lil'UCB is below the lower bound. This is chance" in text
    assert "contradiction" not in text


def test_runs_without_an_answer_are_only_known_to_take_more(trials, limit):
    stopped = with_means(trials, [0.5 * limit.samples, 1000.0, 2000.0], "budget")
    text = lower_bound_answer(stopped, limit, WORDS)
    assert f"C-LUCB needs more than {count(1000 / limit.samples)} times as many" in text
    assert f"lil'UCB more than {count(2000 / limit.samples)} times" in text
    assert " LUCB needs" not in text
    assert "below" not in text
    assert "budget" not in text
    assert split_answer(stopped, limit, WORDS) == ""
    text = lower_bound_answer(replace(stopped, max_samples=20), limit, WORDS)
    assert "budget of 20 ratings per run is less than that." in text


@pytest.mark.parametrize(("split", "words"), [("best", "costs nothing"), ("even", "a factor of")])
def test_a_split_at_the_optimum_costs_nothing(trials, limit, split, words):
    pulls = np.broadcast_to(1.0 if split == "even" else limit.proportions, trials.pulls.shape)
    assert words in split_answer(replace(trials, pulls=pulls), limit, WORDS)


def test_a_tie_in_words(tied):
    limit = limit_of(tied.problem, 0.01)
    assert "infinite" in lower_bound_answer(tied, limit, WORDS)
    assert split_answer(tied, limit, WORDS) == ""


def test_the_split_is_that_of_the_cheapest_whom_the_limit_binds(trials, limit):
    text = split_answer(trials, limit, WORDS)
    split = split_factor(limit, trials.problem, trials.pulls[0].mean(axis=0))
    total = trials.samples[0].mean() / limit.samples
    assert text.startswith(f"LUCB needs {count(total)} times the lower bound.")
    assert f"a factor of {count(split)}" in text
    assert count(total / split) in text


# ---------------------------------------------------------------- the page


def test_samples_says_how_far_from_the_limit():
    app = visit("samples", data=TWO_ARMS, algorithms=["LUCB", "C-LUCB"], delta="0.1", **SMALL)
    assert not app.exception
    trials, text = simulated(setup_of(app)), said(app.main)
    limit = limit_of(trials.problem, 0.1)
    assert f"lower bound is {count(limit.samples)} pulls" in text
    assert f"LUCB needs {count(trials.samples[0].mean() / limit.samples)} times as many" in text
    assert "Dashed line" in text
    assert split_answer(trials, limit, setup_of(app).words) in text


def test_the_limit_is_worked_out_once_for_all_settings_and_each_class_of_rewards(monkeypatch):
    calls = []
    monkeypatch.setattr(cache, "limit_of", lambda *parts: calls.append(parts) or limit_of(*parts))
    cache._limit.clear()
    others = ({"p": "0.5", "seed": "3"}, {"algorithms": ["LUCB"]}, {"delta": "0.05"})
    for query in ({"q": "0.1"}, *others):
        visit("samples", **({"data": TWO_ARMS, **SMALL} | query))
    assert [rewards for *_, rewards in calls] == ["values", "scale"]  # with and without betting
