"""The page on the paper: it says what the stored run says, and can repeat it."""

from __future__ import annotations

import io

import pandas as pd
import pytest
import streamlit as st

from cbai.reproduce import EXPERIMENTS
from cbai.reproduce.sections import numbers, reasons
from cbai.reproduce.stored import ASSIGNMENTS, stored
from cbai.reproduce.verdict import verdict, wrong_answers
from cbai.ui.paper.stored_run import get_stored, same
from cbai.ui.parts.page import plain
from tests.visit import said, visit


@pytest.mark.parametrize("row", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_each_table_and_figure_says_what_was_stored(row):
    app = visit("paper", paper=row.name)
    assert not app.exception
    text, frame = said(app.main), stored(row.id)
    assert plain(verdict(frame)) in text
    assert wrong_answers(frame) in text
    assert row.title in text
    assert row.remark in text
    pd.testing.assert_frame_equal(app.dataframe[0].value, numbers(frame), check_dtype=False)
    if len(reasons(frame)):
        assert list(app.table[0].value["Algorithm"]) == list(reasons(frame)["Algorithm"])
    assert ("another draw" in text) == (row.id in ("table3", "table4"))


def test_the_table_with_most_numbers_comes_first_and_strangers_are_dropped():
    for query in ({}, {"paper": "Table 9"}):
        app = visit("paper", **query)
        assert not app.exception
        assert EXPERIMENTS["table3"].title in said(app.main)


def test_the_truths_of_table_1_are_shown_whole():
    app = visit("paper", paper="Table 1")
    known, first, second = (table.value for table in app.table)
    assert known.to_numpy().tolist() == [["0", "≤ 0.7", "≤ 0.8"], ["1", "≤ 0.4", "≤ 0.5"]]
    assert first.iloc[:, 1:].astype(float).to_numpy().tolist() == [[0.2, 0.4], [0.2, 0.2]]
    assert second.iloc[:, 1:].astype(float).to_numpy().tolist() == [[0.2, 0.3], [0.4, 0.1]]
    assert said(app.main).count("all bounds hold") == 2


def test_violated_pseudo_rewards_are_said_aloud_only_where_they_are_used():
    assert "assumption is violated" in said(visit("paper", paper="Table 4").main)
    assert "assumption is violated" not in said(visit("paper", paper="Table 3").main)


def test_a_run_here_is_the_same_to_the_sample():
    app = visit("paper", paper="Table 1")
    app.button(key="run paper").click().run()
    assert not app.exception
    assert "the same as the stored run" in app.success[0].value
    assert not app.warning


def test_a_run_here_that_differs_is_said_and_shown(monkeypatch):
    other = stored("table1").assign(mean=1.0)
    monkeypatch.setattr("cbai.ui.paper.stored_run.stored", lambda name: other)
    get_stored.clear()
    app = visit("paper", paper="Table 1")
    app.button(key="run paper").click().run()
    get_stored.clear()
    assert "not the same" in app.warning[0].value
    monkeypatch.undo()
    pd.testing.assert_frame_equal(app.dataframe[0].value, numbers(stored("table1")))


@pytest.mark.parametrize("column", ["mean", "two_sigma", "errors", "budget"])
def test_one_sample_more_is_not_the_same(column):
    frame = stored("table4")
    assert same(frame, frame.copy())
    changed = frame.copy()
    changed.loc[2, column] += 1
    assert not same(changed, frame)


def test_the_download_holds_every_parameter(monkeypatch):
    offered = []
    monkeypatch.setattr(st, "download_button", lambda _, data, **__: offered.append(data))
    visit("paper", paper="Table 4")
    found = pd.read_csv(io.BytesIO(offered[-1]()))
    assert {"delta", "p", "q", "seed", "trials", "max_samples"} <= set(found)
    assert list(found["mean"]) == list(stored("table4")["mean"])


def test_the_spread_is_that_of_the_stored_assignments():
    found = stored(ASSIGNMENTS)
    part = found[found["experiment"] == "table4"]
    text = said(visit("paper", paper="Table 4").main)
    assert f"{part['genre_seed'].nunique()} draws" in text
    assert f"{part['gap'].max():.3f} stars" in text
