"""The reference of the docs has every public name, and the paper's table is that of the code."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from pathlib import Path

import pytest

import cbai

DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(scope="module")
def conf():
    """Import the settings of the docs; Sphinx itself is not needed."""
    before = list(sys.path)
    sys.path.insert(0, str(DOCS))
    yield importlib.import_module("conf")
    sys.path[:] = before


ROOMS = {"cbai.datasets.table", "cbai.results.limit"}
"""Packages inside others that are public too; the rest of these are for the library itself."""


def public_packages():
    inside = [f"cbai.{one.name}" for one in pkgutil.iter_modules(cbai.__path__) if one.ispkg]
    named = [name for name in inside if hasattr(importlib.import_module(name), "__all__")]
    return {"cbai", *named, *ROOMS}


def test_every_public_name_is_in_the_reference(conf):
    assert set(conf.PACKAGES) == public_packages()
    for package in conf.PACKAGES:
        page = conf.reference_page(package)
        for name in importlib.import_module(package).__all__:
            assert re.search(rf":: {package}\.{name}$|``{name}`` is :obj:", page, re.MULTILINE)


def test_the_contents_name_every_page(conf, tmp_path):
    conf.build_reference(tmp_path)
    made = {f"reference/{path.stem}" for path in tmp_path.glob("*.md")}
    guides = {path.stem for path in DOCS.glob("*.md")} - {"index"}
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^[\w./-]+$", index, re.MULTILINE)
    assert sorted(listed) == sorted({"notebook", *made, *guides})


def test_the_table_says_what_the_code_does(conf):
    page = conf.paper_table.page()
    rows = re.findall(r"^\| .*\(`(\w+)`\) \|(.*)\|$", page, re.MULTILINE)
    paper = {row.name: row for row in cbai.ALGORITHMS.values() if not row.beyond}
    assert [name for name, _ in rows] == list(paper)
    for name, cells in rows:
        row = paper[name]
        rules = re.findall(r"`~cbai[\w.]*\.(\w+)\.(\w+)`", cells)
        chosen = (row.leader, row.challenger, row.elimination, row.stopping)
        assert rules == [(type(rule).__name__, rule.name) for rule in chosen]


def test_each_rule_of_the_table_links_to_an_entry_below_it(conf):
    page = conf.paper_table.page()
    linked = re.findall(r"`~(cbai[\w.]*)\.\w+`", page)
    described = re.findall(r"^\.\. autoclass:: (.*)$", page, re.MULTILINE)
    assert linked
    assert set(linked) <= set(described)


def test_links_to_pages_elsewhere_lead_to_their_copies(conf):
    source = ["see [speed](../benchmarks/README.md)"]
    conf._links_to_pages_beside(None, "scaling", source)
    assert source == ["see [speed](reference/benchmarks.md)"]
