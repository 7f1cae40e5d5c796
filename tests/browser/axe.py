"""What axe-core finds on a page that would keep somebody from using it."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe

from tests.browser.app_page import AppPage

GRAVE = ("moderate", "serious", "critical")
STREAMLITS = ("region",)
"""Of its hints and menus, which Streamlit draws in a layer beside the page's landmarks."""
OPTIONS = {"resultTypes": ["violations"]}


def findings(tab: AppPage) -> list[str]:
    """Return all findings but the minor ones, each as rule, place, markup and what is wrong."""
    tab.show_all()  # contrast is judged of what is in the window; and what fades in is there now
    return [
        f"{rule['id']} ({rule['impact']}) at {' '.join(map(str, node['target']))}: "
        f"{node['html'][:300]}\n    {node.get('failureSummary', '').replace(chr(10), ' ')}"
        for rule in Axe().run(tab.page, options=OPTIONS).response["violations"]
        if rule["impact"] in GRAVE and rule["id"] not in STREAMLITS
        for node in rule["nodes"]
    ]


def assert_accessible(tab: AppPage, place: str) -> None:
    found = findings(tab)
    assert not found, f"{place}: {len(found)} findings\n" + "\n".join(found)
