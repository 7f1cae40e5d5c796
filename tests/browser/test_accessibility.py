"""Everybody can use what a page comes to, in both themes; each page: see `test_every_page`."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests import effort
from tests.browser.app_page import PAGES
from tests.browser.axe import assert_accessible, findings
from tests.browser.changes import QUICK
from tests.browser.controls import widget
from tests.browser.keyboard import controls, reached_by_tab
from tests.browser.test_share import save_menu

# ---------------------------------------------------------------- axe-core


def test_every_step_of_the_story(open_page):
    """In the dark; the last in the light too, and each if all is tried."""
    tab = open_page(PAGES["story"], QUICK, "dark")
    for step in range(1, 8):
        tab.page.get_by_role("button", name="Show the answer").click()
        tab.wait_idle()
        assert_accessible(tab, f"step {step}", in_both=effort.full or step == 7)
        if step < 7:
            tab.page.get_by_role("button", name="Next", exact=True).click()
            tab.wait_idle()
            tab.wait_drawn()


@pytest.mark.parametrize("color_scheme", ["dark", pytest.param("light", marks=pytest.mark.full)])
def test_what_opens_over_a_page(open_page, color_scheme):
    """It does not change with the scheme while it is open, so each is looked at by itself."""
    open_page(PAGES["samples"], QUICK)  # what it computes is kept: the message does not last long
    tab = open_page(PAGES["samples"], QUICK | {"seed": "-1"})
    expect(tab.page.get_by_test_id("stToast")).to_be_visible()
    assert_accessible(tab, "a message about a link", in_both=False)
    tab.page.get_by_role("button", name="Copy link").first.click()
    assert_accessible(tab, "the bar, after the link was copied", in_both=False)
    tab.page.get_by_role("button", name="Keep this run").click()
    tab.page.get_by_test_id("stPopoverBody").wait_for()
    assert_accessible(tab, "what can be kept", in_both=False)
    tab.page.keyboard.press("Escape")
    save_menu(tab, "samples")()
    assert_accessible(tab, "how a figure can be saved", in_both=False)
    tab.page.keyboard.press("Escape")
    widget(tab, "data").get_by_role("combobox").click()
    tab.page.get_by_role("listbox").wait_for()
    assert_accessible(tab, "a list of choices", in_both=False)
    tab.page.keyboard.press("Escape")
    widget(tab, "delta").get_by_test_id("stTooltipIcon").hover()
    tab.page.get_by_test_id("stTooltipContent").first.wait_for()
    assert_accessible(tab, "a hint", in_both=False)


PLANTED = """() => document.querySelector('[data-testid="stMainBlockContainer"]')
  .insertAdjacentHTML("beforeend",
  '<img id="planted" src="data:,"><p style="color: #777; background: #666">faint</p>')"""


def test_planted_faults_are_found(open_page):
    tab = open_page(PAGES["home"], QUICK)
    slider = widget(tab, "delta").locator("input, [role=slider]").first
    slider.evaluate("node => { node.tabIndex = -1; }")
    assert "st-key-delta" in controls(tab) - reached_by_tab(tab)
    tab.show_all()
    tab.page.evaluate(PLANTED)
    found = findings(tab)
    assert [text.split()[0] for text in found] == ["color-contrast", "image-alt"]
    assert "#planted" in found[1]


FAINT_IN_THE_DARK = """() => document.querySelector('[data-testid="stMainBlockContainer"]')
  .insertAdjacentHTML("beforeend", `<p id="faint">faint</p><style>
    @media (prefers-color-scheme: dark) { #faint { color: #333 !important } }</style>`)"""


def test_a_colour_is_found_that_is_wrong_in_one_scheme(open_page):
    """In the scheme that is looked at first, and in the other, where only colours are looked at."""
    tab = open_page(PAGES["home"], QUICK)
    tab.page.evaluate(FAINT_IN_THE_DARK)
    for _ in ("second", "first"):  # it is left in the dark
        with pytest.raises(AssertionError, match=r"planted, dark: 1 findings\ncolor-contrast"):
            assert_accessible(tab, "planted")


# ---------------------------------------------------------------- less motion


def test_with_less_motion_the_race_shows_stills(open_page):
    tab = open_page(PAGES["race"], {"q": "0.13"})
    tab.page.emulate_media(reduced_motion="reduce")
    race = tab.page.locator(".race")
    race.get_by_role("slider").focus()
    tab.page.keyboard.press("Home")
    race.evaluate(
        """race => {
          window.cbaiFrames = [];
          const clock = race.querySelector(".clock");
          new MutationObserver(() => window.cbaiFrames.push(clock.textContent))
            .observe(clock, { childList: true, characterData: true, subtree: true });
        }"""
    )
    race.get_by_role("button", name="Play").click()
    expect(race.locator(".play")).to_have_text("❚❚ Pause")
    tab.page.wait_for_function("window.cbaiFrames.length >= 2")
    race.get_by_role("button", name="Play").click()
    expect(race.locator(".play")).to_have_text("▶ Play")
    shown = tab.page.evaluate("window.cbaiFrames")
    # Each still is one at which an arm is ruled out, as the button for the next of them shows.
    race.get_by_role("slider").focus()
    tab.page.keyboard.press("Home")
    expected = []
    for _ in shown:
        race.get_by_role("button", name="is ruled out").click()
        expected.append(race.locator(".clock").inner_text())
    assert shown == expected
