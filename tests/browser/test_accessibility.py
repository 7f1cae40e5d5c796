"""Everybody can use every page: checked by axe-core in both themes, and by keyboard."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import cbai
from tests.browser.app_page import COLOR_SCHEMES, PAGES, VIEWPORTS
from tests.browser.axe import assert_accessible, findings
from tests.browser.controls import go_to, widget
from tests.browser.test_compare import ONE, OTHER
from tests.browser.test_share import CHANGES, QUICK, save_menu

TWO = {"data": cbai.DATASETS["paper-two-arms"].title, "trials": "10", "budget": "20,000"}


ALL = ("data", "delta", "algorithms", "part-more")
USED = dict.fromkeys(PAGES, ALL) | {
    "home": ("data", "delta"),
    "data": ("delta",),
    "theory": ("data", "delta"),
    **dict.fromkeys(("story", "bounds", "paper", "glossary"), ()),
}
"""What the sidebar offers on each page, by key: nothing that does not change it."""


def assert_whole(tab, viewport):
    """Check that a page has one title, and is never wider than the screen, however long."""
    assert tab.page.get_by_role("heading", level=1).count() == 1
    main = tab.page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollWidth") <= viewport[0]


def unfold_all(tab):
    folded = tab.page.locator("details:not([open]) > summary").filter(visible=True)
    while left := folded.count():
        folded.first.click()
        expect(folded).to_have_count(left - 1)
    tab.wait_idle()
    tab.wait_drawn()


# ---------------------------------------------------------------- axe-core


@pytest.mark.parametrize("name", PAGES)
def test_every_page_as_it_opens_and_after_it_is_used(open_page, name, viewport):
    """In one visit: it opens, fits the screen, can be used by keyboard, and shows no fault."""
    tab = open_page(PAGES[name], QUICK)
    assert_whole(tab, viewport)
    assert_accessible(tab, "as it opens")
    controls = set(tab.page.evaluate(CONTROLS))
    assert {f"st-key-{key}" for key in ("present-bar", *USED[name])} <= controls
    assert controls - reached_by_tab(tab) == set()
    CHANGES[name](tab)
    tab.wait_idle()
    unfold_all(tab)
    assert_accessible(tab, "after it is used, all unfolded")


def test_every_step_of_the_story(open_page):
    tab = open_page(PAGES["story"], QUICK)
    for step in range(1, 8):
        tab.page.get_by_role("button", name="Show the answer").click()
        tab.wait_idle()
        assert_accessible(tab, f"step {step}")
        if step < 7:
            tab.page.get_by_role("button", name="Next", exact=True).click()
            tab.wait_idle()
            tab.wait_drawn()


@pytest.mark.parametrize("name", ["story", "race", "samples", "competitive", "whatif", "compare"])
def test_the_presenter_view(open_page, name):
    assert_accessible(open_page(PAGES[name], QUICK | {"present": "1"}), "presented")


def test_pins_compared(open_page):
    assert_accessible(open_page(PAGES["compare"], QUICK | {"pins": f"{ONE}~~{OTHER}"}), "two pins")


def test_a_sweep_of_two_parameters(open_page):
    asked = {"algorithms": "LUCB", "beyond": "", "work": "true"}
    query = {**TWO, **asked, "vary": ["error δ", "gap"]}
    tab = open_page(f"{PAGES['whatif']}?{urlencode(query, doseq=True)}")
    expect(tab.page.get_by_test_id("stMain")).to_contain_text("gap")
    assert_accessible(tab, "a map")


@pytest.mark.parametrize("color_scheme", COLOR_SCHEMES)
def test_what_opens_over_a_page(open_page, color_scheme):
    as_it_is = (color_scheme,)
    tab = open_page(PAGES["samples"], QUICK | {"seed": "-1"})
    expect(tab.page.get_by_test_id("stToast")).to_be_visible()
    assert_accessible(tab, "a message about a link", as_it_is)
    tab.page.get_by_role("button", name="Copy link").first.click()
    assert_accessible(tab, "the bar, after the link was copied", as_it_is)
    tab.page.get_by_role("button", name="Keep this run").click()
    tab.page.get_by_test_id("stPopoverBody").wait_for()
    assert_accessible(tab, "what can be kept", as_it_is)
    tab.page.keyboard.press("Escape")
    save_menu(tab, "samples")()
    assert_accessible(tab, "how a figure can be saved", as_it_is)
    tab.page.keyboard.press("Escape")
    widget(tab, "data").get_by_role("combobox").click()
    tab.page.get_by_role("listbox").wait_for()
    assert_accessible(tab, "a list of choices", as_it_is)
    tab.page.keyboard.press("Escape")
    widget(tab, "delta").get_by_test_id("stTooltipIcon").hover()
    tab.page.get_by_test_id("stTooltipContent").first.wait_for()
    assert_accessible(tab, "a hint", as_it_is)


@pytest.mark.parametrize("viewport", [VIEWPORTS["phone"]])
@pytest.mark.parametrize("name", PAGES)
def test_every_page_on_a_phone(open_page, name, viewport):
    """As a first visit finds it; the layout of these four is that of all."""
    tab = open_page(PAGES[name])
    assert_whole(tab, viewport)
    if name in ("home", "race", "samples", "glossary"):
        assert_accessible(tab, "on a phone")


def test_a_planted_fault_is_found(open_page):
    tab = open_page(PAGES["glossary"], QUICK)
    tab.show_all()
    tab.page.evaluate(
        """() => document.querySelector('[data-testid="stMainBlockContainer"]').insertAdjacentHTML(
          "beforeend",
          '<img id="planted" src="data:,"><p style="color: #777; background: #666">faint</p>')"""
    )
    found = findings(tab)
    assert [text.split()[0] for text in found] == ["color-contrast", "image-alt"]
    assert "#planted" in found[1]


# ---------------------------------------------------------------- keyboard

CONTROLS = """
() => {
  const keys = new Set();
  const uses = "button, input, select, textarea, summary, [role=slider], [role=combobox]";
  const hint = '[data-testid="stTooltipIcon"]';
  for (const place of document.querySelectorAll('[class*="st-key-"]')) {
    const trees = [place, ...[...place.querySelectorAll("*")].map((node) => node.shadowRoot)];
    const found = trees.filter(Boolean).flatMap((tree) => [...tree.querySelectorAll(uses)]);
    if (found.some((node) => node.checkVisibility({ visibilityProperty: true }) &&
      !node.disabled && !node.closest(hint)))
      keys.add([...place.classList].find((name) => name.startsWith("st-key-")));
  }
  return [...keys];
}
"""
"""Lists all places with a key that hold something to be used now; its hint alone is not enough."""

FOCUSED = """
() => {
  let node = document.activeElement;
  if (node === document.body) return null;
  if (node.closest('[data-testid="stTooltipIcon"]')) return [];
  const keys = [];
  for (; node; node = node.parentElement)
    keys.push(...[...node.classList].filter((name) => name.startsWith("st-key-")));
  return keys;
}
"""
"""Lists the places that the focus is in, but for hints; nothing if it is nowhere."""

MOST_TABS = 400


def reached_by_tab(tab):
    reached = set()
    for presses in range(MOST_TABS):
        tab.page.keyboard.press("Tab")
        keys = tab.page.evaluate(FOCUSED)
        if keys is None and presses:
            return reached
        reached.update(keys or [])
    raise AssertionError(f"the focus has not come round after {MOST_TABS} times Tab")


def test_a_control_that_tab_passes_over_is_found(open_page):
    tab = open_page(PAGES["glossary"], QUICK)
    widget(tab, "find").locator("input").evaluate("node => { node.tabIndex = -1; }")
    assert "st-key-find" in set(tab.page.evaluate(CONTROLS)) - reached_by_tab(tab)


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


@pytest.mark.parametrize("name", ["race", "story"])
def test_with_less_motion_nothing_moves_in_the_presenter_view(open_page, name):
    tab = open_page(PAGES[name], QUICK | {"present": "1"})
    tab.page.evaluate("document.getElementById('still').remove()")
    tab.page.emulate_media(reduced_motion="reduce")
    moving = tab.page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((node) => {
          const style = getComputedStyle(node);
          return [style.transitionDuration, style.animationDuration].some(
            (text) => text.split(",").some((part) => parseFloat(part) > 0.01));
        }).map((node) => node.outerHTML.slice(0, 80))"""
    )
    assert moving == []


@pytest.mark.parametrize("viewport", [VIEWPORTS["phone"]])
def test_on_a_phone_the_sidebar_makes_way_for_the_page_asked_for(open_page):
    tab = open_page(PAGES["glossary"], QUICK)
    away = tab.page.locator('[data-testid="stSidebar"][data-collapsed="true"]')
    expect(away).to_be_attached()
    tab.page.get_by_test_id("stExpandSidebarButton").click()
    expect(away).not_to_be_attached()
    go_to(tab, "Home")
    expect(away).to_be_attached()
