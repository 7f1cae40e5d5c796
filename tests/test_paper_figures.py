"""The figures of the paper: their numbers against direct computation, and what is drawn."""

from __future__ import annotations

import numpy as np
import pytest

import cbai
from cbai.figures.base.words import Words
from cbai.figures.paper import paper_dots, paper_lines, paper_masks, paper_spread, paper_truths
from cbai.problem.validity import expected_pseudo_rewards
from cbai.reproduce.stored import ASSIGNMENTS, MASKS, stored

WORDS = Words("genre", "genres", "rating", "ratings")


@pytest.fixture(scope="module")
def table3():
    return stored("table3")


@pytest.fixture(scope="module")
def assignments():
    found = stored(ASSIGNMENTS)
    return found[found["experiment"] == "table3"]


def test_dots_hold_every_row_by_the_papers_number(table3):
    info = paper_dots.gather(table3)
    expected = table3.set_index("algorithm")
    assert [row.printed for row in info.rows] == sorted(expected["printed"])
    for row in info.rows:
        assert row.mean == expected.loc[row.algorithm, "mean"]
        assert row.errors == expected.loc[row.algorithm, "errors"]
    assert info.logarithmic
    assert not paper_dots.gather(stored("table4")).logarithmic


def test_dots_draw_ours_the_papers_and_what_went_wrong(table3):
    info = paper_dots.gather(table3.assign(errors=[1] * len(table3)))
    fig = paper_dots.draw(info, WORDS)
    *ours, paper = fig.data
    assert [trace.x[0] for trace in ours] == [row.mean for row in info.rows]
    assert list(paper.x) == [row.printed for row in info.rows]
    assert paper.marker.symbol == "diamond-open"
    assert all("1 of 100 wrong" in note.text for note in fig.layout.annotations)


def test_bars_never_reach_below_zero():
    for name in ("fig1", "fig4", "fig5"):
        frame = stored(name)
        info = paper_lines.gather(frame, "delta" if name == "fig1" else "p")
        for trace in paper_lines.draw(info, WORDS).data:
            if trace.error_y.arrayminus is not None:
                assert (np.array(trace.y) * 1.001 >= np.array(trace.error_y.arrayminus)).all()


def test_lines_hold_each_setting_and_algorithm():
    frame = stored("fig1")
    info = paper_lines.gather(frame, "delta")
    assert list(info.settings) == [0.10, 0.06, 0.02, 0.01]
    cells = frame.set_index(["algorithm", "delta"])
    for a, algorithm in enumerate(info.algorithms):
        for s, delta in enumerate(info.settings):
            cell = cells.loc[(algorithm, delta)]
            assert info.mean[a, s] == cell["mean"]
            assert info.two_sigma[a, s] == cell["two_sigma"]
            np.testing.assert_equal(info.printed[a, s], cell["printed"])
    fig = paper_lines.draw(info, WORDS)
    dashes = {trace.name: trace.line.dash for trace in fig.data if trace.mode == "lines+markers"}
    assert dashes["C-LUCB"] == dashes["C-LUCB++"] == "solid"
    assert dashes["LUCB"] == dashes["Racing"] == "dot"
    drawn = {t.name: t.y[-1] for t in fig.data if t.mode == "markers" and np.isfinite(t.y[-1])}
    assert drawn["C-LUCB, the paper"] == 39277.8
    assert len(drawn) == 5


def test_the_two_truths_are_what_the_library_finds():
    info = paper_truths.gather()
    assert info.satisfied == {"a": True, "b": True}
    for name, means in info.means.items():
        problem = cbai.load_problem("paper-two-arms", table=name)
        np.testing.assert_allclose(means, problem.means)
        # the mean of what is truly expected, over the rewards of the other arm, is the mean itself
        for number in (0, 2):
            of, by, _ = info.given[number]
            whole = problem.probabilities[by] @ info.truth[name][number : number + 2]
            assert whole == pytest.approx(problem.means[of])
            bound = problem.probabilities[by] @ info.bound[number : number + 2]
            assert bound == pytest.approx(expected_pseudo_rewards(problem)[of, by])
    np.testing.assert_allclose(info.truth["b"], [2 / 3, 0.25, 0.6, 0.2])


def test_spread_counts_the_assignments_above_the_paper(assignments):
    for relative, column in [(False, "mean"), (True, "relative")]:
        info = paper_spread.gather(assignments, relative)
        for row in info.rows:
            part = assignments[assignments["algorithm"] == row.algorithm]
            np.testing.assert_array_equal(row.ours, part.sort_values("genre_seed")[column])
            assert row.above == (part[column] > row.printed).sum()
        fig = paper_spread.draw(info, WORDS, 12)
        ring = next(trace for trace in fig.data if trace.name == "the draw used above")
        assert len(ring.x) == len(info.rows)
        shipped = assignments[assignments["genre_seed"] == 12].set_index("algorithm")
        assert list(ring.x) == [shipped.loc[row.algorithm, column] for row in info.rows]


def test_masks_hold_every_draw_and_count_those_below_the_paper():
    found = stored(MASKS)
    part = found[found["label"] == "C-LUCB"]
    info = paper_masks.gather(found)
    assert dict(zip(info.draws, info.ours, strict=True)) == dict(
        zip(part["mask"], part["relative"], strict=True)
    )
    assert info.below == (part["relative"] < 39277.8 / 61175.4).sum()
    assert info.mean == pytest.approx(part["relative"].mean())
    alt = paper_masks.alt_text(info, WORDS)
    for number in (f"{part['relative'].mean():.2f}", f"{part['relative'].std():.2f}", "0.64"):
        assert number in alt
    assert f"above {info.below} of them" in alt


def test_masks_draw_a_dot_per_draw_none_over_another_and_two_labelled_lines():
    info = paper_masks.gather(stored(MASKS))
    fig = paper_masks.draw(info, WORDS)
    (dots,) = fig.data
    assert len(dots.x) == 40
    for row in set(dots.y):
        apart = np.diff(np.sort(np.array(dots.x)[np.array(dots.y) == row]))
        assert (apart > 0.99 * paper_masks.APART * fig.layout.xaxis.range[1]).all()
    assert [line.x0 for line in fig.layout.shapes] == [info.mean, info.printed]
    ours, paper = fig.layout.annotations
    assert (ours.text, ours.xanchor) == (f"our mean {info.mean:.2f}", "right")
    assert (paper.text, paper.xanchor) == ("the paper 0.64", "left")
