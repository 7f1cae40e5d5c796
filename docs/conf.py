"""How Sphinx builds the docs: the guides as they are, and a reference of every public name.

The reference is written into ``docs/reference`` first, from what the packages call public.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

import paper_table  # noqa: E402 (beside this file)

import cbai  # noqa: E402 (from the checkout)

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "cbai"
author = copyright = "The cbai authors"
version = release = cbai.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}
html_theme = "furo"
html_title = f"cbai {version}"
exclude_patterns = ["_build"]

nb_execution_mode = "off"  # a test plays the notebook
myst_heading_anchors = 3
autodoc_default_options = {"members": True}
autodoc_typehints = "none"  # the docstrings say it, with shapes and units
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True
default_role = "py:obj"
suppress_warnings = ["ref.python"]  # two things are called Elimination: a rule, and an event

PACKAGES = (
    "cbai",
    "cbai.simulation",
    "cbai.results",
    "cbai.results.limit",
    "cbai.problem",
    "cbai.datasets",
    "cbai.datasets.table",
    "cbai.reproduce",
)
"""The packages with public names, in the order of the reference."""

BESIDE = {"benchmarks.md": "benchmarks/README.md", "data.md": "data/README.md"}
"""Pages that stand elsewhere in the repository, by what they are called in the docs."""


TABLES = {
    "ALGORITHMS": "Name to `Algorithm`, in the order of the paper; those beyond it follow.",
    "BUDGET_ALGORITHMS": "Name to `BudgetAlgorithm`, for ``simulate(..., budget=n)``.",
    "CONFIDENCE": "Name to confidence sequence.",
    "DATASETS": "Name to `Dataset`, in the order shown in the app.",
    "EXPERIMENTS": "Id to `Experiment`, in the order of the paper.",
    "MAX_SAMPLES": "The samples that a trial may take at most, unless told otherwise.",
}
"""What the public tables and numbers hold."""


def build_reference(folder: Path) -> None:
    """Write the reference: the table of algorithms, and a page for each package."""
    folder.mkdir(exist_ok=True)
    for package in PACKAGES:
        write(folder / f"{package}.md", reference_page(package))
    write(folder / "algorithms.md", paper_table.page())
    for name, place in BESIDE.items():
        write(folder / name, (ROOT / place).read_text(encoding="utf-8"))


def write(path: Path, text: str) -> None:
    """Write a page, unless it is there as it should be: then Sphinx need not read it again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def reference_page(package: str) -> str:
    """Return a page with every public name of a package."""
    module = importlib.import_module(package)
    lines = [f"# {package}", "", "```{eval-rst}"]
    for name in sorted(module.__all__, key=lambda name: (name.isupper(), name)):
        lines += [*_directive(package, name, getattr(module, name)), ""]
    return "\n".join([*lines, "```", ""])


def _directive(package: str, name: str, value: object) -> list[str]:
    """Return what documents one name; a name that a package before has too is shown there only."""
    first = next(one for one in PACKAGES if name in importlib.import_module(one).__all__)
    if first != package:
        return [f"``{name}`` is :obj:`{first}.{name}`."]
    if isinstance(value, type):
        return [f".. autoclass:: {package}.{name}"]
    if callable(value):
        return [f".. autofunction:: {package}.{name}"]
    return [f".. py:data:: {package}.{name}", "", f"   {TABLES[name]}"]


def _links_to_pages_beside(app: object, name: str, source: list[str]) -> None:
    """Let links of a guide to a page elsewhere in the repository lead to its copy."""
    for page, place in BESIDE.items():
        source[0] = source[0].replace(f"(../{place})", f"(reference/{page})")


def setup(app: Sphinx) -> None:
    """Build the reference before Sphinx looks for pages."""
    build_reference(Path(__file__).parent / "reference")
    app.connect("source-read", _links_to_pages_beside)
