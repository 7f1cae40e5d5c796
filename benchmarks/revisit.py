"""Does memory stay? ``python -m benchmarks.revisit --minutes 20``.

Raw web-socket sessions come one after the other, open every page at the same settings, move a
slider there and back, and leave. Nothing they ask for is new after the first round, so the caches
do not grow. Any other growth of memory is a leak.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Iterator, Sequence
from itertools import cycle

import numpy as np

from benchmarks.load import ROOT, App, running_app
from benchmarks.session import Session

QUERY = {"trials": "10", "budget": "20,000"}
MOVES = (0.5, 0.2)
"""Where the slider p is moved."""
PAGES = tuple(path.stem.replace("home", "") for path in sorted((ROOT / "pages").glob("*.py")))


async def visit(app: App, page: str) -> tuple[str, ...]:
    """Open a page, move a slider, leave; return the kinds of the exceptions that were shown."""
    async with Session(app.address, page, QUERY) as session:
        answers = [await session.open()]
        answers += [await session.move("p", value) for value in MOVES]
    return tuple(error for answer in answers for error in answer.errors)


def again_and_again(app: App, minutes: float) -> Iterator[tuple[float, int, float, int]]:
    """Visit all pages in turn; yield minutes, visits, memory in MB and errors after each round."""
    begun, errors = time.monotonic(), 0
    for visits, page in enumerate(cycle(PAGES), start=1):
        errors += len(asyncio.run(visit(app, page)))
        passed = (time.monotonic() - begun) / 60.0
        if visits % len(PAGES) == 0:
            yield passed, visits, app.memory(), errors
            if passed >= minutes:
                return


def report(seen: Sequence[tuple[float, int, float, int]], minutes: float) -> str:
    """Return a table of the memory over ten parts of the time, lowest and highest."""
    lines = ["| minutes | visits so far | memory: least | most |", "| ---: | ---: | ---: | ---: |"]
    for part in np.array_split(np.array(seen), 10):
        if len(part):
            lines.append(
                f"| to {part[-1, 0]:.0f} | {part[-1, 1]:,.0f} | {part[:, 2].min():.0f} MB | "
                f"{part[:, 2].max():.0f} MB |"
            )
    return "\n".join([*lines, f"{seen[-1][3]} errors in {minutes:g} minutes"])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.revisit", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    asked = parser.parse_args()
    with running_app() as app:
        seen = list(again_and_again(app, asked.minutes))
    print(report(seen, asked.minutes))


if __name__ == "__main__":
    main()
