"""Every page on a phone, as a first visit finds it, and what a phone shows in another way."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.app_page import PAGES, VIEWPORTS
from tests.browser.axe import assert_accessible
from tests.browser.changes import QUICK
from tests.browser.controls import go_to
from tests.browser.test_every_page import assert_whole, mathematics_is_set_and_fits, resize
from tests.browser.test_home import Picture, lowest
from tests.browser.test_race import Race

PHONE = VIEWPORTS["phone"]
WIDTH, HEIGHT = PHONE

pytestmark = pytest.mark.parametrize("viewport", [PHONE], ids=["phone"])


def reason_is_below_and_nothing_is_cut(tab):
    picture = Picture(tab)
    play = picture.root.get_by_role("button", name="Play")
    assert lowest(play) < HEIGHT
    assert picture.why.bounding_box()["y"] > lowest(play)
    assert picture.why.bounding_box()["width"] > 0.8 * WIDTH
    assert not [name for name in picture.root.locator(".name").all_text_contents() if "…" in name]
    numbers = [box.bounding_box() for box in picture.root.locator(".count").all()]
    assert all(box["x"] + box["width"] <= WIDTH for box in numbers)


def panels_are_stacked(tab):
    race = Race(tab)
    upper, lower = (panel.bounding_box() for panel in race.panels.all())
    assert upper["y"] + upper["height"] <= lower["y"]
    assert upper["x"] == lower["x"]
    assert upper["x"] + upper["width"] <= WIDTH
    # The slider can be used by a thumb.
    assert race.slider.bounding_box()["width"] > WIDTH / 2


def row_that_is_asked_about_leads_to_the_reason(tab):
    race = Race(tab)
    reason = race.page.locator(".st-key-race-reason h3")
    assert reason.bounding_box()["y"] > HEIGHT
    race.panels.first.locator("svg .hit").nth(2).click(position={"x": 30, "y": 8})
    race.page.wait_for_function(
        "h3 => h3.getBoundingClientRect().top < 300", arg=reason.element_handle()
    )


def first_panel_still_says_what_is_happening(tab):
    race = Race(tab)
    race.rewind()
    race.press("is ruled out")
    assert "ruled out" in race.news  # there may be no room for it in the row
    assert race.root.locator("svg .gone").count() > 0


def labels_stay_beside_their_lines(tab):
    plots = tab.page.locator(".js-plotly-plot")
    plots.nth(2).wait_for()
    for figure in (0, 2):
        edge = plots.nth(figure).bounding_box()
        labels = plots.nth(figure).locator(".annotation-text").all()
        assert labels
        for label in labels:
            box = label.bounding_box()
            assert box["x"] >= edge["x"] - 1
            assert box["x"] + box["width"] <= edge["x"] + edge["width"] + 1


def sidebar_makes_way_for_the_page_asked_for(tab):
    away = tab.page.locator('[data-testid="stSidebar"][data-collapsed="true"]')
    expect(away).to_be_attached()
    tab.page.get_by_test_id("stExpandSidebarButton").click()
    expect(away).not_to_be_attached()
    go_to(tab, "Home")
    expect(away).to_be_attached()


OF_A_PAGE = {
    "home": [reason_is_below_and_nothing_is_cut],
    "race": [
        panels_are_stacked,
        row_that_is_asked_about_leads_to_the_reason,
        first_panel_still_says_what_is_happening,
    ],
    "bounds": [labels_stay_beside_their_lines],
    "glossary": [mathematics_is_set_and_fits, sidebar_makes_way_for_the_page_asked_for],
}
"""What is checked in the same visit, one after another."""


@pytest.mark.parametrize("name", PAGES)
def test_every_page(open_page, name, viewport):
    """The layout of the four that axe looks at is that of all."""
    tab = open_page(PAGES[name])
    assert_whole(tab, viewport)
    if name in ("home", "race", "samples", "glossary"):
        assert_accessible(tab, "on a phone")
        resize(tab, viewport)
    for check in OF_A_PAGE.get(name, ()):
        check(tab)


def test_a_notice_does_not_hide_the_answer(open_page):
    tab = open_page(PAGES["samples"], QUICK | {"delta": "0.5"})
    notice = tab.page.get_by_test_id("stToast").bounding_box()
    answer = tab.page.get_by_role("heading", level=2).first.bounding_box()
    assert answer["y"] + answer["height"] < notice["y"]
