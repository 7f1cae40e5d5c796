"""Work that is done once in the app's process, before its first page."""

from __future__ import annotations

import sys
import threading
import time

import streamlit as st

from cbai.simulation.warm_up import warm_up
from cbai.ui.runs import held, streamlit_patches

SWITCH_SECONDS = 0.001
QUIET_SECONDS = 1.5
"""How long compiling may take before it is shown: with stored machine code it takes a second."""

LOOK_SECONDS = 0.2


class _Compiling:
    """The compilation of this process, in a thread of its own: every page that waits can see it."""

    def __init__(self) -> None:
        self.done, self.total = 0, 1
        self.error: BaseException | None = None
        self.over = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            warm_up(self._report)
        except BaseException as error:
            self.error = error
        self.over.set()

    def _report(self, done: int, total: int) -> None:
        self.done, self.total = done, total


@st.cache_resource(show_spinner=False)
def prepare() -> None:
    """Set up the process.

    Threads that wait for the interpreter's lock ask for it five times sooner than by default,
    because compiled code releases and takes it often.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    streamlit_patches.share_one_lock()
    streamlit_patches.serve_small_files()
    held.bound_uploads()


@st.cache_resource(show_spinner=False)
def _compiling() -> _Compiling:
    return _Compiling()


def compile_core() -> None:
    """Wait until everything that a page needs is compiled, and show how far it is."""
    work, begun = _compiling(), time.monotonic()
    bar = st.empty()  # in every run: what follows would otherwise move, and lose its focus
    while not work.over.wait(LOOK_SECONDS):
        if time.monotonic() - begun > QUIET_SECONDS:
            bar.progress(
                work.done / work.total,
                f"Compiling the simulation: {work.done} of {work.total} parts are ready. This is "
                "done once on this machine.",
            )
    bar.empty()
    if work.error is not None:
        raise work.error
