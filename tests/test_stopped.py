"""Wherever a run is stopped, the page stays whole, says so, and goes on when asked."""

from __future__ import annotations

from dataclasses import replace

import pytest
import streamlit as st

import cbai
from cbai.reproduce.experiments import EXPERIMENTS
from cbai.ui.runs import on_demand, stopping
from cbai.ui.visit.pin_text import write
from tests.visit import PAGES, SMALL, at, visit

ONE = at("drug-trial", trials=10, max_samples=20_000, algorithms=("lucb", "c_lucb"))
QUERY = {
    "assumption": {"show": "sweep"},
    "compare": {"pins": write([ONE, replace(ONE, delta=0.2)])},
    "paper": {"show": "run", "paper": EXPERIMENTS["table1"].name},
    "theory": {"show": "certainty"},
}
GOES_ON_BY = {
    "assumption": "run sweep",
    "compare": "again",
    "lab": "again",
    "paper": "run paper",
    "samples": "again",
    "theory": "again",
    "whatif": "again",
}
"""The key of the button that goes on, for every page with runs that can be stopped."""


def stop_after(done, monkeypatch):
    """Have the user press Stop once so many jobs are done; nothing is known before.

    Returns
    -------
    list
        One entry for each job that was done.
    """
    on_demand._slot.clear()
    real, calls = cbai.simulate, []

    def simulate(*args, **options):
        if len(calls) == done:
            stopping.stop(st.session_state[on_demand.HELD][0])
            st.rerun()
        calls.append(args)
        return real(*args, **options)

    monkeypatch.setattr(on_demand, "simulate", simulate)
    return calls


def arrive(page):
    data = cbai.DATASETS["drug-trial"].title
    return visit(page, data=data, **SMALL, **QUERY.get(page, {}))


@pytest.mark.parametrize("page", PAGES)
def test_a_stopped_page_is_whole_and_goes_on(page, monkeypatch):
    calls = stop_after(1, monkeypatch)
    app = arrive(page)
    assert not app.exception
    stopped = any("Stopped" in info.value for info in app.info)
    assert stopped == (page in GOES_ON_BY)
    if stopped:
        assert len(calls) == 1
        monkeypatch.setattr(on_demand, "simulate", cbai.simulate)
        app.button(key=GOES_ON_BY[page]).click().run()
        assert not app.exception
        assert not any("Stopped" in info.value for info in app.info)


def test_what_was_asked_for_is_stopped_alone(monkeypatch):
    stop_after(3, monkeypatch)
    app = arrive("theory")
    assert not app.exception
    assert "Stopped" in app.info[0].value
    assert app.button(key="run certainty")
