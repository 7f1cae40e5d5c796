"""The page Compare and the button that pins: nothing is lost silently, and links restore it."""

from __future__ import annotations

import io
from dataclasses import replace

import pandas as pd
import pytest
import streamlit as st

import cbai
from cbai.datasets import Noun
from cbai.figures.base.style import count
from cbai.results.paired import paired_difference
from cbai.ui.visit.pin_text import write
from cbai.ui.visit.user_problem import OWN, OwnProblem
from tests.visit import SMALL, at, said, setup_of, simulated, visit

TWO, THREE = (cbai.DATASETS[f"paper-{n}-arms"].title for n in ("two", "three"))
MOVIES = at("movielens-1m", trials=10, algorithms=("lucb", "c_lucb"))
ARMS = at("paper-two-arms", trials=10, max_samples=20_000, algorithms=("lucb", "c_lucb"))
VIOLATED = "assumption is violated"


def pin(app):
    return app.button(key="pin").click().run()


def sidebar(app):
    return said(app.sidebar)


def letters(app):
    """Return the letters on the cards."""
    return [b.key[-1] for b in app.button if b.key.startswith("remove ")]


# ---------------------------------------------------------------- pinning


def test_four_setups_are_pinned_and_a_fifth_is_refused():
    app = visit("samples", data=TWO, **SMALL)
    assert "0 of 4 pinned" in sidebar(app)
    pinned = []
    for n, delta in enumerate((0.2, 0.1, 0.05, 0.01), 1):
        app.select_slider(key="delta").set_value(delta).run()
        pin(app)
        assert not app.exception
        pinned.append(setup_of(app))
        assert f"{n} of 4 pinned" in sidebar(app)
        assert app.button(key="pin").label == f"Pinned as {'ABCD'[n - 1]}"
        assert app.button(key="pin").disabled
    text = app.session_state["pins"]
    assert text == write(pinned)
    assert text in app.query_params["pins"]

    app.select_slider(key="delta").set_value(0.001).run()
    assert "are pinned already" not in sidebar(app)
    pin(app)
    assert "4 setups are pinned already. Remove one" in sidebar(app)
    assert app.session_state["pins"] == text
    app.run()
    assert "are pinned already" in sidebar(app)
    app.select_slider(key="delta").set_value(0.02).run()
    assert "are pinned already" not in sidebar(app)


def test_pinning_needs_an_algorithm():
    app = pin(visit("home", algorithms="", **SMALL))
    assert "Choose at least one algorithm first." in sidebar(app)
    assert app.session_state["pins"] == ""


def test_pins_outlive_a_page_switch():
    app = pin(visit("samples", data=TWO, **SMALL))
    app.switch_page("pages/home.py").run()
    assert "1 of 4 pinned" in sidebar(app)
    app.switch_page("pages/compare.py").run()
    assert not app.exception
    assert letters(app) == ["A"]
    assert "The sidebar still shows A" in said(app.main)


# ---------------------------------------------------------------- nothing to compare yet


READY = {
    "With and without correlation": [("p", 0.2), ("p", 1.0)],
    "No buffer against a safe one": [("q", 0.0), ("q", 0.13)],
    "Less certain against more": [("delta", 0.05), ("delta", 0.0001)],
}


@pytest.mark.parametrize("name", READY)
def test_ready_comparisons_pin_two_setups(name):
    app = visit("compare", algorithms=["LUCB", "C-LUCB"], trials="10")
    assert "Nothing is pinned yet" in said(app.main)
    app.button(key=f"ready {name}").click().run()
    assert not app.exception
    expected = [replace(MOVIES, **{field: value}) for field, value in READY[name]]
    assert app.session_state["pins"] == write(expected)
    assert letters(app) == ["A", "B"]


def test_a_comparison_of_a_setup_with_itself_is_not_offered():
    app = visit("compare", data=TWO, **SMALL)
    assert app.button(key="ready No buffer against a safe one").disabled
    assert "are valid without a buffer" in said(app.main)


def test_to_one_pin_a_ready_comparison_is_added():
    app = visit("compare", data=TWO, pins=write([ARMS]), **SMALL)
    app.button(key="ready Less certain against more").click().run()
    assert letters(app) == ["A", "B", "C"]


# ---------------------------------------------------------------- what is said


def test_the_page_says_what_the_library_says():
    several = [MOVIES, replace(MOVIES, q=0.13)]
    app = visit("compare", pins=write(several))
    assert not app.exception
    of, to = (simulated(one).samples[1] for one in reversed(several))
    assert paired_difference(of, to).low > 0.0
    text = said(app.main).replace("\u202f", " ")
    assert (  # A is cheaper, but what promises its answer does not hold
        "No fair comparison of B (q = 0.13) with A (q = 0): the guarantee of A does not hold at "
        "q = 0."
    ) in text
    assert "more ratings than A" not in text
    assert f"A: The {VIOLATED}." in text
    assert f"B: The {VIOLATED}." not in text
    assert "The guarantee of A does not hold; see below" in text
    assert "Violated" in text
    assert "Valid for the best arm" in text
    rates = app.dataframe[0].value
    assert list(rates["Setup"]) == ["A", "B"]
    assert all("0 of 10 wrong (at most 31" in rate for rate in rates.iloc[:, 2])


def test_the_reference_and_the_algorithms_can_be_chosen():
    several = [MOVIES, replace(MOVIES, q=0.13)]
    app = visit("compare", pins=write(several), compare_to="B", compare_a="LUCB")
    found = paired_difference(simulated(several[0]).samples[0], simulated(several[1]).samples[1])
    assert f"A (LUCB, q = 0) needs {count(found.estimate)} more ratings than B (C-LUCB" in said(
        app.main
    )
    assert VIOLATED not in said(app.main)
    by = next(group for group in app.main.get("button_group") if group.key == "compare_by")
    by.set_value("All algorithms").run()
    assert not app.exception
    assert len(app.dataframe[0].value) == 4
    assert "No fair comparison of A (C-LUCB, q = 0) with B" in said(app.main)


def test_the_page_says_how_many_more_where_both_guarantees_hold():
    several = [replace(MOVIES, q=0.13), replace(MOVIES, q=0.4)]
    app = visit("compare", pins=write(several))
    found = paired_difference(*(simulated(one).samples[1] for one in reversed(several)))
    assert found.clear
    assert (
        f"B (q = 0.4) needs {count(found.estimate)} more ratings than A (q = 0.13) (95 % interval "
        f"{count(found.low)} to {count(found.high)}): {found.ratio.estimate:.2f} times as many."
    ) in said(app.main).replace("\u202f", " ")


def test_what_one_setup_alone_has_is_named():
    fewer = replace(ARMS, algorithms=("c_lucb",), delta=0.05)
    app = visit("compare", pins=write([fewer, ARMS]), compare_by="All algorithms")
    assert not app.exception
    assert "Not compared, because A does not have them: LUCB (B)." in said(app.main)
    nothing = [replace(ARMS, algorithms=("lucb",)), fewer]
    app = visit("compare", pins=write(nothing), compare_by="All algorithms")
    assert not app.exception
    assert "shares no algorithm with the other setups" in said(app.main)


def test_runs_without_an_answer_are_never_shown_as_answers():
    poor = replace(MOVIES, p=1.0, max_samples=20_000)
    app = visit("compare", pins=write([MOVIES, poor]))
    assert not app.exception
    text = said(app.main)
    assert "No fair comparison" in text
    assert "no run of B had an answer within 20,000 ratings" in text
    assert app.dataframe[0].value.iloc[1, 2] == "10 of 10 without an answer"


def test_other_data_and_other_seeds_are_explained():
    app = visit(
        "compare", pins=write([ARMS, replace(ARMS, seed=3), at(
            "paper-three-arms", trials=10, algorithms=("c_lucb",), max_samples=20_000)]),
    )  # fmt: skip
    assert not app.exception
    text = said(app.main)
    assert "Welch's interval" in text
    assert "Their problems differ" in text


def test_every_number_can_be_downloaded(monkeypatch):
    offered = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, data, **_: offered.update({label: data})
    )
    several = [ARMS, replace(ARMS, delta=0.1)]
    visit("compare", pins=write(several), compare_by="All algorithms")
    runs = pd.read_csv(io.BytesIO(offered["Every run as CSV"]()))
    for letter, one in zip("AB", several, strict=True):
        mine = runs[runs.setup == letter].sort_values(["algorithm", "trial"])
        expected = simulated(one).to_frame().sort_values(["algorithm", "trial"])
        assert list(mine["samples"]) == list(expected["samples"])
    table = pd.read_csv(io.BytesIO(offered["Differences as CSV"]()))
    assert list(table["algorithm"]) == ["LUCB", "C-LUCB"]
    assert list(table["reference"]) == ["A", "A"]


# ---------------------------------------------------------------- remove, show, links


def test_a_setup_is_removed_and_those_after_it_move_up():
    several = [replace(ARMS, delta=delta) for delta in (0.2, 0.1, 0.05)]
    app = visit("compare", pins=write(several), compare_c="LUCB", compare_to="C")
    app.button(key="remove A").click().run()
    assert not app.exception
    assert app.session_state["pins"] == write(several[1:])
    assert app.selectbox(key="compare_to").value == "B"
    assert [app.selectbox(key=f"compare_{x}").value for x in "ab"] == ["c_lucb", "lucb"]
    app.button(key="remove B").click().run()
    assert not app.exception
    assert letters(app) == ["A"]
    app.button(key="remove A").click().run()
    assert "Nothing is pinned yet" in said(app.main)


def test_a_pinned_setup_can_be_shown_in_the_sidebar():
    recipe = "lab:mean-own_ucb-1K-own_ucb-1K-none-1-1-kl_lucb"
    full = at(
        "paper-two-arms", {"table": "b"}, p=0.35, q=0.01, delta=0.05, trials=25, seed=12,
        max_samples=20_000, algorithms=("lucb", "c_lucb_bet", recipe), lab=recipe,
    )  # fmt: skip
    app = visit("compare", pins=write([full, ARMS]))
    app.button(key="load A").click().run()
    assert not app.exception
    assert setup_of(app) == full
    assert app.button(key="pin").label == "Pinned as A"
    app.button(key="load B").click().run()
    assert replace(setup_of(app), lab=ARMS.lab) == ARMS


def test_wrong_pins_are_named_on_every_page_and_the_rest_is_shown():
    good = write([ARMS, replace(ARMS, delta=0.1)])
    for page in ("compare", "samples"):
        app = visit(page, pins=f"{good}~~data.movielens-1m~p.7~~data.movielens-1m~x.y", **SMALL)
        assert not app.exception
        text = said(app.sidebar)
        assert "number 3 (p must be in" in text
        assert "number 4 (x is not a setting)" in text
        assert "2 of 4 pinned" in text
    assert pin(app).session_state["pins"].startswith(good)
    assert "Left out" not in sidebar(app)


def test_ones_own_data_are_pinned_for_the_session_only():
    app = visit("samples", data=TWO, **SMALL)
    problem = cbai.load_problem("paper-three-arms")
    own = OwnProblem(problem, "Teas", "Mine.", Noun("tea", "teas"), Noun("sip", "sips"))
    app.session_state["own problem"] = own
    app.run()
    app.selectbox(key="data").set_value(OWN).run()
    pin(app)
    assert "in this session only" in sidebar(app)
    other = replace(own, problem=cbai.load_problem("paper-two-arms"), title="Cakes")
    app.session_state["own problem"] = other
    app.run()
    pin(app)
    text = app.session_state["pins"]
    app.switch_page("pages/compare.py").run()
    assert not app.exception
    assert "Your own data: Teas" in said(app.main)
    assert "Your own data: Cakes" in said(app.main)
    app.button(key="load A").click().run()
    assert setup_of(app).problem is problem

    elsewhere = visit("compare", pins=text)
    assert not elsewhere.exception
    assert "someone's own data, which no link holds" in said(elsewhere.main)
    assert letters(elsewhere) == []
