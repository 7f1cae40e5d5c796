"""Every Python block in README.md and docs/ runs, in order, with few trials.

Those of ``docs/extend.md`` change the library, so `tests.test_extend` follows them in a copy.
"""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "extend.md"),
]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FEW = {"trials=100": "trials=6", "trials=50": "trials=3", "first in (0, 50)": "first in (0, 3)"}
HAS_DASK = importlib.util.find_spec("distributed") is not None


def blocks(path: Path) -> list[str]:
    """Return the Python blocks of a page as they stand there, but with fewer trials."""
    found = BLOCK.findall(path.read_text(encoding="utf-8"))
    for many, few in FEW.items():
        found = [block.replace(many, few) for block in found]
    return found


def test_the_pages_have_examples():
    assert sum(len(blocks(path)) for path in PAGES) >= 10


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_examples_run(path):
    names: dict[str, object] = {"__name__": "example"}
    for block in blocks(path):
        needs_dask = "from dask" in block
        if HAS_DASK or not needs_dask:
            exec(compile(block, path.name, "exec"), names)
