"""Two runs of one session do not change its state at the same time."""

from __future__ import annotations

import logging
import sys
import threading
from contextlib import suppress

import pytest
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState

from cbai.ui import startup, state_lock
from tests.visit import visit

ROUNDS, KEYS = 400, 60


@pytest.fixture
def one_lock(monkeypatch):
    monkeypatch.setattr(SafeSessionState, "__init__", SafeSessionState.__init__)  # put back later
    state_lock.share()


def state_of_a_run(session):
    return SafeSessionState(session, lambda: None)


def test_all_runs_of_a_session_share_a_lock_and_most_sessions_have_another(one_lock):
    sessions = [SessionState() for _ in range(30)]
    locks = [state_of_a_run(session)._lock for session in sessions]
    assert [state_of_a_run(session)._lock for session in sessions] == locks
    assert len(set(map(id, locks))) > 10


def test_two_runs_at_once_are_no_error(one_lock):
    logging.getLogger("streamlit").setLevel(logging.ERROR)
    session, errors = SessionState(), []

    def run(name):
        state = state_of_a_run(session)
        try:
            for i in range(ROUNDS):
                keys = [f"{name} {i % 7} {k}" for k in range(KEYS)]
                for key in keys:
                    state[key] = i
                state.on_script_will_rerun(None)
                for key in keys:
                    with suppress(KeyError):  # the other run has taken it for one of its own
                        del state[key]
        except Exception as error:
            errors.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=run, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert errors == []


def test_the_app_shares_the_lock(monkeypatch):
    shared = []
    monkeypatch.setattr(state_lock, "share", lambda: shared.append(True))
    startup.compile_core.clear()
    assert not visit("glossary").exception
    assert shared
    startup.compile_core.clear()
