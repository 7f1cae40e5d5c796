"""Read strangers' files in processes of their own, so that no file harms other visitors.

A file is read by one of a few workers (`cbai.datasets.worker`) with limited memory and time. Others
wait in turn. When the visitor leaves or uses a control, the worker is ended at once.
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
"""How many files are read at a time, for all visitors together."""

MEMORY_MB = 300
"""What reading one file may take, beyond the 125 MB of a worker that has nothing to do."""

SECONDS = 60.0
"""How long reading one file may take."""

BYTES = 100_000_000
"""Bytes of the files that are read at a time; a larger one is read alone."""

POLL_SECONDS = 0.05
PATIENCE_SECONDS = 2.0
"""After so long it is said that others are served first."""

TOO_MUCH_MEMORY = (
    f"This file needs more memory than one upload may take ({MEMORY_MB} MB). Bring a smaller one."
)
TOO_SLOW = "Reading took longer than {:.0f} s, so it was stopped. Bring a smaller file."
BROKE_OFF = (
    "This file could not be read: it is damaged, or it is not what its name says. "
    "Save it once more and try again."
)

_ALONE = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}
"""One thread, and no memory that is set aside unused: it would count as taken."""

P = ParamSpec("P")
T = TypeVar("T")


def run(function: Callable[P, T], /, *args: P.args, **options: P.kwargs) -> T:
    """Return ``function(*args, **options)``, worked out in a process with limits.

    Parameters
    ----------
    function : callable
        At the top level of a module of `cbai.datasets`.
    *args, **options
        What it is called with; they and the result must be picklable. A result's read-only arrays
        stay read-only.

    Returns
    -------
    Any

    Raises
    ------
    ValueError
        In one sentence: what the function says, or that it takes too much memory or time.

    Notes
    -----
    A visitor who leaves, or uses a control meanwhile, ends it: Streamlit's exception for that goes
    through. The limit of memory holds on Linux only.
    """
    size = sum(len(one) for one in args if isinstance(one, bytes))
    with _in_turn(size):
        try:
            job = pickle.dumps((function, args, options), protocol=5)
            return _told(*_ask(job))  # type: ignore[no-any-return]
        except MemoryError:
            raise ValueError(TOO_MUCH_MEMORY) from None


def prepare() -> None:
    """Start a worker ahead of the first file, unless one is ready; takes a few milliseconds."""
    with _lock:
        if not _ready and not _serving:
            _ready.append(_Worker())


def _told(kind: str, what: Any) -> Any:
    """Return the result of an answer, or raise what it says."""
    if kind == "done":
        return what
    raise ValueError(
        {"refused": what, "memory": TOO_MUCH_MEMORY, "late": TOO_SLOW.format(SECONDS)}.get(
            kind, BROKE_OFF
        )
    )


# ---------------------------------------------------------------- workers


class _Worker:
    """A process that reads one file after the other."""

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
        """Return the answer to a job, "late" after `SECONDS`, "failed" if the process ends."""
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
        """End the process, whatever it does."""
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
    """Let a worker do a job; it is kept for the next one if it is as good as new."""
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
"""A worker that has read a larger file is replaced, as it may hold much memory."""


@atexit.register
def _end_all() -> None:
    for one in list(_all):
        one.end()


# ---------------------------------------------------------------- turns

_waiting: deque[object] = deque()
_serving: dict[object, int] = {}
"""Who is served, and how many bytes their files have."""


@contextmanager
def _in_turn(size: int) -> Iterator[None]:
    """Wait until those who came before are served and there is room for a file of `size` bytes."""
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
    """Whether it is this one's turn; it is being served from then on."""
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
