"""The sweep over certainties starts by its button, shows how far it is, and fits a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import cbai
from tests.browser.app_page import PAGES, VIEWPORTS

STORY = {"data": cbai.DATASETS["drug-trial"].title, "trials": "25"}


@pytest.mark.parametrize(
    "viewport",
    [
        pytest.param(VIEWPORTS["phone"], id="phone"),
        pytest.param(VIEWPORTS["desktop"], id="desktop", marks=pytest.mark.full),
    ],
)
def test_what_certainty_costs_is_shown_when_asked_for_and_the_theorems_unfold(open_page, viewport):
    tab = open_page(PAGES["theory"], STORY)
    main = tab.page.get_by_test_id("stMain")
    charts = main.get_by_test_id("stPlotlyChart")
    before = charts.count()
    main.get_by_role("button", name="25 times each").click()
    expect(main.get_by_role("cell", name="C-LUCB", exact=True)).to_be_visible(timeout=60_000)
    tab.wait_idle()
    tab.wait_drawn()
    tab.assert_no_errors()
    assert charts.count() == before + 2
    assert tab.page.get_by_test_id("stProgress").count() == 0
    assert main.evaluate("element => element.scrollWidth") <= viewport[0]
    main.get_by_text("The theorems and their symbols").click()
    formulas = main.locator(".katex-display")
    expect(formulas).to_have_count(2)
    edge = main.get_by_test_id("stExpanderDetails").first.bounding_box()
    for part in formulas.locator(".base").all():
        box = part.bounding_box()
        assert edge["x"] <= box["x"]
        assert box["x"] + box["width"] <= edge["x"] + edge["width"]
