"""The story and the presenter view as a lecturer uses them: by keys, on a projector, on a phone."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

import cbai
from tests.browser.app_page import PAGES, SETTLE_MS, VIEWPORTS
from tests.browser.controls import query_of, sidebar, widget

PROJECTOR = (1920, 1080)
TWO = {"data": cbai.DATASETS["paper-two-arms"].title, "trials": "10"}
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


def present(open_page, page, **query):
    return open_page(PAGES[page], {"present": "1", **query})


def title(tab):
    return tab.page.get_by_test_id("stMain").get_by_role("heading", level=2).first


def step(tab):
    return title(tab).inner_text()[0]


def expect_step(tab, number):
    """Wait for a step: a busy machine may take longer to begin with it than an idle page counts."""
    expect(title(tab)).to_contain_text(f"{number}.", timeout=15_000)


def press(tab, key):
    tab.page.keyboard.press(key)
    tab.wait_idle()
    tab.page.wait_for_timeout(SETTLE_MS)


def is_presenting(tab):
    return not sidebar(tab).is_visible()


# ---------------------------------------------------------------- keys


def test_arrow_keys_move_through_the_story(open_page):
    tab = open_page(PAGES["story"])
    for expected in ("2", "3"):
        press(tab, "ArrowRight")
        expect_step(tab, expected)
    assert query_of(tab.page.url)["step"] == ["3"]
    press(tab, "ArrowLeft")
    expect_step(tab, "2")
    tab.assert_no_errors()


def test_no_key_is_lost_that_comes_before_the_page_has_answered(open_page):
    tab = present(open_page, "story")
    for _ in range(4):
        tab.page.keyboard.press("ArrowRight")
    expect_step(tab, 5)
    for key in ["ArrowRight"] * 4 + ["ArrowLeft"] * 3:
        tab.page.keyboard.press(key)
    expect_step(tab, 4)


@pytest.mark.parametrize("viewport", [(1280, 720), VIEWPORTS["desktop"], PROJECTOR])
def test_all_rows_of_a_race_are_on_a_lecturers_screen(open_page, viewport):
    tab = present(open_page, "race", q="0.13")
    tab.page.set_viewport_size({"width": viewport[0], "height": 1400})
    tab.page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
    tab.page.wait_for_timeout(SETTLE_MS)
    names = tab.page.locator(".st-key-race svg text.name")
    feet = [box["y"] + box["height"] for box in (one.bounding_box() for one in names.all()) if box]
    assert len(feet) == 2 * 18
    assert max(feet) < viewport[1] - 20, "the axis is below the rows"


def test_arrow_keys_stay_with_what_has_the_focus(open_page):
    tab = open_page(PAGES["story"])
    widget(tab, "views").locator("input, [role=slider]").first.focus()
    press(tab, "ArrowRight")
    assert step(tab) == "1"
    assert query_of(tab.page.url)["views"] == ["300"]


@pytest.mark.parametrize("viewport", [VIEWPORTS["desktop"]])
def test_the_browsers_back_leads_to_the_beginning_and_out(open_page, viewport):
    tab = open_page(PAGES["home"], TWO)
    tab.page.get_by_test_id("stMain").get_by_role("link", name="See the story").click()
    expect_step(tab, 1)
    for expected in ("2", "3"):
        press(tab, "ArrowRight")
        expect_step(tab, expected)
    for expected in ("2", "1"):
        tab.page.go_back()
        tab.wait_idle()
        expect_step(tab, expected)
    tab.page.go_back()
    tab.wait_idle()
    assert urlsplit(tab.page.url).path == PAGES["home"]
    expect(tab.page.get_by_role("heading", level=1)).to_contain_text("ruled out")
    tab.assert_no_errors()


@pytest.mark.parametrize("viewport", [VIEWPORTS["desktop"]])
def test_keys_show_an_answer_and_turn_pages_only_when_presenting(open_page, viewport):
    tab = open_page(PAGES["story"])
    for key in ("a", "PageDown"):
        press(tab, key)
    assert step(tab) == "1"
    expect(tab.page.get_by_text("Show the answer").first).to_be_visible()
    tab = present(open_page, "story")
    press(tab, "a")
    expect(tab.page.get_by_text("Hide the answer").first).to_be_visible()
    press(tab, "PageDown")
    expect_step(tab, "2")


def test_space_plays_the_race_and_pauses_it(open_page):
    tab = present(open_page, "race", **TWO)
    play = tab.page.locator(".race .play")
    play.wait_for()
    tab.page.keyboard.press("Space")
    expect(play).to_have_text("❚❚ Pause")
    tab.page.keyboard.press("Space")
    expect(play).to_have_text("▶ Play")


@pytest.mark.parametrize("clicked", [".scrub", ".step"])
def test_space_plays_the_race_after_its_slider_or_a_step_was_clicked(open_page, clicked):
    tab = present(open_page, "race", **TWO)
    race = tab.page.locator(".race")
    race.locator(clicked).click(position={"x": 10, "y": 8})
    tab.page.keyboard.press("Space")
    expect(race.locator(".play")).to_have_text("❚❚ Pause")
    tab.page.keyboard.press("Space")
    race.locator(".play").focus()
    tab.page.keyboard.press("Space")
    expect(race.locator(".play")).to_have_text("❚❚ Pause")  # once, by the button itself


@pytest.mark.parametrize("number", [1, 7])
def test_a_control_used_with_a_mouse_does_not_keep_the_lecture_s_keys(open_page, number):
    tab = present(open_page, "story", step=str(number))
    main = tab.page.get_by_test_id("stMain")
    used = main.get_by_test_id("stSlider") if number == 1 else main.get_by_role("radio")
    used.last.click()
    tab.wait_idle()
    press(tab, "a")
    expect(tab.page.get_by_text("Hide the answer").first).to_be_visible()
    press(tab, "PageUp" if number == 7 else "PageDown")
    assert step(tab) == ("6" if number == 7 else "2")


def test_an_address_opened_anew_forgets_where_a_race_was_left(open_page):
    tab = present(open_page, "story", step="3")
    clock = tab.page.locator(".race .clock")
    begun, address = clock.inner_text(), tab.page.url
    tab.page.locator(".race .scrub").click(position={"x": 10, "y": 8})
    expect(clock).not_to_have_text(begun)
    left = clock.inner_text()
    tab.page.wait_for_url(lambda url: "at=" in url)
    tab.page.reload()
    tab.wait_idle()
    expect(clock).to_have_text(left)
    tab.page.goto(address)
    tab.wait_idle()
    expect(clock).to_have_text(begun)


def test_with_less_motion_space_jumps_instead_of_playing(open_page):
    tab = present(open_page, "story", step="3")
    tab.page.emulate_media(reduced_motion="reduce")
    race = tab.page.locator(".race")
    race.get_by_role("slider").focus()
    tab.page.keyboard.press("Home")
    tab.page.evaluate("document.activeElement.blur()")
    tab.page.keyboard.press("Space")
    expect(race.get_by_role("region").first).to_contain_text(re.compile("5 of 6 ads are left"))
    expect(race.locator(".play")).to_have_text("▶ Play")


# ---------------------------------------------------------------- the presenter view


@pytest.mark.parametrize("viewport", [PROJECTOR, VIEWPORTS["phone"]], ids=["projector", "phone"])
@pytest.mark.parametrize(
    ("page", "query"),
    [*(("story", {"step": str(n)}) for n in range(1, 8)),
     ("race", TWO), ("samples", TWO), ("competitive", TWO)],
)  # fmt: skip
def test_the_presenter_view_is_large_and_fits(open_page, page, query, viewport):
    tab = present(open_page, page, **query)
    tab.page.wait_for_timeout(500)
    main = tab.page.get_by_test_id("stMain")
    assert is_presenting(tab)
    assert main.evaluate("element => element.scrollWidth") <= viewport[0]
    assert tab.page.evaluate(SMALL_TYPE, SMALLEST) == []
    if viewport == PROJECTOR:
        widths = main.locator(".js-plotly-plot .scatterlayer .js-line").evaluate_all(
            "lines => lines.map(line => parseFloat(getComputedStyle(line).strokeWidth))"
        )
        assert all(width == 0 or width >= 1.5 for width in widths)


@pytest.mark.parametrize("viewport", [PROJECTOR, VIEWPORTS["phone"]], ids=["projector", "phone"])
def test_it_is_left_by_its_button(open_page, viewport):
    tab = present(open_page, "story", step="2")
    tab.page.get_by_role("button", name="Leave").click()
    tab.wait_idle()
    expect(tab.page.get_by_test_id("stHeader")).to_be_visible()
    assert "present" not in query_of(tab.page.url)
    expect_step(tab, "2")
    expect(tab.page.get_by_role("button", name="Leave")).to_have_count(0)


SLIDES = [{"step": str(n)} for n in range(1, 8)]
FOOT = """() => Math.max(...[...document.querySelectorAll('.stMainBlockContainer *')]
  .filter(node => node.checkVisibility()).map(node => node.getBoundingClientRect().bottom))"""


@pytest.mark.parametrize("viewport", [(1280, 720), (1920, 1080)], ids=["720p", "1080p"])
def test_every_slide_fits_the_screen_with_its_question_and_its_answer(open_page, viewport):
    tab = present(open_page, "story")
    for query in [*SLIDES, {"step": "7", "story_buffer": "safe buffer"}]:
        tab.open(PAGES["story"], {"present": "1", **query})
        for _ in range(2):  # the question, then the answer
            tab.page.wait_for_timeout(500)
            main = tab.page.get_by_test_id("stMain")
            assert main.evaluate("node => node.scrollHeight") <= viewport[1], query
            assert tab.page.evaluate(FOOT) <= viewport[1], query
            press(tab, "a")


def test_it_is_entered_by_its_button_and_left_by_escape(open_page):
    tab = open_page(PAGES["race"], TWO)
    assert not is_presenting(tab)
    press(tab, "Escape")
    tab.page.get_by_role("button", name="Present").click()
    tab.wait_idle()
    expect(sidebar(tab)).to_be_hidden()
    assert query_of(tab.page.url)["present"] == ["1"]
    press(tab, "Escape")
    expect(sidebar(tab)).to_be_visible()
    assert "present" not in query_of(tab.page.url)
    tab.assert_no_errors()


def test_the_screen_can_be_filled(open_page):
    tab = present(open_page, "story")
    tab.page.get_by_role("button", name="Full screen").click()
    tab.page.wait_for_function("document.fullscreenElement !== null")
    tab.page.get_by_role("button", name="Full screen").click()
    tab.page.wait_for_function("document.fullscreenElement === null")


def test_small_type_is_found(open_page):
    tab = open_page(PAGES["story"])
    assert any("uses its own numbers" in text for text in tab.page.evaluate(SMALL_TYPE, 18))


# ---------------------------------------------------------------- the glossary


@pytest.mark.parametrize("viewport", VIEWPORTS.values(), ids=VIEWPORTS)
def test_all_mathematics_of_the_glossary_is_set_and_fits(open_page, viewport):
    tab = open_page(PAGES["glossary"])
    main = tab.page.get_by_test_id("stMain")
    assert main.locator(".katex-display").count() > 30
    assert main.locator(".katex-error").count() == 0
    wide = main.locator(".katex-display").evaluate_all(
        """all => all.filter(one => {
          const place = one.closest('[data-testid="stElementContainer"]').getBoundingClientRect();
          return [...one.querySelectorAll('.katex-html .base')].some(
            base => base.getBoundingClientRect().right > place.right + 1);
        }).map(one => one.textContent.slice(0, 60))"""
    )
    assert wide == []
