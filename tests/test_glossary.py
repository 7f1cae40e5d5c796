"""The glossary: complete, in order, without doubles, searchable, and linkable."""

from __future__ import annotations

import ast
import re
import unicodedata

import pytest

from cbai.simulation import CONFIDENCE
from cbai.ui.glossary.lookup import ENTRIES, find, search, slug
from cbai.ui.your_data.sources import mapping
from tests.visit import ROOT, said, visit

TERMS = (
    "arm", "pull", "pseudo-reward", "pseudo-gap", "competitive", "violated", "valid", "two sigma",
    "confidence sequence", "confidence bound", "crossucb", "pseudoucb", "common random numbers",
    "betting", "wealth", "limit", "exact interval", "budget", "seed", "run", "guarantee",
    "fixed budget", "sequential halving", "simple regret", "expected loss",
)  # fmt: skip
SYMBOLS = ("δ", "p", "q", "ε", "UCB", "LCB", "T*", "μ", "μ̂", "n", "K", "b", "d", "kl")
SOURCES = [*(ROOT / "pages").glob("*.py"), *(ROOT / "cbai" / "ui").rglob("*.py")]


def texts(path) -> str:
    """Return all string literals of a file, docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, owners) and node.body and isinstance(node.body[0], ast.Expr)
    }
    return " ".join(
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    )


def greek(text: str) -> set[str]:
    """Return the Greek letters and the mathematical capitals in a text."""
    return {
        letter
        for letter in text
        if "GREEK" in unicodedata.name(letter, "")
        or re.match("(MATHEMATICAL )?SCRIPT CAPITAL", unicodedata.name(letter, ""))
    }


def test_terms_are_sorted_and_stand_once():
    terms = [entry.term.casefold() for entry in ENTRIES]
    assert terms == sorted(terms)
    assert len(set(terms)) == len(terms)
    assert len({entry.slug for entry in ENTRIES}) == len(ENTRIES)
    symbols = [symbol for entry in ENTRIES for symbol in entry.symbols]
    assert len(set(symbols)) == len(symbols)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.slug)
def test_every_meaning_is_short_and_plain(entry):
    assert entry.meaning[0].isupper()
    assert entry.meaning.endswith(".")
    assert len(re.findall(r"[.?!](?:\s|$)", entry.meaning)) <= 2
    assert len(entry.meaning) <= 200
    assert entry.latex.count("{") == entry.latex.count("}")


@pytest.mark.parametrize("term", TERMS)
def test_what_the_pages_speak_of_is_explained(term):
    assert find(term) is not None


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_symbols_are_explained(symbol):
    assert symbol in find(symbol).symbols


def test_every_greek_letter_of_the_pages_is_explained():
    used = set().union(*(greek(texts(path)) for path in SOURCES if "glossary" not in path.name))
    assert {"δ", "σ", "τ"} <= used
    explained = greek("".join(symbol for entry in ENTRIES for symbol in entry.symbols))
    assert used <= explained


def test_search_finds_words_and_symbols():
    assert search("") == list(ENTRIES)
    assert search("δ")[0].term == "Allowed error"
    assert "Gap" not in [entry.term for entry in search("δ")]
    assert [entry.term for entry in search("p")] == ["Pseudo-rewards unknown"]
    assert search("pseudo gap")[0].term == "Pseudo-gap"
    assert search("no such word at all") == []


def test_links_are_plain():
    assert slug("Share of δ") == "share-of"
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.slug) for entry in ENTRIES)
    assert find("limit").term == "Lower bound of the problem"  # what old links call it
    assert find("error-allowed").term == "Allowed error"
    assert find("nothing-like-it") is None
    assert find("") is None


def test_the_page_shows_all_filters_and_links():
    app = visit("glossary")
    assert not app.exception
    text = said(app.main)
    assert all(entry.meaning in text for entry in ENTRIES)
    assert len(app.latex) == sum(bool(entry.latex) for entry in ENTRIES)
    app.text_input(key="find").set_value("pseudo-gap").run()
    assert f"{len(search('pseudo-gap'))} of {len(ENTRIES)} terms" in said(app.main)
    app.text_input(key="find").set_value("<zebra>").run()
    assert "No entry contains all of" in app.info[0].value


def test_a_link_to_a_term_shows_it_first():
    app = visit("glossary", term="wealth")
    assert app.main.markdown[0].value.startswith("**[Wealth]")
    unknown = visit("glossary", term="nonsense")
    assert not unknown.exception
    assert "term" not in unknown.query_params


def test_small_units_are_warned_of_where_the_bounds_depend_on_them():
    """The paper's bound is wider in units below 2, as V = max(b² n / 4, 1); the others are not."""
    pulls = 3
    for name, depends in {"howard": True, "even_dar": False, "kk_lucb": False}.items():
        wide, usual = (CONFIDENCE[name].radius(pulls, 0.01, b) / b for b in (0.1, 2.0))
        assert (wide > 1.01 * usual) == depends
    assert "below 2, the paper's bounds depend on the unit" in find("b").meaning
    assert "far below 2" in mapping.UNIT
