"""A bounded pool of threads, shared fairly: those who ask are served in turn."""

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
"""How far the threads step back, so that pages answer while all processors work on trials."""


class FairThreadPool(ThreadPoolExecutor):
    """Threads that take one task of each who asks, then the next one of each, and so on.

    Who asks is the thread that submits: a session has one at a time. Tasks of the same thread
    start in the order in which they were submitted. One who waits behind n others waits for one
    task of each at most, whatever else those have submitted.

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
        """Queue a task behind the others of this thread."""
        future: Future[Any] = Future()
        task = future, partial(fn, *args, **kwargs)
        with self._turns:
            super().submit(self._serve)  # as many as there are tasks, whoever they then serve
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
                self._queues[owner] = queue  # behind all others
        return task


def _step_back() -> None:
    """Let other threads go first; on Linux, where a thread can have a priority of its own."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


@st.cache_resource(show_spinner=False)
def executor() -> FairThreadPool:
    """Return the one pool of threads that all sessions share and that serves them in turn."""
    return FairThreadPool(os.cpu_count() or 1)
