"""Names that are links, pictures and formulas to a careless page: seen as text, nothing asked."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests import hostile
from tests.browser.app_page import PAGES
from tests.browser.controls import go_to
from tests.browser.test_share import kept, save_menu
from tests.test_names_as_text import MARK, cut_short

TYPED = tuple(
    name for i, name in enumerate(hostile.NAMES) if i in (0, 1, 2, 4, 5, 6, 7, 9, 12, 13, 14, 17)
)
"""As many as can be typed in."""

SMALL = {"source": "Type it in", "trials": "10", "budget": "20,000"}
TITLES = {
    "race": "Race", "competitive": "Competitive arms", "samples": "Samples", "bounds": "Bounds",
    "theory": "Theory", "assumption": "Assumption", "whatif": "What if", "compare": "Compare",
    "lab": "Algorithm lab", "glossary": "Glossary", "paper": "Paper", "story": "Story",
}  # fmt: skip

READ = """() => {
  const seen = [];
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      const block = node.matches("p, li, h1, h2, h3, h4, td, label, text, span, button, option");
      if (block && !["SCRIPT", "STYLE"].includes(node.tagName)) seen.push(node.textContent);
    }
  };
  walk(document);
  return seen;
}"""
MADE = """(host) => {
  const made = [];
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      for (const { name, value } of node.attributes) {
        if (/^(src|srcset|href|xlink:href|action|data|poster)$/.test(name) && value.includes(host))
          made.push(node.outerHTML.slice(0, 200));
      }
    }
  };
  walk(document);
  return made;
}"""
"""Whatever would ask another host, now or once clicked."""


@pytest.fixture
def asked(open_page):
    """Open a page in a tab of which all requests to other hosts are written down."""
    others, heard = [], []

    def note(request):
        parts = urlsplit(request.url)
        local = parts.hostname in ("127.0.0.1", "localhost")
        if not local and parts.scheme not in ("data", "blob", "file"):
            others.append(request.url)

    def open_(path, query):
        tab = open_page(path, query)
        tab.context.on("request", note)
        heard.append(tab.context)
        return tab

    yield open_, others
    for context in heard:  # other tests use it too
        context.remove_listener("request", note)
    assert others == []


def assert_text(page):
    """Check that the names on a page are text, and seen as they are."""
    assert page.evaluate(MADE, hostile.HOST) == []
    for text in page.evaluate(READ):
        text = text.replace("\u2060", "")
        for number in {*re.findall(MARK, text)}:
            name = hostile.NAMES[int(number[1:])]
            assert name in text or cut_short(name, text), text[:300]


def test_names_are_text_on_every_page_and_in_every_file(asked, tmp_path):
    open_, _ = asked
    tab = open_(PAGES["data"], SMALL)
    main = tab.page.get_by_test_id("stMain")
    box = main.get_by_role("textbox", name="Options")
    box.fill(", ".join(TYPED))
    box.press("Enter")
    tab.wait_idle()
    make_one_best(tab)
    assert_text(tab.page)
    main.get_by_role("button", name="Use it on every page").click()
    tab.wait_idle()
    for page, title in TITLES.items():
        go_to(tab, title)
        assert_text(tab.page)
        if page == "race":
            heading = tab.page.get_by_test_id("stMain").get_by_role("heading").nth(1)
            expect(heading).to_contain_text("/N00.png> the best")
        if page == "samples":
            assert "N13" in tab.page.locator(".st-key-figure-costs").text_content()
            keep_all(tab, tmp_path)
    tab.assert_no_errors()


def make_one_best(tab):
    """Let the first option give the largest reward far more often than the others."""
    main = tab.page.get_by_test_id("stMain")
    main.get_by_test_id("stRadio").get_by_text("counts").click()
    tab.wait_idle()
    grid = main.get_by_test_id("stDataFrame").first
    size = grid.bounding_box()
    grid.dblclick(position={"x": size["width"] - 40, "y": 52})
    cell = tab.page.locator("#portal input")
    cell.fill("900")
    cell.press("Enter")
    tab.wait_idle()


def keep_all(tab, folder):
    """Save a figure and the report in every way, and look at them."""
    menu = save_menu(tab, "costs")
    kept(tab, menu, "PNG", folder)
    files = [kept(tab, menu, kind, folder) for kind in ("SVG", "HTML page")]
    tab.page.keyboard.press("Escape")

    def keep():
        offered = tab.page.get_by_test_id("stPopoverBody")
        if not offered.count():
            tab.page.get_by_role("button", name="Keep this run").click()
        return offered

    files.append(kept(tab, keep, "Report, one page", folder))
    tab.page.keyboard.press("Escape")
    for file in files:
        page = tab.context.new_page()
        page.goto(file.as_uri())
        if file.suffix == ".html":
            expect(page.locator("body")).to_have_attribute("data-drawn", "yes")
        whole = page.locator("body" if file.suffix == ".html" else "svg").first
        assert "N13" in whole.text_content()
        assert_text(page)
        page.close()
