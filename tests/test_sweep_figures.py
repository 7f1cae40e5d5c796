"""Sweeps of every algorithm: lines and maps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cbai.figures.base.style import percent
from cbai.figures.whatif import sweep_lines, sweep_map
from cbai.results.sweep import cell_of
from cbai.simulation import find
from cbai.ui.whatif.speakers import cells_of
from tests.sweeps import SMALL, planned, played, spoiled

# ---------------------------------------------------------------- figures


def trace_of(fig, name):
    return next(trace for trace in fig.data if trace.name == name)


def test_lines_show_the_finished_cells_and_mark_those_that_ran_out():
    plan = planned(SMALL, "delta")
    found = played(plan)
    (axis,) = plan.axes
    cells = list(cells_of(plan, "lucb", found).values())
    out = cell_of(spoiled(found[plan.job((1,), "lucb")], 2))
    limits = (50.0, None, 70.0, 80.0)[: len(axis.values)]
    info = sweep_lines.Info(
        find("lucb"), axis, (cells[0], out, None, *cells[3:]), limits, tuple(axis.values)
    )
    ends, top = sweep_lines.ends_of([info])
    fig = sweep_lines.draw(info, SMALL.words, ends, top)
    shown = trace_of(fig, "samples")
    assert list(shown.x) == [axis.values[0], axis.values[1], *axis.values[3:]]
    assert list(shown.y) == [cells[0].mean, None, *(cell.mean for cell in cells[3:])]
    assert list(trace_of(fig, "ran out").x) == [axis.values[1]]
    assert list(trace_of(fig, "lower bound").y) == list(limits)
    assert list(trace_of(fig, "δ").y) == list(axis.values)
    errors = trace_of(fig, "wrong")
    assert errors.error_y.array[0] == pytest.approx(cells[0].errors.high - errors.y[0])
    assert [line.x0 for line in fig.layout.shapes] == [axis.values[axis.own]]
    assert "ran out of budget at" in sweep_lines.alt_text(info, SMALL.words)
    assert 10.0 ** ends[0] <= 50.0
    assert 10.0 ** ends[1] >= max(cell.high for cell in cells)


def test_the_limit_and_the_error_allowed_are_seen_at_a_single_value():
    several = planned(SMALL, "delta").axes[0]
    one = replace(several, values=(0.1,), labels=("0.1",), own=0)
    for axis, mode in ((several, "lines+text"), (one, "markers+text")):
        n = len(axis.values)
        info = sweep_lines.Info(find("lucb"), axis, (None,) * n, (50.0,) * n, axis.values)
        fig = sweep_lines.draw(info, SMALL.words, *sweep_lines.ends_of([info]))
        assert trace_of(fig, "lower bound").mode == mode
        assert trace_of(fig, "δ").mode == mode


def test_lines_without_any_cell_can_be_drawn():
    plan = planned(SMALL, "p")
    nothing = (None,) * len(plan.axes[0].values)
    info = sweep_lines.Info(find("c_lucb"), plan.axes[0], nothing, nothing, (0.1,) * len(nothing))
    fig = sweep_lines.draw(info, SMALL.words, *sweep_lines.ends_of([info]))
    assert "limit" not in [trace.name for trace in fig.data]
    assert "none known" in sweep_lines.alt_text(info, SMALL.words)


def test_maps_show_numbers_only_where_every_run_had_an_answer():
    plan = planned(SMALL, "delta", "p")
    found = played(plan)
    cells = cells_of(plan, "c_lucb", found)
    job = plan.job((0, 1), "c_lucb")
    cells[0, 1] = cell_of(spoiled(found[job], 2))
    cells[0, 2] = cell_of(spoiled(found[job], 10))
    del cells[1, 0]
    across, down = plan.axes
    info = sweep_map.Info(find("c_lucb"), across, down, cells)
    fig = sweep_map.draw(info, SMALL.words, 0.2)
    samples, errors = np.array(trace_of(fig, "samples").z), np.array(trace_of(fig, "errors").z)
    assert samples[0, 0] == pytest.approx(np.log10(cells[0, 0].mean))
    assert np.isnan(samples[1, 0])
    assert np.isnan(samples[2, 0])
    assert np.isnan(samples[0, 1])
    assert errors[1, 0] == cells[0, 1].errors.estimate
    assert np.isnan(errors[2, 0])
    written = trace_of(fig, "samples in words")
    assert dict(zip(zip(written.x, written.y, strict=True), written.text, strict=True))[0, 1] == (
        "ran out"
    )
    own = [(shape.x0 + 0.5, shape.y0 + 0.5) for shape in fig.layout.shapes]
    assert own == [(across.own, down.own)] * 2
    assert "not yet run" in sweep_map.sentence(info, (1, 0), SMALL.words)
    assert "2 of 10 runs ran out of budget" in sweep_map.sentence(info, (0, 1), SMALL.words)
    assert percent(cells[0, 0].errors.high) in sweep_map.sentence(info, (0, 0), SMALL.words)
    assert "in 2 cells runs ran out of budget" in sweep_map.alt_text(info, SMALL.words)


@pytest.mark.parametrize(
    ("number", "text"), [(7.0, "7"), (942.0, "942"), (27_441, "27.4k"), (999_999, "1M")]
)
def test_counts_in_small_cells(number, text):
    assert sweep_map.short(number) == text
