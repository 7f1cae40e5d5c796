"""A bounded pool of threads, shared fairly: sessions are served in turn."""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st

NICENESS = 5
"""The niceness of the threads: pages must answer while all processors work on trials."""


class FairThreadPool(ThreadPoolExecutor):
    """A pool that takes one task from each client in turn.

    A client is the thread that submits; a session has one at a time. Tasks of the same thread
    start in the order in which they were submitted. A client behind n others waits for at most one
    task of each, however many tasks the others have submitted.

    Parameters
    ----------
    threads : int
        How many tasks run at a time.
    """

    def __init__(self, threads: int) -> None:
        super().__init__(threads, thread_name_prefix="trials", initializer=_step_back)
        self._turns = threading.Lock()
        self._queues: dict[int, deque[tuple[Future[Any], Callable[[], Any]]]] = {}

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Queue a task behind the other tasks of this thread."""
        future: Future[Any] = Future()
        task = future, partial(fn, *args, **kwargs)
        with self._turns:
            super().submit(
                self._serve
            )  # one call per task; each serves the client whose turn it is
            self._queues.setdefault(threading.get_ident(), deque()).append(task)
        return future

    def _serve(self) -> None:
        future, work = self._next()
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    def _next(self) -> tuple[Future[Any], Callable[[], Any]]:
        with self._turns:
            owner = next(iter(self._queues))
            queue = self._queues.pop(owner)
            task = queue.popleft()
            if queue:
                self._queues[owner] = queue  # behind all other clients
        return task


def _step_back() -> None:
    """Lower this thread's priority; on Linux only, where a thread can have its own."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


@st.cache_resource(show_spinner=False)
def executor() -> FairThreadPool:
    """Return the one pool of threads that all sessions share."""
    return FairThreadPool(os.cpu_count() or 1)
