"""The story, without a browser: seven steps, each with a question and an answer to reveal."""

from __future__ import annotations

import re

import numpy as np
import pytest

import cbai
from cbai.figures.base.style import count, percent
from cbai.figures.story import coin
from cbai.problem.validity import check_validity
from cbai.results import clopper_pearson
from cbai.simulation.coverage import first_misses
from cbai.ui.story.classical_steps import FIRST
from cbai.ui.story.correlated_steps import LAST
from cbai.ui.story.notes import NOTES
from tests.visit import said, visit

STEPS = (*FIRST, *LAST)
NUMBERS = range(1, len(STEPS) + 1)
HIDDEN, SHOWN = "Show the answer", "Hide the answer"


def at(step, **query):
    app = visit("story", step=str(step), **query)
    assert not app.exception
    return app


def heading(app):
    return app.main.header[0].value


def answered(app):
    """Return what the answer says, once it is shown."""
    before = said(app.main)
    app.button(key="story answer").click().run()
    assert not app.exception
    new = [line for line in said(app.main).splitlines() if line and line not in before]
    return "\n".join(new)


def ads(names, delta, q=0.0):
    problem = cbai.load_problem("ad-campaign")
    return cbai.simulate(problem, names, delta, trials=100, q=q)


# ---------------------------------------------------------------- the frame


def test_there_are_seven_steps_of_few_words_and_notes_for_five_minutes():
    assert len(STEPS) == len(NOTES) == 7
    begin = [re.match(r"\*\*(\d):(\d\d)\.\*\*", note).groups() for note in NOTES]
    seconds = [60 * int(minutes) + int(rest) for minutes, rest in begin]
    assert seconds == sorted(set(seconds))
    assert seconds[0] == 0
    assert seconds[-1] < 5 * 60
    for step in STEPS:
        assert 1 <= len(re.findall(r"[.?!](?:\s|$)", step.words)) <= 3


@pytest.mark.parametrize("step", NUMBERS)
def test_an_answer_is_hidden_until_asked_for(step):
    app = at(step)
    assert heading(app) == f"{step}. {STEPS[step - 1].title}"
    assert "**Question.**" in said(app.main)
    assert app.button(key="story answer").label == HIDDEN
    assert len(answered(app)) > 20
    assert app.button(key="story answer").label == SHOWN
    assert answered(app) == ""
    assert app.button(key="story answer").label == HIDDEN


def test_next_and_back_move_and_the_link_follows():
    app = visit("story")
    assert app.button(key="story back").disabled
    for step in NUMBERS[1:]:
        app.button(key="story next").click().run()
        assert heading(app) == f"{step}. {STEPS[step - 1].title}"
        assert list(app.query_params["step"]) == [str(step)]
    assert app.button(key="story next").disabled
    app.button(key="story back").click().run()
    assert heading(app).startswith("6.")
    app.button(key="story dot done 2").click().run()
    assert heading(app).startswith("2.")


@pytest.mark.parametrize("step", ["0", "8", "-1", "x", "1.5", ""])
def test_a_step_that_does_not_exist_is_the_first(step):
    app = at(step)
    assert heading(app).startswith("1.")
    assert "step" not in app.query_params


def test_a_step_is_kept_over_a_switch_of_pages():
    app = at(4)
    app.switch_page("pages/glossary.py").run()
    app.query_params.clear()
    app.switch_page("pages/story.py").run()
    assert heading(app).startswith("4.")


def test_the_sidebar_changes_nothing():
    one, other = at(4), at(4, data=cbai.DATASETS["drug-trial"].title, seed="7", delta="0.2")
    assert said(one.main) == said(other.main)


# ---------------------------------------------------------------- what each step says


def test_the_coin_is_as_uncertain_as_hoeffding_says():
    app = at(1, views="1,000")
    info = coin.gather(1000)
    assert coin.answer(info) in said(app.main)
    half = coin.points(float(info.radius[-1]) / 2)
    assert f"{half} after 4,000" in answered(app)


@pytest.mark.parametrize("looks", [100, 10_000])
def test_looking_again_and_again_fools(looks):
    rate = coin.RATES[0]
    misses = first_misses(
        [1 - rate, rate], [0, 1], 1.0, ["howard", "hoeffding"], coin.D, looks, 1000
    )
    text = said(at(2, looks=f"{looks:,}").main)
    for wrong in (misses > 0).sum(axis=1):
        interval = clopper_pearson(int(wrong), 1000)
        assert percent(wrong / 1000) in text
        assert f"({percent(interval.low)} to {percent(interval.high)})" in text


def test_racing_ends_as_the_trace_does():
    trace = cbai.trace(cbai.load_problem("ad-campaign"), "racing", 0.05)
    app = at(3)
    assert trace.problem.arms[trace.best_arm] in said(app.main)
    assert count(trace.samples[-1]) in said(app.main)
    first = trace.eliminations[0]
    answer = answered(app)
    assert (
        f"{trace.problem.arms[first.arm]} was the first to be ruled out, in round {first.round:,}"
        in answer
    )
    assert percent(0.05 / 6) in answer


@pytest.mark.parametrize("delta", [0.05, 0.001])
def test_lucb_saves_what_simulate_says(delta):
    trials = ads(["racing", "lucb"], delta)
    racing, lucb = trials.samples.mean(axis=1)
    app = at(4, story_delta=percent(delta))
    text = said(app.main)
    assert f"Racing takes {count(racing)} views on average, LUCB {count(lucb)}" in text
    assert percent(1 - lucb / racing) in text
    best = trials.problem.best_arm
    pulls = trials.pulls[1].mean(axis=0)
    answer = answered(app)
    assert f"gets {percent(pulls[best] / pulls.sum())} of LUCB's views" in answer
    assert count(np.delete(pulls, best).sum()) in answer


def test_people_decide_who_is_better_and_what_holds():
    app = at(5)
    assert "Ad A 60" in said(app.main)
    app.button(key="story people b").click().run()
    assert [app.slider(key=f"people {name}").value for name in ("A only", "B only")] == [3, 4]
    assert "Ad B is better. Every bound holds" in said(app.main)
    app.slider(key="people both").set_value(9).run()
    assert "bounds are too low" in said(app.main)
    assert answered(app).startswith("No. Ad A is better in (a), Ad B in (b)")


def test_nobody_at_all_is_said_in_a_sentence():
    app = at(5, **{f"people {name}": "0" for name in ("neither", "A only", "B only", "both")})
    assert "There are no people" in said(app.main)


@pytest.mark.parametrize("q", [0.0, 0.1])
def test_what_non_competitive_ads_cost_is_simulated(q):
    app = at(6, story_q=f"{q:g}")
    lost = {0.0: [0, 2, 3, 4], 0.1: [4]}[q]
    runs = [ads(["c_lucb", "lucb"], delta, q) for delta in (0.05, 0.001)]
    spent = [[t.pulls[row][:, lost].sum(axis=1).mean() for t in runs] for row in (0, 1)]
    answer = answered(app)
    assert f"C-LUCB, the next step, shows them {count(spent[0][0])} times" in answer
    assert f"LUCB {count(spent[1][0])} times" in answer
    assert f"C-LUCB adds {count(spent[0][1] - spent[0][0])}" in answer


def test_with_a_large_buffer_all_compete():
    app = at(6, story_q="0.3")
    assert "All 6 ads are competitive" in said(app.main)
    assert "rule out no other ad" in answered(app)


def test_the_warning_stands_until_the_buffer_is_safe():
    problem = cbai.load_problem("movielens-1m")
    safe = check_validity(problem, 0.2).smallest_safe_q
    app = at(7, story_buffer="no buffer")
    spent = {
        q: [cbai.trace(problem, name, 0.01, p=0.2, q=q).samples[-1] for name in ("c_lucb", "lucb")]
        for q in (0.0, safe)
    }
    text = said(app.main)
    assert "assumption is violated" in text
    for samples in spent[0.0]:
        assert count(samples) in text
    answer = answered(app)
    assert answer.startswith("No. Of 20 draws")
    assert f"{count(spent[safe][0])} ratings in this run" in answer
    text = said(at(7, story_buffer="safe buffer").main)
    assert "assumption is violated" not in text
    assert "the guarantee holds" in text
    assert count(spent[safe][0]) in text


def test_the_story_ends_with_links():
    assert [link.label for link in at(7).main.get("page_link")] == ["Race", "Samples", "Your data"]
    assert not at(6).main.get("page_link")
