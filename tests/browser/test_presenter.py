"""The presenter view is large, fits every screen, can be used by everybody, and is left again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.app_page import PAGES, VIEWPORTS
from tests.browser.axe import assert_accessible
from tests.browser.changes import QUICK
from tests.browser.controls import query_of
from tests.browser.test_every_page import resize
from tests.browser.test_story import PROJECTOR, expect_step, is_presenting, present, press

SMALLEST = 18.0
"""In pixels: of any type that is shown in the presenter view."""

SMALL_TYPE = """
(smallest) => {
  const unseen = ["STYLE", "SCRIPT", "OPTION", "TITLE", "title"];
  const apart = ".katex, [data-testid='stDataFrame'], [data-testid='stIconMaterial'], " +
    "[aria-hidden='true']";
  const small = [];
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      const own = [...node.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
      if (!own || unseen.includes(node.tagName) || node.closest(apart)) continue;
      const box = node.getBoundingClientRect();
      const style = getComputedStyle(node);
      if (!box.width || !box.height || style.visibility === "hidden") continue;
      const size = parseFloat(style.fontSize);
      if (size > 0 && size < smallest) small.push(`${size} ${node.textContent.slice(0, 40)}`);
    }
  };
  walk(document.querySelector('[data-testid="stMain"]'));
  return small;
}
"""
"""Lists the texts that are smaller, those in components and figures too. Tables are drawn on a
canvas, which has no type to ask for, and mathematics is larger than the text around it."""

LEAST = (1280, 720)
"""The smallest screen of a lecturer, in pixels, that a slide must fit."""

FOOT = """() => Math.max(...[...document.querySelectorAll('.stMainBlockContainer *')]
  .filter(node => node.checkVisibility()).map(node => node.getBoundingClientRect().bottom))"""

MOVING = """() => [...document.querySelectorAll("*")].filter((node) => {
  const style = getComputedStyle(node);
  return [style.transitionDuration, style.animationDuration].some(
    (text) => text.split(",").some((part) => parseFloat(part) > 0.01));
}).map((node) => node.outerHTML.slice(0, 80))"""


def assert_large_and_within(tab, width):
    tab.page.wait_for_timeout(500)
    main = tab.page.get_by_test_id("stMain")
    assert is_presenting(tab)
    assert main.evaluate("element => element.scrollWidth") <= width
    assert tab.page.evaluate(SMALL_TYPE, SMALLEST) == []
    if width > VIEWPORTS["phone"][0]:
        widths = main.locator(".js-plotly-plot .scatterlayer .js-line").evaluate_all(
            "lines => lines.map(line => parseFloat(getComputedStyle(line).strokeWidth))"
        )
        assert all(width == 0 or width >= 1.5 for width in widths)


def assert_fits(tab, height):
    tab.page.wait_for_timeout(500)
    assert tab.page.get_by_test_id("stMain").evaluate("node => node.scrollHeight") <= height
    assert tab.page.evaluate(FOOT) <= height


def assert_slide(tab, viewport):
    """Check a slide with its question, then with its answer; on a phone it may be longer."""
    width, height = viewport
    for shown in ("question", "answer"):
        if shown == "answer":
            press(tab, "a")
            expect(tab.page.get_by_role("button", name="Hide the answer")).to_be_visible()
        if viewport != LEAST:  # which stands near
            assert_large_and_within(tab, width)
        if width > height:
            assert_fits(tab, height)


def assert_nothing_moves_if_less_motion_is_asked_for(tab):
    tab.page.evaluate("document.getElementById('still').remove()")
    tab.page.emulate_media(reduced_motion="reduce")
    assert tab.page.evaluate(MOVING) == []


def leave(tab):
    tab.page.get_by_role("button", name="Leave").click()
    tab.wait_idle()
    expect(tab.page.get_by_test_id("stHeader")).to_be_visible()
    assert "present" not in query_of(tab.page.url)
    expect(tab.page.get_by_role("button", name="Leave")).to_have_count(0)


@pytest.mark.parametrize(
    "viewport",
    [
        pytest.param(PROJECTOR, id="projector", marks=pytest.mark.full),
        pytest.param(LEAST, id="least"),
        pytest.param(VIEWPORTS["phone"], id="phone"),
    ],
)
def test_every_slide_is_large_and_fits_with_its_question_and_its_answer(open_page, viewport):
    tab = present(open_page, "story")
    for number in range(1, 8):
        expect_step(tab, number)
        assert_slide(tab, viewport)
        if number < 7:
            press(tab, "ArrowRight")
    leave(tab)
    expect_step(tab, 7)
    tab.open(PAGES["story"], {"present": "1", "step": "7", "story_buffer": "safe buffer"})
    assert_slide(tab, viewport)
    if viewport == LEAST:
        assert_nothing_moves_if_less_motion_is_asked_for(tab)
    assert_accessible(tab, "presented")


@pytest.mark.parametrize("viewport", [PROJECTOR], ids=["projector"])
@pytest.mark.parametrize(
    "name",
    [
        "race",
        "samples",
        *(
            pytest.param(name, marks=pytest.mark.full)
            for name in ("competitive", "whatif", "compare")
        ),
    ],
)
def test_a_page_is_large_and_fits_and_shows_no_fault(open_page, name, viewport):
    tab = present(open_page, name, **QUICK)
    assert_large_and_within(tab, viewport[0])
    assert_nothing_moves_if_less_motion_is_asked_for(tab)
    assert_accessible(tab, "presented")
    resize(tab, VIEWPORTS["phone"])
    assert_large_and_within(tab, VIEWPORTS["phone"][0])


def test_the_screen_can_be_filled_and_small_type_is_found(open_page):
    tab = present(open_page, "story")
    tab.page.get_by_role("button", name="Full screen").click()
    tab.page.wait_for_function("document.fullscreenElement !== null")
    tab.page.get_by_role("button", name="Full screen").click()
    tab.page.wait_for_function("document.fullscreenElement === null")
    leave(tab)
    expect_step(tab, 1)
    assert any("uses its own numbers" in text for text in tab.page.evaluate(SMALL_TYPE, 18))
