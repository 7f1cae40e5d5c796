"""The algorithm lab: its choices, its verdict, and its algorithm on every page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cbai
from cbai.figures.base.style import THIN_SPACE
from cbai.figures.base.words import Words
from cbai.figures.lab import argument
from cbai.results import error_rates, sample_ratio
from cbai.simulation import find
from cbai.simulation.bounds.adaptive_bounds import BOUNDS
from cbai.simulation.guarantee import cover, spending, spent
from cbai.simulation.rules.choices import Challenger, Elimination, Leader, Share, Stopping
from cbai.simulation.rules.names import LAB, WHOLE, code
from cbai.ui.lab import recipe
from cbai.ui.parts.answers import rate_text
from cbai.ui.runs import cache
from cbai.ui.visit.setup import DEFAULT, DEFAULT_LAB
from tests.strategies import compositions
from tests.visit import PAGES, SMALL, said, setup_of, simulated, visit

WORDS = Words("genre", "genres", "rating", "ratings")
TWO_ARMS = cbai.DATASETS["paper-two-arms"].title
RECIPES = {
    "KL bounds": "pseudo_ucb-cross_ucb-2K-cross_ucb-2K-none-1-1-kl_lucb",
    "no elimination": "mean-own_ucb-2-none-1K-leader_above_all-2K-2-lil",
    "fixed n": "all-none-1-own_ucb-1-none-1-1-hoeffding",
    "may never stop": "mean-none-1-none-1K-leader_above_all-2K-2-howard",
    "a rule of thumb": "own_ucb-none-1-cross_ucb-2K-pull_share-1-1-lil_kl_lucb",
}

OPTIONS = {
    "leader": recipe.leaders(WORDS),
    "challenger": recipe.challengers(WORDS),
    "elimination": recipe.eliminations(WORDS),
    "stopping": recipe.stoppings(WORDS),
    "confidence": recipe.sequences(),
} | dict.fromkeys(recipe.SHARE_FIELDS, recipe.SHARES)


def lab(**query):
    return visit("lab", **{"data": TWO_ARMS, **SMALL, **query})


def choose(app, field, value):
    app.selectbox(key=f"lab_{field}").set_value(value).run()
    assert not app.exception
    return find(setup_of(app).lab)


# ---------------------------------------------------------------- choices


def test_every_known_rule_is_offered_in_words():
    kinds = {
        "leader": Leader, "challenger": Challenger, "elimination": Elimination,
        "stopping": Stopping, "confidence": BOUNDS,
    }  # fmt: skip
    for field, kind in kinds.items():
        assert set(OPTIONS[field]) == {one for one in kind if repr(one) not in map(repr, WHOLE)}
        assert all(option.label and option.meaning for option in OPTIONS[field].values())
    assert set(recipe.SEQUENCES) == set(BOUNDS)


@given(compositions, st.sampled_from(sorted(OPTIONS)), st.data())
def test_one_choice_gives_an_algorithm_that_has_it(row, field, data):
    value = data.draw(st.sampled_from(list(OPTIONS[field])))
    refused = row.leader is Leader.ALL and (
        field in ("challenger", "stopping") or value is Elimination.NONE
    )
    after = recipe.changed(row, field, value)
    assert find(code(after)).leader == after.leader
    if not refused and (field, value) != ("stopping", Stopping.NONE):
        assert getattr(after, field) == value


@given(compositions, st.integers(2, 60))
def test_fitting_shares_are_covered_whatever_the_rules(row, n_arms):
    fitted = recipe.fitting(row)
    assert spent(fitted, n_arms) <= 1.0 + 1e-9
    for field in (*recipe.RULES, "confidence"):
        assert getattr(fitted, field) == getattr(row, field)


def test_a_rule_that_comes_in_brings_shares_that_are_covered():
    for start in recipe.STARTS:
        row = find(start)
        if row.stopping is not Stopping.PULL_SHARE:
            for field in ("leader", "elimination"):
                for value in OPTIONS[field]:
                    after = recipe.changed(row, field, value)
                    assert cover(after, 18, 0.01).covered, (start, value)


@given(compositions)
def test_differences_are_none_to_itself(row):
    assert recipe.differences(row, row) == ""


def test_differences_are_said_in_words():
    said_ = recipe.differences(find(DEFAULT_LAB), find("c_lucb"))
    assert said_ == "the first pull and the second pull"


# ---------------------------------------------------------------- the argument's figure


@given(compositions, st.integers(2, 40))
def test_the_parts_of_the_figure_add_up_to_what_the_verdict_is_about(row, n_arms):
    info = argument.gather(row, n_arms)
    assert info.total == pytest.approx(spent(row, n_arms))
    parts = spending(row, n_arms)._asdict()
    assert dict(zip(info.kinds, info.shares, strict=True)) == {k: v for k, v in parts.items() if v}
    bars = argument.draw(info, WORDS).data
    assert [bar.x[0] for bar in bars] == pytest.approx([*info.shares, info.total])
    for i, bar in enumerate(bars[:-1]):
        assert bar.base[0] == pytest.approx(sum(info.shares[:i]))


# ---------------------------------------------------------------- pages


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("composed", RECIPES.values(), ids=RECIPES)
def test_every_page_runs_with_yours(page, composed):
    app = visit(page, data=TWO_ARMS, lab=composed, algorithms=["LUCB", "Yours"], **SMALL)
    assert not app.exception
    assert setup_of(app).algorithms == ("lucb", LAB + composed)
    if page in ("samples", "lab"):
        assert "Yours" in said(app.main)


@pytest.mark.parametrize("page", PAGES)
def test_every_page_runs_with_yours_alone_on_many_arms(page):
    app = visit(page, algorithms=["Yours"], **SMALL)
    assert not app.exception
    assert setup_of(app).algorithms == (DEFAULT_LAB,)


def test_the_lab_says_what_simulate_says():
    app = lab(lab=RECIPES["no elimination"], start="KL-LUCB", delta="0.1")
    setup = replace(setup_of(app), algorithms=(setup_of(app).lab, "lucb@kl_lucb", "lucb"))
    trials, text = simulated(setup), said(app.main)
    assert trials.identified.all()
    ratio = sample_ratio(trials.samples[2], trials.samples[0])
    assert f"95{THIN_SPACE}% interval" in text
    assert {f"{ratio.estimate:.2f}", f"{1 / ratio.estimate:.2f}"} & set(text.split())
    for title, rate in zip(["Yours", "KL-LUCB", "LUCB"], error_rates(trials), strict=True):
        assert f"**{title}**: {rate_text(rate)}" in text


def test_rules_that_are_the_same_are_run_once():
    text = said(lab(lab=code(find("lucb")).removeprefix(LAB), start="LUCB").main)
    assert text.count(" wrong (") == 1


@pytest.mark.parametrize(
    ("composed", "title", "also"),
    [
        (RECIPES["no elimination"], "Covered by a theorem.", "uses no pseudo-rewards"),
        (RECIPES["fixed n"], "Not covered", "one number of pulls"),
        (RECIPES["may never stop"], "Covered by a theorem.", "may never stop"),
        (RECIPES["a rule of thumb"], "Not covered", "rule of thumb"),
        (RECIPES["KL bounds"], "Covered by a theorem.", "relies on the pseudo-rewards: "),
        ("mean-cross_ucb-1-own_ucb-1K-none-1-1-howard", "Covered", "slow, but not wrong"),
        (
            "mean-own_ucb-1-own_ucb-1-none-1-1-howard",
            "Not covered",
            "up to 2 δ. That is more than δ",
        ),
    ],
)
def test_the_verdict_is_said_with_its_reason(composed, title, also):
    text = said(lab(lab=composed).main)
    assert title in text
    assert also in text


def test_a_theorem_whose_assumption_fails_is_not_called_a_cover():
    text = said(visit("lab", **SMALL).main)
    assert "assumption is violated here" in text
    assert "assumption is violated" in text
    sampling_only = "pseudo_ucb-own_and_pseudo_ucb-1K-own_ucb-1K-none-1-1-howard"
    text = said(visit("lab", lab=sampling_only, **SMALL).main)
    assert "assumption is violated" not in text
    assert "slow, but not wrong" in text


def test_runs_without_an_answer_are_counted_and_the_full_budget_is_offered():
    app = lab(lab=RECIPES["may never stop"], budget="1,000,000", delta="0.0001")
    assert "without an answer" in said(app.main)
    assert "No fair comparison" in said(app.main) or "No run" in said(app.main)
    app.button(key="full").click().run()
    assert not app.exception
    assert "1,000,000" in said(app.main)


def test_a_single_run_that_starves_is_soon_over_and_no_answer():
    app = visit("race", lab=RECIPES["may never stop"], algorithms=["Yours"])
    assert not app.exception
    trace = cache.get_trace(setup_of(app), setup_of(app).lab)
    assert (trace.status, trace.max_samples) == ("budget", cache.STARVING_BUDGET)
    assert "500,000" in said(app.main)


def test_each_choice_writes_the_recipe():
    app = lab()
    assert choose(app, "elimination", Elimination.NONE).stopping is Stopping.LEADER_ABOVE_ALL
    assert choose(app, "leader_share", Share(3, per_arm=True)).leader_share == Share(3, True)
    row = choose(app, "leader", Leader.ALL)
    assert (row.challenger, row.stopping) == (Challenger.NONE, Stopping.NONE)
    assert row.elimination is Elimination.OWN_UCB
    assert "no second pull" in said(app.main)
    assert choose(app, "leader", Leader.MEAN).challenger is Challenger.OWN_UCB
    assert choose(app, "confidence", "kl_lucb").confidence == "kl_lucb"
    assert app.text_input(key="lab").value == setup_of(app).lab.removeprefix(LAB)


@pytest.mark.parametrize("start", recipe.STARTS)
def test_one_can_start_from_any(start):
    app = lab()
    if start == "c_lucb":  # where it begins, with other choices
        app.button(key="start over").click().run()
    app.selectbox(key="start").set_value(start).run()
    assert not app.exception
    assert setup_of(app).lab == code(find(start))
    assert "still the same" in said(app.main)


def test_too_large_shares_can_be_mended_by_a_button():
    app = lab(lab="mean-own_ucb-1-cross_ucb-1-leader_above_all-1-1-howard")
    assert "Not covered" in said(app.main)
    app.button(key="fitting shares").click().run()
    assert "Not covered" not in said(app.main)
    assert cover(find(setup_of(app).lab), 2, 0.01).covered


def test_yours_is_put_on_every_page_and_taken_off():
    app = lab()
    app.button(key="everywhere").click().run()
    assert setup_of(app).algorithms == (*DEFAULT.algorithms, DEFAULT_LAB)
    app.switch_page("pages/samples.py").run()
    assert not app.exception
    assert "Yours" in said(app.main)
    app.switch_page("pages/lab.py").run()
    app.button(key="everywhere").click().run()
    assert setup_of(app).algorithms == DEFAULT.algorithms


def test_race_tells_what_yours_promises():
    app = visit("race", data=TWO_ARMS, lab=RECIPES["fixed n"], algorithms=["Yours"], **SMALL)
    assert "one number of pulls" in said(app.main)


# ---------------------------------------------------------------- links


@pytest.mark.parametrize(
    "bad",
    ["x", "mean-own_ucb", "[a](http://b.c)", "mean-own_ucb-1K-own_ucb-1K-none-1-1-magic",
     "all-own_ucb-1-own_ucb-1-none-1-1-howard", "9" * 5000],
)  # fmt: skip
def test_a_bad_recipe_gets_one_sentence_and_loses_nothing(bad):
    app = visit("samples", data=TWO_ARMS, lab=bad, algorithms=["LUCB", "Yours"], q="0.05", **SMALL)
    assert not app.exception
    (warning,) = app.sidebar.warning
    assert "The default one is used" in warning.value
    assert len(warning.value) < 600
    assert "[a](" not in warning.value
    assert setup_of(app).algorithms == ("lucb", DEFAULT_LAB)
    assert setup_of(app).q == 0.05
    assert app.text_input(key="lab").value == bad
    on_lab = visit("lab", data=TWO_ARMS, lab=bad, **SMALL)
    assert [box.value for box in on_lab.main.warning] == [warning.value]


@pytest.mark.parametrize("recipe_", ["", DEFAULT_LAB, DEFAULT_LAB.removeprefix(LAB)])
def test_an_empty_recipe_and_one_with_its_prefix_are_understood(recipe_):
    app = visit(data=TWO_ARMS, lab=recipe_)
    assert not app.sidebar.warning
    assert setup_of(app).lab == DEFAULT_LAB
