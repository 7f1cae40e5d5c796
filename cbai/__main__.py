"""The command line: ``cbai``, or ``python -m cbai``. See `cbai.commands`."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable

from cbai import _stop_at_once
from cbai.commands import prepare

INTERRUPTED, PIPE_CLOSED = 130, 141
"""Exit codes as shells give them: 128 plus the number of the signal."""


def main(
    arguments: list[str] | None = None, before_work: Callable[[], None] = lambda: None
) -> None:
    """Run one command; end without a traceback if it is interrupted or its output is closed.

    Parameters
    ----------
    arguments : list of str, optional
        By default those of the process.
    before_work : callable
        Called when everything is loaded.
    """
    try:
        try:
            work = prepare(arguments)
            before_work()
            work()
        finally:  # also after --help, which ends by SystemExit
            sys.stdout.flush()
    except KeyboardInterrupt:
        _say_no_more("\nStopped.")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _say_no_more("")
        sys.exit(PIPE_CLOSED)


def _say_no_more(last: str) -> None:
    """Print a last message, then discard what Python would still write at its end."""
    with contextlib.suppress(OSError):
        print(last, end="\n" if last else "", file=sys.stderr, flush=True)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def start() -> None:
    """Run as a process of its own: Ctrl-C raises KeyboardInterrupt only during the work itself.

    Before and after it, while modules load and while Python ends, Ctrl-C just ends the process.
    """
    stops = signal.getsignal(signal.SIGINT) is _stop_at_once

    def interruptible() -> None:
        if stops:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    try:
        main(before_work=interruptible)
    except KeyboardInterrupt:  # between two lines of these functions
        sys.exit(INTERRUPTED)
    finally:
        if stops:
            signal.signal(signal.SIGINT, _stop_at_once)


if __name__ == "__main__":
    start()
