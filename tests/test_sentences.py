"""The answers in words, the race's information, and links: all without drawing anything."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import parse_qs

import numpy as np
import pytest

import cbai
from cbai.figures.base.style import count, percent
from cbai.figures.base.words import Words
from cbai.figures.race.frames import outcome, outcomes, reason
from cbai.results import Rate, clopper_pearson, error_rates, sample_ratio
from cbai.ui.parts import answers as sentences
from cbai.ui.visit.setup import DEFAULT, DELTAS, largest_buffer, link
from tests.strategies import make_problem
from tests.visit import at, setup_of, visit

WORDS = Words("genre", "genres", "rating", "ratings")


@pytest.fixture(scope="module")
def trials():
    problem = make_problem(6, 4, "valid", "ratings", False, seed=1)
    return cbai.simulate(problem, ["lucb", "c_lucb"], 0.1, trials=25, seed=3, max_samples=500_000)


@pytest.fixture(scope="module")
def traces():
    problem = cbai.load_problem("movielens-1m")
    return [cbai.trace(problem, name, 0.01, p=0.2, q=0.13) for name in ("c_lucb", "lucb")]


def wrong(trace):
    return replace(trace, best_arm=int(trace.problem.ranking[-1]))


def out_of_budget(trace):
    return replace(trace, status="budget")


def with_samples(trials, samples):
    """The same trials, all with the right answer, after other numbers of samples."""
    shape = np.shape(samples)
    status, best_arm = np.full(shape, "identified"), np.full(shape, trials.problem.best_arm)
    return replace(trials, status=status, best_arm=best_arm, samples=np.array(samples))


def with_budget_stops(trials, n, row=0):
    status = trials.status.copy()
    status[row, :n] = "budget"
    return replace(trials, status=status)


# ---------------------------------------------------------------- one run


def test_a_right_answer_is_told_with_its_costs(traces):
    text = sentences.race_answer("Films", traces, WORDS)
    for trace in traces:
        assert trace.algorithm.title in text
        assert count(int(trace.samples[-1])) in text
    assert "found" in text
    assert traces[0].problem.arms[traces[0].best_arm] in text
    assert "ratings" in text


def test_a_wrong_answer_is_called_wrong_and_the_truth_named(traces):
    problem = traces[0].problem
    text = sentences.race_answer("Films", [wrong(traces[0]), traces[1]], WORDS)
    assert "found" not in text
    assert "wrongly named" in outcome(wrong(traces[0]), WORDS)
    assert problem.arms[problem.best_arm] in outcome(wrong(traces[0]), WORDS)
    assert outcome(wrong(traces[0]), WORDS) in text


def test_two_right_answers_are_one_sentence_and_all_others_two(traces):
    first, second = traces
    samples = count(int(second.samples[-1]))
    told = outcome(first, WORDS).removesuffix(".")
    assert outcomes(traces, WORDS) == f"{told}, {second.algorithm.title} after {samples}."
    assert outcomes([first], WORDS) == outcome(first, WORDS)
    for other in (wrong(second), out_of_budget(second)):
        both = f"{outcome(first, WORDS)} {outcome(other, WORDS)}"
        assert outcomes([first, other], WORDS) == both
    both_wrong = [wrong(first), wrong(second)]
    assert outcomes(both_wrong, WORDS).count("wrongly named") == 2


def test_a_run_that_ended_at_its_budget_names_nobody(traces):
    stopped = out_of_budget(traces[0])
    text = sentences.race_answer("Films", [stopped, traces[1]], WORDS)
    assert "found" not in text
    assert "without an answer" in text
    assert stopped.problem.arms[stopped.best_arm] not in outcome(stopped, WORDS)


def test_the_reason_names_by_whom_an_arm_was_ruled_out(traces):
    for trace in traces:
        arms = trace.problem.arms
        assert trace.eliminations
        for out in trace.eliminations:
            text = reason(trace, out.arm, WORDS)
            assert f"{out.round:,}" in text
            assert arms[out.arm] in text
            assert arms[out.by] in text
            others = set(arms) - {arms[out.arm], arms[out.by]}
            assert not any(re.search(rf"\b{re.escape(name)}\b", text) for name in others)


# ---------------------------------------------------------------- many runs


def test_the_ratio_is_that_of_the_means(trials):
    rng = np.random.default_rng(0)
    one = rng.integers(900, 1100, 25)
    cheap = with_samples(trials, [3 * one + rng.integers(0, 50, 25), one])
    ratio = sample_ratio(cheap.samples[1], cheap.samples[0])
    text = sentences.cost_answer(cheap, WORDS)
    assert abs(ratio.estimate - 1 / 3) < 0.01
    assert "C-LUCB needs about a third of the ratings of LUCB" in text
    assert f"{100 * ratio.low:.0f} to {percent(ratio.high)}" in text


def test_the_algorithm_that_uses_the_correlation_can_lose(trials):
    rng = np.random.default_rng(0)
    one = rng.integers(900, 1100, 25)
    dear = with_samples(trials, [one, 3 * one + rng.integers(0, 50, 25)])
    ratio = sample_ratio(dear.samples[1], dear.samples[0])
    text = sentences.cost_answer(dear, WORDS)
    assert f"C-LUCB needs {ratio.estimate:.3g} times as many ratings as LUCB" in text
    assert f"{ratio.low:.3g} to {ratio.high:.3g}" in text


def test_no_clear_difference_is_said_so(trials):
    same = with_samples(trials, np.random.default_rng(0).integers(900, 1100, (2, 25)))
    text = sentences.cost_answer(same, WORDS)
    assert "No clear difference" in text
    assert "times" not in text


def test_a_single_kind_of_algorithm_is_not_compared(trials):
    alone = replace(
        with_samples(trials, trials.samples[:1]),
        algorithms=trials.algorithms[:1],
        status=np.full((1, 25), "identified"),
    )
    text = sentences.cost_answer(alone, WORDS)
    assert f"LUCB needs {count(alone.samples.mean())} ratings" in text


def test_what_goes_beyond_the_paper_is_compared_with_the_paper(trials):
    rng = np.random.default_rng(0)
    rows = [*trials.algorithms, cbai.ALGORITHMS["c_lucb_bet"]]
    samples = np.multiply.outer([4, 2, 1], rng.integers(900, 1100, 25)) + rng.integers(
        0, 9, (3, 25)
    )
    three = replace(
        with_samples(trials, samples), algorithms=tuple(rows), status=np.full((3, 25), "identified")
    )
    text = sentences.cost_answer(three, WORDS)
    paper, beyond = text.split(" Beyond the paper: ")
    assert paper.startswith("C-LUCB needs about half the ratings of LUCB (")
    assert beyond.startswith("C-LUCB-bet needs about half the ratings of C-LUCB (")


def test_a_rule_of_thumb_is_nobodys_measure(trials):
    rng = np.random.default_rng(0)
    rows = [*trials.algorithms, cbai.ALGORITHMS["lil_ucb"]]
    samples = np.multiply.outer([4, 2, 1], rng.integers(900, 1100, 25)) + rng.integers(
        0, 9, (3, 25)
    )
    three = replace(
        with_samples(trials, samples), algorithms=tuple(rows), status=np.full((3, 25), "identified")
    )
    text = sentences.cost_answer(three, WORDS)
    assert text.startswith("C-LUCB needs about half the ratings of LUCB (")
    assert "lil" not in text


@pytest.mark.parametrize("n", [1, 25])
@pytest.mark.parametrize("row", [0, 1])
def test_runs_without_an_answer_are_not_compared(trials, n, row):
    some = with_budget_stops(trials, n, row)
    text = sentences.cost_answer(some, WORDS)
    assert "times" not in text
    assert f"{trials.max_samples:,}" in text
    assert f"{n} without an answer" in sentences.error_answer(some, WORDS)


def test_equally_good_arms_are_named_as_the_reason(trials):
    problem = make_problem(2, 3, "ties", "ratings", False, seed=0)
    ties = cbai.simulate(problem, ["lucb"], 0.01, trials=3, max_samples=500)
    assert len(problem.best_arms) == 2
    text = sentences.cost_answer(ties, WORDS)
    assert "equally good" in text
    assert all(name in text for name in problem.arms)


def test_error_rates_come_with_their_interval(trials):
    best_arm = trials.best_arm.copy()
    best_arm[0, :2] = trials.problem.ranking[-1]
    spoiled = replace(trials, best_arm=best_arm)
    text = sentences.error_answer(spoiled, WORDS)
    first, second = error_rates(spoiled)
    assert f"2 of 25 wrong ({percent(first.low)} to {percent(first.high)})" in text
    assert f"0 of 25 wrong (at most {percent(second.high)})" in text
    assert percent(trials.delta) in text


@pytest.mark.parametrize(("errors", "total"), [(0, 200), (3, 1500), (25, 25)])
def test_a_rate_is_written_with_both_ends_unless_there_were_none(errors, total):
    rate = clopper_pearson(errors, total)
    text = sentences.rate_text(rate)
    assert text.startswith(f"{errors:,} of {total:,} wrong")
    assert percent(rate.high) in text
    assert (percent(rate.low) in text) == (errors > 0)


@pytest.mark.parametrize("share", [0.99, 0.995, 0.9999])
def test_a_rate_below_one_is_never_written_as_all(share):
    assert "100" not in percent(share)
    assert "100" not in sentences.rate_text(Rate(1, 200, 0.0001, 0.999))


def test_the_effort_is_told_for_all_or_for_some():
    assert "3 of 18 genres" in sentences.effort_answer(3, 18, 0.04, WORDS)
    assert percent(0.04) in sentences.effort_answer(3, 18, 0.04, WORDS)
    assert "All 18 genres" in sentences.effort_answer(18, 18, 0.0, WORDS)


# ---------------------------------------------------------------- links


DATA = [DEFAULT.dataset.title]


def test_a_link_of_nothing_changed_names_the_data_set_alone():
    assert parse_qs(link(DEFAULT, {})[1:]) == {"data": DATA}


def test_a_link_keeps_what_belongs_to_the_page():
    query = parse_qs(link(replace(DEFAULT, p=0.5), {"left": "LUCB++", "p": "0.9"})[1:])
    assert query == {"data": DATA, "left": ["LUCB++"], "p": ["0.5"]}


SETUPS = [
    DEFAULT,
    replace(DEFAULT, p=1.0, q=0.13, delta=DELTAS[-1], seed=2**31 - 1, trials=10),
    replace(DEFAULT, algorithms=()),
    replace(DEFAULT, algorithms=tuple(cbai.ALGORITHMS), max_samples=20_000),
    replace(DEFAULT, algorithms=("lil_ucb", "c_lucb_pp"), p=0.0, q=0.01),
    *(
        at(name, {option: value}, max_samples=20_000)
        for name, row in cbai.DATASETS.items()
        for option, values in row.options.items()
        for value in values
    ),
    *(
        at(name, q=largest_buffer(cbai.load_problem(name)))
        for name, row in cbai.DATASETS.items()
        if not row.options
    ),
]


@pytest.mark.parametrize("setup", SETUPS, ids=range(len(SETUPS)))
def test_a_link_restores_the_setup(setup):
    query = parse_qs(link(setup, {})[1:], keep_blank_values=True)
    app = visit(**{name: value if len(value) > 1 else value[0] for name, value in query.items()})
    assert not app.exception
    assert setup_of(app) == setup


def test_savings_are_paired_differences_of_those_that_differ_by_the_correlation_only():
    problem = cbai.load_problem("movielens-1m")
    names = ["c_lucb_bet", "lucb", "lucb_pp", "c_lucb"]
    trials = cbai.simulate(problem, names, 0.05, trials=20, seed=4, p=0.2, q=0.2)
    saved = trials.samples[1] - trials.samples[3]
    text = sentences.savings(trials, WORDS)
    assert f"C-LUCB saves {count(saved.mean())} of the {count(trials.samples[1].mean())}" in text
    half = 2.093 * saved.std(ddof=1) / np.sqrt(20)  # Student's t, 19 degrees of freedom
    assert f"{count(saved.mean() - half)} to {count(saved.mean() + half)}" in text
    assert text.startswith("On average, at q = 0.2, ")
    assert "C-LUCB++" not in text
    blind = cbai.simulate(problem, names, 0.05, trials=20, seed=4, p=1.0)
    lost = (blind.samples[3] - blind.samples[1]).mean()
    assert lost > 0.0
    assert f"C-LUCB takes {count(lost)} more than the" in sentences.savings(blind, WORDS)
    few = cbai.simulate(problem, names, 0.05, trials=20, seed=4, p=0.2, q=0.2, max_samples=10_000)
    assert sentences.savings(few, WORDS) == ""
