"""The race plays, stops, steps, and stays where it was left."""

from __future__ import annotations

import os
import re
import signal

import pytest
from playwright.sync_api import expect

import cbai
from tests.browser.app_page import PAGES, VIEWPORTS, AppPage
from tests.browser.controls import choose, go_to, query_of, toggle, write

PROBLEM = cbai.load_problem("movielens-1m")
FILMS = {"data": cbai.DATASETS["movielens-1m"].title, "q": "0.13"}
ADS = cbai.DATASETS["ad-campaign"].title


class Race:
    """The race on a page, by what a person sees of it."""

    def __init__(self, tab):
        self.tab, self.page = tab, tab.page
        self.root = tab.page.locator(".race")
        self.slider = self.root.get_by_role("slider")
        self.panels = self.root.get_by_role("region")
        self.slider.wait_for()

    def press(self, name):
        self.root.get_by_role("button", name=name).click()

    @property
    def samples(self):
        """The clock: how many ratings so far."""
        return number(self.root.get_by_role("status").inner_text())

    @property
    def round(self):
        """The round of the first panel."""
        text = self.panels.first.inner_text()
        return number(re.search(r"round ([\d,]+) of [\d,]+", text)[1])

    @property
    def out(self):
        """What is written in the rows of those ruled out, in all panels."""
        return self.root.locator("svg .gone .why").filter(visible=True).all_text_contents()

    @property
    def news(self):
        """What the first panel says above its rows."""
        return self.panels.first.locator(".news").inner_text()

    def rewind(self):
        self.slider.focus()
        self.page.keyboard.press("Home")


def number(text):
    return int(re.search(r"[\d,]+", text)[0].replace(",", ""))


@pytest.fixture(scope="module")
def tab(contexts, app_server):
    tab = AppPage.beside(app_server, contexts(VIEWPORTS["desktop"], "light"))
    yield tab.open(PAGES["race"], FILMS)
    tab.close()


@pytest.fixture
def race(tab):
    """The one race of this file, at its start; errors are looked for afterwards."""
    race = Race(tab)
    race.rewind()
    yield race
    tab.assert_no_errors()


def test_play_moves_on_and_pause_stops(race):
    first = race.samples
    assert race.round == 1
    race.press("Play")
    race.page.wait_for_function(
        "race => !race.querySelector('.round').textContent.startsWith('round 1 of')",
        arg=race.root.element_handle(),
    )
    race.press("Pause")
    stopped = (race.samples, race.round)
    assert stopped[0] > first
    assert stopped[1] > 1
    race.page.wait_for_timeout(400)
    assert (race.samples, race.round) == stopped


def test_play_can_go_on_where_it_was_paused_and_begins_again_at_the_end(race):
    race.slider.focus()
    race.page.keyboard.press("End")
    last = race.samples
    race.press("Play")
    race.press("Pause")
    assert race.samples < last


def test_the_slider_is_reached_by_tab_and_moved_by_arrows(race):
    race.root.get_by_role("button", name="Play").focus()
    focused = race.root.locator("input[type=range]:focus")
    for _ in range(12):
        race.page.keyboard.press("Tab")
        if focused.count():
            break
    assert focused.count() == 1
    first = race.samples
    race.page.keyboard.press("ArrowRight")
    second = race.samples
    race.page.keyboard.press("ArrowRight")
    assert first < second < race.samples
    race.page.keyboard.press("ArrowLeft")
    assert race.samples == second
    assert f"{second:,}" in race.slider.get_attribute("aria-valuetext")


def test_one_step_on_and_back(race):
    first = race.samples
    race.press("step forward")
    assert race.samples > first
    race.press("step back")
    assert race.samples == first


def test_next_out_goes_to_the_next_that_is_ruled_out_and_says_by_whom(race):
    assert race.out == []
    seen = 0
    for _ in range(5):
        race.press("is ruled out")
        assert len(race.out) > seen
        seen = len(race.out)
    names = "|".join(map(re.escape, PROBLEM.arms))
    for text in race.out:
        assert re.fullmatch(rf"(ruled out )?(by ({names}|its own \w+)( after .*)?)?", text.strip())
    own = r"in round [\d,]+ by its own [\d,]+ ratings?"
    by = rf"({own}|by ({names}) in round [\d,]+, after [\d,]+ ratings? of its own)"
    assert re.search(rf"({names}): ruled out .*{by}", race.news)


def test_before_it_is_played_it_stands_where_one_first_rules_out_another(open_page):
    race = Race(open_page(PAGES["race"], FILMS))
    trace = cbai.trace(PROBLEM, "c_lucb", 0.01, p=0.2, q=0.13)
    first = next(out for out in trace.eliminations if out.by != out.arm)
    assert race.round == first.round
    assert f"{PROBLEM.arms[first.arm]}: ruled out by {PROBLEM.arms[first.by]}" in race.news
    arcs = race.panels.first.locator("svg .arc")
    assert arcs.count() == sum(out.round == first.round for out in trace.eliminations)
    assert race.panels.nth(1).locator("svg .arc").count() == 0
    index = list(trace.rounds).index(first.round)
    numbers = race.panels.first.locator("svg .number").all_text_contents()
    assert numbers == [f"{n:,}" for n in trace.pulls[index]]
    begun = race.samples
    race.press("Play")  # goes on from there
    race.page.wait_for_timeout(500)
    race.press("Pause")
    assert begun < race.samples < begun + 0.5 * (trace.samples[-1] - begun)
    race.tab.assert_no_errors()


@pytest.mark.parametrize("viewport", [(1680, 900)])
def test_the_reason_is_beside_the_race_and_stays_in_the_presenter_view(open_page):
    for more in ({}, {"present": "1"}):
        race = Race(open_page(PAGES["race"], {"data": ADS, **more}))
        reason = race.page.locator(".st-key-race-reason")
        left, right = race.root.bounding_box(), reason.bounding_box()
        assert left["x"] + left["width"] <= right["x"]
        assert right["y"] < left["y"] + 200
        race.page.get_by_text("Do the sum yourself").click()
        race.page.get_by_text("plus this allowance is the bound").wait_for()
        race.tab.assert_no_errors()


@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_two_races_are_side_by_side_on_a_small_screen_too(open_page):
    race = Race(open_page(PAGES["race"], {"data": ADS}))
    left, right = (panel.bounding_box() for panel in race.panels.all())
    assert left["y"] == right["y"]
    assert left["y"] + left["height"] < 720


def test_rows_are_ordered_best_first_or_by_name(race):
    def rows():
        texts = race.panels.first.locator("svg .name").all()
        by_height = sorted(texts, key=lambda text: text.bounding_box()["y"])
        return [text.text_content().removeprefix("★ ") for text in by_height]

    order = race.root.get_by_label("Order")
    assert rows() == [PROBLEM.arms[arm] for arm in PROBLEM.ranking]
    order.select_option(label="by name")
    assert rows() == sorted(PROBLEM.arms, key=str.lower)
    order.select_option(label="best first")
    assert rows() == [PROBLEM.arms[arm] for arm in PROBLEM.ranking]


def test_a_higher_speed_is_faster(race):
    def distance(speed):
        race.root.get_by_label("Speed").select_option(speed)
        race.rewind()
        race.press("Play")
        race.page.wait_for_timeout(600)
        race.press("Pause")
        return int(race.slider.input_value())

    slow, fast = distance("0.25"), distance("4")
    assert fast > slow > 0
    race.root.get_by_label("Speed").select_option("1")


def test_the_place_survives_reruns_and_page_switches(race):
    for _ in range(3):
        race.press("is ruled out")
    left = (race.samples, race.round, race.out)
    toggle(race.tab, "Racing")
    assert (race.samples, race.round, race.out) == left
    toggle(race.tab, "Racing")
    go_to(race.tab, "Competitive arms")
    assert race.root.count() == 0
    go_to(race.tab, "Race")
    race.slider.wait_for()
    assert (race.samples, race.round, race.out) == left


def test_panels_are_side_by_side_on_a_wide_screen(race):
    left, right = (panel.bounding_box() for panel in race.panels.all())
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]


def asks_why(page, arm):
    """Wait until the link asks for an arm: a key needs a moment to reach the app."""
    page.wait_for_url(lambda url: query_of(url).get("why") == [arm], wait_until="commit")


def link_says(page, **expected):
    """Wait until the link says so, or does not say it where None is expected."""
    page.wait_for_url(
        lambda url: all(query_of(url).get(name, [None]) == [one] for name, one in expected.items()),
        wait_until="commit",
    )


def test_an_arm_is_explained_by_link_by_keyboard_and_by_click(open_page):
    """The race stays where it is."""
    race = Race(open_page(PAGES["race"], {**FILMS, "why": "Drama"}))
    link_says(race.page, why="Drama")
    race.rewind()
    race.press("is ruled out")
    before = race.samples
    first, third = (PROBLEM.arms[arm] for arm in PROBLEM.ranking[[0, 2]])
    rows = race.panels.first.locator("svg g[role=button]")
    assert rows.count() == len(PROBLEM.arms)
    assert race.panels.first.locator("svg g[tabindex='0']").count() == 1
    race.panels.first.locator("svg g[tabindex='0']").focus()
    for _ in range(2):
        race.page.keyboard.press("ArrowDown")
    race.page.keyboard.press("Enter")
    asks_why(race.page, third)
    assert race.panels.first.locator("svg g[role=button]:focus").count() == 1
    # Chosen otherwise in between, the same row can be asked again.
    choose(race.tab, "why", first)
    asks_why(race.page, first)
    race.panels.first.locator("svg g[tabindex='0']").focus()
    race.page.keyboard.press(" ")
    asks_why(race.page, third)
    assert race.samples == before
    race.panels.nth(1).locator("svg .hit").nth(3).click(position={"x": 30, "y": 8})
    race.tab.wait_idle()
    name = PROBLEM.arms[3]
    told = rf"{re.escape(name)} (in round|is the answer|was never|was not|was still)"
    race.page.locator("p").filter(has_text=re.compile(told)).first.wait_for()
    assert race.samples == before
    assert query_of(race.page.url)["why"] == [name]
    # An arm of another data set leaves the link.
    choose(race.tab, "data", cbai.DATASETS["drug-trial"].title)
    race.tab.wait_idle()
    assert "why" not in query_of(race.page.url)
    race.tab.assert_no_errors()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a process cannot be halted here")
def test_of_a_move_and_a_click_while_the_app_is_slow_neither_is_lost(open_page, app_server):
    """Each comes with the address as it is, so that the second would undo the first."""
    race = Race(open_page(PAGES["race"], FILMS))
    row = race.panels.nth(1).locator("svg .hit").nth(3)
    race.rewind()
    link_says(race.page, at=str(race.samples))
    race.tab.wait_idle()
    os.kill(app_server.process.pid, signal.SIGSTOP)
    try:
        race.press("is ruled out")
        row.click(position={"x": 30, "y": 8})
        race.page.wait_for_timeout(1000)  # the place is told, too
    finally:
        os.kill(app_server.process.pid, signal.SIGCONT)
    link_says(race.page, at=str(race.samples), why=PROBLEM.arms[3])
    race.tab.assert_no_errors()


def test_back_and_forward_go_through_the_moments_of_the_link_until_another_run(open_page):
    race = Race(open_page(PAGES["race"], FILMS))
    clock = race.root.get_by_role("status")
    begun = clock.inner_text()
    left = []
    race.slider.focus()
    for key in ("Home", "PageUp", "End"):
        race.page.keyboard.press(key)
        link_says(race.page, at=str(race.samples))
        race.tab.wait_idle()
        left.append(clock.inner_text())
    assert len({begun, *left}) >= 3
    for seen in (left[1], left[0], begun):
        race.page.go_back()
        expect(clock).to_have_text(seen)
    race.page.go_forward()
    expect(clock).to_have_text(left[0])
    race.tab.wait_idle()
    race.page.keyboard.press("End")  # told before, and told again
    link_says(race.page, at=str(race.samples))

    # Another run takes nothing of the last one along.
    race.tab.wait_idle()
    write(race.tab, "run_number", "7")
    link_says(race.page, at=None, run_number="7")
    race.root.get_by_label("Order").select_option(label="by name")
    link_says(race.page, at=None, order="name")
    race.tab.assert_no_errors()
