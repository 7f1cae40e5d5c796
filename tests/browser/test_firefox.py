"""Every page opens in Firefox too, and the race plays there; part of the tests at full numbers."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.browser.app_page import PAGES, READY, AppServer, running_app
from tests.browser.firefox import Firefox, find_firefox, running_firefox

pytestmark = pytest.mark.full

IDLE = f"document.querySelector({READY!r}) !== null"
DRAWN = "document.querySelector('[data-testid^=\"stSkeleton\"]') === null"
INSIDE = """(place, part) => {
  const find = (root) => {
    const found = root.querySelector(part);
    if (found) return found;
    for (const node of root.querySelectorAll("*")) {
      const inner = node.shadowRoot && find(node.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  return find(document.querySelector(place));
}"""
"""Finds a part of a component, in its shadow tree or not."""


@pytest.fixture(scope="module")
def app() -> Iterator[AppServer]:
    with running_app() as server:
        yield server


@pytest.fixture(scope="module")
def firefox(app: AppServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    executable = find_firefox()
    if executable is None:
        reason = "no Firefox found: install firefox-esr, or set CBAI_FIREFOX to its path"
        if os.environ.get("CBAI_REQUIRE_FIREFOX") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with running_firefox(executable, tmp_path_factory.mktemp("firefox")) as tab:
        tab.size(1440, 900)
        yield tab


def opened(firefox: Firefox, app: AppServer, path: str) -> None:
    firefox.errors.clear()
    firefox.open(app.url + path)
    firefox.wait_for(f"{IDLE} && {DRAWN}")


def part(place: str, selector: str) -> str:
    return f"({INSIDE})({place!r}, {selector!r})"


@pytest.mark.parametrize("name", PAGES)
def test_every_page_opens(firefox, app, name):
    opened(firefox, app, f"{PAGES[name]}?data=Two+arms+(the+paper's+Table+1)&trials=10")
    assert firefox.run("document.querySelectorAll('h1').length") == 1
    assert firefox.run("document.querySelectorAll('[data-testid=stException]').length") == 0
    wide = "document.querySelector('[data-testid=stMain]').scrollWidth"
    assert firefox.run(wide) <= 1440
    assert firefox.errors == []


def test_the_race_plays(firefox, app):
    opened(firefox, app, PAGES["race"])
    clock = part(".st-key-race", ".clock") + ".textContent"
    play = part(".st-key-race", ".play")
    slider = part(".st-key-race", "input[type=range]")
    firefox.run(f"{slider}.value = 0, {slider}.dispatchEvent(new Event('input'))")
    before = firefox.run(clock)
    firefox.run(f"{play}.click()")
    firefox.wait_for(f"{clock} !== {before!r}", 20)
    firefox.run(f"{play}.click()")
    assert "Play" in firefox.run(f"{play}.textContent")
    assert firefox.errors == []
