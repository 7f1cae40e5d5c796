"""Four people reach their aim from the start page, without a word of the docs."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.app_page import PAGES, AppPage
from tests.browser.controls import go_to, write

LONG_MS = 60_000


def scores() -> bytes:
    """Return a table of 300 people who score six options from 1 to 7, with gaps."""
    rng = np.random.default_rng(0)
    mood = rng.normal(size=300)
    lines = ["id,A,B,C,D,E,F"]
    for person in range(300):
        given = [
            "" if rng.random() < 0.15
            else str(int(np.clip(round(4 + mood[person] + level + rng.normal()), 1, 7)))
            for level in (0.5, 0.45, 0.2, 0.0, -0.3, -0.5)
        ]  # fmt: skip
        lines.append(",".join([str(person + 1), *given]))
    return "\n".join(lines).encode()


@pytest.fixture
def start(open_page) -> AppPage:
    return open_page(PAGES["home"])


def test_a_lecturer_shows_why_an_option_falls_without_being_sampled(start):
    page = start.page
    expect(page.get_by_role("heading", level=1)).to_contain_text("ruled out another after")
    picture = page.locator(".home").first
    expect(picture).to_contain_text(re.compile(r"ruled out\s+after \d+ of its own"))
    page.get_by_role("button", name="Present").first.click()
    start.wait_idle()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    clock = picture.locator(".clock")
    before = clock.inner_text()
    picture.get_by_role("button", name="Play").click()
    expect(clock).not_to_have_text(before)


def test_a_student_sees_a_pseudo_gap_and_the_paper_s_table(start):
    go_to(start, "Competitive arms")
    expect(start.page.get_by_role("heading", level=2).first).to_contain_text("are competitive")
    expect(start.page.get_by_test_id("stMain")).to_contain_text("second best")
    go_to(start, "Paper")
    expect(start.page.locator(".js-plotly-plot, [data-testid=stTable]").first).to_be_visible()
    expect(start.page.get_by_test_id("stMain")).to_contain_text("Table")


def test_an_analyst_learns_what_a_survey_decides(start):
    page = start.page
    go_to(start, "Your data")
    page.locator("input[type=file]").set_input_files(
        {"name": "scores.csv", "mimeType": "text/csv", "buffer": scores()}
    )
    main = page.get_by_test_id("stMain")
    verdict = main.get_by_role("heading", level=2).filter(
        has_text=re.compile("cannot tell|ahead of")
    )
    expect(verdict).to_be_visible(timeout=LONG_MS)
    for words in ("Asking for one rating at a time", "can be trusted|needs a safety buffer"):
        expect(main).to_contain_text(re.compile(words), timeout=LONG_MS)


def test_a_stakeholder_gets_one_sentence_and_one_picture(start):
    """5 % error, two ads fewer, 0.40 a showing."""
    page = start.page
    go_to(start, "What if")
    sentence = page.locator("h2").first
    expect(sentence).to_contain_text("About €", timeout=LONG_MS)
    first = sentence.inner_text()
    for key, choice in (("have", "4"), ("error", "5")):
        box = page.locator(f"[class*=st-key-{key}]").first
        box.get_by_role("combobox").click()
        page.get_by_role("option", name=re.compile(rf"^{choice}(\s*%)?$")).click()
        start.wait_idle()
    write(start, "cost", "0.40")
    expect(sentence).not_to_have_text(first, timeout=LONG_MS)
    start.wait_idle()
    assert re.match(r"About €[\d,]+ and .* with C-LUCB", sentence.inner_text())
    expect(page.locator(".st-key-figure-what-if .js-line").first).to_be_visible()
    expect(page.get_by_role("button", name="Copy sentence")).to_be_visible()
