"""Home's picture: seen at once, played, asked, read by all, in both themes and on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import cbai
from cbai.ui.home import stored
from tests.browser.app_page import COLOR_SCHEMES, PAGES, SETTLE_MS, VIEWPORTS, AppPage
from tests.browser.axe import assert_accessible, wait_for_scheme
from tests.browser.controls import query_of, step

ADS = {"data": cbai.DATASETS["ad-campaign"].title}
LEAST_MARK, LEAST_TEXT = 3.0, 4.5
"""The contrast with the background that WCAG asks of marks and of texts."""


class Picture:
    """The first or the second picture, by what a person sees of it."""

    def __init__(self, tab, which=0):
        self.tab, self.page = tab, tab.page
        self.root = tab.page.locator(".home").nth(which)
        self.root.wait_for()
        self.slider = self.root.get_by_role("slider")
        self.rows = self.root.locator("svg g[role=button]")
        self.why = self.root.get_by_role("group", name="The reason")

    @property
    def samples(self):
        text = self.root.locator(".clock").inner_text()
        return int(re.match(r"[\d,]+", text)[0].replace(",", ""))

    def press(self, name):
        self.root.get_by_role("button", name=name).click()

    def row(self, arm):
        return self.rows.filter(has=self.page.locator(".name", has_text=arm))

    @property
    def gone(self):
        return self.root.locator(".large .gone .name").all_text_contents()


@pytest.fixture
def picture(open_page):
    picture = Picture(open_page(PAGES["home"], ADS))
    yield picture
    picture.tab.assert_no_errors()


def lowest(locator):
    box = locator.bounding_box()
    return box["y"] + box["height"]


CONTRAST = """root => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (colour) => {
    const [r, g, b] = rgb(colour).map((c) => c / 255).map((c) =>
      c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const app = document.querySelector('[data-testid="stApp"]');
  const ground = light(getComputedStyle(app).backgroundColor);
  const contrast = (colour) => {
    const one = light(colour);
    return (Math.max(one, ground) + 0.05) / (Math.min(one, ground) + 0.05);
  };
  const nodes = [...root.querySelectorAll("svg :is(line, circle, rect, path, text)")];
  const shown = nodes.filter((node) =>
    !node.matches(".hit, .grid") && getComputedStyle(node).visibility === "visible");
  return shown.flatMap((node) => {
    const style = getComputedStyle(node);
    const stroked = node.matches("line, .arc, .thin .spent-bar");
    const colour = stroked ? style.stroke : style.fill;
    if (colour === "none") return [];
    return [[node.tagName, node.getAttribute("class") || node.textContent, contrast(colour)]];
  });
}"""


def assert_every_mark_and_every_text_stands_out(picture):
    found = picture.root.evaluate(CONTRAST)
    assert len({name for _, name, _ in found}) > 12
    faint = [
        (tag, name, round(contrast, 2))
        for tag, name, contrast in found
        if contrast < (LEAST_TEXT if tag in ("text", "tspan") else LEAST_MARK)
    ]
    assert not faint


def test_what_is_seen_at_once(picture):
    """It is paused where an ad has fallen, says why, and is on the first screen, in both themes."""
    assert picture.gone == ["Trail run", "City café"]
    expect(picture.root.locator(".large .news")).to_have_text(
        "Trail run: ruled out after 2 of its own"
    )
    expect(picture.root.locator(".thin .news")).to_have_text("none ruled out")
    expect(picture.why.get_by_role("heading")).to_have_text("Why is Trail run ruled out?")
    upper, bar = picture.why.locator("dd").all_text_contents()
    assert float(upper) < float(bar.lstrip("<"))
    assert picture.root.locator(".arc").get_attribute("visibility") == "visible"
    for scheme in COLOR_SCHEMES:
        picture.page.emulate_media(color_scheme=scheme)
        wait_for_scheme(picture.tab, scheme)
        picture.page.wait_for_timeout(SETTLE_MS)
        assert_every_mark_and_every_text_stands_out(picture)
    shown = [
        picture.page.get_by_role("heading", level=1),
        picture.page.locator(".st-key-knows"),
        picture.root.locator("svg").nth(0),
        picture.root.locator("svg").nth(1),
        picture.root.get_by_role("button", name="Play"),
        picture.why.get_by_role("button", name="Do the sum"),
    ]
    for width, height in (VIEWPORTS["desktop"], (1280, 720)):
        picture.page.set_viewport_size({"width": width, "height": height})
        picture.page.wait_for_timeout(SETTLE_MS)
        for part in shown:
            assert lowest(part) < height


@pytest.mark.parametrize("viewport", [(1280, 720)])
def test_in_the_presenter_view_too(open_page, viewport):
    picture = Picture(open_page(PAGES["home"], ADS | {"present": "1"}))
    assert lowest(picture.root.get_by_role("button", name="Play")) < viewport[1]


def test_play_begins_at_the_start_and_pause_stops(picture):
    before = picture.samples
    picture.press("Play")
    assert picture.samples < before
    picture.page.wait_for_function(
        "root => root.querySelector('.clock').textContent.startsWith('1,')",
        arg=picture.root.element_handle(),
    )
    picture.press("Pause")
    stopped = picture.samples
    picture.page.wait_for_timeout(300)
    assert picture.samples == stopped > 900


def test_the_moment_is_chosen_by_keyboard_and_stays_while_the_other_picture_changes(picture):
    picture.slider.focus()
    first = picture.samples
    picture.page.keyboard.press("ArrowRight")
    second = picture.samples
    picture.page.keyboard.press("End")
    assert first < second < picture.samples
    assert f"{picture.samples:,}" in picture.slider.get_attribute("aria-valuetext")
    expect(picture.root.locator(".large .news")).to_have_text("Soccer stadium is the answer")
    picture.page.keyboard.press("Home")
    first = picture.samples
    step(picture.tab, "buffer", "ArrowRight")
    assert picture.samples == first


def test_less_motion_shows_only_what_happens(picture):
    picture.page.emulate_media(reduced_motion="reduce")
    picture.press("Play")
    clocks = []
    for _ in range(2):
        before = picture.samples
        expect(picture.root.locator(".clock")).not_to_have_text(re.compile(f"^{before:,} "))
        clocks.append(picture.samples)
    picture.press("Pause")
    assert clocks == [2268, 2358]


def test_a_row_is_explained_by_click_and_by_keyboard_and_the_sum_can_be_done(picture):
    picture.row("Chess duel").click()
    expect(picture.why.get_by_role("heading")).to_have_text("Is Chess duel ruled out?")
    picture.press("Go to the moment")
    expect(picture.why.get_by_role("heading")).to_have_text("Why is Chess duel ruled out?")
    assert "Chess duel" in picture.gone
    assert picture.row("Chess duel").get_attribute("aria-pressed") == "true"
    picture.rows.first.focus()
    for _ in range(5):
        picture.page.keyboard.press("ArrowDown")
    picture.page.keyboard.press("Enter")
    expect(picture.why.get_by_role("heading")).to_have_text("Why is City café ruled out?")
    picture.press("Do the sum")
    rows = [line.split("\t") for line in picture.why.locator("tbody tr").all_inner_texts()]
    seen = sum(int(n.replace(",", "")) for _, n, _ in rows)
    total = sum(int(n.replace(",", "")) * float(most) for _, n, most in rows)
    average, radius, upper = (
        float(text.lstrip("+= ")) for text in picture.why.locator("tfoot td").all_inner_texts()
    )
    assert total / seen == pytest.approx(average, abs=2e-3)
    assert average + radius == pytest.approx(upper)
    assert "So City café is ruled out" in picture.why.inner_text()
    assert_accessible(picture.tab, "with the sum open")


def test_the_slider_changes_the_picture_the_headline_and_the_address(picture):
    step(picture.tab, "knows", "ArrowLeft")
    step(picture.tab, "knows", "ArrowLeft")
    headline = stored.read(stored.name_of("half"))["headline"]
    expect(picture.page.get_by_role("heading", level=1)).to_have_text(headline)
    assert query_of(picture.page.url)["knows"] == ["half"]
    expect(picture.root.locator(".large .news")).to_contain_text("Price offer: ruled out")


def test_a_buffer_brings_the_best_ad_back(open_page):
    second = Picture(open_page(PAGES["home"], ADS), 1)
    assert second.gone == ["★ Soccer stadium"]
    for _ in range(2):
        step(second.tab, "buffer", "ArrowRight")
    expect(second.root.locator(".news")).to_have_text("Soccer stadium is the answer")
    assert "★ Soccer stadium" not in second.gone
    second.tab.assert_no_errors()


def test_many_arms_are_cut_to_twelve(open_page):
    films = {"data": cbai.DATASETS["movielens-1m"].title, "q": "0.13", "delta": "0.1"}
    picture = Picture(open_page(PAGES["home"], films))
    assert picture.rows.count() == 12
    assert picture.gone
    picture.rows.first.click()
    expect(picture.why.get_by_role("heading")).to_contain_text("ahead")
    picture.tab.assert_no_errors()


def test_nothing_of_plotly_is_loaded(browser, app_server):
    tab = AppPage.new(app_server, browser)
    asked = []
    tab.page.on("request", lambda request: asked.append(request.url))
    tab.open(PAGES["home"], ADS)
    assert asked
    assert not [url for url in asked if "plotly" in url.lower()]
    tab.close()
