"""A fixed budget in a real browser: the choice, the number, the link, and access for everybody."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from cbai.datasets import DATASETS
from tests.browser.app_page import PAGES, VIEWPORTS
from tests.browser.axe import assert_accessible
from tests.browser.controls import go_to, query_of, widget, write

FIXED = {"data": DATASETS["drug-trial"].title, "sampling": "With a fixed budget", "answers": "100"}
RIGHT = re.compile(r"With \d+ patients .* is right")


def sentence(tab):
    return tab.page.get_by_test_id("stMain").get_by_role("heading", level=2).first


def test_a_person_asks_how_sure_a_number_of_answers_makes(open_page):
    tab = open_page(PAGES["samples"], {"data": FIXED["data"], "trials": "10"})
    widget(tab, "sampling").get_by_role("radio", name="With a fixed budget").click()
    tab.wait_idle()
    expect(sentence(tab)).to_contain_text("is right")
    write(tab, "answers", "60")
    expect(tab.page.get_by_role("heading", level=1)).to_contain_text("after 60 patients")
    expect(sentence(tab)).to_contain_text("With 60 patients")
    assert query_of(tab.page.url)["answers"] == ["60"]
    assert query_of(tab.page.url)["sampling"] == ["With a fixed budget"]
    go_to(tab, "What if")
    expect(sentence(tab)).to_contain_text("With 60 patients")
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.get_by_role("button", name="Copy sentence").click()
    expect(tab.page.locator(".copies .said")).to_contain_text("opied")
    copied = tab.page.evaluate("navigator.clipboard.readText()")
    assert re.match(
        r"To find the best of \d+ \w+ \(.*, mean of 2,000 simulated runs\): With 60", copied
    )
    tab.assert_no_errors()


@pytest.mark.parametrize("page", ["samples", "whatif"])
def test_everybody_can_use_it(open_page, page):
    tab = open_page(PAGES[page], FIXED, "dark")
    expect(sentence(tab)).to_contain_text(RIGHT)
    assert_accessible(tab, f"a fixed budget on {page}")


@pytest.mark.parametrize("viewport", [VIEWPORTS["phone"]], ids=["phone"])
@pytest.mark.parametrize("page", ["samples", "whatif"])
def test_nothing_is_wider_than_a_phone(open_page, page, viewport):
    tab = open_page(PAGES[page], FIXED)
    expect(sentence(tab)).to_contain_text(RIGHT)
    wide = tab.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    tab.assert_no_errors()
