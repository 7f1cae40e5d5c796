"""Whatever happens while a file is written, it is whole afterwards: the old one or the new one."""

from __future__ import annotations

import errno
import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cbai import __main__ as command_line
from cbai import files
from tests.visit import ROOT

OLD, NEW = b"the old one", b"the new one" * 100_000
STEPS = ["mkstemp", "write", "fsync", "chmod", "replace"]


def no_space(*_, **__):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class FullDisk:
    """A file that takes half of what it is given."""

    def __init__(self, number, mode):
        self.file = open(number, mode)  # noqa: SIM115

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, content):
        self.file.write(content[: len(content) // 2])
        no_space()


def plant(monkeypatch, step):
    """Let one step of writing fail."""
    if step == "write":
        monkeypatch.setattr(files.os, "fdopen", FullDisk)
    elif step == "mkstemp":
        monkeypatch.setattr(files.tempfile, "mkstemp", no_space)
    else:
        monkeypatch.setattr(files.os, step, no_space)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("old", [OLD, None])
def test_a_failure_at_any_step_leaves_the_old_file_and_nothing_else(
    tmp_path, monkeypatch, step, old
):
    path = tmp_path / "table.csv"
    if old is not None:
        path.write_bytes(old)
    plant(monkeypatch, step)
    with pytest.raises(OSError, match="No space"):
        files.write(path, NEW)
    assert [one.name for one in tmp_path.iterdir()] == ([] if old is None else ["table.csv"])
    assert old is None or path.read_bytes() == old


def test_a_file_is_replaced_and_keeps_its_permissions_and_its_link(tmp_path):
    path, link = tmp_path / "table.csv", tmp_path / "link.csv"
    files.write(path, OLD)
    usual = tmp_path / "usual"
    usual.touch()
    assert path.stat().st_mode == usual.stat().st_mode
    path.chmod(0o600)
    link.symlink_to(path)
    files.write(link, NEW)
    assert path.read_bytes() == NEW
    assert path.stat().st_mode & 0o777 == 0o600
    assert link.is_symlink()


KILLED = """
import os, signal, sys
from pathlib import Path
from cbai import files
step = sys.argv[2]
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
setattr(os, step, die)
files.write(Path(sys.argv[1]), b"the new one" * 100_000)
"""


@pytest.mark.parametrize("step", ["fdopen", "fsync", "chmod", "replace"])
def test_a_process_that_is_killed_leaves_the_old_file_whole(tmp_path, step):
    path = tmp_path / "table.csv"
    path.write_bytes(OLD)
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), step], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_bytes() == OLD
    assert all(one.name.endswith(files.SUFFIX) for one in tmp_path.iterdir() if one != path)


WRITTEN_ELSEWHERE = re.compile(r"\.write_(bytes|text|image|html)\(|open\([^)]*[\"'][wax]b?[\"']")


def test_nothing_writes_files_but_the_one_function():
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "cbai").rglob("*.py")
        if path.name != "files.py" and WRITTEN_ELSEWHERE.search(path.read_text("utf-8"))
    }
    assert found == set()


def reproduce(out, *more):
    return [
        "reproduce",
        "--only",
        "fig1,table4",
        "--trials",
        "2",
        "--csv",
        "--out",
        str(out),
        *more,
    ]


@pytest.mark.parametrize("which", [1, 2])
def test_a_disk_that_fills_up_leaves_the_tables_of_the_last_run(
    tmp_path, monkeypatch, capsys, which
):
    for name in ("fig1", "table4"):
        (tmp_path / f"{name}.csv").write_bytes(OLD)
    calls, replace = [], os.replace

    def sometimes(*paths):
        calls.append(paths)
        if len(calls) == which:
            no_space()
        replace(*paths)

    monkeypatch.setattr(files.os, "replace", sometimes)
    with pytest.raises(SystemExit) as caught:
        command_line.main(reproduce(tmp_path))
    assert caught.value.code not in (0, None)
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert "--out must have room" in said
    assert "No space left" in said
    kept = [(tmp_path / f"{name}.csv").read_bytes() == OLD for name in ("fig1", "table4")]
    assert kept == [which == 1, True]
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("arguments", [[], ["--only", "fig1"]])
def test_a_folder_that_takes_no_file_is_said_before_anything_is_computed(
    tmp_path, monkeypatch, capsys, arguments
):
    def compute(*_, **__):
        raise AssertionError

    monkeypatch.setattr("cbai.reproduce.command.run", compute)
    monkeypatch.setattr(files.tempfile, "NamedTemporaryFile", no_space)
    with pytest.raises(SystemExit):
        command_line.main(["reproduce", "--out", str(tmp_path), *arguments])
    assert "--out must be a folder to write to" in capsys.readouterr().err


def test_a_result_that_cannot_be_written_is_refused_before(tmp_path):
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    with pytest.raises(ValueError, match=r"--out must be a file to write.*it is a folder"):
        files.check_file("--out", folder)
    with pytest.raises(ValueError, match=r"--out must be a file to write"):
        files.check_file("--out", Path("/proc/nowhere.csv"))
    with pytest.raises(ValueError, match=r"--out must be a folder to write to"):
        files.check_folder("--out", Path("/proc/nowhere"))


def limited():
    """Let no file of this process grow beyond 10 kB, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))


def test_a_disk_that_is_truly_full_ends_in_one_sentence(tmp_path):
    (tmp_path / "fig1.csv").write_bytes(OLD)
    wrong = "from cbai import files\nfrom pathlib import Path\nimport sys\n"
    wrong += "files.write(Path(sys.argv[1]), b'x' * 20_000)"
    done = subprocess.run(
        [sys.executable, "-c", wrong, str(tmp_path / "fig1.csv")],
        cwd=ROOT, preexec_fn=limited, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "OSError" in done.stderr
    assert (tmp_path / "fig1.csv").read_bytes() == OLD
    assert len(list(tmp_path.iterdir())) == 1


def listens():
    """Take Ctrl-C as from a terminal, also where the tests run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-u", "-m", "cbai", *arguments],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listens,
    )  # fmt: skip


def test_a_pipe_that_closes_ends_without_a_traceback(tmp_path):
    with start(*reproduce(tmp_path)) as process:
        process.stdout.close()
        said = process.stderr.read()
        code = process.wait(timeout=100)
    assert "Traceback" not in said
    assert code == command_line.PIPE_CLOSED


def test_an_interrupt_ends_without_a_traceback(tmp_path):
    with start("reproduce", "--trials", "1000", "--csv", "--out", str(tmp_path)) as process:
        first = process.stderr.readline()  # it is at work
        process.send_signal(signal.SIGINT)
        said = first + process.stderr.read()
        code = process.wait(timeout=100)
    assert "Traceback" not in said
    assert said.endswith("Stopped.\n")
    assert code == command_line.INTERRUPTED
