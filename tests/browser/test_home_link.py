"""A link of Home restores the moment and the row; long names are whole on a phone."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.app_page import PAGES, VIEWPORTS

BOOKS = {"data": "Poetry books (Goodreads)"}
NARROW = re.compile(r"^0 0 3\d\d ")


def test_a_link_restores_the_moment_and_the_row(open_page):
    start = open_page(PAGES["home"])
    page = start.page
    picture = page.locator(".home").first
    picture.get_by_role("button", name="Chess duel").click()
    picture.locator(".scrub").press("ArrowLeft")
    clock, reason = (picture.locator(one).first for one in (".clock", ".why h2"))
    seen = clock.inner_text(), reason.inner_text()
    assert "Chess duel" in seen[1]
    query = page.evaluate("new URLSearchParams(window.cbaiView).toString()")
    page.goto(f"{page.url}&{query}")
    start.wait_idle()
    start.wait_drawn()
    assert (clock.inner_text(), reason.inner_text()) == seen
    assert page.get_by_test_id("stToast").count() == 0


def test_long_names_are_whole_on_a_phone(open_page):
    tab = open_page(PAGES["home"], BOOKS)
    page = tab.page
    width, height = VIEWPORTS["phone"]
    page.set_viewport_size({"width": width, "height": height})
    expect(page.locator(".home .run.large svg").first).to_have_attribute("viewBox", NARROW)
    names = page.locator(".home").first.locator(".run.large .name").all_text_contents()
    assert len(names) > 5
    assert not [name for name in names if "…" in name]
