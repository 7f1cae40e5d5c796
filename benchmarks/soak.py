"""Use the app at random for a long time: ``python -m benchmarks.soak --minutes 30 --seed 1``.

Starts the app on loopback, opens it in headless Chromium, clicks around, and ends with the exit
code 1 if anything went wrong: an exception or a traceback on the page or in what the app prints, an
error of the page or in its console, a request that leaves this machine, a page that does not come
to rest. The memory of both sides is measured as it goes.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from benchmarks.visitor import Trouble, Visitor
from tests.browser.app_page import AppServer, find_chromium, launch_chromium, running_app

MEASURE_SECONDS = 20.0
PARTS = 6
WARM_UP = 0.2
"""The share of the time in which memory may grow: code and data are loaded, caches fill."""


def resident_mb(pid: int) -> float:
    """Return the memory that a process holds, in MB; not a number where there is no /proc."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024 / 1e6


def slope_per_ten_minutes(seconds: Sequence[float], values: Sequence[float]) -> float:
    """Return the slope of the line of least squares; not a number for fewer than two values."""
    if len(seconds) < 2:
        return float("nan")
    return float(np.polyfit(seconds, values, 1)[0]) * 600.0


@dataclass
class Soak:
    """The results.

    Attributes
    ----------
    seconds, resident : list of float
        When it was measured, since the start, and the app's memory in MB.
    """

    minutes: float
    seconds: list[float] = field(default_factory=list)
    resident: list[float] = field(default_factory=list)
    visitors: list[Visitor] = field(default_factory=list)

    @property
    def actions(self) -> int:
        return sum(visitor.actions for visitor in self.visitors)

    @property
    def troubles(self) -> list[Trouble]:
        return [trouble for visitor in self.visitors for trouble in visitor.troubles]

    def summary(self) -> str:
        """Say in some lines how it went."""
        warm = next(
            (i for i, at in enumerate(self.seconds) if at >= WARM_UP * self.minutes * 60), 0
        )
        slope = slope_per_ten_minutes(self.seconds[warm:], self.resident[warm:])
        split = np.array_split(self.resident, PARTS)
        parts = [f"{part.mean():,.0f}" for part in split if part.size]
        lines = [
            f"{self.actions:,} actions in {self.minutes:g} minutes, "
            f"{len(self.troubles)} errors, {len(self.visitors)} pages",
            f"the app's memory: {self.resident[0]:,.0f} MB at the start, "
            f"{self.resident[warm]:,.0f} MB after warm-up ({self.seconds[warm] / 60:.1f} minutes), "
            f"{self.resident[-1]:,.0f} MB at the end, at most {max(self.resident):,.0f} MB; "
            f"after warm-up {slope:+,.0f} MB in 10 minutes",
            f"its mean in each of {PARTS} equal parts of the time: {', '.join(parts)} MB",
        ]
        for visitor in self.visitors:
            lines.append(
                f"JavaScript heap of {visitor.name}: {visitor.heaps[0]:,.0f} MB at the start, "
                f"{visitor.heaps[-1]:,.0f} MB at the end, at most {max(visitor.heaps):,.0f} MB"
            )
        return "\n".join(lines)


def soak(
    server: AppServer,
    browser: Browser,
    minutes: float,
    seed: int,
    pages: int = 2,
    quick: bool = False,
    again: int = 0,
) -> Soak:
    """Let some visitors take turns at a running app.

    Parameters
    ----------
    server : AppServer
    browser : Browser
    minutes : float
    seed : int
        The same seed begins with the same actions; later ones depend on what is shown when.
    pages : int
        How many visitors.
    quick : bool
        Whether they begin with few runs.
    again : int
        After this many actions each visitor leaves, and another one does the same, as far as the
        machine is equally quick; 0 for never. Hardly anything is then new, so the caches do not
        grow.
    """
    run = Soak(minutes)
    begun = time.monotonic()

    def chance(i: int) -> random.Random:
        return random.Random(seed * 1000 + i)

    run.visitors = [
        Visitor(f"page {i + 1}", server, browser, chance(i), quick) for i in range(pages)
    ]
    due = 0.0
    while True:
        now = time.monotonic() - begun
        over = now >= minutes * 60
        if now >= due or over:
            run.seconds.append(now)
            run.resident.append(resident_mb(server.process.pid))
            for visitor in run.visitors:
                visitor.measure_heap()
            due = now + MEASURE_SECONDS
        if over or server.process.poll() is not None:
            break
        for i, visitor in enumerate(run.visitors):
            visitor.act()
            if again and visitor.actions % again == 0:
                visitor.come_again(chance(i))
    for visitor in run.visitors:
        visitor.tab.close()
    return run


def report(run: Soak) -> None:
    """Print how it went: each error once, with what led to it the first time."""
    often = Counter(trouble.what for trouble in run.troubles)
    first = {trouble.what: trouble for trouble in reversed(run.troubles)}
    for what, times in often.most_common():
        print(f"\n{times} x {what}\n  at {first[what].address}\n  after:")
        for action in first[what].actions:
            print(f"    {action}")
    print("\n" + run.summary())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pages", type=int, default=2, help="how many visitors take turns")
    parser.add_argument("--quick", action="store_true", help="begin with few runs")
    parser.add_argument(
        "--again", type=int, default=0, help="do the same again after so many actions; 0: never"
    )
    asked = parser.parse_args()
    executable = find_chromium()
    if executable is None:
        sys.exit("No Chromium found: install chromium, or set CBAI_CHROMIUM to its path.")
    with sync_playwright() as playwright, running_app() as server:
        browser = launch_chromium(playwright, executable)
        run = soak(
            server, browser, asked.minutes, asked.seed, asked.pages, asked.quick, asked.again
        )
        died = server.process.poll()
        browser.close()
    report(run)
    if died is not None:
        print(f"The app ended by itself, with the code {died}.")
    return 1 if run.troubles or died is not None else 0


if __name__ == "__main__":
    sys.exit(main())
