"""Use the app's controls as a person does, found by their key, role and words."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.app_page import SETTLE_MS, AppPage


def widget(tab: AppPage, key: str) -> Locator:
    return tab.page.locator(f".st-key-{key}").first


def sidebar(tab: AppPage) -> Locator:
    return tab.page.get_by_test_id("stSidebar")


def step(tab: AppPage, key: str, arrow: str) -> None:
    """Move a slider or a number one step by an arrow key."""
    widget(tab, key).locator("input").first.focus()
    tab.page.keyboard.press(arrow)
    tab.wait_idle()


def choose(tab: AppPage, key: str, name: str) -> None:
    """Choose the entry `name` from a list, and wait for what comes of it."""
    pick(tab, key, name)
    tab.wait_idle()


def pick(tab: AppPage, key: str, name: str) -> None:
    """Choose the entry `name` from a list."""
    box = widget(tab, key).get_by_role("combobox")
    entry = tab.page.get_by_role("listbox").get_by_role("option", name=name, exact=True)
    for _ in range(3):  # an open list closes as soon as the sidebar scrolls, or the page moves
        box.scroll_into_view_if_needed()
        tab.page.wait_for_timeout(SETTLE_MS)
        box.click()
        with suppress(PlaywrightTimeout):
            entry.click(timeout=10_000)
            return
        tab.page.keyboard.press("Escape")
    raise AssertionError(f"the list {key} did not stay open to choose {name}")


def write(tab: AppPage, key: str, text: str) -> None:
    """Write a text into a box and press Enter."""
    box = widget(tab, key).locator("input").first
    box.fill(text)
    box.press("Enter")
    tab.wait_idle()


def toggle(tab: AppPage, algorithm: str) -> None:
    """Add or take away an algorithm."""
    either = widget(tab, "algorithms").or_(widget(tab, "beyond"))
    button = either.get_by_role("button", name=algorithm, exact=True)
    if not button.count() or not button.is_visible():
        unfold(tab, "More")
    button.click()
    tab.wait_idle()


def go_to(tab: AppPage, title: str) -> None:
    """Switch to another page by the navigation."""
    navigation = tab.page.get_by_test_id("stSidebarNav")
    link = navigation.get_by_role("link", name=title)
    if not link.is_visible():
        navigation.get_by_role("button", name="View").click()
    link.click()
    tab.wait_idle()
    tab.wait_drawn()
    tab.assert_no_errors()


def unfold(tab: AppPage, title: str) -> None:
    """Open a folded part of the sidebar, if it is not open."""
    folded = sidebar(tab).locator("details:not([open]) > summary").get_by_text(title, exact=True)
    if not folded.count():
        return
    folded.click()
    height = None
    while height != (height := _height_of_sidebar(tab)):  # it grows for a while, and things move
        tab.page.wait_for_timeout(SETTLE_MS)


def _height_of_sidebar(tab: AppPage) -> float:
    return float(
        sidebar(tab).evaluate("bar => bar.querySelector('details[open]')?.offsetHeight ?? 0")
    )


def query_of(address: str) -> dict[str, list[str]]:
    return parse_qs(urlsplit(address).query, keep_blank_values=True)


def texts(tab: AppPage) -> list[str]:
    """Return all headings and texts of the page, without the sidebar."""
    words = tab.page.get_by_test_id("stMain").locator(
        '[data-testid="stHeading"], [data-testid="stMarkdown"]'
    )
    return words.all_inner_texts()
