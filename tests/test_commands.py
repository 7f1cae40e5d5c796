"""The commands: what each says of itself, and what they say to input that makes no sense."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from cbai.__main__ import main
from cbai.commands import COMMANDS, app
from cbai.places import shipped

WITHOUT = """
from importlib.machinery import PathFinder

find = PathFinder.find_spec

def find_others(name, path=None, target=None):
    return None if name.partition(".")[0] in {names!r} else find(name, path, target)

PathFinder.find_spec = staticmethod(find_others)
"""
"""Makes packages look as if they were not installed."""


def said(capsys, *arguments):
    with pytest.raises(SystemExit) as end:
        main(list(arguments))
    shown = capsys.readouterr()
    return end.value.code, shown.out, shown.err


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_it_does(name, capsys):
    code, out, err = said(capsys, name, "--help")
    about = COMMANDS[name].about
    assert (code, err) == (0, "")
    assert f"{about[0].upper()}{about[1:]}." in re.sub(r"\s+", " ", out)


def test_help_names_every_command(capsys):
    code, out, _ = said(capsys, "--help")
    assert code == 0
    assert all(f"\n    {name} " in out or f"\n    {name}\n" in out for name in COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "A command is needed: one of app, run, reproduce, warm-up."),
        (["paint"], "The command must be one of app, run, reproduce, warm-up; got 'paint'."),
        (["app", "--port", "0"], "--port must be a whole number from 1 to 65535, got 0."),
        (["app", "--port", "x"], "argument --port: invalid int value: 'x'"),
        (["app", "--address", "192.0.2.1"], "--address must be an .* got '192.0.2.1'."),
        (["app", "--address", "no\nname"], r"--address must be an .* got 'no\\nname'."),
        (["run", "/no/such/file"], "/no/such/file must be a file to read: .*"),
    ],
)
def test_bad_input_is_one_sentence(arguments, message, capsys):
    code, _, err = said(capsys, *arguments)
    assert code == 2
    assert re.search(rf"^cbai[\w -]*: error: {message}$", err, re.MULTILINE)


def test_a_port_that_is_taken_is_said(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code, _, err = said(capsys, "app", "--address", "127.0.0.1", "--port", port)
    assert code == 2
    told = f"--port must be a free port, got {port}, which is in use or not allowed."
    assert f"error: {told}\n" in err


def test_the_app_is_started_as_asked(monkeypatch):
    with socket.socket() as free:
        free.bind(("", 0))
        port = str(free.getsockname()[1])
    started = []
    monkeypatch.setattr(app.runpy, "run_module", lambda *_, **__: started.append(sys.argv))
    monkeypatch.setattr(sys, "argv", ["cbai"])
    main(["app", "--address", "0.0.0.0", "--port", port, "--no-browser"])
    assert started == [
        [
            "streamlit", "run", str(shipped("app.py")), "--server.address", "0.0.0.0",
            "--server.port", port, "--server.headless", "true",
        ]
    ]  # fmt: skip


def without(names, tmp_path, *arguments):
    """Run a command where some packages are missing."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT.format(names=names), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "cbai", *arguments], check=False, capture_output=True, text=True,
        cwd=Path(__file__).parents[1], env={"PYTHONPATH": str(tmp_path), "PATH": ""},
    )  # fmt: skip


EXTRAS = ("streamlit", "plotly", "kaleido", "orjson")


@pytest.mark.parametrize("name", ["run", "warm-up"])
def test_the_core_is_enough_for_what_draws_nothing(name, tmp_path):
    ended = without(EXTRAS, tmp_path, name, "--help")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(("name", "missing"), [("app", "streamlit"), ("reproduce", "kaleido")])
def test_a_missing_package_is_said_with_its_remedy(name, missing, tmp_path):
    ended = without((missing,), tmp_path, name)
    assert ended.returncode == 2
    assert f"needs {missing}. Install what is missing with: pip install 'cbai[" in ended.stderr
