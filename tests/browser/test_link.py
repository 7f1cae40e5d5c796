"""The address bar follows the sidebar, and a link restores the view."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeout
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

TWO, THREE = (cbai.DATASETS[f"paper-{n}-arms"].title for n in ("two", "three"))
RECIPE = "mean-own_ucb-1K-own_ucb-1K-none-1-1-kl_lucb"
QUICK = {"data": TWO, "trials": "10"}


def copied(tab):
    """Click *Copy link*, and return what is in the clipboard then."""
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.get_by_role("button", name="Copy link", exact=True).first.click()
    expect(tab.page.locator(".present .said")).to_contain_text("Copied")
    return tab.page.evaluate("navigator.clipboard.readText()")


def opened(open_page, address):
    """Open an address in a new browser profile."""
    parts = urlsplit(address)
    return open_page(f"{parts.path}?{parts.query}")


def wait_for_query(tab, expected):
    """Wait until the address asks for just that, in whatever order."""

    def asks(address):
        query = query_of(address)
        return {name: sorted(values) for name, values in query.items()} == expected

    try:
        tab.page.wait_for_url(asks, timeout=10_000)
    except PlaywrightTimeout:
        query = {name: sorted(values) for name, values in query_of(tab.page.url).items()}
        assert query == expected


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


def test_the_link_holds_what_the_page_itself_asks(open_page):
    tab = open_page(PAGES["race"], QUICK)
    choose(tab, "left", "LUCB++")
    step(tab, "run_number", "ArrowUp")
    asked = {"data": [TWO], "trials": ["10"], "left": ["LUCB++"], "run_number": ["1"]}
    wait_for_query(tab, asked)
    tab.wait_idle()
    link = copied(tab)
    assert query_of(link).items() >= asked.items()
    assert texts(opened(open_page, link)) == texts(tab)


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
    tab = open_page(PAGES["glossary"], QUICK)
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


@pytest.mark.parametrize(("name", "shown"), [("home", 8), ("samples", 8), ("bounds", len(PAGES))])
def test_the_page_that_is_open_is_marked_in_the_menu(open_page, name, shown):
    links = open_page(PAGES[name], QUICK).page.get_by_test_id("stSidebarNavLink")
    expect(links).to_have_count(shown)
    marked = [link for link in links.all() if link.get_attribute("aria-current") == "page"]
    assert [urlsplit(link.get_attribute("href")).path for link in marked] == [PAGES[name]]
