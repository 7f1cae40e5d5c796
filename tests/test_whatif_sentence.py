"""The blanks of What if: what they ask, where their values live, and what a link restores."""

from __future__ import annotations

from dataclasses import replace

import pytest

import cbai
from cbai.problem.changes import keep_arms, keep_best
from cbai.ui.whatif.amounts import money
from cbai.ui.whatif.sentence import ERROR
from cbai.ui.whatif.sweep import FIRST
from tests.test_whatif_page import PAIR, TITLES, headline, notes, table
from tests.visit import SMALL, said, setup_of, simulated, visit

ADS = {"data": TITLES["ad-campaign"], "algorithms": PAIR, "beyond": "", "delta": "0.05"}


def arrive(**query):
    return visit("whatif", **(ADS | SMALL | query))


def costs(app, problem, price=1.0, **changes):
    """Return what the library says of both algorithms, as money."""
    setup = replace(setup_of(app), problem=problem, **changes)
    return {
        name: money(price * simulated(replace(setup, algorithms=(name,))).samples.mean(), "€")
        for name in setup.algorithms
    }


def test_the_first_view_asks_of_all_arms_and_answers_in_one_sentence_and_one_picture():
    app = arrive()
    setup = setup_of(app)
    assert app.selectbox(key="have").value == 6
    assert app.selectbox(key=ERROR).value == 0.05
    assert f"{setup.words.arms}," in said(app.main)
    assert costs(app, setup.problem)["c_lucb"] in headline(app)
    assert len(app.main.get("plotly_chart")) == 1
    assert not app.main.get("dataframe")
    assert not app.main.get("code")


def test_two_fewer_at_five_percent_and_forty_cents():
    app = arrive(delta="0.01")
    app.selectbox(key="have").set_value(4)
    app.selectbox(key=ERROR).set_value(0.05)
    app.number_input(key="cost").set_value(0.4).run()
    assert not app.exception
    assert app.select_slider(key="delta").value == 0.05
    setup = setup_of(app)
    assert setup.problem.n_arms == 6  # the sidebar's own problem is as it was
    assert costs(app, keep_best(setup.problem, 4), 0.4)["c_lucb"] in headline(app)


def test_the_error_of_the_sidebar_is_the_error_of_the_sentence():
    app = arrive()
    app.select_slider(key="delta").set_value(0.001).run()
    assert app.selectbox(key=ERROR).value == 0.001
    assert "error accepted" not in app.query_params


def test_the_best_arm_may_be_left_out():
    app = arrive(data=TITLES["paper-three-arms"])
    problem = setup_of(app).problem
    best = problem.arms[problem.best_arm]
    app.multiselect(key="without").set_value([best]).run()
    assert not app.exception
    assert app.selectbox(key="have").value == 2
    others = [arm for arm in range(3) if arm != problem.best_arm]
    assert costs(app, keep_arms(problem, others))["c_lucb"] in headline(app)
    now = next(one.value for one in app.main.get("caption") if one.value.startswith("**Now:**"))
    assert best not in now
    assert all(problem.arms[arm] in now for arm in others)


def test_the_number_and_the_names_go_together():
    app = arrive()
    arms = setup_of(app).problem.arms
    app.multiselect(key="without").set_value(list(arms[:3])).run()
    assert app.selectbox(key="have").value == 3
    app.selectbox(key="have").set_value(2).run()
    assert app.multiselect(key="without").value == list(arms[:3])
    app.selectbox(key="have").set_value(5).run()
    assert app.multiselect(key="without").value == [arms[0]]


@pytest.mark.parametrize(
    ("query", "have", "without"),
    [
        ({"have": "4", "without": "Trail run"}, 4, ["Trail run"]),
        ({"without": "Trail run"}, 5, ["Trail run"]),
        ({"have": "1"}, 6, []),
        ({"have": "7"}, 6, []),
        ({"have": "many", "without": "Nobody"}, 6, []),
    ],
    ids=str,
)
def test_a_link_fills_the_blanks_or_the_usual_stays(query, have, without):
    app = arrive(**query)
    assert not app.exception
    assert app.selectbox(key="have").value == have
    assert app.multiselect(key="without").value == without


def test_a_link_cannot_leave_fewer_than_two():
    arms = cbai.load_problem("ad-campaign").arms
    app = arrive(without=list(arms))
    assert not app.exception
    assert app.selectbox(key="have").value >= 2


def test_other_data_are_asked_about_with_all_their_arms():
    app = arrive(have="4", without="Trail run")
    app.selectbox(key="data").set_value("drug-trial").run()
    assert not app.exception
    assert app.selectbox(key="have").value == 5
    assert app.multiselect(key="without").value == []
    app.selectbox(key="data").set_value("paper-two-arms").run()
    assert not app.exception
    assert app.selectbox(key="have").value == 2
    assert app.multiselect(key="without").disabled


def test_the_blanks_are_kept_while_other_pages_are_read():
    app = arrive(have="4", cost="0.4", per_day="50", unit="CHF")
    before = headline(app)
    app.switch_page("pages/samples.py").run()
    app.switch_page("pages/whatif.py").run()
    assert headline(app) == before
    assert "CHF" in before


def test_the_short_list_changes_the_first_parameter():
    app = arrive(vary=["error δ", "gap"])
    app.selectbox(key=FIRST).set_value("unknown p").run()
    assert app.multiselect(key="vary").value == ["unknown p", "gap"]
    app.selectbox(key=FIRST).set_value("gap").run()
    assert app.multiselect(key="vary").value == ["gap"]
    app.multiselect(key="vary").set_value(["buffer q"]).run()
    assert app.selectbox(key=FIRST).value == "buffer q"


def test_every_number_of_arms_is_tried_and_the_own_one_is_marked():
    app = arrive(vary="number of arms", have="4", work="true")
    numbers = table(app)
    assert sorted(numbers["arms"].unique()) == [2, 3, 4, 5, 6]


def test_a_cost_of_nothing_counts_samples():
    app = arrive(cost="0")
    words = setup_of(app).words
    assert f" {words.samples} and " in headline(app)
    assert "€" not in headline(app) + notes(app)


def test_without_a_trusted_algorithm_no_cost_is_given():
    app = visit("whatif", data=TITLES["movielens-1m"], algorithms="C-LUCB", beyond="", **SMALL)
    assert headline(app) == "No cost can be given here."
    assert "C-LUCB is left out" in said(app.main)
