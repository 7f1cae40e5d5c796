"""Take pictures of every page: ``python -m tests.browser.screenshots FOLDER``."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.app_page import (
    COLOR_SCHEMES,
    PAGES,
    VIEWPORTS,
    AppPage,
    find_chromium,
    launch_chromium,
    running_app,
)


def main(folder: Path) -> None:
    executable = find_chromium()
    if executable is None:
        sys.exit("No Chromium found: install chromium, or set CBAI_CHROMIUM to its path.")
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, running_app() as server:
        browser = launch_chromium(playwright, executable)
        for name, size, scheme in product(PAGES, VIEWPORTS, COLOR_SCHEMES):
            tab = AppPage.new(server, browser, VIEWPORTS[size], scheme)
            target = folder / f"{name}-{size}-{scheme}.png"
            tab.open(PAGES[name]).screenshot(target)
            tab.close()
            print(target)
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python -m tests.browser.screenshots FOLDER")
    main(Path(sys.argv[1]))
