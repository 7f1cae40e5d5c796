"""Which arms are competitive: one rule, p is named, and each name stands at its own mark."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import cbai
from cbai.figures.base import layout
from cbai.figures.base.words import Words
from cbai.figures.competitive import caps, pseudo_gaps
from cbai.results import true_competitive
from cbai.ui.parts.answers import competitive_answer
from tests.visit import said, visit

WORDS = Words("ad", "ads", "showing", "showings")


def test_filled_marks_are_the_competitive_arms_and_lie_at_or_beyond_the_second_best():
    for name in cbai.DATASETS:
        problem = cbai.load_problem(name)
        shown = caps.gather(problem)
        truth = true_competitive(problem)
        assert shown.arms == tuple(problem.arms[arm] for arm in problem.ranking)
        assert np.array_equal(shown.competitive, truth.competitive[problem.ranking])
        fig = caps.draw(shown, WORDS)
        line = next(shape for shape in fig.layout.shapes if shape.x0 == shape.x1)
        filled, hollow = (
            next(one for one in fig.data if one.marker.symbol == symbol)
            for symbol in ("circle", "circle-open")
        )
        beyond = [x for x, row in zip(filled.x, filled.y, strict=True) if row != 1]
        assert all(x >= line.x0 - 1e-3 for x in beyond)
        assert all(x < line.x0 for x in hollow.x if x is not None)
        notes = [note.text for note in fig.layout.annotations]
        gaps = [note for note in fig.layout.annotations if note.y in range(1, len(shown.arms))]
        gaps = [note for note in gaps if note.text != "by definition"]
        for note, cap in zip(gaps, shown.cap[1:], strict=True):
            number = float(note.text.removeprefix("pseudo-gap ").replace("\N{MINUS SIGN}", "-"))
            assert abs(number - (shown.second_mean - cap)) <= 0.0051
        assert gaps[0].text.startswith("pseudo-gap ")
        assert ("by definition" in notes) == bool(truth.contradicted)


def test_the_number_names_p_where_it_depends_on_it():
    assert "p" not in competitive_answer(2, 2, 6, 0.0, WORDS).split()
    text = competitive_answer(5, 2, 6, 0.2, WORDS)
    assert text.startswith("5 of 6 ads are competitive with 20")
    assert "unknown (p)" in text
    assert "With all known, 2." in text


@pytest.mark.parametrize(("p", "number"), [("0", "2 of 6"), ("0.2", "of 6")])
def test_the_page_says_of_one_story_one_number(p, number):
    app = visit("competitive", data=cbai.DATASETS["ad-campaign"].title, p=p)
    assert not app.exception
    text = said(app.main)
    assert number in text
    assert p == "0" or "With all known, 2." in text


@pytest.mark.parametrize("name", ["ad-campaign", "movielens-1m", "goodreads-poetry"])
def test_each_name_stands_at_its_own_mark_or_has_a_line_to_it(name):
    """By the pixel: an annotation's arrow ends at (x, y), its text stands `ay` pixels below."""
    trace = cbai.trace(cbai.load_problem(name), "c_lucb", 0.01, p=0.2, max_samples=60_000)
    name_at = partial(layout.arm_label, limit=60)
    info = pseudo_gaps.gather(trace)
    fig = pseudo_gaps.draw_history(info, WORDS)
    marks = {
        text.split(":")[0]: float(y)
        for one in fig.data
        if one.mode == "markers"
        for text, y in zip(one.customdata, one.y, strict=True)
    }
    low, high = fig.layout.yaxis.range
    pixel = (high - low) / (fig.layout.height - pseudo_gaps.AROUND)
    labels = [note for note in fig.layout.annotations if note.showarrow]
    assert len(labels) == len(info.arms)
    heights = sorted(note.y - note.ay * pixel for note in labels)
    assert np.diff(heights).min() > 0.99 * pseudo_gaps.LABEL_PIXELS * pixel
    for note, arm in zip(labels, map(name_at, info.arms), strict=True):
        assert note.y == pytest.approx(marks[arm], abs=1e-3 * (high - low))
        at = note.y - note.ay * pixel
        nearest = min(marks, key=lambda other: abs(marks[other] - at))
        line = "rgba(0" not in note.arrowcolor
        assert line or abs(marks[nearest] - at) >= abs(marks[arm] - at) - 1.01 * pixel
        assert line == (abs(note.ay) > 1.0)
