"""One visit to every page: it fits, anybody can use it, and its link restores what was changed."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.app_page import PAGES, SETTLE_MS
from tests.browser.axe import assert_accessible, wait_for_scheme
from tests.browser.changes import CHANGES, QUICK
from tests.browser.controls import query_of
from tests.browser.keyboard import controls, reached_by_tab
from tests.browser.links import copied, opened

ALL = ("data", "delta", "algorithms", "part-more")
USED = dict.fromkeys(PAGES, ALL) | {
    "home": ("data", "delta"),
    "data": ("delta",),
    "theory": ("data", "delta"),
    **dict.fromkeys(("story", "bounds", "paper", "glossary"), ()),
}
"""What the sidebar offers on each page, by key: nothing that does not change it."""

IN_THE_MENU = {"home": 8, "samples": 8, "bounds": len(PAGES)}
"""How many pages the menu shows at once."""


def assert_whole(tab, viewport):
    """Check that a page has one title, and is never wider than the screen, however long."""
    assert tab.page.get_by_role("heading", level=1).count() == 1
    main = tab.page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollWidth") <= viewport[0]


def assert_marked_in_the_menu(tab, name):
    links = tab.page.get_by_test_id("stSidebarNavLink")
    if name in IN_THE_MENU:
        expect(links).to_have_count(IN_THE_MENU[name])
    marked = [link for link in links.all() if link.get_attribute("aria-current") == "page"]
    assert [urlsplit(link.get_attribute("href")).path for link in marked] == [PAGES[name]]


def mathematics_is_set_and_fits(tab):
    main = tab.page.get_by_test_id("stMain")
    assert main.locator(".katex-display").count() > 30
    assert main.locator(".katex-error").count() == 0
    wide = main.locator(".katex-display").evaluate_all(
        """all => all.filter(one => {
          const place = one.closest('[data-testid="stElementContainer"]').getBoundingClientRect();
          return [...one.querySelectorAll('.katex-html .base')].some(
            base => base.getBoundingClientRect().right > place.right + 1);
        }).map(one => one.textContent.slice(0, 60))"""
    )
    assert wide == []


def unfold_all(tab):
    folded = tab.page.locator("details:not([open]) > summary").filter(visible=True)
    while left := folded.count():
        folded.first.click()
        expect(folded).to_have_count(left - 1)
    tab.wait_idle()
    tab.wait_drawn()


def resize(tab, viewport):
    """Give a window its size again that was made as high as the page."""
    tab.page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
    tab.page.wait_for_timeout(SETTLE_MS)


# ---------------------------------------------------------------- what a page shows


VIEW = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  const of = (what) => [...main.querySelectorAll(what)];
  return {
    figures: of(".js-plotly-plot").map((one) => JSON.stringify([one.data, one.layout])),
    controls: of("input").map((box) => box.value),
    pressed: of("[aria-pressed=true], [aria-checked=true]").map((one) => one.textContent),
  };
}"""
SHORT = {"bounds": {"look_until": "1,000", "streams": "200"}}
"""What makes a page quick that has no trials; a phone opens it as it is."""

LOOKS = 40
"""How often a page is looked at until it shows what it should: for twelve seconds."""


def view(tab):
    """Return what a page shows: words, what its controls hold, its figures, the race's moment."""
    main_part = tab.page.get_by_test_id("stMain")
    texts = main_part.locator(
        '[data-testid="stHeading"], [data-testid="stMarkdown"], [data-testid="stCaptionContainer"]'
    ).all_inner_texts()
    race = main_part.locator(".race .clock, .race .news, .race svg .name").all_inner_texts()
    return tab.page.evaluate(VIEW) | {"texts": texts, "race": race}


def until(tab, reached):
    """Look at a page until it has `reached` something in two looks that see the same."""
    seen = None
    for _ in range(LOOKS):
        now = view(tab)
        if now == seen and reached(now):
            break
        seen = now
        tab.page.wait_for_timeout(2 * SETTLE_MS)
        tab.wait_idle()
    return now


def test_every_page_is_changed():
    assert set(CHANGES) == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_can_be_used_by_everybody_and_its_link_restores_it(open_page, name, viewport):
    """It opens in the dark, and its copied link is opened in the light; axe looks in both."""
    tab = open_page(PAGES[name], QUICK | SHORT.get(name, {}), "dark")
    assert_whole(tab, viewport)
    assert_marked_in_the_menu(tab, name)
    if name == "glossary":
        mathematics_is_set_and_fits(tab)
    assert_accessible(tab, "as it opens")
    assert {f"st-key-{key}" for key in ("present-bar", *USED[name])} <= controls(tab)
    assert controls(tab) - reached_by_tab(tab) == set()

    resize(tab, viewport)
    before = until(tab, lambda now: True)
    asked = CHANGES[name](tab)
    tab.wait_idle()

    def in_address():
        return {part for part in asked if part not in query_of(tab.page.url)}

    # The race tells the link once nothing has changed for a while.
    assert until(tab, lambda now: now != before and not in_address()) != before
    link = copied(tab)
    assert [part for part in asked if f"{part}=" not in link] == []
    again = opened(open_page, link)
    wait_for_scheme(again, "light")
    # What was changed has had its time to be drawn while its link was opened.
    assert until(again, lambda now: now == view(tab)) == view(tab)
    assert again.page.get_by_test_id("stToast").count() == 0

    unfold_all(tab)
    assert_accessible(tab, "after it is used, all unfolded")
