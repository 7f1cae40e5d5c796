"""The progress of a command."""

from __future__ import annotations

import sys
import time


class Progress:
    """Shows progress on standard error: one changing line, or one line per job in a file."""

    def __init__(self) -> None:
        self.live = sys.stderr.isatty()
        self.last, self.told = "", 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        """Show the progress, but at most every tenth of a second."""
        now = time.monotonic()
        if self.live and now - self.told > 0.1:
            self.told = now
            print(f"\r\x1b[K{what}, {done:,} of {total:,} runs", end="", file=sys.stderr)
        elif not self.live and what != self.last:
            print(f"{what} ...", file=sys.stderr, flush=True)
        self.last = what

    def end(self, text: str) -> None:
        """Clear the changing line and print a text."""
        print("\r\x1b[K" if self.live else "", end="", file=sys.stderr)
        if text:
            print(text, file=sys.stderr, flush=True)
