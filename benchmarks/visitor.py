"""A visitor who clicks at random, and sees what must never be seen: see ``soak``."""

from __future__ import annotations

import random
import re
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Browser, ElementHandle
from playwright.sync_api import Error as PlaywrightError

from tests.browser.app_page import (
    COLOR_SCHEMES,
    PAGES,
    READY,
    SETTLE_MS,
    VIEWPORTS,
    AppPage,
    AppServer,
)

LIMIT_SECONDS = 60.0
"""How long a page may be at work without showing how far it is."""
PATIENCE_SECONDS = 5.0
"""How long this visitor watches a progress bar before stopping the run."""
CLICK_MS = 1500
REMEMBERED = 25

KINDS = {
    "go to": (6, '[data-testid="stSidebarNav"] a'),
    "slide": (5, 'input[type="range"], [role="slider"]'),
    "count": (2, 'input[type="number"]'),
    "choose": (4, '[role="combobox"]'),
    "pick": (2, "select"),
    "tick": (4, 'input[type="checkbox"], input[type="radio"], [role="switch"], [role="radio"]'),
    "write": (2, 'input[type="text"], textarea'),
    "unfold": (2, "summary"),
    "ask about": (2, 'g[role="button"]'),
    "point at": (2, ".js-plotly-plot"),
    "follow": (2, "a[href]"),
    "press": (8, 'button, [role="button"]'),
}
"""What can be used: how often, and what it looks like; the first that fits counts."""

FIND = """
(kinds) => {
  const apart = '[data-testid="stFileUploader"], [data-testid="stToolbar"], [disabled], ' +
    '[aria-disabled="true"]';
  const found = [];
  const shown = (node) => {
    const { width, height } = node.getBoundingClientRect();
    return width > 0 && height > 0 && node.checkVisibility({ visibilityProperty: true });
  };
  const stays = (node) => node.tagName !== "A" ||
    (node.host === location.host && node.target !== "_blank" && !node.hasAttribute("download"));
  const walk = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) walk(node.shadowRoot);
      const fits = kinds.find(([, selector]) => node.matches(selector));
      if (!fits || node.closest(apart) || !stays(node)) continue;
      const place = node.closest('[class*="st-key-"]') ?? root.host?.closest('[class*="st-key-"]');
      const keyed = [...(place?.classList ?? [])].find((part) => part.startsWith("st-key-")) ?? "";
      const seen = fits[0] === "tick" ? node.closest("label") ?? node : node;
      if (!shown(seen)) continue;
      const text = node.getAttribute("aria-label") || seen.textContent || node.href || "";
      found.push([seen, fits[0], `${text.trim().slice(0, 40)} ${keyed}`.trim()]);
    }
  };
  walk(document);
  window.cbaiFound = found.map(([node]) => node);
  return found.map(([, kind, name]) => [kind, name]);
}
"""
"""Lists what can be used now, in components too; leaves out uploads and links that lead away."""

TEXTS = ("", "EUR", "gap", "δ", "0.25", "LUCB", "nonsense, nothing of that", "<b>1e999</b>", "7")
LINKS = (
    {"step": "4"}, {"step": "99"}, {"present": "1"}, {"p": "0.4", "q": "0.13"}, {"p": "nan"},
    {"trials": "10", "budget": "20,000"}, {"trials": "10", "algorithms": "LUCB", "beyond": ""},
    {"data": "Two arms (the paper's Table 1)", "trials": "10"},
    {"data": "no such data"}, {"seed": "-1"},
    {"pins": "data.paper-two-arms~trials.10~~data.paper-two-arms~delta.0.02~trials.10"},
    {"pins": "nonsense~~data.1"}, {"lab": "mean-own_ucb"}, {"why": "Drama", "at": "5000"},
)  # fmt: skip
"""Values in links, valid and invalid."""


@dataclass
class Trouble:
    """An error, and what to do to see it again."""

    what: str
    address: str
    actions: list[str]


@dataclass
class Visitor:
    """One tab, used at random.

    Attributes
    ----------
    name : str
    server : AppServer
    browser : Browser
    chance : random.Random
        Decides everything; but what a page shows at a moment also depends on the machine's speed.
    quick : bool
        Whether to begin with few runs. More is then seen in a short time.
    """

    name: str
    server: AppServer
    browser: Browser
    chance: random.Random
    quick: bool = False
    actions: int = 0
    troubles: list[Trouble] = field(default_factory=list)
    heaps: list[float] = field(default_factory=list)
    recent: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def __post_init__(self) -> None:
        self.log_read = 0
        self._new_in_log()
        self.begin()

    def come_again(self, chance: random.Random) -> None:
        """Leave, and come back as a new visitor, with another random seed or the same."""
        self.chance = chance
        self.tab.close()
        self.begin()

    def begin(self) -> None:
        """Come back as a new visitor, as after every error."""
        self.lost = False
        self.tab = AppPage.new(self.server, self.browser)
        self.page = self.tab.page
        self.page.on("request", lambda request: self._check_address(request.url))
        self.recent.clear()
        query = "?trials=10&budget=20,000" if self.quick else ""
        self._noted("open", self.chance.choice(list(PAGES.values())) + query)

    def _noted(self, kind: str, name: str) -> None:
        with self._action(f"{kind} {name}"):
            self.page.goto(self.server.url + name, wait_until="domcontentloaded")

    @contextmanager
    def _action(self, said: str) -> Iterator[None]:
        self.recent.append(said)
        self.actions += 1
        try:
            yield
        except PlaywrightError as error:
            # Covered, or gone since it was found: a person could not have used it either.
            self.recent.append(f"  (not done: {str(error).splitlines()[0][:80]})")
        self._settle()
        self._look()

    # ---------------------------------------------------------------- actions

    def act(self) -> None:
        """Do one thing, and look what has come of it."""
        try:
            self._act()
        except PlaywrightError as error:
            if _BETWEEN_PAGES not in str(error):
                self._trouble(f"the browser: {error}")

    def _act(self) -> None:
        if self.lost:
            self.tab.close()
            return self.begin()
        if self.chance.random() < 0.12:
            return self._use_browser()
        kinds = [(kind, selector) for kind, (_, selector) in KINDS.items()]
        found = self.page.evaluate(FIND, kinds)
        present = sorted({kind for kind, _ in found})
        if not present:
            return self._noted("open", "/")
        kind = self.chance.choices(present, [KINDS[one][0] for one in present])[0]
        which = self.chance.choice([i for i, (one, _) in enumerate(found) if one == kind])
        with self._action(f"{kind}: {found[which][1]}"):
            node = self.page.evaluate_handle("i => window.cbaiFound[i]", which).as_element()
            if node is not None:
                self._use(kind, node)

    def _use(self, kind: str, node: ElementHandle) -> None:
        chance, keys = self.chance, self.page.keyboard
        if kind in ("slide", "count"):
            node.focus()
            for _ in range(chance.randint(1, 4)):
                keys.press(self._say(chance.choice(_KEYS[kind])))
        elif kind == "choose":
            node.click(timeout=CLICK_MS)
            self.page.wait_for_timeout(SETTLE_MS)
            options = self.page.get_by_role("listbox").get_by_role("option")
            if options.count():
                option = options.nth(chance.randrange(options.count()))
                self._say(option.inner_text(timeout=CLICK_MS))
                option.click(timeout=CLICK_MS)
            else:
                keys.press("Escape")
        elif kind == "pick":
            names = node.evaluate("node => [...node.options].map(one => one.value)")
            node.select_option(self._say(chance.choice(names)), timeout=CLICK_MS)
        elif kind == "write":
            node.fill(self._say(chance.choice(TEXTS)), timeout=CLICK_MS)
            keys.press("Enter")
        elif kind == "point at":
            box = node.bounding_box() or {"width": 2, "height": 2}
            at = {"x": box["width"] * chance.random(), "y": box["height"] * chance.random()}
            node.click(position=at, timeout=CLICK_MS)
        else:
            node.click(timeout=CLICK_MS)

    def _use_browser(self) -> None:
        chance, page = self.chance, self.page
        what = chance.choice(["back", "forward", "reload", "size", "colours", "key", "key", "link"])
        if what == "link":
            path, query = chance.choice(list(PAGES.values())), chance.choice(LINKS)
            return self._noted("open", f"{path}?{urlencode(query)}")
        with self._action(what):
            if what == "back":
                page.go_back(wait_until="domcontentloaded")
            elif what == "forward":
                page.go_forward(wait_until="domcontentloaded")
            elif what == "reload":
                page.reload(wait_until="domcontentloaded")
            elif what == "size":
                width, height = chance.choice([*VIEWPORTS.values(), (800, 600), (1920, 1080)])
                self._say(f"{width} x {height}")
                page.set_viewport_size({"width": width, "height": height})
            elif what == "colours":
                scheme = chance.choice(COLOR_SCHEMES)
                page.emulate_media(color_scheme=self._say(scheme))  # type: ignore[arg-type]
            else:
                page.keyboard.press(self._say(chance.choice(_KEYS["key"])))
            if not page.url.startswith(self.server.url):  # back beyond the first page
                page.goto(self.server.url, wait_until="domcontentloaded")

    def _say(self, detail: str) -> str:
        self.recent[-1] += f" [{detail}]"
        return detail

    # ---------------------------------------------------------------- what is seen

    def _settle(self) -> None:
        """Wait until the page is at rest; stop long work, or now and then leave it running."""
        page = self.page
        begun = seen = time.monotonic()
        page.wait_for_timeout(SETTLE_MS)
        while not page.locator(READY).count():
            page.wait_for_timeout(100)
            now = time.monotonic()
            if self._shows_progress():
                seen = now
                if now - begun > PATIENCE_SECONDS:
                    if self.chance.random() < 0.2:
                        return
                    self._stop()
            if now - seen > LIMIT_SECONDS or now - begun > 5 * LIMIT_SECONDS:
                app = page.get_by_test_id("stApp")
                state = app.get_attribute("data-test-script-state") if app.count() else "nothing"
                return self._trouble(f"not ready after {now - begun:.0f} s: {state}")

    def _shows_progress(self) -> bool:
        bars = self.page.locator('[data-testid="stProgress"], [data-testid="stSpinner"]')
        return bars.count() > 0

    def _stop(self) -> None:
        button = self.page.locator(".st-key-stop button").first
        try:
            button.click(timeout=CLICK_MS)
            self.recent.append("press: Stop")
            self.actions += 1
        except PlaywrightError:
            pass  # done in that moment, or a run that has no such button
        self.page.wait_for_timeout(500)

    def _look(self) -> None:
        shown = self.page.get_by_test_id("stException").all_inner_texts()
        alerts = self.page.get_by_test_id("stAlert").all_inner_texts()
        found = [f"exception shown: {text[:500]}" for text in shown]
        found += [f"alert: {text[:500]}" for text in alerts if _TRACEBACK.search(text)]
        found += self.tab.errors + self._new_in_log()
        self.tab.errors.clear()
        for other in self.page.context.pages:
            if other != self.page:
                other.close()
        for text in found:
            self._trouble(text)

    def _new_in_log(self) -> list[str]:
        text = _COLOURS.sub("", self.server.log.read_text(errors="replace"))
        new, self.log_read = text[self.log_read :], len(text)
        return [f"printed: {new[-3000:]}"] if "Traceback (most recent" in new else []

    def _check_address(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.hostname != "127.0.0.1":
            self.tab.errors.append(f"request that leaves this machine: {address}")

    def _trouble(self, what: str) -> None:
        self.troubles.append(Trouble(what, self.page.url, list(self.recent)))
        self.lost = True

    def measure_heap(self) -> None:
        """Note the JavaScript heap after a collection, in MB."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("HeapProfiler.collectGarbage")
        session.send("Performance.enable")
        metrics = session.send("Performance.getMetrics")["metrics"]
        used = next(one["value"] for one in metrics if one["name"] == "JSHeapUsedSize")
        self.heaps.append(used / 1e6)
        session.detach()


_KEYS = {
    "slide": ["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"],
    "count": ["ArrowUp", "ArrowDown"],
    "key": ["Escape", "Tab", " ", "ArrowRight", "ArrowLeft", "PageDown", "a", "Enter"],
}
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_BETWEEN_PAGES = "Execution context was destroyed"
_TRACEBACK = re.compile(r"Traceback|\b\w+(Error|Exception)\b")
