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

_COMPILED = threading.Event()
_COMPILING = threading.Lock()


@st.cache_resource(show_spinner=False)
def prepare() -> None:
    """Set up the process.

    Threads that wait for the interpreter's lock ask for it five times sooner than by default,
    because compiled code releases and takes it often.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    streamlit_patches.share_one_lock()
    held.bound_uploads()


def compile_core() -> None:
    """Compile everything that a page needs, unless that is done; show how far it is."""
    if _COMPILED.is_set():
        return
    bar = st.empty()
    begun = time.monotonic()

    def report(done: int, total: int) -> None:
        if time.monotonic() - begun > QUIET_SECONDS:
            bar.progress(
                done / total,
                f"Compiling the simulation: {done} of {total} parts are ready. This is done once "
                "on this machine.",
            )

    with _COMPILING:
        if not _COMPILED.is_set():
            warm_up(report)
            _COMPILED.set()
    bar.empty()
