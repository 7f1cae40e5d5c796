"""One lock for the state of a session, whichever of its runs touches it.

Streamlit gives each run of a page a lock of its own. When a widget is used again before a run has
ended, the next run begins in a thread beside it, and both may change the same state: now and then,
with quick hands on a busy machine, one ends in "dictionary changed size during iteration".
"""

from __future__ import annotations

import threading
from typing import Any

from streamlit.runtime.state.safe_session_state import SafeSessionState

_LOCKS = [threading.RLock() for _ in range(97)]
"""More than sessions at work at a time. Two that happen to have the same one wait for each other,
for as long as it takes to look something up."""
_begin = SafeSessionState.__init__


def _begin_with_one_lock(self: SafeSessionState, state: Any, *args: Any, **options: Any) -> None:
    _begin(self, state, *args, **options)
    object.__setattr__(self, "_lock", _LOCKS[id(state) % len(_LOCKS)])


def share() -> None:
    """Let all runs of a session share one lock; to be called once, before there is a session."""
    SafeSessionState.__init__ = _begin_with_one_lock  # type: ignore[method-assign]
