"""Everything that relies on private parts of Streamlit, and nothing else.

Any new version of Streamlit may break this module. `tests/test_streamlit_parts.py` checks each part
separately and names the part that broke.
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
from streamlit.web.server.starlette.starlette_gzip_middleware import SelectiveGZipMiddleware

from cbai.ui.runs import streamlit_files

SEEN_WITH = "1.67.0"
"""The version of Streamlit with which all of this is known to work."""

__all__ = [
    "SEEN_WITH",
    "DeltaGenerator",
    "Uploads",
    "after_each_upload",
    "drop_from_link",
    "leave_if_unwanted",
    "on_a_page",
    "serve_small_files",
    "share_one_lock",
]

# ---------------------------------------------------------------- one lock a session

_LOCKS = [threading.RLock() for _ in range(97)]
"""More locks than sessions that run at the same time. Two sessions may share a lock by chance. One
then waits for the other, for the time of one lookup."""
_begin = SafeSessionState.__init__


def _begin_with_one_lock(self: SafeSessionState, state: Any, *args: Any, **options: Any) -> None:
    _begin(self, state, *args, **options)
    object.__setattr__(self, "_lock", _LOCKS[id(state) % len(_LOCKS)])


def share_one_lock() -> None:
    """Let all runs of a session's pages share one lock; to be called once, before any session.

    Streamlit gives each run of a page its own lock. If a widget is used again before a run has
    ended, the next run starts in another thread, and both may change the same state. Sometimes one
    of them then fails with "dictionary changed size during iteration".
    """
    SafeSessionState.__init__ = _begin_with_one_lock  # type: ignore[method-assign]


# ---------------------------------------------------------------- uploaded files


@dataclass(frozen=True)
class Uploads:
    """The uploaded files of all sessions, as Streamlit keeps them in memory."""

    manager: MemoryUploadedFileManager

    def sizes(self) -> dict[tuple[str, str], int]:
        """Return the bytes of each file, by session id and file id."""
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
    """Have a function called after each upload; to be called before there are any.

    Parameters
    ----------
    call : callable
        Takes all files, the session id and the id of the new file.
    """

    def add(self: MemoryUploadedFileManager, session_id: str, file: Any) -> None:
        _add_file(self, session_id, file)
        call(Uploads(self), session_id, file.file_id)

    MemoryUploadedFileManager.add_file = add  # type: ignore[method-assign]


# ---------------------------------------------------------------- Streamlit's own files


def serve_small_files() -> None:
    """Send Streamlit's own files in fewer bytes; to be called once, before most are asked for.

    Streamlit leaves this to a server in front of it and sends 3 MB to each new visitor. It would
    compress a file for every visitor; here each file is compressed once. Only the first visitor of
    a process loads the files as they are, as the app is not running before.
    """
    original = SelectiveGZipMiddleware.__call__

    async def call(self: Any, scope: Any, receive: Any, send: Any) -> None:
        asked = scope["type"] == "http" and scope["method"] == "GET"
        headers = dict(scope.get("headers", ())) if asked else {}
        asked = asked and b"range" not in headers
        takes_gzip = b"gzip" in headers.get(b"accept-encoding", b"")
        found = streamlit_files.answer(str(scope["path"]), takes_gzip) if asked else None
        if found is None:
            await original(self, scope, receive, send)
            return
        told, body = found
        pairs = [(name.encode(), value.encode()) for name, value in told.items()]
        await send({"type": "http.response.start", "status": 200, "headers": pairs})
        await send({"type": "http.response.body", "body": body})

    SelectiveGZipMiddleware.__call__ = call  # type: ignore[method-assign]


# ---------------------------------------------------------------- runs of pages


def on_a_page() -> bool:
    """Return whether this thread runs a visitor's page."""
    return get_script_run_ctx() is not None


def leave_if_unwanted() -> None:
    """Let Streamlit end this run of the page if the visitor has left or used a control."""
    if on_a_page():
        st.session_state.get("reading")  # Streamlit may end a run whenever it reads the state


def drop_from_link(names: Iterable[str]) -> None:
    """Remove parameters from the link before a control is made of them.

    This uses the function by which Streamlit itself removes what it cannot read. A page is not
    allowed to remove a control's parameter, and Streamlit fails on an infinity for a whole number.
    """
    context = get_script_run_ctx()
    if context is None:
        return
    with context.session_state.query_params() as query:
        for name in names:
            query.remove_param(name)
        query.set_initial_query_params_from_current()
