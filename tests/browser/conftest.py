"""Fixtures: the app, a browser, and `open_page` to open a page of the one in the other.

A test sets the size or the colour scheme by parametrising `viewport` or `color_scheme`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.app_page import (
    VIEWPORTS,
    AppPage,
    AppServer,
    find_chromium,
    launch_chromium,
    new_context,
    running_app,
)

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    executable = find_chromium()
    if executable is None:
        reason = "no Chromium found: install chromium, or set CBAI_CHROMIUM to its path"
        if os.environ.get("CBAI_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        chromium = launch_chromium(playwright, executable)
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def app_server(browser: Browser) -> Iterator[AppServer]:
    """The running app; asks for the browser first, so that nothing starts without one."""
    with running_app() as server:
        yield server


@pytest.fixture(scope="package")
def contexts(
    browser: Browser, app_server: AppServer
) -> Iterator[Callable[[tuple[int, int], str], BrowserContext]]:
    """Return the one browser profile for a size and colour scheme; made when first asked for.

    A profile keeps the app's own files, which take a third of the time of a first visit. It also
    keeps one tab open, since its process ends with its last tab, and forgets what it has compiled.
    """
    kept: dict[tuple[tuple[int, int], str], BrowserContext] = {}

    def context(viewport: tuple[int, int], color_scheme: str) -> BrowserContext:
        if (viewport, color_scheme) not in kept:
            profile = new_context(browser, viewport, color_scheme)
            profile.new_page().goto(f"{app_server.url}/_stcore/health")
            kept[viewport, color_scheme] = profile
        return kept[viewport, color_scheme]

    yield context
    for one in kept.values():
        one.close()


@pytest.fixture
def viewport() -> tuple[int, int]:
    return VIEWPORTS["desktop"]


@pytest.fixture
def color_scheme() -> str:
    return "light"


@pytest.fixture
def open_tab(
    contexts: Callable[..., BrowserContext],
    app_server: AppServer,
    viewport: tuple[int, int],
    color_scheme: str,
) -> Iterator[Callable[[], AppPage]]:
    """Open an empty tab for the app; it is closed at the end."""
    tabs: list[AppPage] = []

    def open_() -> AppPage:
        tabs.append(AppPage.beside(app_server, contexts(viewport, color_scheme)))
        return tabs[-1]

    yield open_
    for tab in tabs:
        tab.close()


@pytest.fixture
def open_page(open_tab: Callable[[], AppPage]) -> Iterator[Callable[..., AppPage]]:
    """Open a page of the app in a tab of its own; errors are looked for again at the end.

    A tab can be opened in another colour scheme than its profile's.
    """
    tabs: list[AppPage] = []

    def open_(
        path: str = "/", query: Mapping[str, str] | None = None, scheme: str | None = None
    ) -> AppPage:
        tab = open_tab()
        tabs.append(tab)
        if scheme is not None:
            tab.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        return tab.open(path, query)

    yield open_
    for tab in tabs:
        tab.assert_no_errors()
