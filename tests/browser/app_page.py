"""Start the app, open it in Chromium, and know when a page is ready.

Used by the browser tests and by ``python -m tests.browser.screenshots``.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

ROOT = Path(__file__).resolve().parents[2]

PAGES = {"home": "/"} | {
    path.stem: f"/{path.stem}"
    for path in sorted((ROOT / "pages").glob("*.py"))
    if path.stem != "home"
}
"""Each page's name and its path."""

VIEWPORTS = {"desktop": (1440, 900), "phone": (390, 844)}
COLOR_SCHEMES = ("light", "dark")

READY = (
    '[data-testid="stApp"][data-test-connection-state="CONNECTED"]'
    '[data-test-script-state="notRunning"]'
)
SETTLE_MS = 150
"""How long an event may take to reach the server, and so how long idle must last to count."""

START_SECONDS = 60
IDLE_SECONDS = 90

CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # All tabs are in one process, which keeps the scripts that it has compiled.
    "--process-per-site",
    # Scripts come from the same machine: to compile them while they arrive only costs time.
    "--disable-features=ScriptStreaming",
]


STILL = """addEventListener("DOMContentLoaded", () => {
  const style = document.createElement("style");
  style.id = "still";
  style.textContent = "*, *::before, *::after { animation-duration: 1ms !important;" +
    "animation-iteration-count: 1 !important; transition-duration: 1ms !important }";
  document.head.append(style);
});"""
"""Ends what Streamlit animates at once: drawing it takes an eighth of a page's processor time."""


def find_chromium() -> str | None:
    """Return the path of the Chromium to use: CBAI_CHROMIUM if set, else the first on the path.

    The headless shell comes first: it needs a quarter less processor time than the whole browser.
    """
    named = os.environ.get("CBAI_CHROMIUM")
    if named:
        return shutil.which(named)
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


def launch_chromium(playwright: Playwright, executable: str) -> Browser:
    return playwright.chromium.launch(executable_path=executable, args=CHROMIUM_FLAGS)


def new_context(browser: Browser, viewport: tuple[int, int], color_scheme: str) -> BrowserContext:
    """Return a new browser profile of a size (width and height in pixels) and colour scheme."""
    width, height = viewport
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=color_scheme,  # type: ignore[arg-type]
    )
    context.add_init_script(STILL)
    return context


class AppServer:
    """A running app: its address, and what it has printed."""

    def __init__(self, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
        self.process = process
        self.url = f"http://127.0.0.1:{port}"
        self.log = log

    def log_tail(self, characters: int = 4000) -> str:
        return self.log.read_text(errors="replace")[-characters:]

    def wait_until_healthy(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            try:
                with urlopen(f"{self.url}/_stcore/health", timeout=2) as answer:
                    if answer.status == 200:
                        return
            except (URLError, OSError):
                time.sleep(0.1)
        raise RuntimeError(f"The app did not start. It printed:\n{self.log_tail()}")

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@contextmanager
def running_app(script: Path = ROOT / "app.py") -> Iterator[AppServer]:
    """Run the app without a browser window on a free loopback port; end it afterwards."""
    port = _free_port()
    command = [
        sys.executable, "-m", "streamlit", "run", str(script),
        "--server.address", "127.0.0.1",
        "--server.port", str(port),
        "--server.headless", "true",
        "--server.fileWatcherType", "none",
    ]  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="cbai-app-", ignore_cleanup_errors=True) as folder:
        log = Path(folder) / "app.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=output
            )
        server = AppServer(process, port, log)
        try:
            server.wait_until_healthy()
            yield server
        finally:
            server.stop()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class AppPage:
    """One browser tab on the app. `page` is Playwright's own object, for everything else."""

    server: AppServer
    context: BrowserContext
    page: Page
    shares_context: bool = False
    errors: list[str] = field(default_factory=list)

    @classmethod
    def new(
        cls,
        server: AppServer,
        browser: Browser,
        viewport: tuple[int, int] = VIEWPORTS["desktop"],
        color_scheme: str = "light",
    ) -> AppPage:
        """Open an empty tab of the given size and colour scheme in a profile of its own."""
        return cls._in(server, new_context(browser, viewport, color_scheme))

    @classmethod
    def beside(cls, server: AppServer, context: BrowserContext) -> AppPage:
        """Open an empty tab in a profile that other tabs use too: it has loaded the app before."""
        tab = cls._in(server, context)
        tab.shares_context = True
        return tab

    @classmethod
    def _in(cls, server: AppServer, context: BrowserContext) -> AppPage:
        tab = cls(server, context, context.new_page())
        tab.page.on("pageerror", lambda error: tab.errors.append(f"page error: {error}"))
        tab.page.on("console", tab._on_console)
        return tab

    def open(self, path: str = "/", query: Mapping[str, str] | None = None) -> AppPage:
        """Go to a page of the app and wait until it is complete and free of errors."""
        address = self.server.url + path + (f"?{urlencode(query)}" if query else "")
        self.page.goto(address, wait_until="domcontentloaded")
        self.wait_idle()
        self.wait_drawn()
        self.assert_no_errors()
        return self

    def wait_drawn(self, seconds: float = IDLE_SECONDS) -> None:
        """Wait until every control is on the page, as those that are not yet hold no value."""
        self.page.wait_for_function(
            """() => !document.querySelector('[data-testid^="stSkeleton"]')""",
            timeout=seconds * 1000,
        )
        self.page.wait_for_timeout(SETTLE_MS)

    def wait_idle(self, seconds: float = IDLE_SECONDS) -> None:
        """Wait until the script has finished; call it after every click or change."""
        deadline = time.monotonic() + seconds
        self.page.wait_for_timeout(SETTLE_MS)
        while True:
            left = deadline - time.monotonic()
            try:
                self.page.wait_for_selector(READY, state="attached", timeout=max(1, left * 1000))
            except PlaywrightTimeout:
                raise AssertionError(
                    f"{self.page.url} was not ready after {seconds:g} s. "
                    f"The app printed:\n{self.server.log_tail()}"
                ) from None
            self.page.wait_for_timeout(SETTLE_MS)
            if self.page.locator(READY).count():
                return

    def assert_no_errors(self) -> None:
        """Check that neither the script, the page nor the console has reported an error."""
        exceptions = self.page.get_by_test_id("stException").all_inner_texts()
        problems = self.errors + [f"exception shown: {text}" for text in exceptions]
        assert not problems, (
            f"{self.page.url}: " + "; ".join(problems) + f"\nThe app printed:\n"
            f"{self.server.log_tail()}"
        )

    def show_all(self) -> None:
        """Make the window as high as the page, so that nothing needs to be scrolled to."""
        size = self.page.viewport_size
        assert size is not None
        # The page scrolls inside the app, so a taller window is needed, not a longer document.
        height = self.page.evaluate(
            """() => Math.max(...[
                 "[data-testid=stMain]",
                 "[data-testid=stSidebar][data-collapsed=false] [data-testid=stSidebarContent]",
               ].map(part => document.querySelector(part)?.scrollHeight ?? 0))"""
        )
        self.page.set_viewport_size({**size, "height": max(size["height"], int(height))})
        self.wait_idle()
        self.page.wait_for_timeout(500)  # figures are drawn again in the new size

    def screenshot(self, path: Path) -> None:
        """Write a picture of the page in its full height, as a PNG file."""
        size = self.page.viewport_size
        assert size is not None
        self.show_all()
        self.page.screenshot(path=path)
        self.page.set_viewport_size(size)

    def close(self) -> None:
        """Close the tab; in a profile that is shared, forget what the app has stored there."""
        if not self.shares_context:
            self.context.close()
            return
        if not self.page.is_closed():
            if self.page.url.startswith(self.server.url):
                self.page.evaluate("localStorage.clear()")
            self.page.close()
        self.context.clear_cookies()

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type != "error":
            return
        address = message.location.get("url", "")
        # On a page below the root the client first looks for the server under the page's address.
        looking_for_server = "/_stcore/" in address and address.count("/") > 4
        if not (looking_for_server and "404" in message.text):
            self.errors.append(f"console error: {message.text} ({address})")
