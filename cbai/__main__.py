"""The command line: ``python -m cbai`` with ``warm-up``, ``reproduce`` or ``run``."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import time

from cbai import _stop_at_once
from cbai.reproduce import command, repeat
from cbai.simulation.warm_up import warm_up

INTERRUPTED, PIPE_CLOSED = 130, 141
"""Exit codes as shells give them: 128 and the number of the signal."""


def main(arguments: list[str] | None = None) -> None:
    """Run one command; end without a traceback when it is interrupted or nobody reads on."""
    try:
        try:
            _run(arguments)
        finally:  # also after --help, which ends by SystemExit
            sys.stdout.flush()
    except KeyboardInterrupt:
        _say_no_more("\nStopped.")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        _say_no_more("")
        sys.exit(PIPE_CLOSED)


def _say_no_more(last: str) -> None:
    """Say a last word, then send to nowhere what Python still holds and writes at its end."""
    with contextlib.suppress(OSError):
        print(last, end="\n" if last else "", file=sys.stderr, flush=True)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())


def _run(arguments: list[str] | None) -> None:
    parser = argparse.ArgumentParser(prog="python -m cbai", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("warm-up", help="compile the simulation core ahead of its first use")
    reproduce = commands.add_parser(
        "reproduce", help="compute the paper's tables and figures, beside its own numbers"
    )
    command.add_arguments(reproduce)
    run = commands.add_parser("run", help="repeat a run that was saved as JSON, and compare")
    repeat.add_arguments(run)
    options = parser.parse_args(arguments)
    if options.command == "warm-up":
        _warm_up()
        return
    try:
        if options.command == "reproduce":
            command.main(options)
        elif repeat.main(options) == repeat.DIFFERENT:
            sys.exit(repeat.DIFFERENT)
    except ValueError as error:
        {"reproduce": reproduce, "run": run}[options.command].error(str(error))


def _warm_up() -> None:
    print("Compiling the simulation core (some twenty seconds the first time) ...", flush=True)
    start = time.perf_counter()
    warm_up()
    print(f"Ready after {time.perf_counter() - start:.1f} s.")


def _main_of_the_process() -> None:
    """Let Ctrl-C raise KeyboardInterrupt during the command; before and after it just ends."""
    stops = signal.getsignal(signal.SIGINT) is _stop_at_once
    try:
        if stops:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        main()
    except KeyboardInterrupt:  # between two lines of this function
        sys.exit(INTERRUPTED)
    finally:
        if stops:
            signal.signal(signal.SIGINT, _stop_at_once)


if __name__ == "__main__":
    _main_of_the_process()
