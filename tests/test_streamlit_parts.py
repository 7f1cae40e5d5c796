"""Streamlit's private parts are still as the app takes them; if not, this says which has changed.

A new version of Streamlit may break `cbai.ui.runs.streamlit_patches`. Look here first.
"""

from __future__ import annotations

import ast
import gzip
import importlib
import logging
import re
import sys
import threading
import tomllib
from contextlib import suppress
from pathlib import Path

import pytest
import streamlit
from packaging.requirements import Requirement
from streamlit.testing.v1 import AppTest

from tests.visit import ROOT, visit

PRIVATE = {
    "streamlit.delta_generator": ("DeltaGenerator",),
    "streamlit.runtime.memory_uploaded_file_manager": ("MemoryUploadedFileManager",),
    "streamlit.runtime.scriptrunner": ("get_script_run_ctx",),
    "streamlit.runtime.state.safe_session_state": ("SafeSessionState",),
    "streamlit.web.server.starlette.starlette_gzip_middleware": ("SelectiveGZipMiddleware",),
}
"""What the app imports of Streamlit beyond `import streamlit`."""

PATCHES = Path("cbai/ui/runs/streamlit_patches.py")
CODE = [ROOT / "app.py", *ROOT.glob("pages/*.py"), *ROOT.glob("cbai/**/*.py")]
STYLES = [*CODE, *ROOT.glob("cbai/**/*.css"), *ROOT.glob("cbai/**/*.js")]
BUNDLE = Path(streamlit.__file__).parent / "static" / "static" / "js"
ROUNDS, KEYS = 400, 60


def changed(part):
    from cbai.ui.runs.streamlit_patches import SEEN_WITH

    return (
        f"Streamlit {streamlit.__version__} has changed {part}. The app was seen to work with "
        f"{SEEN_WITH}; mend {PATCHES.name}, and then SEEN_WITH."
    )


# ---------------------------------------------------------------- what there is


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module, names in PRIVATE.items() for name in names]
)
def test_what_is_imported_is_there(module, name):
    try:
        there = hasattr(importlib.import_module(module), name)
    except ImportError:
        there = False
    assert there, f"Streamlit {streamlit.__version__} has no {module}.{name}: mend {PATCHES}"


def test_the_version_it_was_seen_with_is_one_that_may_be_installed():
    from cbai.ui.runs.streamlit_patches import SEEN_WITH

    lines = (ROOT / "requirements.txt").read_text().splitlines()
    needed = next(Requirement(line) for line in lines if line.startswith("streamlit"))
    assert needed.specifier.contains(SEEN_WITH)
    assert needed.specifier.contains(streamlit.__version__)


def beyond_the_public(path):
    """Return the modules of Streamlit that a file imports, or reaches by their names."""
    for one in ast.walk(ast.parse(path.read_text())):
        if isinstance(one, ast.ImportFrom) and (one.module or "").startswith("streamlit."):
            yield one.module
        elif isinstance(one, ast.Import):
            yield from (name.name for name in one.names if name.name.startswith("streamlit."))
        elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
            private = one.attr.startswith("_") or one.attr in ("runtime", "delta_generator")
            if one.value.id in ("st", "streamlit") and private:
                yield f"streamlit.{one.attr}"


def test_one_file_alone_leans_on_private_parts():
    used = {path.relative_to(ROOT): {*beyond_the_public(path)} for path in CODE}
    used = {path: names for path, names in used.items() if names}
    assert [path.name for path in used] == [PATCHES.name], used
    assert set().union(*used.values()) == set(PRIVATE)


def selectors():
    text = "\n".join(path.read_text() for path in STYLES)
    ids = re.findall(r"data-testid\^?=\\?[\"'](\w+)", text)
    classes = re.findall(r"(?<![\w$`])\.(st[A-Z]\w+)(?= *[{.,:\[ ])", text)
    return sorted({*ids, *classes})


def test_styles_and_scripts_name_parts_of_the_page_that_there_are():
    bundle = "\n".join(path.read_text(errors="replace") for path in BUNDLE.glob("*.js"))
    known = {*re.findall(r"\bst[A-Z]\w*", bundle)}
    named = selectors()
    assert len(named) > 15
    known |= {name for name in named if re.search(rf"[\"'`]{name}[\"'`]", bundle)}
    missing = [name for name in named if not any(one.startswith(name) for one in known)]
    assert not missing, changed(f"the names of parts of the page: {missing}")


def test_the_page_says_whether_its_script_runs():
    """The race waits for it (`race.js`)."""
    bundle = "\n".join(path.read_text(errors="replace") for path in BUNDLE.glob("*.js"))
    for name in ("test-script-state", "notRunning"):
        assert name in bundle, changed(f"how a page says that its script runs: {name}")


# ---------------------------------------------------------------- one lock a session


@pytest.fixture
def one_lock(monkeypatch):
    from streamlit.runtime.state.safe_session_state import SafeSessionState

    from cbai.ui.runs import streamlit_patches

    monkeypatch.setattr(SafeSessionState, "__init__", SafeSessionState.__init__)  # put back later
    streamlit_patches.share_one_lock()


def new_session():
    from streamlit.runtime.state.session_state import SessionState

    return SessionState()


def state_of_a_run(session):
    from streamlit.runtime.state.safe_session_state import SafeSessionState

    return SafeSessionState(session, lambda: None)


def test_all_runs_of_a_session_share_a_lock_and_most_sessions_have_another(one_lock):
    sessions = [new_session() for _ in range(30)]
    locks = [state_of_a_run(session)._lock for session in sessions]
    assert [state_of_a_run(session)._lock for session in sessions] == locks
    assert len(set(map(id, locks))) > 10


def test_the_state_is_not_touched_without_the_lock(one_lock):
    session = new_session()
    run, other = state_of_a_run(session), threading.Event()
    with run._lock:
        thread = threading.Thread(target=lambda: ("key" in run, other.set()))
        thread.start()
        waited = not other.wait(0.2)
    thread.join()
    assert waited, changed("the lock of a session's state")


def test_two_runs_at_once_are_no_error(one_lock):
    logging.getLogger("streamlit").setLevel(logging.ERROR)
    session, errors = new_session(), []

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


def test_the_app_shares_the_lock_and_bounds_uploads(monkeypatch):
    from cbai.ui.runs import held, startup, streamlit_patches

    done = []
    monkeypatch.setattr(streamlit_patches, "share_one_lock", lambda: done.append("lock"))
    monkeypatch.setattr(streamlit_patches, "serve_small_files", lambda: done.append("files"))
    monkeypatch.setattr(held, "bound_uploads", lambda: done.append("uploads"))
    startup.prepare.clear()
    assert not visit("glossary").exception
    assert done == ["lock", "files", "uploads"]
    startup.prepare.clear()


# ---------------------------------------------------------------- Streamlit's own files


def answer_of(path, accepts, monkeypatch, method="GET"):
    """Return the start and the body of an answer, or "passed on" if Streamlit answers itself."""
    import asyncio

    from cbai.ui.runs import streamlit_patches

    async def original(self, scope, receive, send):
        await send("passed on")

    patched = streamlit_patches.SelectiveGZipMiddleware
    monkeypatch.setattr(patched, "__call__", original)
    streamlit_patches.serve_small_files()
    sent = []

    async def send(message):
        sent.append(message)

    headers = [(b"accept-encoding", accepts)]
    scope = {"type": "http", "method": method, "path": path, "headers": headers}
    asyncio.run(patched.__call__(None, scope, None, send))
    return sent


def test_scripts_are_sent_compressed_to_those_who_take_it(monkeypatch):
    script = max(BUNDLE.glob("index.*.js"), key=lambda path: path.stat().st_size)
    start, body = answer_of(f"/static/js/{script.name}", b"gzip, br", monkeypatch)
    headers = dict(start["headers"])
    assert headers[b"content-encoding"] == b"gzip"
    assert gzip.decompress(body["body"]) == script.read_bytes()
    assert int(headers[b"content-length"]) == len(body["body"]) < script.stat().st_size / 2
    again = answer_of(f"/static/js/{script.name}", b"gzip", monkeypatch)
    assert again[1]["body"] is body["body"]


@pytest.mark.parametrize(
    ("path", "accepts", "method"),
    [
        ("/static/js/no-such-file.js", b"gzip", "GET"),
        ("/static/js/../../index.html", b"gzip", "GET"),
        ("/static/js/..%2f..%2fconfig.js", b"gzip", "GET"),
        ("/", b"gzip", "HEAD"),
        ("/race", b"gzip", "GET"),
        ("/static/media/no-such-font.woff2", b"gzip", "GET"),
        ("/_stcore/health", b"gzip", "GET"),
        ("/static/js/SCRIPT", b"identity", "GET"),
        ("/static/js/SCRIPT", b"gzip", "HEAD"),
    ],
)
def test_everything_else_is_left_to_streamlit(path, accepts, method, monkeypatch):
    script = next(BUNDLE.glob("index.*.js")).name
    path = path.replace("SCRIPT", script)
    assert answer_of(path, accepts, monkeypatch, method) == ["passed on"]


# ---------------------------------------------------------------- uploaded files


def test_each_upload_is_seen_and_can_be_removed(monkeypatch):
    from streamlit.runtime.memory_uploaded_file_manager import (
        MemoryUploadedFileManager,
    )
    from streamlit.runtime.uploaded_file_manager import UploadedFileRec

    from cbai.ui.runs import streamlit_patches

    monkeypatch.setattr(MemoryUploadedFileManager, "add_file", MemoryUploadedFileManager.add_file)
    came = []

    def see(uploads, session, file):
        came.append((session, file, uploads.sizes()))

    streamlit_patches.after_each_upload(see)
    manager = MemoryUploadedFileManager("/upload")
    record = UploadedFileRec(file_id="1", name="a.csv", type="", data=b"12345")
    manager.add_file("a", record)
    assert came == [("a", "1", {("a", "1"): 5})], changed("where uploaded files are kept")
    uploads = streamlit_patches.Uploads(manager)
    uploads.remove("a", "1")
    assert uploads.sizes() == {}
    assert manager.get_files("a", ["1"]) == [], changed("how uploaded files are removed")


# ---------------------------------------------------------------- runs of pages


def page(script, **query):
    app = AppTest.from_function(script)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, app.exception
    return app


def test_a_run_of_a_page_is_told_from_a_thread_of_ones_own():
    def script():
        import streamlit as st

        from cbai.ui.runs.streamlit_patches import on_a_page

        st.text(on_a_page())

    from cbai.ui.runs.streamlit_patches import leave_if_unwanted, on_a_page

    assert not on_a_page()
    leave_if_unwanted()
    assert page(script).text[0].value == "True", changed("how a run of a page is known")


def test_a_run_that_nobody_wants_any_more_ends_when_it_asks():
    def script():
        import streamlit as st
        from streamlit.runtime.scriptrunner import get_script_run_ctx

        from cbai.ui.runs.streamlit_patches import leave_if_unwanted

        leave_if_unwanted()
        asked = []
        state = get_script_run_ctx().session_state
        usual = state._yield_callback
        object.__setattr__(state, "_yield_callback", lambda: asked.append(1))
        leave_if_unwanted()
        object.__setattr__(state, "_yield_callback", usual)
        st.text(len(asked))

    assert page(script).text[0].value != "0", changed("where a run of a page can be ended")


def test_a_parameter_is_dropped_before_its_control_is_made():
    def script():
        import streamlit as st

        from cbai.ui.runs.streamlit_patches import drop_from_link

        if "begun" not in st.session_state:
            st.session_state["begun"] = True
            drop_from_link(["bad"])
        st.number_input("bad", 0, 10, 3, key="bad", bind="query-params")
        st.number_input("good", 0, 10, 3, key="good", bind="query-params")

    app = page(script, bad="inf", good="7")
    said = changed("how it takes parameters out of a link")
    assert [one.value for one in app.number_input] == [3, 7], said
    assert "bad" not in app.query_params, said
    drop = importlib.import_module("cbai.ui.runs.streamlit_patches").drop_from_link
    drop(["bad"])  # outside of a page it does nothing


def test_garbage_is_not_collected_after_every_run_of_a_page():
    from streamlit import config

    chosen = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["runner"]
    assert chosen == {"postScriptGC": False}
    try:
        config.get_option("runner.postScriptGC")
    except RuntimeError:
        pytest.fail(changed("its setting runner.postScriptGC"))
