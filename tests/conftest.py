"""What all tests share: how much they try, see `tests.effort`."""

from __future__ import annotations

import os
import platform
import time
from datetime import date

import pytest
from hypothesis import settings

from tests import effort

for name, max_examples in (("quick", 30), ("full", 100)):
    settings.register_profile(
        name, deadline=None, derandomize="CI" in os.environ, max_examples=max_examples
    )


STARTED = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--full", action="store_true", help="try everything at full numbers: half an hour or more"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[STARTED] = time.monotonic()
    effort.full = config.getoption("--full")
    settings.load_profile("full" if effort.full else "quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked `full` unless asked for; begin and end with the browser's tests.

    Two workers get a half each of the list: one then begins in the browser, which waits more
    than it computes, beside the other's computing, and they change places halfway.
    """
    if not effort.full:
        left_out = [item for item in items if item.get_closest_marker("full")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("full")]
    in_browser = [item for item in items if "browser" in item.path.parts]
    others = [item for item in items if "browser" not in item.path.parts]
    half = len(in_browser) // 2
    items[:] = in_browser[:half] + others + in_browser[half:]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print a row for the table of ``docs/tests.md`` after a run at full numbers."""
    if not effort.full:
        return
    counts = [
        f"{len(terminalreporter.stats[kind]):,} {kind}"
        for kind in ("passed", "failed", "error", "skipped")
        if terminalreporter.stats.get(kind)
    ]
    minutes = (time.monotonic() - config.stash[STARTED]) / 60.0
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    terminalreporter.write_line(
        f"| {date.today()} | {machine} | {', '.join(counts)} | {minutes:.0f} |"
    )
