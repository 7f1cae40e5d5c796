"""The picture of What if: lines, labels, scale and colours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cbai.figures.base.style import ALGORITHM_COLOURS, LAB_COLOUR
from cbai.figures.bounds import bound_lines
from cbai.figures.whatif import cost_lines
from cbai.figures.whatif.cost_info import alt_text
from cbai.figures.whatif.cost_scale import LABEL, Scale
from cbai.figures.whatif.inks import PAPERS, contrast, luminance, text_colour
from cbai.results.price import Price
from cbai.results.sweep import cell_of
from cbai.simulation import find
from cbai.ui.whatif.picture import how_to_read, info_of
from tests.sweeps import SMALL, planned, played, spoiled
from tests.visit import at


@pytest.fixture(scope="module")
def sweep():
    plan = planned(SMALL, "delta")
    return plan, played(plan)


def names(fig):
    return [note.text for note in fig.layout.annotations if note.xref == "paper" and note.x == 1.0]


def values(fig):
    return [note.text for note in fig.layout.annotations if note.xref == "x"]


def trace_of(fig, name):
    return next(trace for trace in fig.data if trace.name == name)


def test_a_line_is_the_mean_cost_named_at_its_end_and_written_at_the_own_value(sweep):
    plan, found = sweep
    info = info_of(plan, found, Price(0.5, 1000.0), "€")
    fig = cost_lines.draw(info, dark=False)
    for name, title, dash in (("lucb", "LUCB", "dash"), ("c_lucb", "C-LUCB", "solid")):
        line = trace_of(fig, title)
        means = [found[plan.job(index, name)].samples.mean() for index in plan.setups]
        assert list(line.y) == pytest.approx([0.5 * mean for mean in means])
        assert line.line.dash == dash
        assert line.line.color == ALGORITHM_COLOURS[name]
        assert f"<b>{info.write(0.5 * means[plan.own[0]])}</b>" in values(fig)
    assert sorted(names(fig)) == ["<b>C-LUCB</b>", "<b>LUCB</b>"]
    assert not fig.layout.showlegend
    assert [line.x0 for line in fig.layout.shapes] == [SMALL.delta]
    allowed = trace_of(fig, "allowed")
    assert list(allowed.y) == list(plan.axes[0].values)
    assert trace_of(fig, "LUCB wrong").yaxis == "y2"
    assert alt_text(info).startswith("Cost by error accepted")
    assert fig.layout.xaxis.ticktext[-1].endswith("%")


def test_without_a_price_the_axis_counts_samples(sweep):
    plan, found = sweep
    info = info_of(plan, found, Price(0.0, 1000.0), "€")
    fig = cost_lines.draw(info, dark=True)
    assert fig.layout.yaxis.title.text == "pulls"
    assert trace_of(fig, "LUCB").y[0] == found[plan.job((0,), "lucb")].samples.mean()
    assert not any("€" in text for text in values(fig))


def test_of_two_parameters_the_picture_varies_the_first():
    plan = planned(SMALL, "delta", "p")
    found = played(plan)
    info = info_of(plan, found, Price(1.0, 1.0), "")
    assert info.axis.name == "delta"
    assert info.lines[1].cells[0] == cell_of(found[plan.job((0, plan.own[1]), "c_lucb")])
    assert "stays as set" in how_to_read(plan, info)


def test_cells_that_ran_out_leave_a_gap_and_have_a_mark_of_their_own(sweep):
    plan, found = sweep
    job = plan.job((1,), "lucb")
    info = info_of(plan, found | {job: spoiled(found[job], 2)}, Price(1.0, 1.0), "€")
    fig = cost_lines.draw(info, dark=False)
    assert trace_of(fig, "LUCB").y[1] is None
    assert list(trace_of(fig, "LUCB ran out").x) == [plan.axes[0].values[1]]
    assert "Open triangles" in how_to_read(plan, info)
    assert "Open triangles" not in how_to_read(plan, info_of(plan, found, Price(1.0, 1.0), "€"))


def test_it_can_be_drawn_before_anything_is_known_and_with_a_single_value(sweep):
    plan, _ = sweep
    info = info_of(plan, dict.fromkeys(plan.jobs), Price(1.0, 1.0), "€")
    assert names(cost_lines.draw(info, dark=False)) == []
    assert "not known yet" in alt_text(info)
    one = planned(SMALL, "arms")
    info = info_of(one, played(one), Price(1.0, 1.0), "€")
    assert len(values(cost_lines.draw(info, dark=False))) == 2


def test_who_is_not_to_be_trusted_is_pale(sweep):
    plan, found = sweep
    info = info_of(plan, found, Price(1.0, 1.0), "€")
    doubted = replace(info, lines=(info.lines[0], replace(info.lines[1], doubted=True)))
    fig = cost_lines.draw(doubted, dark=False)
    assert trace_of(fig, "C-LUCB").opacity < trace_of(fig, "LUCB").opacity == 1.0
    assert "Pale" in how_to_read(plan, doubted)


def test_values_at_which_the_guarantee_does_not_hold_have_hollow_marks():
    """Of the films, the survey's bounds are too low for the best genre without a buffer."""
    plan = planned(at("movielens-small", algorithms=("lucb", "c_lucb"), trials=2, q=0.5), "q")
    info = info_of(plan, dict.fromkeys(plan.jobs), Price(1.0, 1.0), "€")
    lucb, c_lucb = info.lines
    assert plan.axes[0].values[0] == 0.0
    assert 0 in c_lucb.hollow
    assert not c_lucb.doubted
    assert lucb.hollow == frozenset()
    assert "Hollow marks" in how_to_read(plan, info)
    n = len(plan.axes[0].values)
    cell = cell_of(played(planned(SMALL, "delta"))[planned(SMALL, "delta").jobs[0]])
    known = replace(info, lines=(replace(c_lucb, cells=(cell,) * n),))
    symbols = trace_of(cost_lines.draw(known, dark=False), "C-LUCB").marker.symbol
    assert symbols[0] == "circle-open"
    assert symbols[info.axis.own] == "circle"


def test_a_steep_cost_needs_a_logarithmic_scale(sweep):
    plan, found = sweep
    info = info_of(plan, found, Price(1.0, 1.0), "€")
    assert not info.log
    assert cost_lines.draw(info, dark=False).layout.yaxis.range[0] == 0.0
    cells = info.lines[0].cells
    steep = tuple(replace(cell, mean=cell.mean * 10.0**at) for at, cell in enumerate(cells))
    info = replace(info, lines=(replace(info.lines[0], cells=steep),))
    assert info.log
    assert cost_lines.draw(info, dark=False).layout.yaxis.type == "log"


@pytest.mark.parametrize("log", [False, True])
def test_labels_stay_in_order_apart_and_inside(log):
    amounts = [1000.0, 1001.0, 1002.0, 1003.0, 20.0, 2000.0, 1999.0]
    scale = Scale.of(amounts, log=log, pixels=220.0)
    placed = np.array(scale.apart(amounts))
    order = np.argsort(amounts, kind="stable")
    gaps = np.diff(placed[order]) / (scale.high - scale.low) * scale.pixels
    assert gaps.min() >= 0.999 * LABEL
    assert placed.min() >= scale.low
    assert placed.max() <= scale.high
    assert len(scale.ticks()) >= 3
    assert Scale.of(amounts[:2], log=log, pixels=220.0).apart([]) == []


def test_labels_with_room_stay_where_they_are():
    scale = Scale.of([10.0, 500.0, 1000.0], log=False, pixels=220.0)
    assert scale.apart([500.0, 1000.0]) == [500.0, 1000.0]


def test_the_labels_of_values_do_not_overlap(sweep):
    axis = replace(sweep[0].axes[0], labels=("20 %",) * len(sweep[0].axes[0].values))
    chosen = cost_lines.apart(axis)
    assert {axis.own, len(axis.values) - 1} <= set(chosen)
    close = [1.0 + 1e-3 * i for i in range(len(axis.values) - 1)]
    crowded = replace(axis, values=(*close, 9.0))
    assert len(cost_lines.apart(crowded)) == 2


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ALGORITHM_COLOURS)
def test_names_can_be_read_on_both_backgrounds(name, dark):
    ink = text_colour(ALGORITHM_COLOURS[name], dark=dark)
    assert contrast(luminance(ink), luminance(PAPERS[dark])) >= 4.5
    assert find(name).name == name


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    "colour", sorted({*ALGORITHM_COLOURS.values(), *bound_lines.COLOURS.values(), LAB_COLOUR})
)
def test_marks_are_seen_on_both_backgrounds(colour, dark):
    assert contrast(luminance(colour), luminance(PAPERS[dark])) >= 3.0


def test_a_colour_that_can_be_read_stays_as_it_is():
    assert contrast(luminance("#000000"), luminance("#FFFFFF")) == pytest.approx(21.0)
    assert text_colour("#00639B", dark=False) == "#00639B"
    assert text_colour("#F0E442", dark=False) != "#F0E442"
