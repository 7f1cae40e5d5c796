"""How soon does a new visitor see Home? ``python -m benchmarks.first_paint``.

The app is started on loopback. New visitors, with nothing kept, open the start page in headless
Chromium: some on loopback as it is, some on a slow line. The clock runs until the headline is
drawn, and until the picture is.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

from playwright.sync_api import Browser, sync_playwright

from tests.browser.app_page import VIEWPORTS, find_chromium, launch_chromium, new_context
from tests.browser.app_page import running_app as started

MEGABITS, LATENCY_MS = 1.6, 50
LONGEST_MS = 60_000


def visit(browser: Browser, url: str, *, slow: bool) -> tuple[float, float, float]:
    """Return the seconds to the headline and to the picture, and the kilobytes loaded by HTTP."""
    context = new_context(browser, VIEWPORTS["desktop"], "light")
    page = context.new_page()
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    sizes: list[int] = []
    line.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    if slow:
        speed = MEGABITS * 1e6 / 8
        told = {"latency": LATENCY_MS, "downloadThroughput": speed, "uploadThroughput": speed}
        line.send("Network.emulateNetworkConditions", {"offline": False, **told})
    begun = time.monotonic()
    page.goto(f"{url}/", wait_until="commit")
    page.get_by_role("heading", level=1).wait_for(timeout=LONGEST_MS)
    headline = time.monotonic() - begun
    page.locator("svg text").first.wait_for(timeout=LONGEST_MS)
    picture = time.monotonic() - begun
    page.wait_for_timeout(1500)
    context.close()
    return headline, picture, sum(sizes) / 1000.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_paint", description=__doc__)
    parser.add_argument("--visits", type=int, default=5, help="on each of the two lines")
    visits = parser.parse_args().visits
    print(f"load {os.getloadavg()[0]:.1f} at the start; medians of {visits} new visitors\n")
    print(
        "| line | headline | picture | slowest picture | kB |\n| --- | ---: | ---: | ---: | ---: |"
    )
    with started() as server, sync_playwright() as playwright:
        browser = launch_chromium(playwright, find_chromium())
        visit(browser, server.url, slow=False)  # the app itself starts with its first visitor
        for slow in (False, True):
            seen = [visit(browser, server.url, slow=slow) for _ in range(visits)]
            headline, picture, size = (
                statistics.median(column) for column in zip(*seen, strict=True)
            )
            name = f"{MEGABITS} Mbit/s, {LATENCY_MS} ms" if slow else "loopback"
            slowest = max(one[1] for one in seen)
            print(
                f"| {name} | {headline:.2f} s | {picture:.2f} s | {slowest:.2f} s | {size:,.0f} |"
            )


if __name__ == "__main__":
    main()
