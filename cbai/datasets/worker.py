"""A process that reads strangers' files for another one: limited memory, one file at a time.

It is started by its path, ``python -P cbai/datasets/worker.py 300``. It imports only the readers,
not the simulation and its compiler. So it is ready in half the time and takes 60 MB less.

Jobs come on the standard input. Each is a pickle of ``(function, arguments, options)``. Answers go
to the standard output. Each is a pickle of a key of `KINDS` and the value that the key describes.
Both ends are the same program, so no foreign pickle is ever loaded.
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
    "failed": "an empty text: a reader raised an unexpected error, which is on standard error",
}
READERS = ("table", "movielens_files", "goodreads_files")
NICENESS = 5
"""The niceness of the process: pages must answer while it reads."""

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
    """Import the readers without the other imports of ``cbai`` and ``cbai.datasets``."""
    here = Path(__file__).parent
    for name, folder in (("cbai", here.parent), ("cbai.datasets", here)):
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    sys.path.insert(0, str(here.parents[1]))
    for reader in READERS:
        import_module(f"cbai.datasets.{reader}")


def _limit_memory(megabytes: int) -> None:
    """Limit the memory to this much more than is in use now, where the system can (Linux)."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
        most = pages * resource.getpagesize() + megabytes * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main()
