"""What axe-core finds on a page that would keep somebody from using it."""

from __future__ import annotations

from collections.abc import Sequence

from axe_playwright_python.sync_playwright import Axe

from tests.browser.app_page import COLOR_SCHEMES, SETTLE_MS, AppPage

GRAVE = ("moderate", "serious", "critical")
STREAMLITS = ("region",)
"""Of its hints and menus, which Streamlit draws in a layer beside the page's landmarks."""
BACKGROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 25, 30)"}
SHOWN = """colour => [...document.querySelectorAll('[data-testid="stApp"]')].every(
  app => getComputedStyle(app).backgroundColor === colour)"""
OPTIONS = {"resultTypes": ["violations"]}


def findings(tab: AppPage) -> list[str]:
    """Return all findings but the minor ones, each as rule, place, markup and what is wrong."""
    return [
        f"{rule['id']} ({rule['impact']}) at {' '.join(map(str, node['target']))}: "
        f"{node['html'][:300]}\n    {node.get('failureSummary', '').replace(chr(10), ' ')}"
        for rule in Axe().run(tab.page, options=OPTIONS).response["violations"]
        if rule["impact"] in GRAVE and rule["id"] not in STREAMLITS
        for node in rule["nodes"]
    ]


def assert_accessible(tab: AppPage, place: str, schemes: Sequence[str] = COLOR_SCHEMES) -> None:
    """Check a page in both colour schemes, between which it changes as the system does.

    What is open over a page does not change with it: for that, name the scheme it was opened in.
    """
    tab.show_all()  # contrast is judged of what is in the window; and what fades in is there now
    for scheme in reversed(schemes):
        tab.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        tab.page.wait_for_function(SHOWN, arg=BACKGROUNDS[scheme])
        tab.page.wait_for_timeout(SETTLE_MS)
        found = findings(tab)
        assert not found, f"{place}, {scheme}: {len(found)} findings\n" + "\n".join(found)
