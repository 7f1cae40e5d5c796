"""Files that people keep draw themselves without a network, and links restore every page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from playwright.sync_api import expect

import cbai
from cbai.__main__ import main
from tests.browser.app_page import COLOR_SCHEMES, PAGES, VIEWPORTS
from tests.browser.controls import choose, sidebar, step, unfold, widget, write
from tests.browser.test_link import copied, opened

TWO = cbai.DATASETS["paper-two-arms"].title
THREE = cbai.DATASETS["paper-three-arms"].title
SVG = "{http://www.w3.org/2000/svg}"
QUICK = {"data": THREE, "trials": "10", "budget": "20,000"}
PAPER = {"light": (255, 255, 255), "dark": (20, 25, 30)}


def kept(tab, path, name, folder):
    """Click what offers a file, and return the file."""
    with tab.page.expect_download() as download:
        path().get_by_role("button", name=name, exact=True).click()
    target = folder / download.value.suggested_filename
    download.value.save_as(target)
    return target


@pytest.fixture
def offline(browser):
    """Open a file in a browser without a network, and see it drawn."""
    contexts = []

    def open_(path, **options):
        context = browser.new_context(offline=True, **options)
        contexts.append(context)
        page = context.new_page()
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("requestfailed", lambda request: errors.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-drawn]")
        assert page.evaluate("document.body.dataset.drawn") == "yes"
        assert errors == []
        return page

    yield open_
    for context in contexts:
        context.close()


# ---------------------------------------------------------------- figures


def save_menu(tab, place):
    """Open the menu of a figure, which a download closes, and return what it offers."""
    box = tab.page.locator(f'[class*="st-key-save-"][class*="{place}"]')

    def menu():
        offered = tab.page.get_by_test_id("stPopoverBody")
        if not offered.count():
            box.get_by_role("button").click()
        offered.get_by_role("button", name="PNG").wait_for()
        return offered

    return menu


def corner(page, picture):
    """Return the colour in the corner of a picture, and its size."""
    data = picture.read_bytes()
    return page.evaluate(
        """async (bytes) => {
          const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
          const canvas = new OffscreenCanvas(image.width, image.height);
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          return [[...context.getImageData(1, 1, 1, 1).data], image.width, image.height];
        }""",
        list(data),
    )


@pytest.mark.parametrize("color_scheme", COLOR_SCHEMES)
@pytest.mark.parametrize("viewport", VIEWPORTS.values(), ids=VIEWPORTS)
def test_a_figure_is_kept_as_png_svg_and_html(open_page, offline, tmp_path, color_scheme):
    tab = open_page(PAGES["samples"], QUICK)
    menu = save_menu(tab, "samples")
    graph = tab.page.locator(".st-key-figure-samples .js-plotly-plot")
    size = graph.bounding_box()

    png = kept(tab, menu, "PNG", tmp_path)
    assert png.name == "cbai-paper-three-arms-samples.png"
    colour, width, height = corner(tab.page, png)
    assert colour == [*PAPER[color_scheme], 255]
    assert (width, height) == (2 * round(size["width"]), 2 * round(size["height"]))

    svg = ET.fromstring(kept(tab, menu, "SVG", tmp_path).read_text(encoding="utf-8"))
    words = " ".join("".join(text.itertext()) for text in svg.iter(f"{SVG}text"))
    assert "C-LUCB++" in words
    ground = next(svg.iter(f"{SVG}rect")).get("style")
    assert f"rgb{PAPER[color_scheme]}" in ground

    page = offline(kept(tab, menu, "HTML page", tmp_path))
    assert page.locator(".js-plotly-plot .main-svg").count() > 0
    assert "C-LUCB++" in page.locator(".js-plotly-plot").text_content()
    tab.assert_no_errors()


RACE = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 25, 30)"}


@pytest.mark.parametrize("color_scheme", COLOR_SCHEMES)
def test_a_race_is_kept_as_png_and_svg(open_page, tmp_path, color_scheme):
    tab = open_page(PAGES["race"], QUICK)
    main_part = lambda: tab.page.get_by_test_id("stMain")  # noqa: E731
    svg = ET.fromstring(kept(tab, main_part, "SVG", tmp_path).read_text(encoding="utf-8"))
    words = " ".join("".join(text.itertext()) for text in svg.iter(f"{SVG}text"))
    for part in ("C-LUCB", "LUCB", "Arm 1", "mean reward and its bounds"):
        assert part in words
    assert next(svg.iter(f"{SVG}rect")).get("fill") == RACE[color_scheme]
    colour, width, _ = corner(tab.page, kept(tab, main_part, "PNG", tmp_path))
    assert colour == [*PAPER[color_scheme], 255]
    assert width == 2 * float(svg.get("width"))


# ---------------------------------------------------------------- a run


def test_a_run_is_kept_as_report_and_json(open_page, offline, tmp_path, capsys):
    tab = open_page(PAGES["samples"], {"trials": "10", "seed": "5"})
    shown = tab.page.get_by_test_id("stMain").get_by_role("heading", level=2).inner_text()
    tab.page.get_by_role("button", name="Keep this run").click()
    menu = lambda: tab.page.get_by_test_id("stPopoverBody")  # noqa: E731

    page = offline(
        kept(tab, menu, "Report, one page", tmp_path), viewport={"width": 1280, "height": 900}
    )
    assert shown in page.locator(".answer").inner_text()
    expect(page.locator(".shout")).to_contain_text("The assumption is violated.")
    assert page.locator(".js-plotly-plot").count() == 2
    pages = re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))
    assert len(pages) == 1
    link = page.locator("a.link").get_attribute("href")
    assert "seed=5" in link

    main(["run", str(kept(tab, menu, "Run as JSON", tmp_path))])
    assert "The same, sample by sample." in capsys.readouterr().out


# ---------------------------------------------------------------- links


def view(tab):
    """Return what a page shows: words, what its controls hold, its figures, the race's moment."""
    tab.page.wait_for_timeout(500)
    main_part = tab.page.get_by_test_id("stMain")
    found = tab.page.evaluate(
        """() => {
          const main = document.querySelector('[data-testid="stMain"]');
          const of = (what) => [...main.querySelectorAll(what)];
          return {
            figures: of(".js-plotly-plot").map((one) => JSON.stringify([one.data, one.layout])),
            controls: of("input").map((box) => box.value),
            pressed: of("[aria-pressed=true], [aria-checked=true]").map((one) => one.textContent),
          };
        }"""
    )
    texts = main_part.locator(
        '[data-testid="stHeading"], [data-testid="stMarkdown"], [data-testid="stCaptionContainer"]'
    ).all_inner_texts()
    race = main_part.locator(".race .clock, .race .news, .race svg .name").all_inner_texts()
    return found | {"texts": texts, "race": race}


def on_home(tab):
    step(tab, "knows", "ArrowLeft")
    step(tab, "buffer", "ArrowRight")
    return ["knows", "buffer"]


def on_race(tab):
    choose(tab, "left", "LUCB++")
    step(tab, "run_number", "ArrowUp")
    for _ in range(3):
        tab.page.get_by_role("button", name="One step back").click()
    tab.page.get_by_label("Order of the rows").select_option("name")
    return ["left", "run_number", "at", "order"]


def on_competitive(tab):
    choose(tab, "watched", "LUCB")
    step(tab, "run_number", "ArrowUp")
    for _ in range(3):
        step(tab, "after", "ArrowLeft")
    return ["watched", "run_number", "after"]


def on_samples(tab):
    step(tab, "q", "ArrowRight")
    unfold(tab, "More")
    step(tab, "seed", "ArrowUp")
    return ["q", "seed"]


def on_compare(tab):
    tab.page.get_by_role("button", name="Compare", exact=True).last.click()
    tab.wait_idle()
    choose(tab, "compare_a", "LUCB")
    choose(tab, "compare_to", "B")
    return ["pins", "compare_a", "compare_to"]


def on_whatif(tab):
    step(tab, "cost", "ArrowUp")
    write(tab, "unit", "EUR")
    return ["cost", "unit"]


def on_story(tab):
    tab.page.get_by_role("button", name="Next", exact=True).click()
    return ["step"]


def on_bounds(tab):
    choose(tab, "rewards_of", "Arm 2")
    for name in ("Kaufmann", "Even-Dar"):
        widget(tab, "bounds").get_by_role("button", name=re.compile(name)).first.click()
        tab.wait_idle()
    widget(tab, "misses_allowed").get_by_role("slider").focus()
    tab.page.keyboard.press("ArrowLeft")
    tab.wait_idle()
    widget(tab, "shown_as").get_by_text("times Howard's").click()
    return ["rewards_of", "bounds", "misses_allowed", "shown_as"]


def on_glossary(tab):
    write(tab, "find", "gap")
    return ["find"]


def on_lab(tab):
    choose(tab, "start", "LUCB")
    choose(tab, "lab_elimination", "never")
    return ["lab", "start"]


def on_theory(tab):
    tab.page.get_by_role("button", name=re.compile("Run both")).click()
    return ["show"]


def on_assumption(tab):
    choose(tab, "assumption_watched", "C-LUCB++")
    tab.page.get_by_role("button", name=re.compile("at 7 buffers")).click()
    return ["assumption_watched", "show"]


def on_data(tab):
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


def on_paper(tab):
    tab.page.get_by_test_id("stMain").get_by_text("Figure 4", exact=True).click()
    return ["paper"]


CHANGES = {
    name.removeprefix("on_"): change for name, change in globals().items() if name[:3] == "on_"
}


def at_rest(tab):
    """Return the view once it stays: a figure may be drawn a moment after the page is complete."""
    seen = view(tab)
    for _ in range(20):
        tab.page.wait_for_timeout(500)
        now = view(tab)
        if now == seen:
            break
        seen = now
    return seen


def test_every_page_is_changed():
    assert set(CHANGES) == set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_link_restores_a_page(open_page, name):
    tab = open_page(PAGES[name], QUICK)
    before = view(tab)
    asked = CHANGES[name](tab)
    tab.wait_idle()
    tab.page.wait_for_timeout(1000)  # the race tells the link once nothing has changed for a while
    tab.wait_idle()
    shown = at_rest(tab)
    assert shown != before
    link = copied(tab)
    assert [part for part in asked if f"{part}=" not in link] == []
    again = opened(open_page, link)
    assert at_rest(again) == shown
    assert again.page.get_by_test_id("stToast").count() == 0


@pytest.mark.parametrize("viewport", [VIEWPORTS["phone"]])
def test_on_a_phone_a_notice_does_not_hide_the_answer(open_page, viewport):
    tab = open_page(PAGES["samples"], QUICK | {"delta": "0.5"})
    notice = tab.page.get_by_test_id("stToast").bounding_box()
    answer = tab.page.get_by_role("heading", level=2).first.bounding_box()
    assert answer["y"] + answer["height"] < notice["y"]


def test_what_a_link_asks_in_vain_is_named(open_page):
    tab = open_page(PAGES["samples"], QUICK | {"delta": "0.5", "algorithms": "LUCB"})
    expect(tab.page.get_by_test_id("stToast")).to_contain_text("delta = 0.5")
    assert widget(tab, "algorithms").locator("[aria-pressed=true]").all_inner_texts() == ["LUCB"]
    assert sidebar(tab).count() == 1
