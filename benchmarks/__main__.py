"""Measure the speed of everything in one run: ``python -m benchmarks``."""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import os
import platform
from pathlib import Path

from benchmarks import measure
from cbai.simulation import find

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- results: begin -->", "<!-- results: end -->"


def machine() -> str:
    """Say on what it was measured, and when."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        named = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = named[0].partition(":")[2].strip() if named else model
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ("numba", "numpy")
    )
    return (
        f"{datetime.date.today():%d %B %Y}: {model}, {os.cpu_count()} processors{load}; "
        f"{platform.system()}, Python {platform.python_version()}, {versions}."
    )


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table, its columns after the first aligned to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def rate_table() -> str:
    kernel, plain = measure.rates()
    rows = []
    for name, ours in kernel.items():
        row = [find(name).title, f"{ours.median:,.0f}", f"{ours.best:,.0f}"]
        if name in plain:
            theirs = plain[name]
            row += [
                f"{theirs.median:,.0f}",
                f"{theirs.best:,.0f}",
                f"{ours.median / theirs.median:,.0f} ({ours.best / theirs.best:,.0f})",
            ]
        rows.append(row + [""] * (6 - len(row)))
    head = ["algorithm", "cbai", "best", "plain NumPy", "best", "ratio (of the best)"]
    return table(head, rows)


def report() -> str:
    """Measure everything and return it as Markdown."""
    where = machine()
    starts = [
        [name, f"{start.wall:.1f} s", f"{start.processor:.1f} s"]
        for name, start in measure.starts().items()
    ]
    rates = rate_table()
    costs = [[name, f"{1e3 * seconds:.2f} ms"] for name, seconds in measure.costs().items()]
    seconds = measure.threads()
    speed_up = [
        [str(n), f"{wall:.2f} s", f"{seconds[1] / wall:.2f}"] for n, wall in seconds.items()
    ]
    parts = [
        where,
        f"Samples per second of one thread's processor time, median of {measure.REPEATS} repeats:",
        rates,
        "A fresh process:",
        table(["what", "by the clock", "processor time"], starts),
        "What goes with a trial:",
        table(["what", "processor time"], costs),
        "`simulate`, 200 trials each of LUCB and C-LUCB, best of three:",
        table(["threads", "by the clock", "speed-up"], speed_up),
    ]
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--no-write", action="store_true", help="leave benchmarks/README.md as is")
    chosen = parser.parse_args()
    text = report()
    print(text)
    if not chosen.no_write:
        before, rest = README.read_text(encoding="utf-8").split(BEGIN)
        after = rest.split(END)[1]
        README.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
