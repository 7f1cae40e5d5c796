"""Read visitors' files in separate processes, where no file can harm other visitors.

One of a few workers (`cbai.datasets.worker`) reads a file, with limited memory and time. Others
wait in turn. If the visitor leaves or uses a control, the worker is ended at once.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from cbai.datasets import worker
from cbai.ui.runs.streamlit_patches import leave_if_unwanted, on_a_page

WORKERS = 2
"""How many files are read at the same time, for all visitors together."""

MEMORY_MB = 300
"""The memory for reading one file, in addition to the 125 MB of an idle worker."""

SECONDS = 60.0
"""The longest time for reading one file."""

BYTES = 100_000_000
"""Most bytes of the files that are read at the same time; a larger file is read alone."""

POLL_SECONDS = 0.05
PATIENCE_SECONDS = 2.0
"""After this time the page says that other files come first."""

TOO_MUCH_MEMORY = (
    f"This file needs more memory than one upload may take ({MEMORY_MB} MB). Use a smaller file."
)
TOO_SLOW = "Reading took longer than {:.0f} s, so it was stopped. Use a smaller file."
BROKE_OFF = (
    "This file could not be read. It is damaged, or its format is not the one in its name. Save it "
    "again and retry."
)

_ALONE = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""One thread, and no memory reserved in advance, as that would count towards the limit."""

P = ParamSpec("P")
T = TypeVar("T")


def run(function: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
    """Return ``function(*args, **options)``, called in a process with limits.

    Parameters
    ----------
    function : callable
        At the top level of a module of `cbai.datasets`.
    *args, **options
        Its arguments. They and the result must be picklable. Read-only arrays of a result stay
        read-only.

    Returns
    -------
    Any

    Raises
    ------
    ValueError
        With the function's own message, or if it takes too much memory or time.

    Notes
    -----
    It ends if the visitor leaves or uses a control: Streamlit's exception for that is passed on.
    The memory limit works on Linux only.
    """
    size = sum(len(one) for one in args if isinstance(one, bytes))
    with _in_turn(size):
        try:
            job = pickle.dumps((function, args, options), protocol=5)
            return _told(*_ask(job))  # type: ignore[no-any-return]
        except MemoryError:
            raise ValueError(TOO_MUCH_MEMORY) from None


def prepare() -> None:
    """Start a worker before the first file comes, unless one is ready; takes a few milliseconds."""
    with _lock:
        if not _ready and not _serving:
            _ready.append(_Worker())


def _told(kind: str, what: Any) -> Any:
    """Return the result in an answer, or raise its error."""
    if kind == "done":
        return what
    raise ValueError(
        {"refused": what, "memory": TOO_MUCH_MEMORY, "late": TOO_SLOW.format(SECONDS)}.get(
            kind, BROKE_OFF
        )
    )


# ---------------------------------------------------------------- workers


class _Worker:
    """A process that reads one file after another."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(Path(worker.__file__)), str(MEMORY_MB)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **_ALONE},
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        _all.append(self)

    def ask(self, job: bytes) -> tuple[str, Any]:
        """Return the answer to a job; "late" after `SECONDS`, "failed" if the process ends."""
        answers: list[tuple[str, Any]] = []
        thread = threading.Thread(target=self._talk, args=(job, answers), daemon=True)
        thread.start()
        end = time.monotonic() + SECONDS
        while thread.is_alive():
            thread.join(POLL_SECONDS)
            if time.monotonic() > end:
                return "late", None
            leave_if_unwanted()
        return answers[0] if answers else ("failed", None)

    def _talk(self, job: bytes, answers: list[tuple[str, Any]]) -> None:
        if self.process.stdin is None or self.process.stdout is None:
            return
        with suppress(OSError, EOFError, pickle.UnpicklingError, ValueError):
            self.process.stdin.write(job)
            self.process.stdin.flush()
            answers.append(pickle.load(self.process.stdout))

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        with suppress(ValueError):
            _all.remove(self)


_lock = threading.Lock()
_all: list[_Worker] = []
_ready: list[_Worker] = []


def _ask(job: bytes) -> tuple[str, Any]:
    """Let a worker do a job, and keep it for the next one if it holds little memory."""
    with _lock:
        one = _ready.pop() if _ready else _Worker()
    good = False
    try:
        answer = one.ask(job)
        good = answer[0] in ("done", "refused") and len(job) < LARGE
        return answer
    finally:
        with _lock:
            good = good and not _ready
            if good:
                _ready.append(one)
        if not good:
            one.end()


LARGE = 2**20
"""A worker that has read a larger job, in bytes, is replaced, as it may hold much memory."""


@atexit.register
def _end_all() -> None:
    for one in list(_all):
        one.end()


# ---------------------------------------------------------------- turns

_waiting: deque[object] = deque()
_serving: dict[object, int] = {}
"""The clients that are served, and the bytes of their files."""


@contextmanager
def _in_turn(size: int) -> Iterator[None]:
    """Wait until earlier clients are served and there is room for a file of `size` bytes."""
    me, since, said = object(), time.monotonic(), None
    _waiting.append(me)
    try:
        while not _begin(me, size):
            leave_if_unwanted()
            if time.monotonic() - since > PATIENCE_SECONDS and on_a_page():
                said = said or st.empty()
                said.caption(_your_place(me))
            time.sleep(POLL_SECONDS)
        if said is not None:
            said.empty()
        yield
    finally:
        with _lock:
            _serving.pop(me, None)
            with suppress(ValueError):
                _waiting.remove(me)


def _begin(me: object, size: int) -> bool:
    """Return whether it is this client's turn; if so, note that it is served."""
    with _lock:
        first = _waiting[0] is me and len(_serving) < WORKERS
        if not first or (_serving and sum(_serving.values()) + size > BYTES):
            return False
        _waiting.popleft()
        _serving[me] = size
        return True


def _your_place(me: object) -> str:
    with _lock:
        ahead = _waiting.index(me) + len(_serving) if me in _waiting else 0
    return f"Files of other visitors are being read. Files ahead of yours: {ahead}."
