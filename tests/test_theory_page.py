"""The Theory page and its figures: their numbers, and what is said when nothing is promised."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.figures.base.style import count, percent
from cbai.figures.base.words import Words
from cbai.figures.theory import theory_arms, theory_bounds, theory_certainty
from cbai.problem.validity import check_validity
from cbai.results.certainty import DELTAS, cost_of_certainty, slope
from cbai.results.theory import theory_of
from cbai.ui.theory import sentences
from tests.test_no_answer import tied
from tests.visit import SMALL, said, setup_of, simulated, visit

WORDS = Words("ad", "ads", "view", "views")
ADS = cbai.DATASETS["ad-campaign"]
TWO = cbai.DATASETS["paper-two-arms"]
MOVIES = cbai.DATASETS["movielens-1m"]
MEGABYTE = 1_000_000
TEN = {"trials": "10"}


def runs(name="ad-campaign", trials=8, delta=0.1, p=0.2, **options):
    problem = cbai.load_problem(name)
    pair = [
        cbai.simulate(problem, [row], delta, trials=trials, p=p, **options)
        for row in ("lucb", "c_lucb")
    ]
    return theory_of(problem, delta, p, trials=trials), *pair


def costs(name="ad-campaign", trials=8, p=0.2):
    problem = cbai.load_problem(name)
    theory = theory_of(problem, 0.1, p, trials=trials)
    return [
        cost_of_certainty(
            [cbai.simulate(problem, [row], d, trials=trials, p=p) for d in DELTAS], theory
        )
        for row in ("lucb", "c_lucb")
    ]


# ---------------------------------------------------------------- figures


def test_bounds_against_direct_computation():
    theory, lucb, c_lucb = runs()
    first, second = theory_bounds.gather(theory, lucb, c_lucb).rows
    assert first.spent == pytest.approx(lucb.samples.mean())
    assert (first.allowed, first.rest) == (theory.lucb, 0.0)
    assert second.allowed == pytest.approx(np.mean(theory.c_lucb_competitive))
    assert second.rest == theory.c_lucb_rest
    within = sum(c_lucb.samples[0, i] <= theory.c_lucb_competitive[i] for i in range(8))
    assert (second.within, second.runs) == (within, 8)
    whole = f"in all {count(second.allowed + second.rest)}"
    for violated in (False, True):
        fig = theory_bounds.draw(
            theory_bounds.gather(theory, lucb, c_lucb), WORDS, violated=violated
        )
        texts = [note.text for note in fig.layout.annotations]
        assert f"allowed {count(first.allowed)}" in texts
        assert (whole in texts) == (not violated)
        assert sum("violated" in text for text in texts) == violated


def test_a_run_without_an_answer_is_never_within_its_bound():
    theory, lucb, c_lucb = runs(max_samples=50)
    info = theory_bounds.gather(theory, lucb, c_lucb)
    assert [(row.within, row.ran_out) for row in info.rows] == [(0, 8), (0, 8)]
    fig = theory_bounds.draw(info, WORDS)
    assert sum("≥" in note.text for note in fig.layout.annotations) == 2
    symbols = [trace.marker.symbol for trace in fig.data if trace.mode == "markers"]
    assert symbols.count("triangle-right-open") == 2


def test_arms_against_direct_computation():
    theory, lucb, c_lucb = runs()
    info = theory_arms.gather(theory, lucb, c_lucb)
    assert info.mixed
    assert (np.diff(info.competitive.astype(int)) <= 0).all()
    for row, name in enumerate(info.arms):
        arm = theory.arms.index(name)
        assert info.lucb[row] == pytest.approx(lucb.pulls[0, :, arm].mean())
        assert info.c_lucb[row] == pytest.approx(c_lucb.pulls[0, :, arm].mean())
        assert info.settled[row] == theory.settled_c_lucb[arm]
        assert info.share[row] == pytest.approx(theory.competitive[:, arm].mean())
    for means in (info.competitive, ~info.competitive):
        order = [theory.gap[theory.arms.index(info.arms[row])] for row in np.flatnonzero(means)]
        assert order == sorted(order)


def test_competitive_and_others_differ_in_colour_and_shape():
    theory, lucb, c_lucb = runs(p=0.0)
    fig = theory_arms.draw(theory_arms.gather(theory, lucb, c_lucb), WORDS)
    looks = {trace.name: (trace.marker.symbol, trace.marker.color) for trace in fig.data}
    ours, others = looks["C-LUCB, competitive"], looks["C-LUCB, non-competitive"]
    assert ours[0] != others[0]
    assert ours[1] != others[1]
    assert looks["LUCB, competitive"] == (f"{ours[0]}-open", ours[1])
    assert sum(len(trace.x) for trace in fig.data if "C-LUCB" in (trace.name or "")) == 6


def test_certainty_against_direct_computation():
    cost = costs()[1]
    info = theory_certainty.gather(cost)
    for kind, pulls in ((True, cost.competitive), (False, cost.others)):
        group = info.groups[kind]
        np.testing.assert_allclose(group.mean, pulls.mean(axis=1))
        half = 1.96 * pulls.std(axis=1, ddof=1) / np.sqrt(8)
        np.testing.assert_allclose(group.margin, half)
        assert group.slope == slope(cost.delta, pulls)
    fig = theory_certainty.draw(info, WORDS, info.top)
    notes = [note.text for note in fig.layout.annotations]
    assert notes == [
        f"{theory_certainty.signed(group.slope.estimate)} per step"
        for group in info.groups.values()
    ]
    assert [line.x[0] for line in fig.data] == [0.1, 0.1]


def test_two_arms_are_both_competitive_and_leave_one_line():
    infos = [theory_certainty.gather(cost) for cost in costs("paper-two-arms")]
    assert [list(info.groups) for info in infos] == [[True], [True]]
    assert "nothing to save" in sentences.certainty_answer(infos[1], 10.0, WORDS, violated=False)


@pytest.mark.parametrize("name", ["ad-campaign", "paper-two-arms", "movielens-1m"])
@pytest.mark.parametrize("trials", [1, 6])
@pytest.mark.parametrize("budget", [5_000_000, 200])
def test_every_figure_can_be_drawn_and_sent(name, trials, budget):
    theory, lucb, c_lucb = runs(name, trials, max_samples=budget)
    bounds = theory_bounds.gather(theory, lucb, c_lucb)
    arms = theory_arms.gather(theory, lucb, c_lucb)
    drawn = [
        (theory_bounds.draw(bounds, WORDS), theory_bounds.alt_text(bounds, WORDS)),
        (theory_arms.draw(arms, WORDS), theory_arms.alt_text(arms, WORDS)),
    ]
    if name != "movielens-1m":
        certainty = [theory_certainty.gather(cost) for cost in costs(name, trials)]
        drawn += [
            (theory_certainty.draw(info, WORDS, info.top), theory_certainty.alt_text(info, WORDS))
            for info in certainty
        ]
    for fig, sentence in drawn:
        text = fig.to_json()
        assert len(text) < MEGABYTE
        assert "NaN" not in text
        assert "Infinity" not in text
        assert sentence.endswith(".")
        assert "nan" not in sentence


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize("p", ["0", "0.2"])
def test_the_answer_is_what_library_and_runs_say(p):
    app = visit("theory", data=ADS.title, p=p, **TEN)
    assert not app.exception
    setup, text = setup_of(app), said(app.main)
    theory = theory_of(setup.problem, setup.delta, setup.p, setup.q, setup.seed, setup.trials)
    lucb, c_lucb = simulated(replace(setup, algorithms=("lucb", "c_lucb"))).samples.mean(axis=1)
    sizes = theory.competitive.sum(axis=1)
    assert f"allows LUCB {count(theory.lucb)}" in text
    part = theory.c_lucb_competitive.mean()
    assert f"allows C-LUCB {count(part + theory.c_lucb_rest)};" in text
    assert f"allows C-LUCB, {count(part)} {setup.words.samples} are for" in text
    assert f"took {count(lucb)}" in text
    assert f"took {count(c_lucb)}" in text
    assert f"The hardness, the sum of 1 / gap² over ads, is {count(theory.hardness)}" in text
    expected = f"the {sizes[0]} competitive" if p == "0" else f"{sizes.min()} to {sizes.max()} that"
    assert expected in text
    shown = app.dataframe[0].value
    assert list(shown["Ad"]) == [setup.problem.arms[arm] for arm in setup.problem.ranking]
    np.testing.assert_allclose(sorted(shown["τ of LUCB"]), sorted(theory.settled_lucb))


def test_the_sweep_runs_when_asked_for_and_says_what_certainty_costs():
    app = visit("theory", data=TWO.title, p="0", **TEN)
    assert "tenfold" not in said(app.main)
    app.button(key="run certainty").click().run()
    assert not app.exception
    text = said(app.main)
    for cost in costs("paper-two-arms", trials=10, p=0.0):
        found = slope(DELTAS, cost.competitive)
        assert f"**{theory_certainty.signed(found.estimate)}**" in text
        assert theory_certainty.signed(found.high) in text
    app.number_input(key="seed").set_value(5).run()
    assert "tenfold" not in said(app.main)


def test_a_sweep_without_answers_shows_no_slopes():
    app = visit("theory", data=MOVIES.title, q="0.13", **SMALL)
    assert "its runs had no answer after 20,000" in said(app.main)
    assert "So the true means are higher" in said(app.main)
    app.button(key="run certainty").click().run()
    assert "160 of 160 runs had no answer" in said(app.main)
    assert "tenfold smaller δ |" not in said(app.main)


def test_where_the_assumption_is_violated_nothing_is_promised():
    app = visit("theory", data=MOVIES.title, algorithms=["LUCB"], **SMALL)
    assert not app.exception
    text = said(app.main)
    assert "assumption is violated" in text
    assert "The theorem promises nothing for C-LUCB here" in text
    assert "allows C-LUCB" not in text
    app.button(key="use safe buffer").click().run()
    assert setup_of(app).q == check_validity(setup_of(app).problem, 0.2).smallest_safe_q
    assert "assumption is violated" not in said(app.main)
    assert "allows C-LUCB" in said(app.main)


def test_a_tie_is_said_in_a_sentence(monkeypatch):
    row = replace(cbai.DATASETS["drug-trial"], id="tied", title="A tie", build=tied, options={})
    monkeypatch.setitem(cbai.DATASETS, "tied", row)
    app = visit("theory", data="A tie", **SMALL)
    assert not app.exception
    text = said(app.main)
    assert "Ann and Bea are equally good" in text
    assert "infinite" in text
    assert not app.get("plotly_chart")


def test_growth_of_the_others_is_explained_by_what_can_be_computed():
    """On films with nothing masked, the truly second best is ruled out by a false bound."""
    problem = cbai.load_problem("movielens-1m")
    theory = theory_of(problem, 0.1, 0.0, 0.13, trials=5)
    swept = [
        cost_of_certainty(
            [cbai.simulate(problem, [row], d, trials=5, q=0.13) for d in (0.1, 0.001)], theory
        )
        for row in ("lucb", "c_lucb")
    ]
    info = theory_certainty.gather(swept[1])
    assert info.others_grow
    assert "breaks no theorem" in sentences.certainty_answer(info, 10.0, WORDS, violated=False)
    why = sentences.why_it_grows(theory, swept[1], WORDS)
    assert "In 100" in why
    assert problem.arms[problem.second_arm] in why
    assert percent(swept[1].open_share) in why
    rows = sentences.slope_table([info, theory_certainty.gather(swept[0])], WORDS).splitlines()
    assert [row.split("|")[1].strip() for row in rows[2:]] == ["C-LUCB", "LUCB"]
