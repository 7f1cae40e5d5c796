"""The bounds page in a real browser: its controls, its figures and its link."""

from __future__ import annotations

import pytest

from tests.browser.app_page import PAGES
from tests.browser.controls import choose, query_of, step, texts, widget

SHORT = {"look_until": "1,000", "streams": "200"}


@pytest.fixture
def bounds(open_page):
    tab = open_page(PAGES["bounds"], SHORT)
    tab.page.locator(".js-plotly-plot").nth(2).wait_for()
    return tab


def names(tab, figure):
    """Return the names of the lines that a figure holds."""
    return (
        tab.page.locator(".js-plotly-plot").nth(figure).evaluate("one => one.data.map(t => t.name)")
    )


def test_what_is_chosen_changes_the_figures_and_the_link(bounds):
    assert "leaves" in names(bounds, 1)
    choose(bounds, "corridor", "Howard et al.")
    assert names(bounds, 1) == ["stays inside", "Howard et al.", "Howard et al."]
    assert query_of(bounds.page.url)["corridor"] == ["Howard et al."]
    widget(bounds, "bounds").get_by_role("button", name="Even-Dar", exact=True).click()
    bounds.wait_idle()
    assert "Even-Dar" in names(bounds, 0)
    assert "Even-Dar" in names(bounds, 2)
    step(bounds, "misses_allowed", "ArrowLeft")
    assert query_of(bounds.page.url)["misses_allowed"] == ["20 %"]
    assert any("at most 20" in text for text in texts(bounds))
    widget(bounds, "shown_as").get_by_role("radio", name="times Howard's").click()
    bounds.wait_idle()
    title = bounds.page.locator(".js-plotly-plot").nth(2).locator(".ytitle").text_content()
    assert "Howard" in title
    bounds.assert_no_errors()
