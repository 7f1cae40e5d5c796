"""How the app begins. Each page is opened in tests/browser/test_every_page.py."""

from __future__ import annotations

from tests.browser.app_page import PAGES, AppPage, running_app


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
