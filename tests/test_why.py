"""Why an arm was dropped: the numbers fit those that decided, and the words say them."""

from __future__ import annotations

import numpy as np
import pytest

import cbai
from cbai.figures import knockouts, why_sources
from cbai.figures.words import Words
from cbai.results.why import why
from cbai.ui import why_sentences as said
from tests.visit import SMALL, visit
from tests.visit import said as all_words

WORDS = Words("genre", "genres", "rating", "ratings")
NAMES = [name for name in cbai.ALGORITHMS if name not in ("exp_gap", "lil_ucb")]


@pytest.fixture(scope="module")
def traces():
    problem = cbai.load_problem("movielens-1m")
    return {name: cbai.trace(problem, name, 0.05, seed=3, p=0.2, q=0.2) for name in NAMES}


def test_the_bounds_by_source_are_those_that_decided(traces):
    for name in ("c_lucb", "c_lucb_pp", "maxmin_lucb", "two_lucb", "lucb", "racing"):
        trace = traces[name]
        assert trace.eliminations or name == "c_lucb_pp"
        for out in trace.eliminations:
            info = why(trace, out.arm)
            assert np.nanmin(info.said) == pytest.approx(trace.upper[info.index, out.arm])
            assert int(np.nanargmin(info.said)) == out.by == info.by
            assert np.nanmin(info.said) < info.bar
            assert info.leader != out.arm


def test_the_evidence_against_a_dropped_arm_was_enough(traces):
    """Pooled: the sum over sources, each with its share, is more than any one alone."""
    for name in ("c_lucb_bet", "lucb_pp_bet"):
        for out in traces[name].eliminations:
            info = why(traces[name], out.arm)
            assert info.bets
            assert info.by == out.by
            assert np.nansum(np.maximum(info.said, 0.0)) >= info.needed - 1e-9
            assert info.needed == pytest.approx(np.log(2 / 0.05))


def test_the_sum_can_be_done_by_hand(traces):
    for name in NAMES:
        for arm in range(18):
            info = why(traces[name], arm)
            by_hand = float(info.seen @ info.table) / info.seen.sum()
            assert by_hand == pytest.approx(info.averages[info.by])
            assert f"{by_hand:.3f}" in said.arithmetic(info, WORDS)
            table = said.table(info, WORDS)
            assert table["Seen"].sum() == traces[name].pulls[info.index, info.by]


def test_words_name_the_round_the_arm_and_both_numbers(traces):
    trace = traces["c_lucb"]
    out = next(out for out in trace.eliminations if out.by != out.arm)
    info = why(trace, out.arm)
    text = said.story(info, WORDS)
    for part in (
        f"round {out.round:,}", trace.problem.arms[out.arm], trace.problem.arms[out.by],
        f"{trace.upper[info.index, out.arm]:.4f}", f"{info.bar:.4f}", "alone would still allow",
    ):  # fmt: skip
        assert part in text


def test_the_winner_and_those_never_dropped_have_words_too(traces):
    for name in NAMES:
        trace = traces[name]
        assert "is the answer" in said.story(why(trace, trace.best_arm), WORDS)
    trace = traces["lucb_pp"]
    other = next(arm for arm in range(18) if arm != trace.best_arm)
    assert "was never dropped" in said.story(why(trace, other), WORDS)


def test_a_run_out_of_budget_is_no_answer():
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, "lucb", 0.01, max_samples=500)
    assert trace.status == "budget"
    assert "without an answer" in said.story(why(trace, trace.best_arm), WORDS)


def test_a_false_bound_is_called_so():
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, "c_lucb", 0.01, seed=1, p=0.0, q=0.0)
    found = [why(trace, out.arm) for out in trace.eliminations if out.by != out.arm]
    assert any(info.false_bound for info in found)
    for info in found:
        truth = problem.probabilities[info.by] @ trace.problem.pseudo_rewards[info.arm, info.by]
        assert bool(said.warning(info, WORDS)) == (truth < problem.means[info.arm] - 1e-9)


def test_figures_show_every_source_and_every_arrow(traces):
    trace = traces["c_lucb"]
    out = next(out for out in trace.eliminations if out.by != out.arm)
    figure = why_sources.draw(why(trace, out.arm), WORDS)
    assert len(figure.data[-1].x) == 18
    assert trace.problem.arms[out.by] in why_sources.alt_text(why(trace, out.arm), WORDS)
    arrows = [note for note in knockouts.draw(trace, WORDS).layout.annotations if note.showarrow]
    assert len(arrows) == sum(one.by != one.arm for one in trace.eliminations)
    assert "ruled out" in knockouts.alt_text(trace, WORDS)
    assert "no genre" in knockouts.alt_text(traces["lucb_pp"], WORDS)


def test_an_arm_outside_the_range_is_named(traces):
    with pytest.raises(ValueError, match="arm must be a whole number from 0 to 17, got 18"):
        why(traces["lucb"], 18)


@pytest.mark.parametrize("name", cbai.DATASETS)
def test_the_page_explains_every_arm(name):
    problem = cbai.load_problem(name)
    for arm in (problem.arms[problem.best_arm], problem.arms[problem.ranking[-1]]):
        app = visit("race", data=cbai.DATASETS[name].title, why=arm, q="0.1", **SMALL)
        assert not app.exception
        assert arm in all_words(app.main)
        app.segmented_control(key="why_by").set_value(
            app.segmented_control(key="why_by").options[-1]
        ).run()
        assert not app.exception


@pytest.mark.parametrize("title", [row.title for row in cbai.ALGORITHMS.values()])
def test_the_page_explains_every_algorithm(title):
    app = visit("race", data=cbai.DATASETS["drug-trial"].title, algorithms=[title], **SMALL)
    assert not app.exception
    assert "Why was this" in all_words(app.main)
