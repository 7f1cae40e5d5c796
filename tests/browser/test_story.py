"""The story and the presenter view as a lecturer uses them, by keys."""

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


def test_keys_move_through_the_story_and_do_the_rest_only_when_presenting(open_page):
    tab = open_page(PAGES["story"])
    for key in ("a", "PageDown"):
        press(tab, key)
    assert step(tab) == "1"
    expect(tab.page.get_by_text("Show the answer").first).to_be_visible()
    slider = widget(tab, "views").locator("input, [role=slider]").first
    slider.focus()
    press(tab, "ArrowRight")
    assert step(tab) == "1", "arrow keys stay with what has the focus"
    assert query_of(tab.page.url)["views"] == ["300"]
    slider.blur()
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
    tab.wait_idle()
    press(tab, "a")
    expect(tab.page.get_by_text("Hide the answer").first).to_be_visible()
    press(tab, "PageDown")
    expect_step(tab, 5)


@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_all_rows_of_a_race_are_on_a_lecturers_screen(open_page):
    tab = present(open_page, "race", q="0.13")
    for width, height in [(1280, 720), VIEWPORTS["desktop"], PROJECTOR]:
        tab.page.set_viewport_size({"width": width, "height": 1400})
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.page.wait_for_timeout(SETTLE_MS)
        names = tab.page.locator(".st-key-race svg text.name").all()
        feet = [box["y"] + box["height"] for box in (one.bounding_box() for one in names) if box]
        assert len(feet) == 2 * 18
        assert max(feet) < height - 20, "the axis is below the rows"


@pytest.mark.parametrize("viewport", [VIEWPORTS["desktop"]])
def test_the_browsers_back_leads_to_the_beginning_and_out(open_page, viewport):
    tab = open_page(PAGES["home"], TWO)
    tab.page.get_by_test_id("stMain").get_by_role("link", name="See the story").click()
    expect_step(tab, 1)
    tab.wait_idle()  # the first step is asked of a page that is complete
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


def test_space_plays_the_race_and_pauses_it_whatever_was_clicked(open_page):
    tab = present(open_page, "race", **TWO)
    race = tab.page.locator(".race")
    play = race.locator(".play")
    play.wait_for()
    tab.page.keyboard.press("Space")
    expect(play).to_have_text("❚❚ Pause")
    tab.page.keyboard.press("Space")
    expect(play).to_have_text("▶ Play")
    for clicked in (".scrub", ".step"):
        race.locator(clicked).click(position={"x": 10, "y": 8})
        tab.page.keyboard.press("Space")
        expect(play).to_have_text("❚❚ Pause")
        tab.page.keyboard.press("Space")
        expect(play).to_have_text("▶ Play")
        play.focus()
        tab.page.keyboard.press("Space")
        expect(play).to_have_text("❚❚ Pause")  # once, by the button itself
        tab.page.keyboard.press("Space")
        expect(play).to_have_text("▶ Play")


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
