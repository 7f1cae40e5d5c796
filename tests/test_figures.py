"""Figures: the numbers behind them against direct computation, and that they can be drawn."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.figures.base.layout import arm_label, four_digits, share_axis
from cbai.figures.base.spacing import place
from cbai.figures.base.style import THIN_SPACE, count
from cbai.figures.base.words import Words, listed
from cbai.figures.competitive import heatmap, pseudo_gaps, pseudo_gaps_at
from cbai.figures.samples import costs, sample_counts
from cbai.figures.story import coin, joint
from tests.strategies import make_problem

WORDS = Words("genre", "genres", "rating", "ratings")
MEGABYTE = 1_000_000


def test_counts_have_three_digits_and_no_exponent():
    written = [count(x) for x in (0.5, 99.96, 999.4, 999.6, 1033.0, 72_345.0)]
    assert written == ["0.5", "100", "999", "1,000", "1,030", "72,300"]


@pytest.mark.parametrize(
    ("high", "labels"),
    [
        (1.0, ["0", "20", "40", "60", "80", "100"]),
        (0.33, ["0", "10", "20", "30"]),
        (0.056, ["0", "1", "2", "3", "4", "5"]),
        (0.0023, ["0", "0.05", "0.1", "0.15", "0.2"]),
    ],
)
def test_an_axis_of_percentages_is_written_as_in_the_sentences(high, labels):
    axis = share_axis("wrong answers", 0.0, high)
    assert axis["ticktext"] == [f"{label}{THIN_SPACE}%" for label in labels]
    assert max(axis["tickvals"]) <= high


@pytest.mark.parametrize(
    "figure",
    [coin.draw(coin.gather(1_000)), joint.draw(joint.gather((2, 2, 2, 4)))],
    ids=["coin", "joint"],
)
def test_a_figure_writes_percentages_with_the_space_of_the_sentences(figure):
    assert not re.search(r"[~\d]%", figure.to_json())


def simulate(n_arms, trials=12, **options):
    problem = make_problem(n_arms, 4, "valid", "ratings", False, seed=1)
    setup = {"delta": 0.1, "seed": 3, "max_samples": 500_000} | options
    return cbai.simulate(problem, ["lucb", "c_lucb"], trials=trials, **setup)


@pytest.fixture(scope="module")
def trials():
    return simulate(6)


@pytest.fixture(scope="module")
def trace(trials):
    return cbai.trace(trials.problem, "c_lucb", 0.1, seed=3)


def spoiled(trials):
    """The same with a wrong answer in trial 2 and a budget stop in trial 5 of C-LUCB."""
    status, best_arm = trials.status.copy(), trials.best_arm.copy()
    status[:], best_arm[:] = "identified", trials.problem.best_arm
    status[1, 5] = "budget"
    best_arm[1, [2, 5]] = trials.problem.ranking[-1]
    return replace(trials, status=status, best_arm=best_arm)


def test_words_come_from_the_data_set():
    words = Words.of(cbai.DATASETS["movielens-1m"])
    assert (words.arm, words.samples) == ("genre", "ratings")
    assert words.capital_arms == "Genres"
    assert Words("café X").capital_arm == "Café X"


@pytest.mark.parametrize(
    ("names", "text"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_names_are_listed_as_in_a_sentence(names, text):
    assert listed(names) == text


def test_four_digits():
    np.testing.assert_allclose(
        four_digits([123456.0, -0.00123456, 0.0, np.nan]), [123500.0, -0.001235, 0.0, np.nan]
    )


def test_arm_labels_are_shortened_and_escaped():
    assert arm_label("A <b> & C", 20) == "A &lt;b&gt; &amp; C"
    assert arm_label("Where the Sidewalk Ends", 12) == "Where the S…"
    assert arm_label("War", 12, best=True) == "<b>★ War</b>"


def test_labels_keep_their_distance_and_musts_are_never_left_out():
    heights = np.array([0.0, 0.1, 0.2, 5.0, 5.1])
    placed = place(heights, [0, 1, 2, 3, 4], must=[0, 1], spacing=1.0)
    assert placed == {0: 0.0, 1: 1.0, 3: 5.0}


# ---------------------------------------------------------------- samples


def test_sample_rows_against_direct_computation(trials):
    info = sample_counts.gather(trials)
    for a, row in enumerate(info.rows):
        assert row.mean == pytest.approx(np.mean(trials.samples[a]))
        assert row.two_sigma == pytest.approx(2.0 * np.std(trials.samples[a], ddof=1))
        assert sorted(row.samples) == sorted(trials.samples[a])
    assert info.drawn == 12
    assert not info.cut


def test_wrong_and_budget_trials_are_marked(trials):
    info = sample_counts.gather(spoiled(trials))
    row = info.rows[1]
    assert (row.errors, row.ran_out, row.trials) == (1, 1, 12)
    assert list(row.trial[row.wrong]) == [2]
    assert list(row.trial[row.out]) == [5]
    fig = sample_counts.draw(info, WORDS)
    symbols = {t.marker.symbol for t in fig.data if t.type == "scatter"}
    assert symbols == {"circle", "x", "triangle-right-open"}
    texts = " ".join(note.text for note in fig.layout.annotations)
    assert "1 of 12 wrong" in texts
    assert "1 of 12 without an answer" in texts
    assert "≥" in texts
    assert len(fig.layout.shapes) == 1


def test_bars_are_filled_only_where_correlations_are_used(trials):
    lucb, c_lucb = (
        t for t in sample_counts.draw(sample_counts.gather(trials), WORDS).data if t.type == "bar"
    )
    assert lucb.marker.pattern.shape == "/"
    assert c_lucb.marker.pattern.shape is None


def test_at_most_300_trials_are_drawn_wrong_ones_among_them():
    many = simulate(2, trials=400)
    best_arm = many.best_arm.copy()
    best_arm[:] = many.problem.best_arm
    best_arm[:, 399] = many.problem.ranking[-1]
    row = sample_counts.gather(replace(many, best_arm=best_arm)).rows[0]
    assert len(row.trial) == sample_counts.gather(many).drawn == 300
    assert row.trial[0] == 399
    assert row.trials == 400
    assert row.mean == pytest.approx(many.samples[0].mean())


def test_an_algorithm_without_any_answer_does_not_squeeze_the_others(trials):
    status, spent = trials.status.copy(), trials.samples.copy()
    status[0], spent[0] = "budget", 5_000_000
    stopped = replace(trials, status=status, samples=spent, max_samples=5_000_000)
    info = sample_counts.gather(stopped)
    assert info.rows[0].no_answer
    assert info.cut
    assert info.reach < 20_000
    fig = sample_counts.draw(info, WORDS)
    assert "≥ 5,000,000, no answer" in fig.layout.annotations[0].text
    assert fig.data[0].x[0] > info.reach
    assert not fig.layout.shapes


# ---------------------------------------------------------------- costs


def test_costs_against_direct_computation(trials):
    info = costs.gather(trials)
    order = np.argsort(-trials.problem.means, kind="stable")
    assert info.arms == tuple(trials.problem.arms[k] for k in order)
    np.testing.assert_allclose(info.pulls, trials.pulls.mean(axis=1)[:, order])
    fig = costs.draw(info, WORDS)
    assert [t.marker.symbol for t in fig.data[1:]] == ["square-open", "circle"]
    assert fig.layout.yaxis.ticktext[0].startswith("<b>★")
    np.testing.assert_allclose(fig.data[2].x, info.pulls[1], rtol=5e-4)


# ---------------------------------------------------------------- pseudo-gaps


def test_history_has_a_line_per_arm_and_the_truth(trace):
    info = pseudo_gaps.gather(trace)
    assert info.estimate.pseudo_gap.shape == (len(trace.rounds), 6)
    fig = pseudo_gaps.draw_history(info, WORDS)
    lines = [t for t in fig.data if t.mode == "lines"]
    assert len(lines) == 6
    for line in lines:
        arm = trace.problem.arms.index(line.name)
        np.testing.assert_allclose(line.y, info.estimate.pseudo_gap[:, arm], rtol=6e-4, atol=1e-12)
        expected = pseudo_gaps.COLOURS[bool(info.truth.competitive[arm])]
        assert line.line.color == expected
    assert sum(len(t.x) for t in fig.data if t.mode == "markers") == 6


def test_all_are_labelled_or_else_the_best_the_second_and_the_nearest_to_zero(trace, monkeypatch):
    info = pseudo_gaps.gather(trace)
    low, high = info.span
    placed = pseudo_gaps.direct_labels(info, spacing=0.1 * (high - low))
    assert set(placed) == set(range(6))
    assert np.diff(sorted(placed.values())).min() >= 0.0999 * (high - low)
    monkeypatch.setattr(pseudo_gaps, "LABELLED", 5)
    placed = pseudo_gaps.direct_labels(info, spacing=0.5)
    nearest = int(np.argmin(np.abs(info.truth.pseudo_gap)))
    assert {int(info.truth.best), int(info.truth.second), nearest} <= set(placed)
    assert np.diff(sorted(placed.values())).min() >= 0.499


@pytest.mark.parametrize("by_name", [False, True])
def test_one_round_shows_estimate_and_truth_of_every_arm(trace, by_name):
    info = pseudo_gaps.gather(trace)
    fig = pseudo_gaps_at.draw_at(info, -1, WORDS, by_name=by_name)
    shown = {"filled": 0, "open": 0}
    for markers in (t for t in fig.data if t.mode == "markers" and t.x[0:1] != (None,)):
        kind = "open" if markers.marker.symbol.endswith("-open") else "filled"
        shown[kind] += len(markers.x)
        competitive = markers.marker.symbol.startswith("circle")
        assert markers.marker.color == pseudo_gaps.COLOURS[competitive]
    assert shown == {"filled": 6, "open": 6}
    order = pseudo_gaps_at.row_order(info, by_name=by_name)
    names = [info.arms[arm] for arm in order]
    if by_name:
        assert names == sorted(names)
    else:
        assert (np.diff(info.truth.pseudo_gap[order]) >= 0).all()


def test_the_axis_does_not_move_from_round_to_round(trace):
    info = pseudo_gaps.gather(trace)
    ranges = {pseudo_gaps_at.draw_at(info, i, WORDS).layout.xaxis.range for i in (0, 3, -1)}
    assert len(ranges) == 1


# ---------------------------------------------------------------- heat map


def test_heat_map_against_direct_computation():
    problem = cbai.load_problem("movielens-1m")
    info = heatmap.gather(problem)
    order = problem.ranking
    for row, k in [(0, 1), (5, 0), (17, 3)]:
        bound = problem.pseudo_rewards[order[row], order[k]] @ problem.probabilities[order[k]]
        assert info.phi[row, k] == pytest.approx(bound)
        assert info.violated[row, k] == (bound < problem.means[order[row]] - 1e-9)
    assert info.reference == pytest.approx(np.sort(problem.means)[-2])
    assert not info.violated.diagonal().any()
    fig = heatmap.draw(info, WORDS)
    assert fig.data[0].zmin + fig.data[0].zmax == pytest.approx(2.0 * info.reference)
    assert len(next(t for t in fig.data if t.name == "too low").x) == info.violated.sum()


def test_a_cell_in_words():
    problem = cbai.Problem(
        ["War", "Drama"], [0, 5], [[0.2, 0.8], [0.226, 0.774]],
        [[[0, 5], [4, 4.5]], [[3.7, 3.7], [0, 5]]],
    )  # fmt: skip
    info = heatmap.gather(problem)
    assert heatmap.sentence(info, 1, 0, WORDS) == (
        "On average one rating of War says that Drama is at most 3.70.<br>"
        "The true mean is 3.87, so this bound is too low.<br>"
        "It is below the second-best mean, 3.87: Drama is ruled out."
    )
    assert heatmap.sentence(info, 0, 1, WORDS).endswith("is 4.00, so this bound is valid.")
    assert heatmap.sentence(info, 1, 1, WORDS) == "The true mean of Drama is 3.87."


# ---------------------------------------------------------------- all of them


def every_figure(trials, trace):
    """Draw everything; yield each figure with its sentence for those who can't see it."""
    info = sample_counts.gather(trials)
    yield sample_counts.draw(info, WORDS), sample_counts.alt_text(info, WORDS)
    info = costs.gather(trials)
    yield costs.draw(info, WORDS), costs.alt_text(info, WORDS)
    info = pseudo_gaps.gather(trace)
    yield pseudo_gaps.draw_history(info, WORDS), pseudo_gaps.alt_text(info, WORDS)
    yield pseudo_gaps_at.draw_at(info, 0, WORDS), pseudo_gaps_at.alt_text_at(info, 0, WORDS)
    info = heatmap.gather(trials.problem)
    yield heatmap.draw(info, WORDS), heatmap.alt_text(info, WORDS)


@pytest.mark.parametrize("n_arms", [2, 3, 25])
@pytest.mark.parametrize(
    "options",
    [{}, {"trials": 1}, {"max_samples": 25}, {"max_samples": 25, "trials": 1}],
    ids=["some trials", "one trial", "all out of budget", "one out of budget"],
)
def test_every_figure_can_be_drawn_and_sent(n_arms, options):
    trials = simulate(n_arms, **options)
    trace = cbai.trace(trials.problem, "c_lucb", 0.1, seed=3, max_samples=trials.max_samples)
    for fig, sentence in every_figure(trials, trace):
        text = fig.to_json()
        assert len(text) < MEGABYTE
        assert "NaN" not in text
        assert fig.layout.height > 100
        assert sentence.endswith(".")
        assert "\n" not in sentence
        assert "nan" not in sentence
