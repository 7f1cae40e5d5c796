"""Ctrl-C and a closed pipe end the command line quietly, whatever it is doing at that moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import cbai
from cbai import __main__ as command_line

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")

ROOT = Path(__file__).parents[1]
AT = """
import os, signal, sys

class At:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            os.kill(os.getpid(), signal.SIGINT)
        return None

sys.meta_path.insert(0, At())
"""
"""Sends the signal when a module is about to be imported: a moment that is the same every time."""


def listens() -> None:
    """Take Ctrl-C as from a terminal, also where the tests run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments, python=(), **environment):
    return subprocess.Popen(
        [sys.executable, *python, "-m", "cbai", *arguments],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=listens, env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize(
    "name",
    ["cbai.datasets", "numpy.random", "pandas.io.json", "numba.core", "cbai.simulation",
     "cbai.__main__", "cbai.commands", "plotly", "cbai.reproduce.command"],
)  # fmt: skip
def test_an_interrupt_while_modules_load_ends_quietly(name, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(AT.format(name=name), encoding="utf-8")
    with start("reproduce", "--help", PYTHONPATH=str(tmp_path)) as process:
        out, said = process.communicate(timeout=100)
    assert out == ""
    assert said == "\nStopped.\n"
    assert process.returncode == command_line.INTERRUPTED


def test_an_interrupt_after_the_work_ends_quietly(tmp_path):
    late = "import atexit, os, signal\natexit.register(os.kill, os.getpid(), signal.SIGINT)\n"
    (tmp_path / "sitecustomize.py").write_text(late, encoding="utf-8")
    with start("--help", PYTHONPATH=str(tmp_path)) as process:
        out, said = process.communicate(timeout=100)
    assert "usage" in out
    assert said == "\nStopped.\n"
    assert process.returncode == command_line.INTERRUPTED


def test_help_into_a_closed_pipe_ends_quietly():
    with start("--help", PYTHONUNBUFFERED="") as process:
        process.stdout.close()
        said = process.stderr.read()
        code = process.wait(timeout=100)
    assert said == ""
    assert code == command_line.PIPE_CLOSED


def test_a_signal_that_is_ignored_stays_ignored(tmp_path):
    """As under nohup, or for a job in the background of a script."""
    ignores = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    name = "cbai.commands"
    (tmp_path / "sitecustomize.py").write_text(ignores + AT.format(name=name), encoding="utf-8")
    with start("--help", PYTHONPATH=str(tmp_path)) as process:
        out, said = process.communicate(timeout=100)
    assert "usage" in out
    assert (said, process.returncode) == ("", 0)


def test_the_library_leaves_the_signal_alone():
    """Whoever imports the library decides what Ctrl-C does."""
    assert signal.getsignal(signal.SIGINT) is not cbai._stop_at_once
