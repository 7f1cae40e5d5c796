"""Long runs show how far they are, can be stopped, and end when nobody wants them any more."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from urllib.parse import urlencode

import pandas as pd
import pytest
from playwright.sync_api import expect

import cbai
from tests.browser.app_page import PAGES
from tests.browser.controls import choose

TWO_ARMS = cbai.DATASETS["paper-two-arms"]
LONG = {"data": cbai.DATASETS["goodreads-poetry"].title, "trials": "1000"}
"""Some twenty minutes of work."""
LONG_PIN = "data.goodreads-poetry~trials.1000"

CALM_SECONDS = 60


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def becomes_calm(pid):
    """Return whether a process comes to use less than half a core, before anybody's patience ends.

    On a system without /proc nothing can be seen; it is then taken for calm.
    """
    if not Path("/proc/self/stat").exists():
        return True
    deadline = time.monotonic() + CALM_SECONDS
    while time.monotonic() < deadline:
        before = cpu_seconds(pid)
        time.sleep(1.0)
        if cpu_seconds(pid) - before < 0.5:
            return True
    return False


@pytest.fixture
def busy(open_tab):
    """Open a page that is then busy with a long run."""

    def come(name, query):
        tab = open_tab()
        tab.page.goto(f"{tab.server.url}{PAGES[name]}?{urlencode(query)}")
        stop_button(tab).wait_for()
        return tab

    return come


@pytest.fixture
def long_run(busy):
    """Samples, busy with a long run."""
    return busy("samples", LONG)


def stop_button(tab):
    return tab.page.locator(".st-key-stop").get_by_role("button", name="Stop")


def progress(tab):
    """Wait for the line that says how far a run is, and return it."""
    line = tab.page.get_by_test_id("stProgress")
    line.get_by_text("runs done").wait_for()
    return line.inner_text()


def test_a_long_run_shows_its_progress_and_can_be_stopped_and_replaced(long_run, app_server):
    page = long_run.page
    assert re.search(r"[\d,]+ of 5,000 runs", progress(long_run))

    stop_button(long_run).click()
    long_run.wait_idle()
    long_run.assert_no_errors()
    assert "Stopped" in page.get_by_test_id("stAlert").inner_text()
    assert page.get_by_test_id("stProgress").count() == 0
    assert becomes_calm(app_server.process.pid)

    page.get_by_role("button", name="Run again").click()
    assert "5,000" in progress(long_run)
    assert page.get_by_role("button", name="Run again").count() == 0
    assert page.get_by_text("Continues. Finished runs").count() == 0  # what would cover Stop

    # Another choice takes over at once: its page is complete long before the old run would be.
    choose(long_run, "data", TWO_ARMS.title)
    long_run.assert_no_errors()
    assert page.get_by_test_id("stProgress").count() == 0
    assert page.get_by_text("All numbers").count() == 1
    assert becomes_calm(app_server.process.pid)

    page.get_by_role("button", name="Keep this run").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Every run as CSV").click()
    shown = pd.read_csv(download.value.path())
    names = shown["algorithm"].unique().tolist()
    direct = cbai.simulate(cbai.load_problem(TWO_ARMS.id), names, 0.01, trials=1000, p=0.2)
    pd.testing.assert_frame_equal(shown, direct.to_frame(), check_dtype=False)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("compare", {"pins": f"{LONG_PIN}~~{LONG_PIN}~delta.0.1"}),
        ("lab", LONG),
        ("theory", LONG),
        ("whatif", LONG),
    ],
)
def test_the_button_that_goes_on_makes_way_for_the_run(busy, name, query):
    tab = busy(name, query)
    stop_button(tab).click()
    tab.wait_idle()
    again = tab.page.get_by_role("button", name=re.compile("Run again|Go on"))
    again.click()
    stop_button(tab).click()
    tab.wait_idle()
    again.click()
    stop_button(tab).wait_for()
    assert again.count() == 0
    tab.assert_no_errors()


def test_a_card_taken_away_is_gone_while_the_runs_last(busy):
    pins = "~~".join(f"{LONG_PIN}~delta.{delta}" for delta in (0.2, 0.1, 0.05))
    tab = busy("compare", {"pins": pins})
    cards = tab.page.locator("[class*='st-key-card-']")
    assert cards.count() == 3
    tab.page.get_by_role("button", name="Remove").first.click()
    expect(cards).to_have_count(2)
    assert stop_button(tab).count() == 1


def test_the_stored_run_is_shown_while_the_paper_is_run_here(busy):
    tab = busy("paper", {"show": "run"})
    expect(tab.page.get_by_test_id("stDataFrame").first).to_be_visible(timeout=30_000)
    stop_button(tab).click()
    expect(tab.page.get_by_text("This page shows the stored run")).to_be_visible()
    tab.assert_no_errors()


def test_a_run_ends_when_its_tab_is_closed(long_run, app_server):
    progress(long_run)
    long_run.close()
    assert becomes_calm(app_server.process.pid)
