from __future__ import annotations

import pytest

from tests.browser.app_page import COLOR_SCHEMES, PAGES, VIEWPORTS, AppPage, running_app

every_size = pytest.mark.parametrize("viewport", VIEWPORTS.values(), ids=VIEWPORTS)
every_scheme = pytest.mark.parametrize("color_scheme", COLOR_SCHEMES)


@every_size
@every_scheme
@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_page_opens_without_error(open_page, path, viewport):
    page = open_page(path).page

    assert page.get_by_role("heading", level=1).count() == 1
    # A page may be long, but never wider than the screen.
    main = page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollWidth") <= viewport[0]


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
