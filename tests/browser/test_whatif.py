"""A sweep streams in, stop keeps what is there, resuming finishes it, and a link restores it."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import cbai
from tests.browser.app_page import PAGES, VIEWPORTS, AppPage
from tests.browser.controls import choose, pick, query_of, widget, write

STORY = cbai.DATASETS["drug-trial"].title
LONG = {"data": cbai.DATASETS["goodreads-poetry"].title, "algorithms": "LUCB", "beyond": ""}
"""Cells of some seconds each."""
QUICK = {"data": STORY, "trials": "10", "algorithms": "LUCB", "beyond": ""}


def points(tab):
    """Return how many cells the first figure shows."""
    return tab.page.evaluate(
        """() => document.querySelector('.js-plotly-plot').data
             .find(trace => trace.name === 'samples').y?.length ?? 0"""
    )


def wait_for_points(tab, least):
    tab.page.wait_for_function(
        """least => (document.querySelector('.js-plotly-plot')?.data
             ?.find(trace => trace.name === 'samples')?.y?.length ?? 0) >= least""",
        arg=least,
        timeout=90_000,
    )


@pytest.fixture
def sweep(app_server, browser):
    """What if, busy with a long sweep over delta."""
    tab = AppPage.new(app_server, browser)
    tab.page.goto(f"{app_server.url}{PAGES['whatif']}?{urlencode(LONG | {'seed': '4711'})}")
    widget(tab, "stop").wait_for()
    yield tab
    tab.close()


def test_a_sweep_streams_in_stops_goes_on_and_gives_way(sweep):
    page = sweep.page
    wait_for_points(sweep, 1)
    assert widget(sweep, "stop").is_visible()  # shown while the rest is still at work

    widget(sweep, "stop").get_by_role("button").click()
    sweep.wait_idle()
    sweep.assert_no_errors()
    alert = page.get_by_test_id("stAlert").inner_text()
    done = int(re.search(r"Cells done: (\d) of 4", alert)[1])
    assert 1 <= done < 4
    assert points(sweep) == done
    assert page.get_by_test_id("stProgress").count() == 0

    page.get_by_role("button", name="Go on").click()
    wait_for_points(sweep, done + 1)
    assert page.get_by_test_id("stAlert").count() == 0

    # Another choice takes over at once: it is complete long before the old sweep would be.
    choose(sweep, "data", STORY)
    sweep.assert_no_errors()
    assert points(sweep) == 4
    assert page.get_by_test_id("stProgress").count() == 0
    expect(page.get_by_text("ten times more certainty")).to_be_visible()


@pytest.mark.parametrize("viewport", VIEWPORTS.values(), ids=VIEWPORTS)
def test_two_parameters_are_chosen_kept_in_the_address_and_restored(open_page, viewport):
    tab = open_page(PAGES["whatif"], QUICK)
    box = widget(tab, "vary").get_by_role("combobox")
    box.click()
    tab.page.get_by_role("option", name="gap", exact=True).click()
    tab.wait_idle()
    write(tab, "unit", "EUR")
    write(tab, "cost", "0.25")
    tab.wait_drawn()
    tab.assert_no_errors()
    tab.page.wait_for_url(lambda url: query_of(url).get("cost") == ["0.25"], timeout=10_000)
    query = query_of(tab.page.url)
    assert query["vary"] == ["error δ", "gap"]
    assert query["unit"] == ["EUR"]
    said = tab.page.get_by_test_id("stMain").get_by_test_id("stCode").inner_text()
    assert "At 0.25 EUR per patient" in said
    answer = tab.page.locator("h2").first.inner_text()
    assert "LUCB needs from" in answer

    again = open_page(f"{PAGES['whatif']}?{tab.page.url.partition('?')[2]}")
    assert again.page.locator("h2").first.inner_text() == answer
    assert again.page.get_by_test_id("stMain").get_by_test_id("stCode").inner_text() == said
    main = again.page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollWidth") <= viewport[0]


def test_no_figure_of_the_sweep_before_stays_while_one_fills(app_server, browser):
    """Streamlit takes away what is no longer drawn once a page is complete, and no sooner."""
    query = LONG | {"seed": "4712", "algorithms": ["LUCB", "LUCB++"]}
    tab = AppPage.new(app_server, browser)
    tab.page.goto(f"{app_server.url}{PAGES['whatif']}?{urlencode(query, doseq=True)}")
    wait_for_points(tab, 1)
    widget(tab, "vary").get_by_role("combobox").click()
    tab.page.get_by_role("option", name="gap", exact=True).click()
    tab.page.wait_for_function(
        "() => document.querySelector('.js-plotly-plot')?.data?.some(t => t.type === 'heatmap')",
        timeout=60_000,
    )
    tab.page.wait_for_timeout(1500)
    expect(widget(tab, "stop")).to_be_visible()
    assert tab.page.locator(".js-plotly-plot:visible").count() == 2
    tab.close()


def test_nothing_is_said_of_the_data_set_before_while_a_sweep_fills(app_server, browser):
    tab = AppPage.new(app_server, browser)
    tab.open(PAGES["whatif"], {"data": STORY, "seed": "4713"})
    forwarded = tab.page.get_by_test_id("stMain").get_by_test_id("stCode")
    assert STORY in forwarded.inner_text()
    pick(tab, "data", cbai.DATASETS["goodreads-poetry"].title)
    expect(tab.page.get_by_text("Not computed yet.", exact=True)).to_be_visible()
    expect(forwarded.filter(has_text=STORY)).to_have_count(0)
    expect(tab.page.get_by_text("Where these numbers come from")).to_have_count(1)
    expect(widget(tab, "stop")).to_be_visible()
    tab.close()


def test_all_cells_can_be_downloaded(open_page):
    tab = open_page(PAGES["whatif"], QUICK)
    with tab.page.expect_download() as download:
        widget(tab, "sweep_csv").get_by_role("button").click()
    assert download.value.suggested_filename == "cbai-drug-trial-delta.csv"
    head, *rows = download.value.path().read_text().splitlines()
    assert '"mean_low"' in head
    assert len(rows) == 4
