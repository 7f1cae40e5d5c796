"""A sweep streams in, stop keeps what is there, resuming finishes it, and a link restores it."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

import cbai
from cbai.figures.base.style import THIN_SPACE
from tests import effort
from tests.browser.app_page import PAGES, SETTLE_MS, VIEWPORTS
from tests.browser.axe import assert_accessible
from tests.browser.controls import choose, pick, query_of, widget, write

STORY = cbai.DATASETS["drug-trial"].title
LONG = {"data": cbai.DATASETS["goodreads-poetry"].title, "algorithms": "LUCB", "beyond": ""}
"""Cells of some seconds each."""
QUICK = {"data": STORY, "trials": "10", "algorithms": "LUCB", "beyond": ""}


ON_A_PHONE_AND_IN_FULL_ON_A_DESK = pytest.mark.parametrize(
    "viewport",
    [
        pytest.param(VIEWPORTS["phone"], id="phone"),
        pytest.param(VIEWPORTS["desktop"], id="desktop", marks=pytest.mark.full),
    ],
)

CELLS = 6
"""How many errors are tried at the usual one."""
FIRST_LINE = """(document.querySelector('.js-plotly-plot')?.data
    ?.find(trace => trace.name === 'LUCB')?.y?.length ?? 0)"""


def points(tab):
    """Return how many cells of LUCB the picture shows."""
    return tab.page.evaluate(FIRST_LINE)


def wait_for_points(tab, least):
    tab.page.wait_for_function(f"least => {FIRST_LINE} >= least", arg=least, timeout=90_000)


def headline(tab):
    return tab.page.locator("h2").first.inner_text()


def drawn_lines(tab):
    """Return how many lines of the picture are seen, not only known."""
    return tab.page.locator(".st-key-figure-what-if .scatterlayer path.js-line").count()


def also_vary_the_gap(tab):
    """Choose a second parameter by keys: an open list closes when the page scrolls."""
    box = widget(tab, "vary").get_by_role("combobox")
    box.scroll_into_view_if_needed()
    tab.page.wait_for_timeout(2 * SETTLE_MS)
    box.press_sequentially("gap")
    tab.page.get_by_role("option", name="gap", exact=True).wait_for()
    box.press("Enter")


@pytest.fixture
def busy(open_tab):
    """Open What if, which is then busy."""

    def come(query):
        tab = open_tab()
        address = f"{tab.server.url}{PAGES['whatif']}?{urlencode(query, doseq=True)}"
        tab.page.goto(address)
        return tab

    return come


@pytest.fixture
def sweep(busy):
    """What if, busy with a long sweep over delta."""
    tab = busy(LONG | {"seed": "4711"})
    widget(tab, "stop").wait_for()
    return tab


def test_a_sweep_streams_in_stops_goes_on_and_gives_way(sweep):
    page = sweep.page
    wait_for_points(sweep, 1)
    assert widget(sweep, "stop").is_visible()  # shown while the rest is still at work

    widget(sweep, "stop").get_by_role("button").click()
    sweep.wait_idle()
    sweep.assert_no_errors()
    alert = page.get_by_test_id("stAlert").inner_text()
    done = int(re.search(rf"Cells done: (\d) of {CELLS}", alert)[1])
    assert 1 <= done < CELLS
    assert points(sweep) == done
    assert page.get_by_test_id("stProgress").count() == 0

    page.get_by_role("button", name="Go on").click()
    wait_for_points(sweep, done + 1)
    assert page.get_by_test_id("stAlert").count() == 0

    # Another choice takes over at once: it is complete long before the old sweep would be.
    choose(sweep, "data", STORY)
    sweep.assert_no_errors()
    assert points(sweep) == CELLS
    assert page.get_by_test_id("stProgress").count() == 0
    assert "with LUCB" in headline(sweep)


@ON_A_PHONE_AND_IN_FULL_ON_A_DESK
def test_two_parameters_are_chosen_kept_in_the_address_and_restored(open_page, viewport):
    tab = open_page(PAGES["whatif"], QUICK | {"work": "true"})
    also_vary_the_gap(tab)
    tab.wait_idle()
    write(tab, "unit", "EUR")
    write(tab, "cost", "0.25")
    tab.wait_drawn()
    tab.assert_no_errors()
    tab.page.wait_for_url(lambda url: query_of(url).get("cost") == ["0.25"], timeout=10_000)
    query = query_of(tab.page.url)
    assert query["vary"] == ["error δ", "gap"]
    assert query["unit"] == ["EUR"]
    said = tab.page.get_by_test_id("stMain").get_by_test_id("stCode").inner_text()
    assert "At 0.25 EUR per patient" in said
    answer = headline(tab)
    assert "EUR and" in answer
    expect(tab.page.get_by_text("LUCB needs from")).to_be_visible()

    again = open_page(f"{PAGES['whatif']}?{tab.page.url.partition('?')[2]}")
    assert headline(again) == answer
    assert again.page.get_by_test_id("stMain").get_by_test_id("stCode").inner_text() == said
    main = again.page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollWidth") <= viewport[0]
    expect(main).to_contain_text("gap")
    assert_accessible(again, "a map")


def test_no_figure_of_the_sweep_before_stays_while_one_fills(busy):
    """Streamlit takes away what is no longer drawn once a page is complete, and no sooner."""
    tab = busy(LONG | {"seed": "4712", "algorithms": ["LUCB", "LUCB++"], "work": "true"})
    wait_for_points(tab, 1)
    also_vary_the_gap(tab)
    tab.page.wait_for_function(
        """() => [...document.querySelectorAll('.js-plotly-plot')].some(
             plot => plot.data?.some(trace => trace.type === 'heatmap'))""",
        timeout=60_000,
    )
    tab.page.wait_for_timeout(1500)
    expect(widget(tab, "stop")).to_be_visible()
    assert tab.page.locator(".js-plotly-plot:visible").count() == 3  # the picture and two maps


def test_nothing_is_said_of_the_data_set_before_while_a_sweep_fills(open_page):
    tab = open_page(PAGES["whatif"], {"data": STORY, "seed": "4713", "work": "true"})
    forwarded = tab.page.get_by_test_id("stMain").get_by_test_id("stCode")
    assert STORY in forwarded.inner_text()
    pick(tab, "data", cbai.DATASETS["goodreads-poetry"].title)
    expect(tab.page.get_by_text("Not computed yet.", exact=True)).to_be_visible()
    expect(forwarded.filter(has_text=STORY)).to_have_count(0)
    expect(tab.page.get_by_text("Where these numbers come from")).to_have_count(1)
    expect(widget(tab, "stop")).to_be_visible()


def test_all_cells_can_be_downloaded(open_page):
    tab = open_page(PAGES["whatif"], QUICK | {"work": "true"})
    with tab.page.expect_download() as download:
        widget(tab, "sweep_csv").get_by_role("button").click()
    assert download.value.suggested_filename == "cbai-drug-trial-delta.csv"
    head, *rows = download.value.path().read_text().splitlines()
    assert '"mean_low"' in head
    assert len(rows) == CELLS


# ---------------------------------------------------------------- the sentence


ADS = {"data": cbai.DATASETS["ad-campaign"].title, "trials": "10", "algorithms": ["LUCB", "C-LUCB"]}


@ON_A_PHONE_AND_IN_FULL_ON_A_DESK
def test_five_percent_two_ads_fewer_and_forty_cents(open_page, viewport):
    """A sentence and a picture are all there is to see, and nothing is wider than the screen."""
    tab = open_page(f"{PAGES['whatif']}?{urlencode(ADS, doseq=True)}")
    before = headline(tab)
    for key, name in (("have", "4"), ("error-accepted", f"5{THIN_SPACE}%")):
        widget(tab, key).get_by_role("combobox").press("ArrowDown")
        tab.page.get_by_role("listbox").get_by_role("option", name=name, exact=True).click()
        tab.wait_idle()
    for key, typed, read in (("per_day", "1.000", "1000"), ("cost", "0,40", "0.40")):
        box = widget(tab, key).locator("input").first
        box.click()
        tab.page.keyboard.press("Control+A")
        tab.page.keyboard.type(typed)  # as many people write a thousand, and forty cents
        assert box.input_value() == read
        tab.page.keyboard.press("Enter")
        tab.wait_idle()
    tab.wait_drawn()
    tab.assert_no_errors()
    assert headline(tab) != before
    assert re.match(r"About €\d.* with C-LUCB", headline(tab))
    tab.page.wait_for_url(lambda url: query_of(url).get("cost") == ["0.4"], timeout=10_000)
    query = query_of(tab.page.url)
    assert (query["have"], query["delta"]) == (["4"], ["0.05"])
    assert drawn_lines(tab) >= 2
    assert tab.page.locator(".js-plotly-plot:visible").count() == 1
    main = tab.page.get_by_test_id("stMain")
    assert main.evaluate("element => element.scrollWidth") <= viewport[0]
    again = open_page(f"{PAGES['whatif']}?{tab.page.url.partition('?')[2]}")
    assert headline(again) == headline(tab)


def test_sentence_picture_and_link_are_copied(open_page):
    tab = open_page(f"{PAGES['whatif']}?{urlencode(ADS | {'have': '4'}, doseq=True)}")
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    said = tab.page.locator(".copies .said")
    read = "() => navigator.clipboard.readText()"

    tab.page.get_by_role("button", name="Copy sentence").click()
    expect(said).to_have_text("The sentence is copied.")
    copied = tab.page.evaluate(read)
    assert copied.startswith("To find the best of 4 ")
    assert headline(tab) in copied

    tab.page.locator(".copies").get_by_role("button", name="Copy link").click()
    expect(said).to_have_text("The link is copied.")
    assert query_of(tab.page.evaluate(read))["have"] == ["4"]

    tab.page.get_by_role("button", name="Copy picture").click()
    expect(said).to_have_text("The picture is copied.", timeout=15_000)
    kinds = "async () => (await navigator.clipboard.read())[0].types"
    assert tab.page.evaluate(kinds) == ["image/png"]


def test_a_picture_that_the_browser_does_not_copy_is_saved(open_page):
    tab = open_page(f"{PAGES['whatif']}?{urlencode(ADS, doseq=True)}")
    tab.page.evaluate(
        "() => { navigator.clipboard.write = () => Promise.reject(new Error('no')); }"
    )
    with tab.page.expect_download() as download:
        tab.page.get_by_role("button", name="Copy picture").click()
    assert download.value.suggested_filename == "cbai-ad-campaign-what-if.png"
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_what_has_an_answer_has_a_picture_that_is_drawn(busy):
    """A headline once stood above empty plots."""
    for seed in ("4714", "4715", "4716")[: effort.quick_or_full(1, 3)]:
        tab = busy(ADS | {"seed": seed})
        tab.page.get_by_text(re.compile("^About €")).first.wait_for()
        tab.page.locator(".st-key-figure-what-if .scatterlayer path.js-line").nth(1).wait_for(
            state="attached", timeout=10_000
        )
        tab.wait_idle()
        assert points(tab) == CELLS
