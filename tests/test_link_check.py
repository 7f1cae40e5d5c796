"""What a link asks for and nobody understands is named, and nothing else is."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

import cbai
from cbai.problem.methods import METHODS
from cbai.simulation import CONFIDENCE
from cbai.ui.compare.cards import key_of
from cbai.ui.lab.workbench import START
from cbai.ui.race.animation import VIEW
from cbai.ui.runs.ask import SHOW
from cbai.ui.shell.link_check import complaint
from cbai.ui.shell.present import PRESENT
from cbai.ui.story.correlated_steps import PEOPLE
from cbai.ui.story.frame import STEP
from cbai.ui.visit import pins
from cbai.ui.visit.link_names import is_strange, known_names
from cbai.ui.visit.link_values import LONGEST
from cbai.ui.visit.pin_text import MOST
from cbai.ui.visit.setup import DEFAULT, parameters
from cbai.ui.visit.user_algorithm import RECIPE
from tests.visit import SMALL, sources, visit

TWO_ARMS = cbai.DATASETS["paper-two-arms"].title
USUAL = parameters(DEFAULT)
MADE = {f"{name}_{one.name}" for name, row in METHODS.items() for one in row.parameters} | {
    name for row in cbai.DATASETS.values() for name in row.options
}
"""Names that are made of rows of a table."""
GOOD = [
    ("home", {"p": "0.2", "delta": "0.01"}),
    ("home", {"p": "0.30", "q": "0.10", "seed": "7", "utm_source": "letter"}),
    ("home", {"data": TWO_ARMS, "table": "(a) arm 1 is best"}),
    ("samples", {"algorithms": ""}),
    ("samples", {"algorithms": [cbai.ALGORITHMS[name].title for name in DEFAULT.algorithms]}),
    ("race", {"run_number": "0", "left": "C-LUCB", "right": "Racing", "at": "100"}),
    ("race", {"at": "99999999", "order": "name"}),
    (
        "bounds",
        {"coin_mean": "0.50", "bounds": [CONFIDENCE["hoeffding"].title], "look_until": "10,000"},
    ),
    ("assumption", {"assumption_watched": "C-LUCB"}),
]


@pytest.mark.parametrize(("page", "query"), GOOD, ids=str)
def test_nobody_is_bothered_about_what_was_understood(page, query):
    query = query | ({"algorithms": ["Racing", "C-LUCB"]} if page == "race" else {})
    app = visit(page, **(SMALL | query))
    assert not app.exception
    assert [toast.value for toast in app.toast] == []


@pytest.mark.parametrize(
    ("page", "query", "said"),
    [
        (
            "home",
            {"q": "7"},
            "Some settings in this link are not valid; the defaults are used: q = 7.",
        ),
        ("home", {"delta": "0.5"}, "delta = 0.5"),
        ("home", {"p": ""}, "p = nothing"),
        ("home", {"data": "Nobody's"}, "data = Nobody's"),
        ("samples", {"algorithms": ["LUCB", "foo"]}, "algorithms = foo"),
        ("race", {"run_number": "-1", "left": "nobody"}, "run_number = -1, left = nobody"),
        ("race", {"at": "-5", "order": "size"}, "at = -5, order = size"),
        ("theory", {"show": "sweep"}, "show = sweep"),
        ("race", {"at": "100 views"}, "at = 100 views"),
        ("bounds", {"bounds": ["x"], "coin_mean": "7"}, "bounds = x, coin_mean = 7"),
        ("home", {"seed": "<b>*[x](y)"}, r"seed = \<b\>\*\[x\](y)"),
        ("home", {"data": "Your own data"}, "someone's own"),
        ("home", {"dataset": "x"}, "dataset = x (did you mean data?)"),
        (
            "samples",
            {"stranger": "1", "trial": "7"},
            "stranger = 1, trial = 7 (did you mean trials?)",
        ),
    ],
    ids=str,
)
def test_what_was_dropped_is_named_once(page, query, said):
    app = visit(page, **query, **(SMALL if page != "home" else {}))
    assert not app.exception
    assert len(app.toast) == 1
    assert said in app.toast[0].value.replace("\\_", "_").replace("\\-", "-")
    assert not app.run().toast


def test_a_page_that_ends_early_says_it_too():
    app = visit("samples", algorithms="", q="7")
    assert "q = 7" in app.toast[0].value


def calls_of(*names):
    """Return the calls of functions of these names, wherever the pages' code has them."""
    for code in sources():
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names:
                yield node


def test_every_control_of_the_link_says_so_where_it_is_made():
    bound = []
    for code in sources():
        for node in ast.walk(ast.parse(code)):
            options = {one.arg: one.value for one in getattr(node, "keywords", [])}
            if "bind" in options:
                bound.append(options["key"])
    assert len(bound) > 50
    bare = [key.value for key in bound if isinstance(key, ast.Constant)]
    assert not bare, f'key=in_link("{bare[0]}") or number_in_link lets a link know of it'


def test_what_marks_a_name_spells_it():
    marks = list(calls_of("in_link", "number_in_link"))
    assert len(marks) > 60
    names = {mark.args[0].value for mark in marks if isinstance(mark.args[0], ast.Constant)}
    assert len(names) == len(known_names()) - len(MADE)
    assert all(isinstance(mark.args[0], ast.Constant) for mark in marks)
    computed = [*VIEW, *PEOPLE, STEP, SHOW, START, RECIPE, pins.KEY, PRESENT, "term", *MADE]
    computed += [key_of(at) for at in range(MOST)]
    assert not [name for name in computed if is_strange(name)]


def test_long_lists_are_cut():
    asked = {f"name{i}": ["x" * 100] for i in range(9)}
    said = complaint(asked, {}, {})
    assert said.endswith("and 6 more.")
    assert "x" * (LONGEST + 1) not in said


names = st.sampled_from(["p", "seed", "why", "utm_x"]) | st.text(max_size=8)
words = st.dictionaries(names, st.lists(st.text(max_size=60), min_size=1), max_size=5)


@hypothesis_settings(max_examples=200, derandomize=True, deadline=None)
@given(words)
def test_all_that_is_left_was_understood_and_all_that_is_gone_was_not(asked):
    assert bool(complaint(asked, asked, {})) == any(is_strange(name) for name in asked)
    gone = complaint(asked, {}, {})
    assert bool(gone) == bool(asked)
    assert len(gone) < 600
