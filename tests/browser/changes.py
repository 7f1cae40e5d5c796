"""Change every page by what it offers itself, not only by the sidebar, as a visitor would."""

from __future__ import annotations

import re
from collections.abc import Callable

import cbai
from cbai.reproduce import EXPERIMENTS
from tests.browser.app_page import AppPage
from tests.browser.controls import choose, query_of, step, texts, unfold, widget, write
from tests.browser.links import wait_for_query

QUICK = {
    "data": cbai.DATASETS["paper-three-arms"].title,
    "trials": "10",
    "budget": "20,000",
}
"""What a page is asked before it is changed."""


def on_home(tab: AppPage) -> list[str]:
    step(tab, "knows", "ArrowLeft")
    step(tab, "buffer", "ArrowRight")
    return ["knows", "buffer"]


def on_race(tab: AppPage) -> list[str]:
    choose(tab, "left", "LUCB++")
    step(tab, "run_number", "ArrowUp")
    asked = {name: [value] for name, value in QUICK.items()}
    wait_for_query(tab, asked | {"left": ["LUCB++"], "run_number": ["1"]})
    for _ in range(3):
        tab.page.get_by_role("button", name="One step back").click()
    tab.page.get_by_label("Order of the rows").select_option("name")
    return ["left", "run_number", "at", "order"]


def on_competitive(tab: AppPage) -> list[str]:
    choose(tab, "watched", "LUCB")
    step(tab, "run_number", "ArrowUp")
    for _ in range(3):
        step(tab, "after", "ArrowLeft")
    return ["watched", "run_number", "after"]


def on_samples(tab: AppPage) -> list[str]:
    step(tab, "q", "ArrowRight")
    unfold(tab, "More")
    step(tab, "seed", "ArrowUp")
    return ["q", "seed"]


def on_compare(tab: AppPage) -> list[str]:
    tab.page.get_by_role("button", name="Compare", exact=True).last.click()
    tab.wait_idle()
    choose(tab, "compare_a", "LUCB")
    choose(tab, "compare_to", "B")
    return ["pins", "compare_a", "compare_to"]


def on_whatif(tab: AppPage) -> list[str]:
    step(tab, "cost", "ArrowUp")
    write(tab, "unit", "EUR")
    return ["cost", "unit"]


def on_story(tab: AppPage) -> list[str]:
    tab.page.get_by_role("button", name="Next", exact=True).click()
    return ["step"]


def on_bounds(tab: AppPage) -> list[str]:
    choose(tab, "rewards_of", "Arm 2")
    for name in ("Kaufmann", "Even-Dar"):
        widget(tab, "bounds").get_by_role("button", name=re.compile(name)).first.click()
        tab.wait_idle()
    widget(tab, "misses_allowed").get_by_role("slider").focus()
    tab.page.keyboard.press("ArrowLeft")
    tab.wait_idle()
    widget(tab, "shown_as").get_by_text("times Howard's").click()
    return ["rewards_of", "bounds", "misses_allowed", "shown_as"]


def on_glossary(tab: AppPage) -> list[str]:
    write(tab, "find", "gap")
    return ["find"]


def on_lab(tab: AppPage) -> list[str]:
    choose(tab, "start", "LUCB")
    choose(tab, "lab_elimination", "never")
    return ["lab", "start"]


def on_theory(tab: AppPage) -> list[str]:
    tab.page.get_by_role("button", name=re.compile("Run both")).click()
    return ["show"]


def on_assumption(tab: AppPage) -> list[str]:
    choose(tab, "assumption_watched", "C-LUCB++")
    tab.page.get_by_role("button", name=re.compile("at 7 buffers")).click()
    return ["assumption_watched", "show"]


def on_data(tab: AppPage) -> list[str]:
    tab.page.get_by_test_id("stMain").get_by_text("MovieLens", exact=True).click()
    tab.wait_idle()
    step(tab, "genre_seed", "ArrowUp")
    fold = tab.page.get_by_text("How the survey becomes pseudo-rewards")
    fold.click()
    tab.wait_idle()
    tab.wait_drawn()
    choose(tab, "split", "people drawn at random")
    step(tab, "split_seed", "ArrowUp")
    choose(tab, "method", "Mean plus standard deviations")
    step(tab, "least_1", "ArrowUp")
    fold.click()  # a link does not say what is unfolded
    tab.page.wait_for_timeout(500)
    return ["source", "genre_seed", "split", "split_seed", "method", "least_1"]


def on_paper(tab: AppPage) -> list[str]:
    tab.page.get_by_test_id("stMain").get_by_text("Figure 4", exact=True).click()
    tab.wait_idle()
    assert query_of(tab.page.url)["paper"] == ["Figure 4"]
    assert any(EXPERIMENTS["fig4"].title in text for text in texts(tab))
    return ["paper"]


CHANGES: dict[str, Callable[[AppPage], list[str]]] = {
    name.removeprefix("on_"): change for name, change in globals().items() if name[:3] == "on_"
}
"""By page: changes it, and returns the names of what a link must hold then."""
