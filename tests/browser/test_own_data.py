"""A person goes from a CSV of their own to a race without being told how."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.app_page import PAGES

ROWS = ["guest,coffee,stars"] + [
    f"g{i},{name},{min(5, max(1, level + i % 3 - 1))}"
    for i in range(60)
    for name, level in (("Espresso", 4), ("Filter", 3), ("Cold brew", 2))
]


@pytest.mark.parametrize("viewport", [(1440, 900)])
def test_from_a_csv_to_a_race(open_page, viewport):
    page = open_page(PAGES["data"]).page
    page.locator("input[type=file]").set_input_files(
        {"name": "coffee.csv", "mimeType": "text/csv", "buffer": "\n".join(ROWS).encode()}
    )
    expect(page.get_by_text("180 ratings", exact=True)).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Use it on every page").click()
    page.get_by_role("link", name="Race it").click()
    main = page.get_by_test_id("stMain")
    expect(main.get_by_role("heading", name="named Espresso the best")).to_be_visible(
        timeout=60_000
    )
    expect(main.get_by_role("button", name="Play or pause")).to_be_visible()


ANSWERS = ["ID,tea,coffee"] + [
    f"{i},{1 + i % 4},{99 if i % 5 == 0 else 1 + (3 * i) % 5}" for i in range(60)
]


@pytest.mark.parametrize("viewport", [(1440, 900)])
def test_a_doubt_is_settled_before_anything_is_called_best(open_page, viewport):
    page = open_page(PAGES["data"]).page
    page.locator("input[type=file]").set_input_files(
        {"name": "drinks.csv", "mimeType": "text/csv", "buffer": "\n".join(ANSWERS).encode()}
    )
    expect(page.get_by_text('Does 99 mean "not rated"?')).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="Use it on every page")).to_have_count(0)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="coffee")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("button", name="Use it on every page")).to_be_visible()


@pytest.mark.parametrize("viewport", [(390, 844)])
def test_a_file_that_is_no_table_gets_a_sentence(open_page, viewport):
    page = open_page(PAGES["data"]).page
    page.locator("input[type=file]").set_input_files(
        {"name": "photo.csv", "mimeType": "text/csv", "buffer": b"\x89PNG\r\n\x1a\n" + bytes(200)}
    )
    expect(page.get_by_test_id("stAlert")).to_be_visible(timeout=60_000)
    expect(page.get_by_test_id("stException")).to_have_count(0)
