"""How far a command is."""

from __future__ import annotations

import sys
import time


class Progress:
    """Tells on standard error how far it is: one line that changes, or one a job if not shown."""

    def __init__(self) -> None:
        self.live = sys.stderr.isatty()
        self.last, self.told = "", 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        """Tell it, if it has not just been told."""
        now = time.monotonic()
        if self.live and now - self.told > 0.1:
            self.told = now
            print(f"\r\x1b[K{what}, {done:,} of {total:,} runs", end="", file=sys.stderr)
        elif not self.live and what != self.last:
            print(f"{what} ...", file=sys.stderr, flush=True)
        self.last = what

    def end(self, text: str) -> None:
        """Leave the line that changes, and say something."""
        print("\r\x1b[K" if self.live else "", end="", file=sys.stderr)
        if text:
            print(text, file=sys.stderr, flush=True)
