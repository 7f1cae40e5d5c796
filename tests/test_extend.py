"""What docs/extend.md says, done literally: all of its recipes, in a copy of the repository.

The blocks of the page are the source. A file that is moved, a line that a change leans on, a place
that the page does not name: each fails here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import effort
from tests.visit import SECONDS, SMALL, Visit

ROOT = Path(__file__).parents[1]
DOC = ROOT / "docs" / "extend.md"
COPIED = ("app.py", "cbai", "data", "docs", "pages", "pyproject.toml", "tests")
BLOCK = re.compile(r"^```(python|diff)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# (\S+\.py)\n")
PART = re.compile(r"^@@ (\S+) @@\n", re.MULTILINE)
FEW = ("trials=100", "trials=3")

NOTICING = (
    "test_adaptive.py::test_any_composition_agrees_with_the_twin",
    "test_algorithm_hints.py",
    "test_algorithms.py::test_the_table_has_the_papers_eight_algorithms_and_those_beyond_it",
    "test_bound_figures.py::test_every_sequence_has_its_own_colour",
    "test_confidence.py",
    "test_datasets.py::test_rows_say_what_they_are",
    "test_families.py::test_every_family_has_a_record_and_no_two_share_a_loop",
    "test_guarantee_words.py::test_one_pull_a_round_may_never_stop",
    "test_lab.py::test_every_known_rule_is_offered_in_words",
    "test_ties.py::test_every_rule_is_played_by_some_loop",
)
"""The tests that the page promises will notice what is missing, as far as they are quick."""


def blocks() -> list[tuple[str, str]]:
    """Return the page's blocks in order, each with its language."""
    return BLOCK.findall(DOC.read_text(encoding="utf-8"))


def changes(diff: str) -> list[tuple[str, str, str]]:
    """Return the parts of a block of changes: the file's name, the old and the new lines."""
    _, *parts = PART.split(diff)
    found = []
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        lines = text.splitlines(keepends=True)
        old = "".join(line[1:] or line for line in lines if not line.startswith("+"))
        new = "".join(line[1:] or line for line in lines if not line.startswith("-"))
        found.append((name, old, new))
    return found


def follow(folder: Path) -> str:
    """Do in a copy of the repository what the page says; return the examples that are run."""
    examples = []
    for language, text in blocks():
        if language == "diff":
            for name, old, new in changes(text):
                file = folder / name
                now = file.read_text(encoding="utf-8")
                assert now.count(old) == 1, f"{name} has {now.count(old)} places like this:\n{old}"
                file.write_text(now.replace(old, new), encoding="utf-8")
        elif named := FILE.match(text):
            file = folder / named[1]
            assert not file.exists(), f"{named[1]} exists already"
            file.write_text(text.removeprefix(named[0]), encoding="utf-8")
        else:
            examples.append(text)
    return "\n".join(examples)


def run(folder: Path, *arguments: str) -> str:
    """Run Python in the copy; in quick tests nothing is compiled, as that takes a minute."""
    options = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    if not effort.full:
        options["NUMBA_DISABLE_JIT"] = "1"
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=os.environ | options, text=True,
        encoding="utf-8", capture_output=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def extended(tmp_path_factory):
    """A copy of the repository in which the page has been followed."""
    folder = tmp_path_factory.mktemp("extended")
    leave_out = shutil.ignore_patterns("__pycache__", "browser", "_build")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=leave_out)
        else:
            shutil.copy(ROOT / name, folder / name)
    (folder / "examples.py").write_text(follow(folder), encoding="utf-8")
    return folder


def test_the_examples_work_once_the_page_has_been_followed(extended):
    few = (extended / "examples.py").read_text(encoding="utf-8").replace(*FEW)
    (extended / "examples.py").write_text(few, encoding="utf-8")
    assert "Elimination(round=" in run(extended, "examples.py")


def test_the_tests_that_would_notice_a_forgotten_file_pass(extended):
    options = ("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header")
    said = run(extended, "-m", "pytest", *options, *(f"tests/{name}" for name in NOTICING))
    assert " passed" in said


def test_the_new_page_opens(extended):
    app = Visit(str(extended / "app.py"), default_timeout=SECONDS)
    for name, value in {"data": "Ad designs (a story)", **SMALL}.items():
        app.query_params[name] = value
    app.begin_at("shares")
    app.run()
    assert not app.exception
    assert app.title[0].value == "Where do the samples go?"
    assert len(app.dataframe) == 1


def test_the_page_has_all_four_recipes():
    text = DOC.read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [
        "A new algorithm", "A new confidence sequence", "A new data set", "A new page",
    ]  # fmt: skip
    new = [FILE.match(block)[1] for language, block in blocks() if FILE.match(block)]
    assert new == [
        "cbai/simulation/loops/doublings.py", "cbai/simulation/families/doublings.py",
        "cbai/datasets/cafes.py", "pages/shares.py",
    ]  # fmt: skip


def test_a_line_that_a_change_leans_on_must_be_there_once(tmp_path):
    for name in {name for language, text in blocks() for name, *_ in changes(text)}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    rows = tmp_path / "cbai" / "simulation" / "rules" / "rows.py"
    rows.write_text(rows.read_text(encoding="utf-8").replace("_ROWS}", "ROWS}"), "utf-8")
    with pytest.raises(AssertionError, match=r"rules/rows.py has 0 places like this"):
        follow(tmp_path)
