"""Every control says in its hover help what it does, and has a key of its own."""

from __future__ import annotations

import ast
from collections import Counter

import pytest
import streamlit as st

import cbai
from cbai.ui.parts import page as text
from tests.visit import SMALL, sources, visit

KINDS = (
    "button", "button_group", "checkbox", "download_button", "file_uploader", "multiselect",
    "number_input", "radio", "select_slider", "selectbox", "slider", "text_area", "text_input",
    "toggle",
)  # fmt: skip
SOURCES = ("A table of yours", "MovieLens", "Goodreads", "Type it in", "Latent source")
HIDDEN = "pins"
"""Holds what is pinned, for the link alone; nobody sees it."""
NO_PLACE = ("Pinned setups", "Algorithm")
"""Controls that have no place for a hint: the one above, and one whose label is not shown."""
CONTROLS = {*KINDS, "pills", "segmented_control"} - {"button_group"}


def without_help(app) -> list[str]:
    """Return the kind and the key of every control, in the sidebar or on the page, without help."""
    return [
        f"{kind} {control.key or getattr(control, 'label', '')}"
        for kind in KINDS
        for control in app.get(kind)
        if control.key != HIDDEN
        and not (getattr(control, "help", "") or getattr(control.proto, "help", ""))
    ]


def drawn(code: str) -> list[ast.Call]:
    """Return every call in a module that draws a control."""
    return [
        call
        for call in ast.walk(ast.parse(code))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in CONTROLS
    ]


def calls_without_help(code: str) -> list[str]:
    """Return the first words of every call in a module that draws a control without help."""
    return [
        ast.unparse(call)[:80]
        for call in drawn(code)
        if not {"help", None} & {given.arg for given in call.keywords}
        and not any(f"'{label}'" in ast.unparse(call) for label in NO_PLACE)
    ]


def keys(code: str) -> list[str]:
    """Return the key of every control that a module draws, where it is written out."""
    given = [one.value for call in drawn(code) for one in call.keywords if one.arg == "key"]
    marked = ("in_link", "number_in_link")
    spelled = [
        one.args[0] if isinstance(one, ast.Call) and getattr(one.func, "id", "") in marked else one
        for one in given
    ]
    return [one.value for one in spelled if isinstance(one, ast.Constant)]


def test_a_key_belongs_to_one_control():
    """Two on one page end it with an error, even if they meet only after a stop or a choice."""
    found = Counter(key for code in sources() for key in keys(code))
    assert len(found) > 40
    assert [key for key, times in found.items() if times > 1] == []


def test_every_control_that_is_ever_drawn_has_help():
    """Also what comes after a file, a stop or a choice; the other tests see what is drawn."""
    assert [call for code in sources() for call in calls_without_help(code)] == []
    assert calls_without_help("st.button('Go', key='go')\nst.slider('Far', help='How far.')") == [
        "st.button('Go', key='go')"
    ]


@pytest.mark.parametrize("source", SOURCES)
def test_every_control_of_every_source_has_help(source):
    app = visit("data", source=source, **SMALL)
    assert not app.exception
    assert without_help(app) == []


def test_a_control_without_help_is_found(monkeypatch):
    monkeypatch.setattr(text, "run_number", lambda: st.number_input("Run", 0, 9, key="run_number"))
    assert without_help(visit("race", data=cbai.DATASETS["paper-two-arms"].title, **SMALL)) == [
        "number_input run_number"
    ]


def test_every_control_of_a_first_visit_has_help():
    """tests/test_pages.py asks for the same on every page with every data set."""
    assert without_help(visit()) == []
