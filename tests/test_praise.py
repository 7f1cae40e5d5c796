"""No boast of what fails: who is in a headline, what is saved, what is forwarded."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.figures.base.words import Words
from cbai.figures.samples import sample_counts, sample_rows
from cbai.problem.validity import check_validity
from cbai.results import error_rates
from cbai.results.praise import NOT_GUARANTEED, TOO_OFTEN_WRONG, UNPROVEN, WORTHY, doubt, doubts
from cbai.results.price import Price
from cbai.results.sweep import cell_of
from cbai.simulation import find
from cbai.ui.parts import answers
from cbai.ui.visit.setup import DEFAULT
from cbai.ui.whatif.money_sentences import summary
from tests.visit import said, visit

WORDS = Words("genre", "genres", "rating", "ratings")
NAMES = ["lucb", "lucb_pp", "c_lucb", "c_lucb_pp", "c_lucb_bet", "lil_ucb"]
RELYING = ("C-LUCB", "C-LUCB++", "C-LUCB-bet")


def film(q, p=0.2, trials=20):
    problem = cbai.load_problem("movielens-1m")
    return cbai.simulate(problem, NAMES, 0.1, trials=trials, p=p, q=q)


@pytest.fixture(scope="module")
def violated():
    return film(0.0)


@pytest.fixture(scope="module")
def safe():
    return film(0.13)


def erring(trials, row, wrong):
    """The same trials, `wrong` of which named the worst arm."""
    best_arm = trials.best_arm.copy()
    best_arm[row, :wrong] = trials.problem.ranking[-1]
    return replace(trials, best_arm=best_arm)


def test_who_may_be_praised(violated, safe):
    assert doubts(violated) == (
        WORTHY,
        WORTHY,
        NOT_GUARANTEED,
        NOT_GUARANTEED,
        NOT_GUARANTEED,
        UNPROVEN,
    )
    assert doubts(safe) == (WORTHY,) * 5 + (UNPROVEN,)
    assert doubts(film(0.0, p=1.0, trials=2)) == (WORTHY,) * 5 + (UNPROVEN,)


def test_only_an_exact_interval_above_delta_is_too_often(safe):
    """Five of 20 have the interval 0.087 to 0.49, six of 20 that from 0.119: delta is 0.1."""
    for wrong, said_of in [(5, WORTHY), (6, TOO_OFTEN_WRONG)]:
        spoiled = erring(safe, 0, wrong)
        assert doubts(spoiled)[0] == said_of
        assert (error_rates(spoiled)[0].low > 0.1) == (said_of == TOO_OFTEN_WRONG)


def test_two_sided_algorithms_need_their_lower_bounds_too():
    problem = cbai.load_problem("movielens-1m")
    validity = replace(check_validity(problem, q=0.13), lower_holds=False)
    assert doubt(find("c_lucb_bet_two"), 18, 0.01, validity) == NOT_GUARANTEED
    assert doubt(find("c_lucb_bet"), 18, 0.01, validity) == WORTHY


def test_the_best_few_need_the_bounds_on_each_of_them():
    problem = cbai.load_problem("movielens-1m")
    validity = check_validity(problem, q=0.13)
    bad = int(np.flatnonzero(validity.violated_pairs.any(axis=1))[0])
    assert doubt(find("c_lucb"), 18, 0.01, validity, named=[problem.best_arm]) == WORTHY
    assert (
        doubt(find("c_lucb"), 18, 0.01, validity, named=[problem.best_arm, bad]) == NOT_GUARANTEED
    )
    assert doubt(find("lucb"), 18, 0.01, validity, named=[problem.best_arm, bad]) == WORTHY


def test_the_headline_leaves_out_what_fails_and_says_from_which_buffer_it_holds(violated):
    text = answers.cost_answer(violated, WORDS)
    assert text.startswith("LUCB++ needs ")
    assert not any(f"{title} needs" in text for title in RELYING)
    assert "C-LUCB, C-LUCB++ and C-LUCB-bet are left out: their guarantees do not hold" in text
    assert "at q = 0. With q = 0.13 they would hold." in text
    assert "lil" not in text


def test_the_headline_praises_what_holds(safe):
    text = answers.cost_answer(safe, WORDS)
    assert "left out" not in text
    assert "Beyond the paper: C-LUCB-bet needs" in text


def test_the_headline_of_samples_has_one_number_and_praises_nothing_that_fails(violated, safe):
    text = answers.cost_headline(violated, WORDS)
    assert re.fullmatch(r"LUCB\+\+ needs [\d,]+ ratings on average\.", text)
    text = answers.cost_headline(safe, WORDS)
    assert re.fullmatch(
        r"C-LUCB(\+\+)? needs (about [a-z ]+|[\d.]+\W%) of the ratings of LUCB\+\+\.", text
    )
    spoiled = erring(erring(safe, 2, 9), 3, 9)
    assert not re.search(r"C-LUCB(\+\+)? needs", answers.cost_headline(spoiled, WORDS))
    rows = {row.algorithm.name: row for row in sample_rows.gather(spoiled).rows}
    assert rows["c_lucb"].relative == rows["c_lucb_pp"].relative == rows["lucb"].relative == ""
    assert "of LUCB++ (" in rows["c_lucb_bet"].relative


def test_nothing_is_saved_by_what_fails(violated, safe):
    assert answers.savings(violated, WORDS) == ""
    assert "C-LUCB saves" in answers.savings(safe, WORDS)
    text = answers.savings(erring(safe, 2, 9), WORDS)
    assert "C-LUCB saves" not in text
    assert "C-LUCB++ saves" in text


def test_who_errs_too_often_is_in_no_headline(safe):
    text = answers.cost_answer(erring(safe, 4, 9), WORDS)
    assert "C-LUCB-bet needs" not in text
    assert "C-LUCB-bet is left out: it was wrong more often than δ allows." in text


def test_a_rule_of_thumb_alone_has_no_headline():
    problem = cbai.load_problem("movielens-1m")
    alone = cbai.simulate(problem, ["lil_ucb"], 0.1, trials=2)
    text = answers.cost_answer(alone, WORDS)
    assert "No theorem bounds the errors of lil'UCB" in text
    assert " needs " not in text


def test_the_race_tells_only_of_those_whose_guarantee_holds():
    problem = cbai.load_problem("movielens-1m")
    for q, validity in [(q, check_validity(problem, 0.2, q)) for q in (0.0, 0.13)]:
        traces = [cbai.trace(problem, name, 0.01, p=0.2, q=q) for name in ("c_lucb", "lucb")]
        text = answers.race_answer("Films", traces, WORDS, validity)
        ours = f"{round(int(traces[0].samples[-1]), -3):,}"
        assert ("C-LUCB is left out" in text) == (q == 0.0)
        assert (" in this run LUCB found" in text) == (q == 0.0)
        assert (" in this run C-LUCB found" in text) == (q > 0.0)
        assert q > 0.0 or ours not in text


def test_bars_say_what_is_wrong_with_them(violated, safe):
    info = sample_rows.gather(violated)
    assert [row.doubt for row in info.rows] == list(doubts(violated))
    text = str(sample_counts.draw(info, WORDS).to_dict()["layout"]["annotations"])
    assert text.count(NOT_GUARANTEED) == 3
    assert f"({NOT_GUARANTEED})" in sample_counts.alt_text(info, WORDS)
    drawn = sample_counts.draw(sample_rows.gather(erring(safe, 0, 9)), WORDS).to_dict()
    assert TOO_OFTEN_WRONG in str(drawn["layout"]["annotations"])


def test_the_paragraph_to_forward_leaves_out_what_fails(violated):
    setup = replace(DEFAULT, delta=0.1, trials=20)
    cells = {
        name: cell_of(cbai.simulate(violated.problem, [name], 0.1, trials=20, p=0.2))
        for name in ("lucb", "c_lucb")
    }
    validity = check_validity(violated.problem, 0.2)
    text = summary(setup, ["lucb", "c_lucb"], cells, Price(1.0, 10.0), "EUR", validity)
    assert "LUCB needs" in text
    assert "C-LUCB needs" not in text
    assert "C-LUCB is left out" in text


@pytest.mark.parametrize("page", ["home", "samples"])
def test_a_first_visit_boasts_of_nothing_that_fails(page):
    text = said(visit(page, delta="0.1", trials="10").main)
    assert "left out" in text
    assert not any(f"{title} needs" in text or f"{title} saves" in text for title in RELYING)
