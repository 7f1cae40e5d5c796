"""Copy the link of a page, open it, and wait for what an address asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from playwright.sync_api import TimeoutError as PlaywrightTimeout
from playwright.sync_api import expect

from tests.browser.app_page import AppPage
from tests.browser.controls import query_of


def copied(tab: AppPage) -> str:
    """Click *Copy link*, and return what is in the clipboard then."""
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.page.get_by_role("button", name="Copy link", exact=True).first.click()
    expect(tab.page.locator(".present .said")).to_contain_text("Copied")
    return str(tab.page.evaluate("navigator.clipboard.readText()"))


def opened(open_page: Callable[..., AppPage], address: str) -> AppPage:
    """Open an address in a tab of its own."""
    parts = urlsplit(address)
    return open_page(f"{parts.path}?{parts.query}")


def wait_for_query(tab: AppPage, expected: Mapping[str, list[str]]) -> None:
    """Wait until the address asks for just that, in whatever order."""

    def asks(address: str) -> bool:
        query = query_of(address)
        return {name: sorted(values) for name, values in query.items()} == expected

    try:
        tab.page.wait_for_url(asks, timeout=30_000)
    except PlaywrightTimeout:
        query = {name: sorted(values) for name, values in query_of(tab.page.url).items()}
        assert query == expected
