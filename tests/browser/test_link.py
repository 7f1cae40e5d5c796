"""The address bar follows the sidebar, and a link restores the view."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

import cbai
from tests.browser.app_page import PAGES
from tests.browser.controls import (
    choose,
    go_to,
    query_of,
    sidebar,
    step,
    texts,
    toggle,
    unfold,
    widget,
    write,
)
from tests.browser.links import copied, opened, wait_for_query

TWO, THREE = (cbai.DATASETS[f"paper-{n}-arms"].title for n in ("two", "three"))
RECIPE = "mean-own_ucb-1K-own_ucb-1K-none-1-1-kl_lucb"
QUICK = {"data": TWO, "trials": "10"}


@pytest.fixture
def changed(open_page):
    """Samples, after everything in the sidebar has been changed by hand."""
    tab = open_page(PAGES["samples"], QUICK)
    choose(tab, "data", THREE)
    step(tab, "p", "ArrowRight")
    step(tab, "q", "ArrowRight")
    step(tab, "delta", "ArrowLeft")
    toggle(tab, "Racing")
    toggle(tab, "C-LUCB++")
    toggle(tab, "Yours")
    toggle(tab, "LUCB++-bet")
    unfold(tab, "More")
    write(tab, "lab", RECIPE)
    step(tab, "seed", "ArrowUp")
    return tab


CHANGED = {
    "data": [THREE],
    "p": ["0.25"],
    "q": ["0.01"],
    "delta": ["0.02"],
    "seed": ["1"],
    "trials": ["10"],
    "algorithms": ["C-LUCB", "LUCB", "LUCB++", "Racing", "Yours"],
    "beyond": ["C-LUCB-bet", "LUCB++-bet"],
    "lab": [RECIPE],
}


def test_the_address_follows_the_sidebar_and_restores_the_view(changed, open_page):
    wait_for_query(changed, CHANGED)
    changed.wait_idle()
    link = copied(changed)
    assert urlsplit(link).path == PAGES["samples"]
    assert {name: sorted(values) for name, values in query_of(link).items()} == CHANGED

    again = opened(open_page, changed.page.url)
    wait_for_query(again, CHANGED)
    assert texts(again) == texts(changed)
    assert widget(again, "p").locator("input").first.input_value() == "0.25"
    assert widget(again, "q").locator("input").first.input_value() == "0.01"
    for group in ("algorithms", "beyond"):
        pressed = widget(again, group).locator("[aria-pressed=true]").all_text_contents()
        assert sorted(pressed) == CHANGED[group]


def test_presets_get_into_address_and_link_and_page_switches_keep_them(open_page):
    query = {"data": [TWO], "trials": ["10"], "algorithms": ["C-LUCB"]}
    tab = open_page(PAGES["race"], QUICK | {"algorithms": "C-LUCB"})
    unfold(tab, "More")
    sidebar(tab).get_by_role("button", name="No correlation").click()
    wait_for_query(tab, query | {"p": ["1"]})
    tab.wait_idle()
    assert [float(p) for p in query_of(copied(tab))["p"]] == [1.0]
    for title, name in [("Home", "home"), ("Samples", "samples")]:
        go_to(tab, title)
        assert urlsplit(tab.page.url).path == PAGES[name]
        wait_for_query(tab, query | {"p": ["1"]})
        assert widget(tab, "p").locator("input").first.input_value() == "1"
    unfold(tab, "More")
    sidebar(tab).get_by_role("button", name="As in the paper").click()
    wait_for_query(tab, query)
    tab.wait_idle()
    assert "p" not in query_of(copied(tab))


def test_one_move_is_one_entry_of_the_history_and_back_undoes_it(open_page):
    tab = open_page(PAGES["theory"], QUICK | {"q": "0.1"})
    begun = tab.page.evaluate("history.length")
    unfold(tab, "More")
    sidebar(tab).get_by_role("button", name="No correlation").click()  # sets p and q
    wait_for_query(tab, {"data": [TWO], "trials": ["10"], "p": ["1"]})
    tab.wait_idle()
    assert tab.page.evaluate("history.length") == begun + 1
    tab.page.go_back()
    tab.wait_idle()
    assert widget(tab, "p").locator("input").first.input_value() == "0.2"
    assert widget(tab, "q").locator("input").first.input_value() == "0.1"


def test_a_first_visit_can_be_left_and_walked_through_by_back_and_forward(open_page):
    """An address without a data set is how a visit began; no move of the history stops there."""
    tab = open_page(PAGES["theory"])
    box = widget(tab, "data").get_by_role("combobox")
    box.click()
    tab.page.get_by_role("listbox").wait_for()
    tab.page.keyboard.press("Escape")
    tab.wait_idle()
    assert box.input_value() == cbai.DATASETS["ad-campaign"].title
    go_to(tab, "Glossary")
    for move, path in (("go_back", "theory"), ("go_forward", "glossary")):
        getattr(tab.page, move)()
        tab.wait_idle()
        assert urlsplit(tab.page.url).path == PAGES[path]
        assert query_of(tab.page.url)["data"] == [cbai.DATASETS["ad-campaign"].title]


def test_back_after_the_presenter_view_was_left_leads_into_it_again(open_page):
    tab = open_page(PAGES["samples"], QUICK)
    tab.page.get_by_role("button", name="Present").first.click()
    tab.wait_idle()
    expect(sidebar(tab)).to_be_hidden()
    tab.page.keyboard.press("Escape")
    tab.wait_idle()
    expect(sidebar(tab)).to_be_visible()
    tab.page.go_back()
    tab.wait_idle()
    expect(sidebar(tab)).to_be_hidden()
    tab.page.go_back()
    tab.wait_idle()
    expect(sidebar(tab)).to_be_visible()
