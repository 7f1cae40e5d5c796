"""Files that people keep draw themselves without a network, and a link in vain is told."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from playwright.sync_api import expect

from cbai.__main__ import main
from tests.browser.app_page import COLOR_SCHEMES, PAGES, VIEWPORTS
from tests.browser.changes import QUICK
from tests.browser.controls import sidebar, widget

SVG = "{http://www.w3.org/2000/svg}"
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


@pytest.mark.parametrize(
    ("viewport", "color_scheme"),
    [
        pytest.param(
            VIEWPORTS[size],
            scheme,
            id=f"{size}-{scheme}",
            marks=[] if (size, scheme) == ("phone", "dark") else pytest.mark.full,
        )
        for size in VIEWPORTS
        for scheme in COLOR_SCHEMES
    ],
)
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


@pytest.mark.parametrize("color_scheme", ["dark", pytest.param("light", marks=pytest.mark.full)])
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


def test_what_a_link_asks_in_vain_is_named(open_page):
    tab = open_page(PAGES["samples"], QUICK | {"delta": "0.5", "algorithms": "LUCB"})
    expect(tab.page.get_by_test_id("stToast")).to_contain_text("delta = 0.5")
    assert widget(tab, "algorithms").locator("[aria-pressed=true]").all_inner_texts() == ["LUCB"]
    assert sidebar(tab).count() == 1
