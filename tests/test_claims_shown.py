"""What pages and figures show of an algorithm that compares no bounds and leaves arms unasked."""

from __future__ import annotations

import numpy as np
import pytest

import cbai
from cbai.figures.base.words import Words
from cbai.figures.competitive import pseudo_gaps
from cbai.figures.race import eliminations, frames, why_sources
from cbai.figures.samples import costs
from cbai.results import estimated_competitive
from cbai.results.alarm import find_alarm
from cbai.results.why import why
from cbai.simulation.guarantee import cover
from cbai.ui.race import why_sentences as said
from cbai.ui.samples.unasked import never_sampled
from tests.visit import said as all_words
from tests.visit import visit

WORDS = Words("genre", "genres", "rating", "ratings")
NAME = "c_lucb_claim"
ROW = cbai.ALGORITHMS[NAME]
PROBLEM = cbai.load_problem("movielens-1m")


@pytest.fixture(scope="module")
def trace():
    return cbai.trace(PROBLEM, NAME, 0.01, seed=0, p=0.2, q=0.2)


def test_the_story_names_the_claim_and_no_bound(trace):
    for out in trace.eliminations:
        info = why(trace, out.arm)
        text = said.story(info, WORDS)
        assert f"against the claim that {PROBLEM.arms[out.arm]} is the best genre" in text
        assert "by at least 100" in text
        assert "at most" not in text
        assert not why_sources.rows_of(info)
        assert said.table(info, WORDS).shape == (5, 3)
        assert said.after_the_sum(info, WORDS)
    answer = said.story(why(trace, trace.best_arm), WORDS)
    assert "Film-Noir is the answer" in answer


def test_race_says_that_the_bounds_do_not_decide(trace):
    text = said.line([ROW, cbai.ALGORITHMS["c_lucb"]], WORDS)
    assert "C-LUCB-claim bets against each genre being the best; it shows bounds, but" in text
    assert "is beaten once" in said.line([ROW], WORDS)


def test_an_arm_that_was_never_sampled_is_said_to_be_so(trace):
    unasked = [out.arm for out in trace.eliminations if not trace.pulls[-1, out.arm]]
    assert unasked
    for arm in unasked:
        assert frames.reason(trace, arm, WORDS).endswith("before its first rating.")
    assert "0 ratings of its own" not in str(frames.race_info([trace], WORDS))


def test_figures_have_room_for_arms_that_were_never_sampled(trace):
    trials = cbai.simulate(PROBLEM, [NAME], 0.01, trials=3, seed=0, p=0.2, q=0.2)
    info = costs.gather(trials)
    assert info.pulls.min() == 0.0
    fig = costs.draw(info, WORDS)
    drawn = np.array(fig.data[1].x, dtype=float)
    assert (drawn >= costs.FEWEST).all()
    assert drawn[0] == pytest.approx(info.pulls[0, 0], rel=1e-3)
    assert "fewer than 0.1 drawn there" in fig.layout.xaxis.title.text
    races = eliminations.draw(trace, WORDS)
    lines = [one for one in races.data if one.mode == "lines"]
    assert all(one.x[0] <= one.x[1] for one in lines)
    assert pseudo_gaps.draw_history(pseudo_gaps.gather(trace), WORDS).data


def test_samples_says_how_many_arms_are_never_sampled():
    names = ["c_lucb_bet", NAME]
    trials = cbai.simulate(PROBLEM, names, 0.01, trials=10, seed=0, p=0.2, q=0.2)
    unasked = (trials.pulls[1] == 0).sum(axis=1).mean()
    expected = f"On average C-LUCB-claim never samples {unasked:.1f} of the 18 genres."
    assert never_sampled(trials, WORDS) == expected
    app = visit("samples", algorithms=[ROW.title], q="0.2", trials="10")
    assert expected in all_words(app)


def test_results_of_unsampled_arms_are_numbers(trace):
    estimate = estimated_competitive(trace)
    assert np.isfinite(estimate.pseudo_gap).all()
    assert find_alarm(trace) is None


def test_the_proof_is_said_to_cover_it():
    covered, reason = cover(ROW, 18, 0.01)
    assert covered
    assert reason == (
        "The best arm is ruled out with probability at most δ if every pseudo-reward on it is "
        "valid."
    )


@pytest.mark.parametrize("page", ["race", "samples", "competitive"])
def test_pages_with_it_alone_show_no_error(page):
    app = visit(page, algorithms=[ROW.title], q="0.2", trials="10")
    assert not app.exception
    assert ROW.title in all_words(app)
