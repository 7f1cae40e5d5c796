"""Visit the app without a browser, by Streamlit's own test runner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from streamlit.components.v2.manifest_scanner import scan_component_manifests
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import cbai
from cbai.ui.visit.setup import DEFAULT, Setup

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py"))
"""The names of all pages, without their folder."""

SECONDS = 120

SMALL = {"trials": "10", "budget": "20,000"}
"""Query parameters that keep every run short."""

Query = str | Sequence[str]


class _NavigationOnly(PagesManager):
    """Never takes ``pages/`` for pages that stand alone.

    On a server the first call of ``st.navigation`` settles that for good; the test runner forgets
    it before each run.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        PagesManager.uses_pages_directory = False
        super().__init__(*args, **options)


_scripts = ScriptCache()
_manifests = cache(scan_component_manifests)


def _as_on_a_server() -> ExitStack:
    """Share between visits what a server shares; the test runner begins each with nothing.

    It would read what every installed package says of itself, which takes longer than most pages.
    """
    shared = ExitStack()
    for name, instead in (
        ("testing.v1.app_test.PagesManager", _NavigationOnly),
        ("testing.v1.local_script_runner.ScriptCache", lambda: _scripts),
        ("components.v2.manifest_scanner.scan_component_manifests", _manifests),
    ):
        shared.enter_context(patch(f"streamlit.{name}", instead))
    return shared


class Visit(AppTest):
    """One person's visit: the app at a link, until it is left."""

    def _run(self, *args: Any, **options: Any) -> AppTest:
        with _as_on_a_server():
            return super()._run(*args, **options)

    def begin_at(self, page: str) -> None:
        """Arrive at a page, as a link does; `switch_page` knows no page before the first run."""
        self._page_hash = calc_hash(page)


BEYOND = {row.title for row in cbai.ALGORITHMS.values() if row.beyond}


def in_groups(query: Mapping[str, Query]) -> dict[str, Query]:
    """Split the titles of `algorithms`, if there are any, over the two groups of the sidebar."""
    if "algorithms" not in query or "beyond" in query:
        return dict(query)
    asked = query["algorithms"]
    titles = [asked] if isinstance(asked, str) else list(asked)
    beyond = [title for title in titles if title in BEYOND]
    paper = [title for title in titles if title not in BEYOND]
    return {**query, "algorithms": paper or "", "beyond": beyond or ""}


def visit(page: str = "home", **query: Query) -> AppTest:
    """Open a page at a link and run it to its end; `algorithms` may name any titles."""
    app = Visit(str(ROOT / "app.py"), default_timeout=SECONDS)
    query = in_groups(query)
    for name, value in query.items():
        app.query_params[name] = value
    if page != "home":
        app.begin_at(page)
    return app.run()


def sources() -> list[str]:
    """Return the code of all that draws."""
    files = [*(ROOT / "cbai" / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py"]
    return [file.read_text("utf-8") for file in files]


def said(block: Any) -> str:
    """Return all that a page, or another block of it, says in words."""
    kinds = (
        "title", "header", "subheader", "markdown", "caption", "info", "warning", "success",
        "error",
    )  # fmt: skip
    return "\n".join(element.value for kind in kinds for element in block.get(kind))


def at(name: str, options: Mapping[str, str] | None = None, **changes: Any) -> Setup:
    """Return the first visit's setup with another data set, and other changes."""
    row = cbai.DATASETS[name]
    chosen = {option: next(iter(allowed)) for option, allowed in row.options.items()}
    chosen |= options or {}
    return replace(
        DEFAULT, dataset_id=name, options=tuple(chosen.items()), dataset=row,
        problem=cbai.load_problem(name, **chosen), **changes,
    )  # fmt: skip


def setup_of(app: AppTest) -> Setup:
    """Return what the sidebar holds."""
    setup: Setup = app.session_state["setup"]
    return setup


def simulated(setup: Setup) -> cbai.Trials:
    """Return what the library makes of a setup, in one call."""
    return cbai.simulate(
        setup.problem, setup.algorithms, setup.delta, trials=setup.trials, seed=setup.seed,
        p=setup.p, q=setup.q, max_samples=setup.max_samples,
    )  # fmt: skip


def traced(setup: Setup, name: str, trial: int = 0) -> cbai.Trace:
    """Return one run of a setup, recorded by the library."""
    return cbai.trace(
        setup.problem, name, setup.delta, seed=setup.seed, trial=trial, p=setup.p, q=setup.q,
        max_samples=setup.max_samples,
    )  # fmt: skip
