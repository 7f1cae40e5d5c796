"""A minute of the soak, and that it sees what it is there to see."""

from __future__ import annotations

import random

import pytest

from benchmarks import visitor as visiting
from benchmarks.soak import report, slope_per_ten_minutes, soak
from benchmarks.visitor import FIND, KINDS, Visitor
from tests.browser.app_page import running_app


@pytest.mark.full
def test_a_minute_of_random_use_shows_no_error(app_server, browser):
    run = soak(app_server, browser, minutes=1.0, seed=1, quick=True)
    report(run)
    assert [trouble.what for trouble in run.troubles] == []
    assert run.actions > len(run.visitors)  # more than to have come
    assert len(run.resident) >= 2
    assert all(visitor.heaps[-1] > 0 for visitor in run.visitors)


@pytest.fixture
def visit(browser):
    """Come to an app as a visitor; what goes wrong is for the test to ask."""
    visitors = []

    def come(server):
        visitors.append(Visitor("visitor", server, browser, random.Random(0), quick=True))
        return visitors[-1]

    yield come
    for one in visitors:
        one.tab.close()


def done(one):
    """Return what a visitor did, but for stopping runs: that depends on how busy the machine is."""
    return [action for action in one.recent if action != "press: Stop"]


def test_a_visitor_can_come_again_and_do_the_same(visit, app_server):
    one = visit(app_server)
    first, tab = done(one), one.tab
    one.act()
    stops = one.recent.count("press: Stop")
    one.come_again(random.Random(0))
    assert done(one) == first
    assert one.tab is not tab
    assert tab.page.is_closed()
    assert one.actions == 3 + stops + one.recent.count("press: Stop")


def test_an_error_of_the_page_is_seen_with_what_led_to_it(visit, app_server):
    one = visit(app_server)
    assert one.troubles == []
    for planted, seen in (
        ("setTimeout(() => { throw new Error('planted'); })", "page error: planted"),
        ("console.error('planted')", "console error: planted"),
        ("fetch('http://127.0.0.2:9/').catch(() => 0)", "request that leaves this machine"),
    ):
        before = len(one.troubles)
        with one._action("plant"):
            one.page.evaluate(f"() => {{ {planted}; }}")
            one.page.wait_for_timeout(300)
        assert seen in one.troubles[before].what
        assert one.troubles[before].actions[-1] == "plant"
        assert one.troubles[before].actions[0].startswith("open /")


@pytest.mark.full
@pytest.mark.parametrize(
    ("script", "seen"),
    [
        ("raise ValueError('planted')", ["exception shown", "printed: "]),
        ("st.error('ValueError: planted')", ["alert: ValueError"]),
        ("import time\ntime.sleep(20)", ["not ready after"]),
    ],
)
def test_an_error_of_the_app_is_seen(visit, tmp_path, monkeypatch, script, seen):
    monkeypatch.setattr(visiting, "LIMIT_SECONDS", 2.0)
    monkeypatch.setattr(visiting, "PAGES", {"only": "/"})
    path = tmp_path / "planted.py"
    path.write_text(f"import streamlit as st\nst.title('planted')\n{script}\n")
    with running_app(path) as server:
        one = visit(server)
        found = [trouble.what for trouble in one.troubles]
    assert [start for start in seen if not any(what.startswith(start) for what in found)] == []


def test_links_that_lead_away_and_uploads_are_left_alone(visit, app_server):
    one = visit(app_server)
    one.page.goto(app_server.url + "/data")
    one.tab.wait_idle()
    one.page.get_by_test_id("stFileUploader").wait_for()
    one.page.evaluate(
        """() => document.querySelector('[data-testid="stMainBlockContainer"]').insertAdjacentHTML(
          "beforeend", '<a href="https://example.org/">away</a><a href="/race">here</a>')"""
    )
    kinds = [(kind, selector) for kind, (_, selector) in KINDS.items()]
    found = one.page.evaluate(FIND, kinds)
    names = [name for _, name in found]
    assert any(name.startswith("here") for name in names)
    assert not any(name.startswith("away") for name in names)
    uploads = one.page.evaluate(
        """() => window.cbaiFound.filter((node) => node.type === "file" ||
          node.closest('[data-testid="stFileUploader"]')).length"""
    )
    assert uploads == 0


def test_the_slope_is_that_of_a_straight_line():
    assert slope_per_ten_minutes([0.0, 60.0, 120.0], [100.0, 101.0, 102.0]) == pytest.approx(10.0)
