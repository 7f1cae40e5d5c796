"""A process that reads strangers' files for another one: limited memory, one file at a time.

It is started by its path, ``python -P cbai/datasets/worker.py 300``, and imports the readers alone,
not the simulation and its compiler: it is ready in half the time and takes 60 MB less.

Jobs come on the standard input, each a pickle of ``(function, arguments, options)``; answers go to
the standard output, each a pickle of a kind, a key of `KINDS`, and what belongs to it. Both ends
are the same program: nobody else's pickles are ever loaded.
"""

from __future__ import annotations

import os
import pickle
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

KINDS = {
    "done": "the result",
    "refused": "the sentence of a ValueError",
    "memory": "an empty text: the file needs more memory than there is",
    "failed": "an empty text: a reader has raised what it must not; standard error says what",
}
READERS = ("table", "movielens_files", "goodreads_files")
NICENESS = 5
"""How far the process steps back, so that pages answer while it reads."""

Answer = tuple[str, Any]


def main() -> None:
    """Answer one job after the other, until there are no more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not come between the answers
    _readers_only()
    _limit_memory(int(sys.argv[1]))
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    while True:
        try:
            answer = _answer(sys.stdin.buffer)
        except EOFError:
            return
        answers.write(answer)
        answers.flush()


def _answer(jobs: Any) -> bytes:
    """Do the next job, and return its answer as a pickle."""
    try:
        function, arguments, options = pickle.load(jobs)
        return pickle.dumps(_result(function, arguments, options), protocol=5)
    except MemoryError:
        return pickle.dumps(("memory", ""))


def _result(function: Callable[..., Any], arguments: Any, options: Any) -> Answer:
    try:
        return "done", function(*arguments, **options)
    except ValueError as error:
        return "refused", str(error)
    except MemoryError:
        raise
    except Exception:
        traceback.print_exc()
        return "failed", ""


def _readers_only() -> None:
    """Import the readers without what ``cbai`` and ``cbai.datasets`` import besides."""
    here = Path(__file__).parent
    for name, folder in (("cbai", here.parent), ("cbai.datasets", here)):
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    sys.path.insert(0, str(here.parents[1]))
    for reader in READERS:
        import_module(f"cbai.datasets.{reader}")


def _limit_memory(megabytes: int) -> None:
    """Allow so much more memory than is in use now, where the system can (Linux)."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        most = pages * resource.getpagesize() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
