"""A lecture hall: many raw web-socket sessions open one link, move sliders, and are timed."""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import numpy as np

from benchmarks import hostile
from benchmarks.session import Answer, Session
from cbai.simulation import ALGORITHMS

ROOT = Path(__file__).parents[1]
START_SECONDS, ANSWER_SECONDS = 300, 300
PROBE_SECONDS = 0.5
MOVES = {
    "delta": ("0.2", "0.1", "0.05", "0.02", "0.01", "0.005", "0.001"),
    "p": tuple(step / 20 for step in range(21)),
    "q": tuple(step / 20 for step in range(13)),
    "trials": ("10", "25", "50"),
}
"""Where people move the sliders of the sidebar to, each as often as the other."""

HEAVY = {
    "trials": "1000",
    "budget": "5,000,000",
    "delta": "0.0001",
    "algorithms": [row.title for row in ALGORITHMS.values() if not row.beyond],
    "beyond": [row.title for row in ALGORITHMS.values() if row.beyond],
}
"""The largest run that the sidebar permits."""


@dataclass
class Seen:
    """All that the sessions of a scenario have seen."""

    loads: list[Answer] = field(default_factory=list)
    moves: list[Answer] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    attacks: list[Answer] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def errors(self) -> list[str]:
        """Exceptions shown on a page, and sessions that broke off."""
        shown = [
            error for answer in (*self.loads, *self.moves, *self.attacks) for error in answer.errors
        ]
        return [*shown, *self.failures]


class App:
    """A running app in its own process; it is measured and ended by the number of that process."""

    def __init__(self, process: subprocess.Popen[bytes], address: str) -> None:
        self.process, self.address = process, address

    def memory(self, what: str = "VmRSS") -> float:
        """Return the resident memory in MB: now, or at its highest (VmHWM); nan if not known."""
        try:
            lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        except OSError:
            return float("nan")
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(what))

    def processor_seconds(self) -> float:
        """Return the processor time taken so far; nan if not known."""
        try:
            text = Path(f"/proc/{self.process.pid}/stat").read_text()
        except OSError:
            return float("nan")
        user, system = text.rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def healthy(self) -> bool:
        """Return whether the app answers at all."""
        try:
            with urlopen(f"{self.address}/_stcore/health", timeout=10) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False


@contextmanager
def running_app(script: Path = ROOT / "app.py") -> Iterator[App]:
    """Run the app on a free port of this machine alone; end it afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += ["--server.headless=true"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1"]
    command += ["--server.fileWatcherType=none"]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        try:
            app = App(process, f"http://127.0.0.1:{port}")
            deadline = time.monotonic() + START_SECONDS
            while not app.healthy():
                if process.poll() is not None or time.monotonic() > deadline:
                    log.seek(0)
                    raise RuntimeError(f"The app did not start: {log.read()[-2000:]!r}")
                time.sleep(0.2)
            yield app
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


async def session(
    app: App, options: argparse.Namespace, seed: int, number: int, wait: float, seen: Seen
) -> None:
    """Open the link after a while, and move sliders with pauses between."""
    chance = random.Random(1_000_000 * seed + number)
    await asyncio.sleep(wait)
    query = {"seed": str(seed), "trials": str(options.trials)}
    try:
        async with Session(app.address, options.page, query) as session:
            seen.loads.append(await asyncio.wait_for(session.open(), ANSWER_SECONDS))
            for _ in range(options.moves):
                await asyncio.sleep(chance.uniform(0.5, 1.5) * options.think)
                key = chance.choice([key for key in MOVES if key in session.widgets])
                move = session.move(key, chance.choice(MOVES[key]))
                seen.moves.append(await asyncio.wait_for(move, ANSWER_SECONDS))
    except Exception as error:  # whatever ends a session early is counted and reported
        seen.failures.append(f"session {number}: {type(error).__name__}: {error}")


async def heavy(app: App, number: int) -> None:
    """Ask for the largest run again and again."""
    for turn in range(1_000_000):
        query = HEAVY | {"seed": str(10_000 + 1_000 * number + turn)}
        async with Session(app.address, "samples", query) as session:
            await session.open()


async def attack(app: App, number: int, seen: Seen) -> None:
    """Upload one hostile file after the other; every third time leave before the answer."""
    files = await asyncio.to_thread(hostile.files)
    for turn in range(1_000_000):
        await asyncio.sleep(0.1)
        link, key, name, data = files[(turn + number) % len(files)]
        async with Session(app.address, "data", link) as session:
            await session.open()
            patience = 0.3 if turn % 3 == 2 else ANSWER_SECONDS
            with suppress(TimeoutError):
                answer = session.bring(key, name, data)
                seen.attacks.append(await asyncio.wait_for(answer, patience))


async def scenario(app: App, options: argparse.Namespace, seed: int) -> Seen:
    """Play one wave of sessions, beside as many heavy ones as asked for."""
    seen, start = Seen(), time.perf_counter()
    spoilers = [asyncio.create_task(heavy(app, i)) for i in range(options.heavy)]
    spoilers += [asyncio.create_task(attack(app, i, seen)) for i in range(options.hostile)]
    gap = options.over / max(options.sessions, 1)
    waiting = [5.0 * bool(spoilers) + gap * i for i in range(options.sessions)]
    await asyncio.gather(
        *(session(app, options, seed, i, wait, seen) for i, wait in enumerate(waiting))
    )
    seen.seconds = time.perf_counter() - start
    for spoiler in spoilers:
        if spoiler.done():
            seen.failures.append(f"beside them: {spoiler.exception()!r}")
        spoiler.cancel()
    await asyncio.gather(*spoilers, return_exceptions=True)
    return seen


def table(seen: Seen) -> str:
    """Return the times as a table: median, 95th percentile and the longest, in seconds."""
    lines = ["| what | times | median | 95 % | longest |", "| --- | ---: | ---: | ---: | ---: |"]
    for name, answers in (("link opened", seen.loads), ("slider moved", seen.moves)):
        for until in ("seen", "done"):
            times = [getattr(answer, until) for answer in answers]
            lines.append(row(f"{name}, until {UNTIL[until]}", times))
    if seen.attacks:
        lines.append(
            row("hostile file brought, until answered", [one.done for one in seen.attacks])
        )
    return "\n".join(lines)


UNTIL = {"seen": "the page or its progress shows", "done": "all is complete"}


def row(name: str, times: Sequence[float]) -> str:
    if not times:
        return f"| {name} | 0 | | | |"
    middle, high, longest = np.quantile(times, [0.5, 0.95, 1.0])
    return f"| {name} | {len(times):,} | {middle:.2f} | {high:.2f} | {longest:.2f} |"


def arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--over", type=float, default=20.0, help="seconds in which they come")
    parser.add_argument("--moves", type=int, default=5, help="of sliders, by each session")
    parser.add_argument("--think", type=float, default=3.0, help="mean seconds before a move")
    parser.add_argument("--page", default="", help="the link's page, such as samples")
    parser.add_argument("--trials", type=int, default=25, help="the link's number of runs")
    parser.add_argument("--heavy", type=int, default=0, help="sessions asking for the largest run")
    parser.add_argument("--hostile", type=int, default=0, help="sessions that upload to do harm")
    parser.add_argument("--waves", type=int, default=1, help="each with another seed")
    parser.add_argument("--seed", type=int, default=1, help="of the first wave")
    return parser


def main() -> None:
    options = arguments().parse_args()
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; {vars(options)}")
    with running_app() as app:
        asyncio.run(warm(app, options))
        print(f"Memory before: {app.memory():,.0f} MB")
        for wave in range(options.waves):
            before = app.processor_seconds()
            seen = asyncio.run(scenario(app, options, options.seed + wave))
            print(f"\n{table(seen)}\n")
            print(
                f"Wave {wave + 1}: {len(seen.errors)} errors, {seen.seconds:.0f} s in all, "
                f"{app.processor_seconds() - before:.0f} s of the app's processor time; memory "
                f"{app.memory():,.0f} MB, at most {app.memory('VmHWM'):,.0f} MB; "
                f"load {os.getloadavg()[0]:.1f}"
            )
            for error in seen.errors[:5]:
                print(f"  {error}")


async def warm(app: App, options: argparse.Namespace) -> None:
    """Open the page once, as somebody who prepares a lecture does. The core is then compiled."""
    async with Session(app.address, options.page, {"trials": "10"}) as session:
        await asyncio.wait_for(session.open(), START_SECONDS)


if __name__ == "__main__":
    main()
