"""The pages, without a browser: they run, and say what the library says for the same setup."""

from __future__ import annotations

import ast
import io
from dataclasses import replace

import pandas as pd
import pytest
import streamlit as st

import cbai
from cbai.figures.base.style import count, percent, rounded_up
from cbai.problem.validity import check_validity
from cbai.results import cheapest_ratio, error_rates, summarise, true_competitive
from cbai.ui.parts.answers import relation
from cbai.ui.runs import cache
from cbai.ui.shell import sidebar
from cbai.ui.visit.setup import DEFAULT, largest_buffer
from tests.test_help import without_help
from tests.visit import PAGES, ROOT, SMALL, at, said, setup_of, simulated, traced, visit

NEEDING_ALGORITHMS = ["competitive", "race", "samples", "whatif"]
TWO_ARMS = cbai.DATASETS["paper-two-arms"].title
POETRY = cbai.DATASETS["goodreads-poetry"]
PAIR = ["LUCB", "C-LUCB"]
VIOLATED = "assumption is violated"


def titles(names=cbai.ALGORITHMS):
    return [cbai.ALGORITHMS[name].title for name in names]


def sign(app):
    """Return the badge in the sidebar, in lower case."""
    return next(m.value for m in app.sidebar.markdown if "badge[" in m.value).lower()


# ---------------------------------------------------------------- every page runs


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", cbai.DATASETS)
def test_every_page_runs_on_every_data_set(page, name):
    app = visit(page, data=cbai.DATASETS[name].title, **SMALL)
    assert not app.exception
    assert setup_of(app).dataset_id == name
    assert len(app.title) == 1
    assert without_help(app) == []


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("chosen", [["C-LUCB"], ["Racing"], titles()], ids=["C", "R", "all"])
def test_every_page_runs_with_one_algorithm_and_with_all(page, chosen):
    app = visit(page, data=TWO_ARMS, algorithms=chosen, **SMALL)
    assert not app.exception
    assert titles(setup_of(app).algorithms) == chosen
    for title in chosen if page == "samples" else []:
        assert title in said(app.main)


@pytest.mark.parametrize("page", PAGES)
def test_without_an_algorithm_a_page_gives_a_hint(page):
    app = visit(page, algorithms="")
    assert not app.exception
    assert setup_of(app).algorithms == ()
    if page in NEEDING_ALGORITHMS:
        assert "algorithm" in " ".join(info.value for info in app.info)


@pytest.mark.parametrize("name", ["paper-two-arms", "movielens-1m"])
@pytest.mark.parametrize("p", ["0", "1"])
def test_pages_run_at_the_ends_of_p_and_q(name, p):
    row = cbai.DATASETS[name]
    q = f"{largest_buffer(cbai.load_problem(name)):g}"
    for page in PAGES:
        app = visit(page, data=row.title, p=p, q=q, **SMALL)
        assert not app.exception
        assert (setup_of(app).p, setup_of(app).q) == (float(p), float(q))


def test_data_sets_can_be_changed_back_and_forth():
    app = visit("race", q="0.8", algorithms=PAIR, **SMALL)
    assert setup_of(app).q == 0.8
    for name in [*cbai.DATASETS, *reversed(cbai.DATASETS)]:
        app.selectbox(key="data").set_value(name).run()
        assert not app.exception
        assert setup_of(app).dataset_id == name
        assert setup_of(app).q <= largest_buffer(setup_of(app).problem)


def test_options_of_a_data_set_change_the_problem():
    app = visit("race", data=TWO_ARMS, **SMALL)
    first = setup_of(app).problem.best_arms
    app.selectbox(key="table").set_value("b").run()
    assert not app.exception
    assert list(setup_of(app).problem.best_arms) != list(first)


def test_an_algorithm_taken_away_leaves_the_race():
    app = visit("race", data=TWO_ARMS, left="2-LUCB", algorithms=["2-LUCB", "LUCB"], **SMALL)
    assert app.selectbox(key="left").value == "two_lucb"
    app.sidebar.get("button_group")[0].set_value(["lucb", "c_lucb"]).run()
    assert not app.exception
    assert {app.selectbox(key="left").value, app.selectbox(key="right").value} == {"lucb", "c_lucb"}


# ---------------------------------------------------------------- links


@pytest.mark.parametrize(
    "query",
    [
        {"q": "7"}, {"q": "-0.1"}, {"p": "-1"}, {"p": "1.5"}, {"p": "nan"}, {"q": "inf"},
        {"delta": "nope"}, {"delta": "0.5"}, {"delta": "0"}, {"seed": "-3"}, {"seed": "1e99"},
        {"data": "unknown"}, {"algorithms": "foo", "beyond": "bar"}, {"trials": "1000000"},
        {"budget": "1"},
        {"p": ""}, {"stranger": "1"},
        {"q": "7", "p": "-1", "delta": "nope", "seed": "-3", "data": "?", "algorithms": "foo",
         "beyond": "bar"},
    ],
    ids=str,
)  # fmt: skip
def test_values_that_make_no_sense_are_dropped(query):
    """An address with nothing that is understood is a first visit; old ones meant film genres."""
    app = visit(**query)
    assert not app.exception
    assert setup_of(app) in (DEFAULT, at("ad-campaign"))


@pytest.mark.parametrize("run", ["-1", "99999999", "x"])
def test_a_run_that_does_not_exist_is_dropped(run):
    app = visit("race", data=TWO_ARMS, run_number=run, left="nobody", **SMALL)
    assert not app.exception
    assert app.number_input(key="run_number").value == 0


def test_a_link_sets_everything():
    app = visit(
        data=POETRY.title, selection="The most rated books", p="0.35", q="0.1", delta="0.05",
        seed="12", algorithms=["LUCB++", "lil'UCB"], **SMALL,
    )  # fmt: skip
    assert setup_of(app) == at(
        "goodreads-poetry", {"selection": "title"}, p=0.35, q=0.1, delta=0.05, seed=12,
        algorithms=("lil_ucb", "lucb_pp"), trials=10, max_samples=20_000,
    )  # fmt: skip


# ---------------------------------------------------------------- sign and presets


def test_the_sign_is_what_the_library_finds():
    problem = cbai.load_problem("movielens-1m")
    safe = check_validity(problem, 0.2).smallest_safe_q
    assert "violated" in sign(visit(q="0"))
    assert "valid for the best arm" in sign(visit(q=f"{safe:g}"))
    assert "violated" in sign(visit(q=f"{safe - 0.01:g}", p="0"))
    unknown = sign(visit(p="1"))
    assert "valid" in unknown
    assert "best arm" not in unknown


@pytest.mark.parametrize("delta", ["0.005", "0.001"])
def test_certainty_is_not_rounded_up_to_all(delta):
    text = said(visit(data=TWO_ARMS, delta=delta, **SMALL).sidebar)
    assert f"{100 * (1 - float(delta)):g}" in text
    assert "100" not in text


@pytest.mark.parametrize("name", ["movielens-1m", "paper-two-arms"])
def test_presets_set_p_and_q(name):
    app = visit(data=cbai.DATASETS[name].title, p="0.5", q="0.1", **SMALL)
    safe = check_validity(cbai.load_problem(name), 0.5).smallest_safe_q
    known = {"As in the paper": (0.2, 0.0), "Safe buffer": (0.2, safe), "No correlation": (1.0, 0)}
    for preset, expected in known.items():
        app.button(key=f"preset {preset}").click().run()
        assert not app.exception
        assert (setup_of(app).p, setup_of(app).q) == expected
        assert (app.slider(key="p").value, app.slider(key="q").value) == expected


@pytest.mark.parametrize("page", ["race", "samples"])
def test_a_violated_assumption_is_said_aloud_with_a_way_out(page):
    app = visit(page, algorithms=PAIR, **SMALL)
    assert VIOLATED in said(app.main)
    app.button(key="use safe buffer").click().run()
    assert setup_of(app).q == check_validity(setup_of(app).problem, 0.2).smallest_safe_q
    assert VIOLATED not in said(app.main)
    assert "violated" not in sign(app)
    if page != "samples":  # which starts over once its runs are done, for the test without notices
        assert [notice.value for notice in app.toast] == [
            f"The safety buffer q is now {setup_of(app).q:g}."
        ]


def test_assumption_confirms_its_buffer_too():
    app = visit("assumption", p="0.2", **SMALL)
    app.button(key="use suggested buffer").click().run()
    assert [notice.value for notice in app.toast] == ["The safety buffer q is now 0.13."]


def test_assumption_says_that_its_pairs_are_drawn_without_p():
    fewer = "so fewer pairs are too low in a run"
    assert fewer in said(visit("assumption", p="0.2", **SMALL).main)
    assert fewer not in said(visit("assumption", p="0", **SMALL).main)


def test_lower_bounds_that_are_too_high_are_shouted_where_they_are_used(monkeypatch):
    right = cache.get_validity

    def too_high(setup):
        return replace(right(setup), lower_holds=False)

    monkeypatch.setattr(cache, "get_validity", too_high)
    shout = "A lower bound from the survey is too high"
    two_sided = cbai.ALGORITHMS["c_lucb_bet_two"].title
    assert shout in said(visit("samples", data=TWO_ARMS, algorithms=[two_sided], **SMALL).main)
    assert shout not in said(visit("samples", data=TWO_ARMS, algorithms=["C-LUCB"], **SMALL).main)


@pytest.mark.parametrize("page", ["race", "samples"])
def test_nobody_is_warned_about_what_is_not_used(page):
    assert VIOLATED not in said(visit(page, algorithms=["LUCB"], **SMALL).main)


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize("query", [{}, {"q": "0.13", "delta": "0.1", "seed": "5"}], ids=str)
def test_home_and_race_say_what_the_traces_say(query):
    app = visit("home", algorithms=PAIR, **query)
    race = visit("race", algorithms=PAIR, run_number="2", **query)
    for page, trial in [(app, 0), (race, 2)]:
        setup, text = setup_of(page), said(page.main)
        if page is app:  # its own slider says how much is known: everything, to begin with
            setup = replace(setup, p=0.0)
        for name in ("lucb", "c_lucb"):
            trace = traced(setup, name, trial)
            assert trace.status == "identified"
            if page is race or name == "lucb" or setup.q > 0.0:
                assert count(trace.samples[-1]) in text
            else:  # its guarantee does not hold: no headline tells how few it needed
                assert "C-LUCB found" not in text
                assert "C-LUCB is left out: its guarantee does not hold at q = 0" in text
            assert trace.problem.arms[trace.best_arm] in text


def test_race_lists_who_was_ruled_out_by_whom():
    app = visit("race", q="0.13", algorithms=PAIR)
    assert not app.dataframe, "folded tables are made when they are opened"
    app.session_state["falls open"] = True
    app.run()
    tables = [one.value for one in app.dataframe if "Ruled out by" in one.value]
    for name, table in zip(["c_lucb", "lucb"], tables, strict=True):
        trace = traced(setup_of(app), name)
        events = table.iloc[:, :2].to_numpy().tolist()
        assert events == [[out.round, trace.problem.arms[out.arm]] for out in trace.eliminations]
        for out, by in zip(trace.eliminations, table["Ruled out by"], strict=True):
            assert by.startswith("its own" if out.by == out.arm else trace.problem.arms[out.by])


def test_competitive_says_what_the_formulas_say():
    app = visit("competitive", q="0.13", algorithms=["C-LUCB"])
    trace = traced(setup_of(app), "c_lucb")
    truth = true_competitive(trace.problem)
    share = trace.pulls[-1][~truth.competitive].sum() / trace.pulls[-1].sum()
    text = said(app.main)
    assert f"{truth.competitive.sum()} of {trace.problem.n_arms}" in text
    assert percent(share) in text
    validity = check_validity(cbai.load_problem("movielens-1m"), 0.2, 0.13)
    assert f"{int(validity.violated_pairs.sum()):,}" in text
    assert rounded_up(validity.smallest_q_best) in text
    assert rounded_up(validity.smallest_q_all) in text


PAPER_OURS = ("c_lucb", "c_lucb_pp")


def test_samples_says_what_simulate_says():
    app = visit("samples", q="0.13", delta="0.1", trials="10")
    trials = simulated(setup_of(app))
    assert trials.identified.all()
    text = said(app.main)
    means = {row.name: s.mean() for row, s in zip(trials.algorithms, trials.samples, strict=True)}
    titles = {row.name: row.title for row in trials.algorithms}
    ours = min(PAPER_OURS, key=means.__getitem__)
    theirs = min(("lucb", "lucb_pp"), key=means.__getitem__)
    samples = dict(zip(means, trials.samples, strict=True))
    kinds = [[samples[name] for name in kind] for kind in (("lucb", "lucb_pp"), PAPER_OURS)]
    ratio = cheapest_ratio(*kinds)
    assert ratio.high < 1.0
    assert f"{titles[ours]} needs {relation(ratio, 'ratings', titles[theirs])}." in text
    gain = cheapest_ratio([one for kind in kinds for one in kind], [samples["c_lucb_bet"]])
    assert f"Beyond the paper: C-LUCB-bet needs {relation(gain, 'ratings', titles[ours])}" in text
    for rate in error_rates(trials):
        assert f"{rate.count} of {rate.total} wrong" in text
        assert percent(rate.high) in text
    shown = app.dataframe[0].value
    expected = summarise(trials).set_index("title")[shown.columns]
    pd.testing.assert_frame_equal(shown, expected, check_dtype=False)


def test_the_download_holds_every_run(monkeypatch):
    offered = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, data, **_: offered.update({label: data})
    )
    app = visit("samples", data=TWO_ARMS, **SMALL)
    content = offered["Every run as CSV"]()
    pd.testing.assert_frame_equal(
        pd.read_csv(io.BytesIO(content)), simulated(setup_of(app)).to_frame(), check_dtype=False
    )


def test_no_note_of_the_code_is_shown():
    """Streamlit shows a text that stands alone in a page's script, other than its first line."""
    for page in PAGES:
        body = ast.parse((ROOT / "pages" / f"{page}.py").read_text("utf-8")).body
        alone = [one for one in body[1:] if isinstance(one, ast.Expr)]
        assert not [one for one in alone if isinstance(one.value, ast.Constant)], page


# ---------------------------------------------------------------- the first visit


def test_a_first_visit_begins_with_what_holds_and_its_address_names_the_data_set():
    app = visit("race")
    assert setup_of(app).dataset_id == "ad-campaign"
    assert setup_of(app).q == 0.0
    assert "".join(app.query_params["data"]) == cbai.DATASETS["ad-campaign"].title
    assert "assumption is violated" not in said(app.main)


def test_a_data_set_begins_with_the_smallest_safe_buffer():
    app = visit("race", data=cbai.DATASETS["ad-campaign"].title, **SMALL)
    app.sidebar.selectbox(key="data").set_value("movielens-1m").run()
    safe = check_validity(cbai.load_problem("movielens-1m")).smallest_safe_q
    assert setup_of(app).q == safe > 0.0
    assert "assumption is violated" not in said(app.main)
    app.sidebar.selectbox(key="data").set_value("ad-campaign").run()
    assert setup_of(app).q == 0.0


@pytest.mark.parametrize(
    ("page", "shown"), [("story", set()), ("data", {"sure"}), ("samples", set(sidebar.PARTS))]
)
def test_the_sidebar_hides_what_does_not_change_the_page(page, shown):
    style = sidebar._hide(page)
    hidden = {part for part in sidebar.PARTS if f".st-key-part-{part}" in style}
    assert set(sidebar.PARTS) - hidden == shown
