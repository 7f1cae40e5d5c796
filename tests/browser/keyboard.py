"""What a page offers, by key, and what of it the Tab key reaches."""

from __future__ import annotations

from tests.browser.app_page import AppPage

CONTROLS = """
() => {
  const keys = new Set();
  const uses = "button, input, select, textarea, summary, [role=slider], [role=combobox]";
  const hint = '[data-testid="stTooltipIcon"]';
  for (const place of document.querySelectorAll('[class*="st-key-"]')) {
    const trees = [place, ...[...place.querySelectorAll("*")].map((node) => node.shadowRoot)];
    const found = trees.filter(Boolean).flatMap((tree) => [...tree.querySelectorAll(uses)]);
    if (found.some((node) => node.checkVisibility({ visibilityProperty: true }) &&
      !node.disabled && !node.closest(hint)))
      keys.add([...place.classList].find((name) => name.startsWith("st-key-")));
  }
  return [...keys];
}
"""
"""Lists all places with a key that hold something to be used now; its hint alone is not enough."""

FOCUSED = """
() => {
  let node = document.activeElement;
  if (node === document.body) return null;
  if (node.closest('[data-testid="stTooltipIcon"]')) return [];
  const keys = [];
  for (; node; node = node.parentElement)
    keys.push(...[...node.classList].filter((name) => name.startsWith("st-key-")));
  return keys;
}
"""
"""Lists the places that the focus is in, but for hints; nothing if it is nowhere."""

MOST_TABS = 400


def controls(tab: AppPage) -> set[str]:
    """Return the keys of all places that hold something to be used now."""
    return set(tab.page.evaluate(CONTROLS))


def reached_by_tab(tab: AppPage) -> set[str]:
    """Press Tab until the focus comes round; return the keys of all places that it was in."""
    reached: set[str] = set()
    for presses in range(MOST_TABS):
        tab.page.keyboard.press("Tab")
        keys = tab.page.evaluate(FOCUSED)
        if keys is None and presses:
            return reached
        reached.update(keys or [])
    raise AssertionError(f"the focus has not come round after {MOST_TABS} times Tab")
