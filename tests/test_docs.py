"""Every Python block in README.md and docs/ runs, in order, with few trials."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import cbai
from cbai.simulation.bounds.confidence import CONFIDENCE

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE = re.compile(r"# (pages/\w+\.py)\n")
NAVIGATION = re.compile(r"^st\.Page\(.*\),$", re.MULTILINE)
FEW = {"trials=100": "trials=6", "trials=50": "trials=3", "first in (0, 50)": "first in (0, 3)"}
HAS_DASK = importlib.util.find_spec("distributed") is not None


def blocks(path: Path) -> list[str]:
    """Return the Python blocks of a page as they stand there, but with fewer trials."""
    found = BLOCK.findall(path.read_text(encoding="utf-8"))
    for many, few in FEW.items():
        found = [block.replace(many, few) for block in found]
    return found


@pytest.fixture
def tables_restored():
    """Undo what an example adds to the library's tables."""
    before = [(table, dict(table)) for table in (CONFIDENCE, cbai.DATASETS)]
    yield
    for table, rows in before:
        table.clear()
        table.update(rows)


def test_the_pages_have_examples():
    assert sum(len(blocks(path)) for path in PAGES) >= 10


@pytest.mark.usefixtures("tables_restored")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_examples_run(path):
    names: dict[str, object] = {"__name__": "example"}
    for block in blocks(path):
        needs_dask = "from dask" in block
        if not PAGE.match(block) and (HAS_DASK or not needs_dask):
            exec(compile(block, path.name, "exec"), names)


def test_the_example_page_runs_in_the_app(tmp_path):
    text = (ROOT / "docs" / "extend.md").read_text(encoding="utf-8")
    page = next(block for block in blocks(ROOT / "docs" / "extend.md") if PAGE.match(block))
    name, line = PAGE.match(page)[1], NAVIGATION.search(text)[0]
    shutil.copytree(ROOT / "pages", tmp_path / "pages")
    (tmp_path / name).write_text(page, encoding="utf-8")
    app = (ROOT / "app.py").read_text(encoding="utf-8")
    (tmp_path / "app.py").write_text(
        app.replace("        ],\n", f"            {line}\n        ],\n", 1), "utf-8"
    )

    test = AppTest.from_file(str(tmp_path / "app.py"), default_timeout=120)
    test.query_params["trials"] = "10"
    test.run()
    test.switch_page(name).run()
    assert not test.exception
    assert test.title[0].value == "Where do the samples go?"
    assert len(test.dataframe) == 1
