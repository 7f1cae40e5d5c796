"""Everything that leans on Streamlit's private parts, and nothing else.

What is here may break with any new version of Streamlit. `tests/test_streamlit_parts.py` checks
each part alone, and names the part that broke.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.safe_session_state import SafeSessionState

SEEN_WITH = "1.67.0"
"""The version of Streamlit that all of this was seen to work with."""

__all__ = [
    "SEEN_WITH",
    "DeltaGenerator",
    "Uploads",
    "after_each_upload",
    "drop_from_link",
    "leave_if_unwanted",
    "on_a_page",
    "share_one_lock",
]

# ---------------------------------------------------------------- one lock a session

_LOCKS = [threading.RLock() for _ in range(97)]
"""More than sessions at work at a time. Two that happen to have the same one wait for each other,
for as long as it takes to look something up."""
_begin = SafeSessionState.__init__


def _begin_with_one_lock(self: SafeSessionState, state: Any, *args: Any, **options: Any) -> None:
    _begin(self, state, *args, **options)
    object.__setattr__(self, "_lock", _LOCKS[id(state) % len(_LOCKS)])


def share_one_lock() -> None:
    """Let all runs of a session share one lock; to be called once, before there is a session.

    Streamlit gives each run of a page a lock of its own. When a widget is used again before a run
    has ended, the next run begins in a thread beside it, and both may change the same state. Now
    and then one of them ends in "dictionary changed size during iteration".
    """
    SafeSessionState.__init__ = _begin_with_one_lock  # type: ignore[method-assign]


# ---------------------------------------------------------------- uploaded files


@dataclass(frozen=True)
class Uploads:
    """The uploaded files of all sessions, as Streamlit keeps them in memory."""

    manager: MemoryUploadedFileManager

    def sizes(self) -> dict[tuple[str, str], int]:
        """Return the bytes of each file, by the ids of its session and its own."""
        return {
            (session, file): len(record.data)
            for session, records in list(self.manager.file_storage.items())
            for file, record in list(records.items())
        }

    def remove(self, session_id: str, file_id: str) -> None:
        """Remove a file."""
        self.manager.remove_file(session_id, file_id)


_add_file = MemoryUploadedFileManager.add_file


def after_each_upload(call: Callable[[Uploads, str, str], object]) -> None:
    """Have a function called after each file that comes in; to be called before there are any.

    Parameters
    ----------
    call : callable
        Takes all files, and the ids of the session and of the file that came.
    """

    def add(self: MemoryUploadedFileManager, session_id: str, file: Any) -> None:
        _add_file(self, session_id, file)
        call(Uploads(self), session_id, file.file_id)

    MemoryUploadedFileManager.add_file = add  # type: ignore[method-assign]


# ---------------------------------------------------------------- runs of pages


def on_a_page() -> bool:
    """Return whether a visitor's page is at work in this thread."""
    return get_script_run_ctx() is not None


def leave_if_unwanted() -> None:
    """Let Streamlit end this run of the page, if the visitor has left or asked for another."""
    if on_a_page():
        st.session_state.get("reading")  # reading the state is one of the moments for it


def drop_from_link(names: Iterable[str]) -> None:
    """Take parameters out of the link before a control is made of them.

    By the way that Streamlit itself takes out what it cannot read: it refuses a page that would
    take out a parameter of a control, and fails by itself on an infinity for a whole number.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as query:
        for name in names:
            query.remove_param(name)
        query.set_initial_query_params_from_current()
