"""Whatever a link asks for, the page works; a real server answers, as it reads links by itself."""

from __future__ import annotations

import ast
import asyncio
import random

import pytest

from benchmarks.session import Session
from cbai.ui.visit.link_names import known_names, known_numbers
from cbai.ui.visit.link_values import is_number
from tests.browser.app_page import running_app
from tests.visit import PAGES as PAGE_FILES
from tests.visit import SMALL, sources, visit

SEED = 20260
KNOWN = sorted(known_names())
NO_NUMBERS = (
    *("1e309", "-1e309", "inf", "-Infinity", "nan", "9" * 5000, "1e-400" * 9, "0x10", "1_000"),
    *("٣", "१२", "𝟙", "１", "½", "−1", "1 000", "1e15e1", "--1", "+", "\x00", "1\n2", "a" * 3000),
)
STRANGE = (
    *NO_NUMBERS,
    *("", "-1", "1e15", "2.7", "true", "None", "[]", "%ZZ", "\u202e", "<b>1</b>", "$$ID-a-b"),
    *(b"\xed\xa0\x80", b"\xff\xfe", b"%00", "x;y&z=1", "../../etc", "data.1~seed.1e309"),
)
"""Bytes are what a link holds in percent signs: halves of letters, no UTF-8, and the like."""
NAMES = (
    "",
    " ",
    "$$ID-a-b",
    "$$WIDGET_ID-a",
    "setup",
    "again",
    "x" * 3000,
    b"\xed\xa0\x80",
    "\x00",
)


def hostile_links(chance, page):
    """Yield links to a page: most names at once with any values, and many values of one name."""
    for _ in range(3):
        asked = {name: chance.choice(STRANGE) for name in KNOWN if chance.random() < 0.7}
        asked |= {chance.choice(NAMES): chance.choice(STRANGE)}
        asked |= {chance.choice(KNOWN): chance.sample(STRANGE, 3)}
        yield page, asked | SMALL


def alone(chance):
    """Yield links with one parameter each: every number, every other one, every strange name."""
    for name in ["p", "q", "seed", "run_number", "per_day", "cost", "genre_seed", "coin_mean"]:
        page = {"run_number": "race", "per_day": "whatif", "cost": "whatif", "coin_mean": "bounds"}
        for value in chance.sample(NO_NUMBERS, 5):
            yield page.get(name, "data" if name == "genre_seed" else "home"), {name: value} | SMALL
    for name in ["trials", "budget", *NAMES]:
        yield "glossary", {name: chance.choice(STRANGE)}


async def troubles_of(server, links):
    """Open links one after the other; return those that showed an error or an empty page."""
    found = []
    for page, asked in links:
        async with Session(server.url, "" if page == "home" else page, asked) as session:
            answer = await asyncio.wait_for(session.open(), 100)
            if answer.errors or not session.title:
                found.append((page, answer.errors, asked))
    return found


def test_no_link_breaks_a_page_of_a_running_server():
    chance = random.Random(SEED)
    links = [link for page in PAGE_FILES for link in hostile_links(chance, page)]
    links += list(alone(chance))
    with running_app() as server:
        found = asyncio.run(troubles_of(server, links))
        printed = server.log.read_text(errors="replace")
    assert found == []
    assert "Traceback" not in printed


@pytest.mark.parametrize("value", ["1e309", "-inf", "nan", "9" * 5000, "1_000", "٣"])
@pytest.mark.parametrize(("page", "name"), [("home", "seed"), ("race", "run_number")])
def test_what_is_no_number_is_named_and_the_usual_one_is_shown(page, name, value):
    app = visit(page, **{name: value}, **SMALL)
    assert not app.exception
    assert app.session_state[name] == 0
    assert len(app.toast) == 1
    assert f"{name.replace('_', chr(92) + '_')} = " in app.toast[0].value


@pytest.mark.parametrize("name", ["", "$$ID-a-b"])
def test_a_name_that_streamlit_keeps_to_itself_is_named_like_any_other(name):
    app = visit("home", **{name: "5"}, **SMALL)
    assert not app.exception
    assert "= 5" in app.toast[0].value


def test_good_numbers_are_left_alone():
    for text in ("0", "7", "-1", "+3", "0.20", "1e5", "2147483647", "1000000000", "0.001", "5."):
        assert is_number(text)
    for text in NO_NUMBERS:
        assert not is_number(text)


def test_every_box_and_slider_of_numbers_is_known_as_one():
    found = {}
    for code in sources():
        for node in ast.walk(ast.parse(code)):
            called = getattr(getattr(node, "func", None), "attr", "")
            options = {one.arg: one.value for one in getattr(node, "keywords", [])}
            if "bind" in options:
                marked = getattr(getattr(options["key"], "func", None), "id", "")
                found[ast.unparse(options["key"])] = called, marked
    spelled = {key: both for key, both in found.items() if both[1]}
    assert len(spelled) > 40
    for key, (called, marked) in spelled.items():
        assert (called in ("number_input", "slider")) == (marked == "number_in_link"), key
    assert known_numbers() <= known_names()
