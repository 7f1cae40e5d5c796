"""Work that is done once in the app's process, before its first page."""

from __future__ import annotations

import sys

import streamlit as st

from cbai.simulation.warm_up import warm_up
from cbai.ui.runs import held, streamlit_patches

SWITCH_SECONDS = 0.001


@st.cache_resource(show_spinner=False)
def compile_core() -> None:
    """Compile everything that a page needs, unless this machine has done so before.

    Threads that wait for the interpreter's lock ask for it five times sooner than by default,
    because compiled code releases and takes it often.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    streamlit_patches.share_one_lock()
    held.bound_uploads()
    warm_up()
