"""Setups are pinned on any page, compared, and restored by a link."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import cbai
from tests.browser.app_page import PAGES, VIEWPORTS
from tests.browser.axe import assert_accessible
from tests.browser.controls import choose, go_to, query_of, sidebar, step, texts, widget
from tests.browser.links import copied, opened

TWO = cbai.DATASETS["paper-two-arms"].title
QUICK = {"data": TWO, "trials": "10", "budget": "20,000"}
ONE = "data.paper-two-arms~trials.10~budget.20000"
OTHER = "data.paper-two-arms~delta.0.02~trials.10~budget.20000"
WIDEST = "~~".join(
    [
        "data.movielens-1m~trials.10",
        "data.movielens-1m~q.0.13~trials.10~budget.100000",
        "data.paper-two-arms~seed.2147483647~trials.10",
        "data.movielens-1m~p.1~delta.0.0001~trials.10~budget.20000",
    ]
)


def pin(tab):
    sidebar(tab).get_by_role("button", name="Pin this setup").click()
    tab.wait_idle()


def figures(tab):
    plots = tab.page.get_by_test_id("stMain").locator(".js-plotly-plot")
    return plots.evaluate_all("all => all.map((one) => JSON.stringify([one.data, one.layout]))")


def test_pinned_on_samples_compared_and_opened_from_the_link(open_page):
    tab = open_page(PAGES["samples"], QUICK)
    expect(widget(tab, "pins")).to_be_hidden()
    pin(tab)
    expect(sidebar(tab).get_by_role("button", name="Pinned as A")).to_be_disabled()
    assert query_of(copied(tab))["pins"] == [ONE]
    step(tab, "delta", "ArrowLeft")
    pin(tab)
    expect(sidebar(tab).get_by_text("2 of 4 pinned")).to_be_visible()

    go_to(tab, "Compare")
    assert query_of(tab.page.url)["pins"] == [f"{ONE}~~{OTHER}"]
    choose(tab, "compare_b", "LUCB")
    said = tab.page.get_by_test_id("stMain").get_by_role("heading", level=2).inner_text()
    assert "B (LUCB" in said
    assert len(figures(tab)) == 2

    again = opened(open_page, copied(tab))
    assert texts(again) == texts(tab)
    assert figures(again) == figures(tab)
    assert again.page.get_by_test_id("stToast").count() == 0

    again.page.get_by_role("button", name="Remove").last.click()
    again.wait_idle()
    again.assert_no_errors()
    assert query_of(again.page.url)["pins"] == [ONE]
    again.page.get_by_role("button", name="Compare", exact=True).last.click()
    again.wait_idle()
    again.assert_no_errors()
    expect(sidebar(again).get_by_text("3 of 4 pinned")).to_be_visible()


def test_two_pins_show_no_fault_and_one_is_shown_in_the_sidebar(open_page, viewport):
    tab = open_page(PAGES["compare"], QUICK | {"pins": f"{ONE}~~{OTHER}~p.0.4"})
    assert_accessible(tab, "two pins")
    tab.page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
    widget(tab, "load-B").get_by_role("button").click()
    tab.wait_idle()
    query = query_of(tab.page.url)
    assert (query["p"], query["delta"]) == (["0.4"], ["0.02"])
    assert widget(tab, "p").locator("input").first.input_value() == "0.4"
    expect(sidebar(tab).get_by_role("button", name="Pinned as B")).to_be_disabled()


@pytest.mark.parametrize(
    ("viewport", "color_scheme"),
    [
        pytest.param(VIEWPORTS["desktop"], "light", id="desktop-light"),
        pytest.param(VIEWPORTS["phone"], "dark", id="phone-dark"),
        pytest.param(VIEWPORTS["desktop"], "dark", id="desktop-dark", marks=pytest.mark.full),
        pytest.param(VIEWPORTS["phone"], "light", id="phone-light", marks=pytest.mark.full),
    ],
)
def test_four_setups_fit_on_every_screen(open_page, viewport, color_scheme):
    tab = open_page(PAGES["compare"], {"pins": WIDEST, "compare_by": "All algorithms"})
    main = tab.page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollWidth") <= viewport[0]
    plots = main.locator(".js-plotly-plot")
    assert plots.count() == 2
    for plot in plots.all():
        frame = plot.bounding_box()
        for label in plot.locator(".annotation-text").all():
            box = label.bounding_box()
            assert frame["x"] <= box["x"]
            assert box["x"] + box["width"] <= frame["x"] + frame["width"]
