"""The notebook of the docs runs from top to bottom, and what it shows is what it gives."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[1] / "docs" / "notebook.ipynb"


def cells():
    """Return the code of each cell, and the HTML that it shows in the file."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            shown = [output.get("data", {}) for output in cell["outputs"]]
            html = ["".join(data["text/html"]) for data in shown if "text/html" in data]
            yield "".join(cell["source"]), html


def play(code, names):
    """Run a cell as a notebook does, and return the value of its last line."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


@pytest.fixture(scope="module")
def played():
    names: dict[str, object] = {"__name__": "notebook"}
    return [(play(code, names), html) for code, html in cells()]


def test_it_loads_simulates_plots_and_reads_a_table(played):
    kinds = [type(value).__name__ for value, _ in played]
    for kind in ("Problem", "Trials", "DataFrame", "Figure", "Trace"):
        assert kind in kinds


def test_what_it_shows_is_what_it_gives(played):
    ours = [(value, html) for value, html in played if type(value).__module__.startswith("cbai.")]
    shown = [(value, html) for value, html in ours if hasattr(value, "_repr_html_")]
    assert len(shown) >= 4
    for value, html in shown:
        assert html == [value._repr_html_()]


def test_its_own_table_has_no_doubts(played):
    (doubts, report) = next(value for value, _ in played if isinstance(value, tuple))
    assert (doubts, report.ratings, report.people) == ((), 600, 200)
