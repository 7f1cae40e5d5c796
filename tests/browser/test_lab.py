"""An algorithm is composed, kept in the address, restored by it, and met again on other pages."""

from __future__ import annotations

import cbai
from tests.browser.app_page import PAGES
from tests.browser.controls import choose, go_to, query_of, sidebar, toggle, widget

QUICK = {"data": cbai.DATASETS["paper-two-arms"].title, "trials": "10", "delta": "0.1"}
COMPOSED = "mean-own_ucb-2K-none-2K-leader_above_all-2K-2-kl_lucb"


def recipe_of(tab):
    return query_of(tab.page.url).get("lab", [None])[0]


def wait_for_recipe(tab, recipe):
    tab.page.wait_for_url(lambda url: query_of(url).get("lab", [None])[0] == recipe, timeout=10_000)


def test_compose_share_reload_and_compare(open_page):
    tab = open_page(PAGES["lab"], QUICK)
    assert recipe_of(tab) is None
    choose(tab, "lab_elimination", "never")
    choose(tab, "lab_confidence", "KL-LUCB")
    wait_for_recipe(tab, COMPOSED)
    tab.page.get_by_role("button", name="Compare it on every page").click()
    tab.wait_idle()
    assert "Yours" in query_of(tab.page.url)["algorithms"]
    verdict = widget(tab, "verdict-covered").inner_text()

    again = open_page(f"{PAGES['lab']}?{tab.page.url.partition('?')[2]}")
    assert recipe_of(again) == COMPOSED
    chosen = widget(again, "lab_elimination").get_by_role("combobox")
    assert chosen.input_value() == "never"
    assert widget(again, "verdict-covered").inner_text() == verdict

    go_to(again, "Samples")
    assert recipe_of(again) == COMPOSED
    main = again.page.get_by_test_id("stMain")
    main.get_by_text("All numbers").wait_for()
    assert main.get_by_role("listitem").filter(has_text="Yours").count() == 1
    assert sidebar(again).get_by_role("button", name="Yours", exact=True).get_attribute(
        "aria-pressed"
    ) == ("true")

    go_to(again, "Algorithm lab")
    again.page.get_by_role("button", name="Remove it from the other pages").click()
    again.wait_idle()
    assert "Yours" not in query_of(again.page.url).get("algorithms", [])
    assert recipe_of(again) == COMPOSED


def test_other_choices_keep_their_place_in_the_address(open_page):
    """The lists come and go; nothing in the sidebar may lose its binding by that."""
    tab = open_page(PAGES["lab"], QUICK | {"p": "0.4"})
    choose(tab, "lab_leader", "all that are not ruled out")
    choose(tab, "start", "LUCB++")
    choose(tab, "lab_leader", "the highest upper bound")
    toggle(tab, "Racing")
    query = query_of(tab.page.url)
    assert query["p"] == ["0.4"]
    assert query["start"] == ["LUCB++"]
    assert query["delta"] == ["0.1"]
    assert "Racing" in query["algorithms"]
    assert query["lab"] == ["own_ucb-own_ucb-2-none-1K-leader_above_all-2K-2-howard"]


def test_a_bad_recipe_in_a_link_is_said_and_can_be_mended(open_page):
    tab = open_page(PAGES["lab"], QUICK | {"lab": "no-recipe"})
    assert "cannot be read" in sidebar(tab).get_by_test_id("stAlert").inner_text()
    choose(tab, "lab_confidence", "lil")
    wait_for_recipe(tab, "mean-own_ucb-2K-cross_ucb-2K-none-1-1-lil")
    assert tab.page.get_by_test_id("stAlert").count() == 0
    assert query_of(tab.page.url)["delta"] == ["0.1"]
