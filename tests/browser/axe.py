"""What axe-core finds on a page that would keep somebody from using it."""

from __future__ import annotations

import json

from axe_playwright_python.sync_playwright import Axe

from tests import effort
from tests.browser.app_page import COLOR_SCHEMES, SETTLE_MS, AppPage

GRAVE = ("moderate", "serious", "critical")
STREAMLITS = ("region",)
"""Of its hints and menus, which Streamlit draws in a layer beside the page's landmarks."""
BACKGROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 25, 30)"}
SHOWN = """colour => [...document.querySelectorAll('[data-testid="stApp"]')].every(
  app => getComputedStyle(app).backgroundColor === colour)"""
OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe-core that look at colours. All others find the same in both schemes."""


def findings(tab: AppPage, only: tuple[str, ...] = ()) -> list[str]:
    """Return all findings but the minor ones, each as rule, place, markup and what is wrong.

    All rules are tried, or `only` some.
    """
    options: dict[str, object] = {"resultTypes": ["violations"]}
    options["preload"] = False  # of media, which no page has
    if only:
        options["runOnly"] = only
    if not tab.page.evaluate("'axe' in window"):
        tab.page.evaluate(Axe().axe_script)
    violations = tab.page.evaluate(
        f"axe.run({json.dumps(options)}).then(({{ violations }}) => violations)"
    )
    return [
        f"{rule['id']} ({rule['impact']}) at {' '.join(map(str, node['target']))}: "
        f"{node['html'][:300]}\n    {node.get('failureSummary', '').replace(chr(10), ' ')}"
        for rule in violations
        if rule["impact"] in GRAVE and rule["id"] not in STREAMLITS
        for node in rule["nodes"]
    ]


def wait_for_scheme(tab: AppPage, scheme: str) -> None:
    """Wait until the app is shown in a colour scheme."""
    tab.page.wait_for_function(SHOWN, arg=BACKGROUNDS[scheme])


def assert_accessible(tab: AppPage, place: str, in_both: bool = True) -> None:
    """Check a page in both colour schemes, between which it changes as the system does.

    It begins with the one that the page is shown in, and leaves it in the other. In the other only
    colours are looked at, unless all is tried. What is open over a page does not change with it:
    that is checked in one scheme, not `in_both`.
    """
    tab.show_all()  # contrast is judged of what is in the window; and what fades in is there now
    dark = tab.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    first, second = reversed(COLOR_SCHEMES) if dark else COLOR_SCHEMES
    wait_for_scheme(tab, first)
    _assert_nothing_found(tab, f"{place}, {first}")
    if in_both:
        tab.page.emulate_media(color_scheme=second)  # type: ignore[arg-type]
        wait_for_scheme(tab, second)
        tab.page.wait_for_timeout(SETTLE_MS)
        _assert_nothing_found(tab, f"{place}, {second}", () if effort.full else OF_COLOURS)


def _assert_nothing_found(tab: AppPage, place: str, only: tuple[str, ...] = ()) -> None:
    found = findings(tab, only)
    assert not found, f"{place}: {len(found)} findings\n" + "\n".join(found)
