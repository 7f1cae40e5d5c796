"""The page What if, without a browser: it says what the library says, for whatever is asked."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import streamlit as st

import cbai
from cbai.figures.base.style import count, percent
from cbai.problem.changes import gap_of, keep_best, with_gap
from cbai.results.limit import limit_of
from cbai.results.sweep import cell_of, change
from cbai.ui.runs import on_demand, stopping
from cbai.ui.whatif.sweep_plan import PARAMETERS
from tests.visit import SMALL, said, setup_of, simulated, visit

PAIR = ["LUCB", "C-LUCB"]
TITLES = {name: row.title for name, row in cbai.DATASETS.items()}
DATA = ["movielens-1m", "drug-trial", "paper-two-arms", "goodreads-poetry"]


def arrive(**query):
    return visit("whatif", **({"algorithms": PAIR, "beyond": "", "work": "true", **SMALL} | query))


def table(app):
    return app.dataframe[-1].value


def paragraph(app):
    return next(code.value for code in app.main.get("code") if code.value.startswith("Simulated"))


def headline(app):
    (said_first,) = [one.value for one in app.main.get("markdown") if one.value.startswith("## ")]
    return said_first.removeprefix("## ")


def notes(app):
    """Return what is said below the headline."""
    return next(one.value for one in app.main.get("caption") if "simulated runs" in one.value)


def alone(setup, name):
    return simulated(replace(setup, algorithms=(name,)))


@pytest.mark.parametrize("name", DATA)
@pytest.mark.parametrize("vary", PARAMETERS)
def test_every_parameter_on_several_data_sets(name, vary):
    app = arrive(data=TITLES[name], vary=vary)
    assert not app.exception
    assert app.multiselect(key="vary").value == [vary]
    numbers = table(app)
    assert numbers["algorithm"].unique().tolist() == PAIR
    assert app.main.get("plotly_chart")
    assert "nan" not in said(app.main)


@pytest.mark.parametrize(
    ("name", "vary"),
    [
        ("movielens-1m", ["unknown p", "buffer q"]),
        ("drug-trial", ["gap", "number of arms"]),
        ("paper-three-arms", ["error δ", "runs"]),
        ("ad-campaign", ["gap", "error δ"]),
    ],
)
def test_two_parameters_on_several_data_sets(name, vary):
    app = arrive(data=TITLES[name], vary=vary, delta="0.1")
    assert not app.exception
    numbers = table(app)
    columns = [PARAMETERS[one].replace("trials", "runs") for one in vary]
    pairs = numbers[columns].drop_duplicates()
    assert len(pairs) * len(PAIR) == len(numbers)
    assert len(app.main.get("plotly_chart")) == 1 + len(PAIR)  # the picture, and a map of each
    assert "Each cell" in said(app.main)
    if "drug" in name:
        setup = setup_of(app)
        row = numbers.iloc[0]
        problem = keep_best(with_gap(setup.problem, row["gap"]), int(row["arms"]))
        direct = cbai.simulate(problem, ["lucb"], 0.1, trials=10, seed=0, p=0.2, max_samples=20_000)
        assert direct.identified.all()
        assert row["mean"] == direct.samples.mean()


def test_the_first_view_says_what_ten_times_more_certainty_costs():
    app = arrive(data=TITLES["drug-trial"], trials="50", delta="0.05")
    setup, text = setup_of(app), said(app.main)
    few = replace(setup, trials=25)
    for name in ("lucb", "c_lucb"):
        ratio = change(alone(few, name), alone(replace(few, delta=0.005), name))
        assert ratio.low > 1.0
        assert f"{percent(ratio.estimate - 1.0)} more" in text
    row = table(app).query("delta == 0.005 and algorithm == 'C-LUCB'").iloc[0]
    cell = cell_of(alone(replace(few, delta=0.005), "c_lucb"))
    assert (row["mean"], row["mean_low"], row["runs"]) == (cell.mean, cell.low, 25)
    own = table(app).query("delta == 0.05 and algorithm == 'C-LUCB'").iloc[0]
    assert (own["mean"], own["runs"]) == (alone(setup, "c_lucb").samples.mean(), 50)
    assert "25 runs (50 at the sidebar's setting)" in text
    limits = table(app).set_index(["algorithm", "delta"])["limit"]
    assert limits["LUCB", 0.005] == pytest.approx(limit_of(setup.problem, 0.005).samples)
    assert limits["C-LUCB"].isna().all()


def test_all_runs_are_those_of_the_page_samples():
    app = arrive(data=TITLES["drug-trial"], trials="50", all_runs="true")
    assert not app.exception
    assert set(table(app)["runs"]) == {50}
    row = table(app).query("delta == 0.01 and algorithm == 'LUCB'").iloc[0]
    assert row["mean"] == alone(setup_of(app), "lucb").samples.mean()


def test_money_and_days_are_of_all_runs_at_the_own_setting():
    app = arrive(
        data=TITLES["drug-trial"], trials="50", cost="2.5", unit="EUR", per_day="40", vary="gap"
    )
    assert not app.exception
    setup = setup_of(app)
    prices = app.dataframe[0].value.set_index("Algorithm")
    for name, title in zip(("lucb", "c_lucb"), PAIR, strict=True):
        mean = alone(setup, name).samples.mean()
        assert prices.loc[title, "cost"] == pytest.approx(2.5 * mean)
        assert prices.loc[title, "days"] == pytest.approx(mean / 40.0)
        assert f"{count(2.5 * mean)} EUR" in paragraph(app)
    assert "δ = 0.01" in paragraph(app)
    assert "50 runs" in paragraph(app)
    assert "on are valid here" in paragraph(app)


def test_a_violated_assumption_is_said_calmly_and_mended_by_a_button():
    app = arrive(budget="1,000,000")
    assert "with LUCB, without the survey" in headline(app)
    assert "C-LUCB is left out: its guarantee does not hold at q = 0." in notes(app)
    assert "is violated" not in said(app.main)
    assert "C-LUCB is left out: its guarantee does not hold at q = 0" in paragraph(app)
    assert "C-LUCB needs" not in paragraph(app)
    app.button(key="use safe buffer here").click().run()
    assert "left out" not in paragraph(app) + notes(app)
    assert "with C-LUCB, €" in headline(app)


@pytest.mark.parametrize("vary", ["error δ", ["error δ", "gap"]], ids=["one", "two"])
def test_runs_that_ran_out_are_never_an_answer(vary):
    app = arrive(data=TITLES["goodreads-poetry"], vary=vary)
    text = said(app.main)
    assert "ran out of the budget of 20,000 ratings" in text
    assert "more ratings (" not in text
    assert "times as many" not in text
    numbers = table(app)
    assert (numbers["ran_out"] == 10).all()
    assert numbers[["mean", "mean_low", "error_high"]].isna().all(axis=None)
    prices = app.dataframe[0].value
    assert prices[["cost", "days"]].isna().all(axis=None)
    assert "so its cost is unknown" in paragraph(app)
    assert " days" not in paragraph(app)


@pytest.mark.parametrize("vary", ["gap", "error δ"])
def test_a_tie_has_no_limit_and_no_price(vary, monkeypatch):
    values, probabilities = [0.0, 1.0], [[0.4, 0.6], [0.4, 0.6], [0.9, 0.1]]
    pseudo = np.ones((3, 3, 2))
    pseudo[range(3), range(3)] = values
    problem = cbai.Problem(["Ann", "Bea", "Cat"], values, probabilities, pseudo)
    row = replace(
        cbai.DATASETS["drug-trial"], id="tied", title="A tie", build=lambda: problem, options={}
    )
    monkeypatch.setitem(cbai.DATASETS, "tied", row)
    app = arrive(data="A tie", vary=vary)
    assert not app.exception
    numbers = table(app)
    own = numbers.query("gap < 1e-9") if vary == "gap" else numbers
    assert own["limit"].isna().all()
    assert "cost is unknown" in paragraph(app)
    assert gap_of(problem) == pytest.approx(0.0)


# ---------------------------------------------------------------- links


def test_a_link_restores_everything():
    app = arrive(
        data=TITLES["drug-trial"], vary=["gap", "error δ"], trials="50", all_runs="true",
        cost="0.2", unit="CHF", per_day="77",
    )  # fmt: skip
    assert app.multiselect(key="vary").value == ["gap", "error δ"]
    assert app.toggle(key="all_runs").value
    assert app.number_input(key="cost").value == 0.2
    assert app.text_input(key="unit").value == "CHF"
    assert app.number_input(key="per_day").value == 77


@pytest.mark.parametrize(
    "query",
    [
        {"vary": "nothing"}, {"vary": ""}, {"cost": "-1"}, {"cost": "nan"}, {"cost": "x"},
        {"per_day": "0"}, {"per_day": "-3"}, {"all_runs": "maybe"}, {"unit": "x" * 50},
        {"vary": ["gap", "runs", "error δ"]},
    ],
    ids=str,
)  # fmt: skip
def test_values_that_make_no_sense_are_dropped(query):
    app = arrive(data=TITLES["paper-two-arms"], **query)
    assert not app.exception
    chosen = app.multiselect(key="vary").value
    assert len(chosen) <= 2
    assert set(chosen) <= set(PARAMETERS)
    assert app.number_input(key="cost").value == 1.0
    assert app.number_input(key="per_day").value == 1000
    assert len(app.text_input(key="unit").value or "") <= 12
    assert len(table(app)) > 0


def test_a_change_of_mind_changes_the_sweep():
    app = arrive(data=TITLES["drug-trial"])
    app.multiselect(key="vary").set_value(["gap"]).run()
    assert "With a lead of" in said(app.main)
    app.slider(key="p").set_value(0.5).run()
    assert not app.exception
    app.multiselect(key="vary").set_value([]).run()
    assert "more certainty" in said(app.main)


# ---------------------------------------------------------------- stopping, keeping


def test_a_stopped_sweep_shows_what_is_done_and_goes_on():
    app = arrive(data=TITLES["drug-trial"], seed="555")
    plan_jobs = app.session_state[on_demand.HELD][1]
    assert all(slot.trials is not None for slot in plan_jobs)

    app.number_input(key="seed").set_value(556)
    real, left = cbai.simulate, [3]

    def three(*args, **options):
        if not left[0]:
            app.session_state[stopping.STOPPED] = app.session_state[on_demand.HELD][0]
            st.rerun()
        left[0] -= 1
        return real(*args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(on_demand, "simulate", three)
        app.run()
    assert not app.exception
    info = " ".join(one.value for one in app.info)
    assert "Cells done: 3 of 12" in info
    assert len(table(app)) == 3
    app.button(key="again").click().run()
    assert not app.exception
    assert not app.info
    assert len(table(app)) == 12


def test_the_file_holds_all_cells_with_their_parameters(monkeypatch):
    offered = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, data, **_: offered.update({label: data})
    )
    app = arrive(data=TITLES["drug-trial"], vary=["gap", "unknown p"], q="0.5", seed="3")
    setup = setup_of(app)
    read = pd.read_csv(io.BytesIO(offered["Download all cells as CSV"]()))
    assert len(read) == len(table(app))
    assert (read[["q", "seed", "budget", "runs", "delta"]] == [0.5, 3, 20_000, 10, 0.01]).all(
        axis=None
    )
    own = read.query("own and name == 'c_lucb'").iloc[0]
    assert own["problem"] == setup.fingerprint
    assert own["mean"] == alone(setup, "c_lucb").samples.mean()
    other = read.query("not own and p == 1 and name == 'c_lucb'").iloc[0]
    direct = cbai.simulate(
        with_gap(setup.problem, other["gap"]), ["c_lucb"], 0.01, trials=10, seed=3, p=1.0, q=0.5,
        max_samples=20_000,
    )  # fmt: skip
    assert other["mean"] == direct.samples.mean()
    assert other["complete"] == direct.identified.all()
