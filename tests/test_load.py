"""The load test's sessions see what a browser would: widgets, progress, answers and errors."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks import load, revisit
from benchmarks.session import Session

SMALL = """
import streamlit as st
word = st.select_slider("word", ["good", "bad"], key="word", bind="query-params")
number = st.slider("number", 0.0, 1.0, key="number", bind="query-params")
st.progress(number)
if word == "bad":
    raise ValueError("planted")
st.markdown(f"{word} {number}")
if st.session_state.setdefault("again", True):
    st.session_state["again"] = False
    st.rerun()
"""


TWO_PAGES = """
import streamlit as st
st.slider("number", 0.0, 1.0, key="number", bind="query-params")
first = st.Page(lambda: st.title("first"), title="First", url_path="first", default=True)
second = st.Page(lambda: st.title("second"), title="Second", url_path="second")
st.navigation([first, second]).run()
"""


@pytest.fixture(scope="module")
def small_app(tmp_path_factory):
    script = tmp_path_factory.mktemp("load") / "small.py"
    script.write_text(SMALL, encoding="utf-8")
    with load.running_app(script) as app:
        yield app


def test_a_visitor_stays_on_the_page_of_the_link(tmp_path):
    script = tmp_path / "two.py"
    script.write_text(TWO_PAGES, encoding="utf-8")

    async def visit(app):
        async with Session(app.address, "second") as session:
            await session.open()
            before = session.title
            await session.move("number", 0.5)
            return before, session.title

    with load.running_app(script) as app:
        titles = asyncio.run(asyncio.wait_for(visit(app), 120))
    assert titles == ("second", "second")


def play(app, *moves, **query):
    async def visit():
        async with Session(app.address, "", query) as session:
            answers = [await session.open()]
            answers += [await session.move(*move) for move in moves]
            return answers, session

    return asyncio.run(asyncio.wait_for(visit(), 120))


def test_a_visitor_opens_a_link_and_moves_sliders(small_app):
    answers, session = play(small_app, ("number", 0.5), ("word", "bad"), ("word", "good"))
    assert list(session.widgets) == ["word", "number"]
    assert [answer.errors for answer in answers] == [(), (), ("ValueError",), ()]
    for answer in answers:
        assert 0.0 < answer.seen <= answer.done
        assert answer.received > 0


def test_a_visitor_sees_the_error_of_a_link(small_app):
    answers, _ = play(small_app, word="bad")
    assert answers[0].errors == ("ValueError",)


def test_a_session_that_breaks_off_is_counted(small_app):
    options = load.arguments().parse_args(["--sessions", "1", "--over", "0", "--think", "0"])
    seen = asyncio.run(load.scenario(small_app, options, 1))  # this app has no such sliders
    assert len(seen.errors) == 1
    assert seen.errors[0].startswith("session 0: IndexError")


def test_three_sessions_move_sliders_of_the_app_without_an_error():
    arguments = ["--sessions", "3", "--over", "1", "--moves", "1", "--think", "0.1"]
    options = load.arguments().parse_args([*arguments, "--page", "samples", "--trials", "10"])
    with load.running_app() as app:
        seen = asyncio.run(load.scenario(app, options, 1))
        assert app.healthy()
        assert app.memory() > 0
    assert seen.errors == []
    assert [len(seen.loads), len(seen.moves)] == [3, 3]
    assert "| slider moved, until all is complete | 3 |" in load.table(seen)


def test_a_round_of_all_pages_shows_no_error():
    with load.running_app() as app:
        (passed, visits, memory, errors) = next(revisit.again_and_again(app, 0.0))
    assert visits == len(revisit.PAGES) == len(list((revisit.ROOT / "pages").glob("*.py")))
    assert errors == 0
    assert passed > 0.0
    assert memory > 100.0 or memory != memory  # not known everywhere


def test_the_memory_is_told_in_ten_parts():
    seen = [(0.1 * i, 14 * i, 400.0 + i % 3, 0) for i in range(1, 21)]
    told = revisit.report(seen, 2.0)
    assert told.count("MB |") == 20
    assert "| to 2 | 280 | 401 MB | 402 MB |" in told
    assert told.endswith("0 errors in 2 minutes")
