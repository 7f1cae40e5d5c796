"""How the app begins. Each page is opened in tests/browser/test_accessibility.py."""

from __future__ import annotations

import pytest

from tests.browser.app_page import PAGES, AppPage, running_app


@pytest.mark.parametrize(
    ("color_scheme", "background"),
    [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 25, 30)")],
)
def test_theme_follows_the_system(open_page, background):
    app = open_page("/").page.get_by_test_id("stApp")

    assert app.evaluate("element => getComputedStyle(element).backgroundColor") == background


def test_first_visit_of_all_may_be_a_deep_link(browser):
    # With a folder named pages/ beside app.py, Streamlit would run the page without app.py here.
    with running_app() as server:
        tab = AppPage.new(server, browser)
        try:
            tab.open(PAGES["race"])
            sidebar = tab.page.get_by_test_id("stSidebarUserContent")
            assert sidebar.get_by_test_id("stElementContainer").count() > 0
        finally:
            tab.close()
