"""Home: its pictures say what the library computes, and a first visit waits for nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.figures.base.moments import own_samples
from cbai.figures.base.style import count, decimal
from cbai.figures.base.words import Words
from cbai.figures.home import wrong_survey
from cbai.figures.home.scene import MOST_ROWS, scene, telling_fall
from cbai.figures.home.sums import sum_of
from cbai.problem.validity import check_validity
from cbai.ui.home import sentences, stored
from cbai.ui.runs import cache
from tests.visit import SMALL, said, setup_of, traced, visit

ADS = cbai.DATASETS["ad-campaign"]
FILMS = cbai.DATASETS["movielens-1m"]
WORDS = Words.of(ADS)
LARGEST = 40_000
"""A picture must have at most this many bytes."""


@pytest.fixture(scope="module")
def pair():
    return [cbai.trace(ADS.build(), name, stored.DELTA) for name in stored.PAIR]


@pytest.fixture(scope="module")
def films():
    return [cbai.trace(FILMS.build(), name, 0.01, q=0.13) for name in stored.PAIR]


def home(**query):
    return visit("home", data=ADS.title, **query)


# ---------------------------------------------------------------- what is stored


def test_what_is_stored_is_what_the_library_computes():
    """If this fails after a change that is meant: python -m cbai.ui.home.stored."""
    computed = stored.computed()
    assert {file.stem for file in stored.FOLDER.glob("*.json")} == set(computed)
    for name, content in computed.items():
        kept = stored.read(name)
        assert json.loads(kept["scene"]) == json.loads(content["scene"]), name
        assert {**kept, "scene": ""} == {**content, "scene": ""}, name


def test_every_picture_is_small():
    for file in stored.FOLDER.glob("*.json"):
        assert file.stat().st_size < LARGEST, file.name


@pytest.mark.parametrize("knows", stored.KNOWS)
def test_a_first_visit_computes_nothing_at_any_stop(knows, monkeypatch):
    def asleep(*_args, **_options):
        raise AssertionError("a first visit must not wait for this")

    monkeypatch.setattr(cache, "get_trace", asleep)
    app = home(knows=knows)
    assert not app.exception
    assert app.title[0].value == stored.read(stored.name_of(knows))["headline"]


@pytest.mark.parametrize("change", [{"delta": "0.1"}, {"seed": "5"}, {"q": "0.3"}], ids=str)
def test_another_setup_is_computed(change):
    app = home(**change)
    assert not app.exception
    trace = traced(replace(setup_of(app), p=0.0), "c_lucb")
    assert app.title[0].value == sentences.headline(trace, WORDS)
    assert count(trace.samples[-1]) in said(app.main)


# ---------------------------------------------------------------- what is said


@pytest.mark.parametrize(("knows", "unknown"), stored.KNOWS.items())
def test_the_headline_and_the_lead_say_what_the_run_says(knows, unknown):
    app = home(knows=knows)
    runs = [cbai.trace(ADS.build(), name, stored.DELTA, p=unknown) for name in stored.PAIR]
    out = telling_fall(runs[0])
    headline = app.title[0].value
    if out is None:
        assert (unknown, headline) == (1.0, "Without the survey, no ad ruled out another")
    else:
        assert headline.endswith(f"after {own_samples(runs[0], out)} showings")
    for run in runs:
        assert count(run.samples[-1]) in said(app.main)


def test_a_first_visit_sees_an_ad_ruled_out_after_two_showings():
    assert home().title[0].value == "Watching one ad ruled out another after 2 showings"


def test_a_stop_that_does_not_exist_is_the_default():
    app = home(knows="something")
    assert not app.exception
    assert app.select_slider(key="knows").value == "everything"


def test_other_data_are_told_in_their_own_words():
    app = visit("home", data=FILMS.title, q="0.13", delta="0.1")
    trace = traced(replace(setup_of(app), p=0.0), "c_lucb")
    own = own_samples(trace, telling_fall(trace))
    assert app.title[0].value == (
        f"One genre’s ratings ruled out another genre after {own} of its own"
    )
    assert f"{MOST_ROWS} of 18 genres are shown" in said(app.main)


def test_a_survey_that_is_too_low_is_said_in_one_line_with_a_way_out():
    app = visit("home", data=FILMS.title, q="0", **SMALL)
    warnings = [one.value for one in app.main.markdown if "assumption is violated" in one.value]
    assert len(warnings) == 1
    app.button(key="use buffer on home").click().run()
    assert setup_of(app).q == check_validity(FILMS.build()).smallest_safe_q
    assert "assumption is violated" not in said(app.main)


# ---------------------------------------------------------------- the picture


def undone(flat, width):
    return np.cumsum(np.reshape(flat, (-1, width)), axis=0)


def test_the_picture_shows_the_bounds_means_and_pulls_of_the_traces(pair):
    shown = scene(pair, WORDS)
    frames, rows = np.array(shown["frames"]), shown["rows"]
    assert rows == pair[0].problem.ranking.tolist()
    for panel, trace in zip(shown["panels"], pair, strict=True):
        here = frames[frames <= trace.samples[-1]]
        moments = np.searchsorted(trace.samples, here, side="right") - 1
        for name in ("mean", "lower", "upper"):
            drawn = undone(panel[name], len(rows)) * shown["unit"]
            np.testing.assert_allclose(
                drawn, getattr(trace, name)[moments][:, rows], atol=0.51 * shown["unit"]
            )
        np.testing.assert_array_equal(
            undone(panel["pulls"], len(rows)), trace.pulls[moments][:, rows]
        )
        alive = np.where(trace.active[moments], trace.lower[moments], -np.inf)
        assert panel["leader"] == alive.argmax(axis=1).tolist()
        np.testing.assert_allclose(
            undone(panel["bar"], 1)[:, 0] * shown["unit"], alive.max(axis=1), atol=shown["unit"]
        )


def test_who_set_an_upper_bound_is_who_decided(pair):
    shown = scene(pair, WORDS)
    by = np.reshape(shown["panels"][0]["by"], (-1, len(shown["rows"])))
    for out in shown["panels"][0]["out"]:
        frame, row = shown["frames"].index(out["at"]), shown["rows"].index(out["arm"])
        assert by[frame, row] == out["by"]
    own = np.arange(6)[shown["rows"]]
    assert (by[0] == own).any()  # nothing is known yet, so nobody set another one's bound
    assert "by" not in shown["panels"][1]


def test_the_picture_is_paused_where_an_arm_falls_after_a_handful_of_its_own(pair):
    shown, out = scene(pair, WORDS), telling_fall(pair[0])
    paused = shown["frames"][shown["start"]]
    events = {one["arm"]: one for one in shown["panels"][0]["out"]}
    assert events[out.arm]["at"] == paused
    assert (
        events[out.arm]["own"]
        == 2
        == pair[0].pulls[np.searchsorted(pair[0].rounds, out.round), out.arm]
    )
    low, high = shown["axis"]
    bar = undone(shown["panels"][0]["bar"], 1)[shown["start"], 0] * shown["unit"]
    assert low + 0.3 * (high - low) < bar < low + 0.7 * (high - low)


def test_of_many_arms_those_that_matter_are_drawn(films):
    shown, out = scene(films, Words.of(FILMS)), telling_fall(films[0])
    assert len(shown["rows"]) == MOST_ROWS
    best, second = np.argsort(-films[0].pulls[-1])[:2]
    assert {films[0].problem.best_arm, out.arm, out.by, int(best), int(second)} <= set(
        shown["rows"]
    )
    assert len(shown["arms"]) == 18
    assert len(json.dumps(shown)) < 2 * LARGEST


@pytest.mark.parametrize("arm", range(6))
def test_the_sum_is_right_as_it_is_written(pair, arm):
    trace = pair[0]
    if arm == trace.best_arm:
        assert sum_of(trace, arm) is None
        return
    told = sum_of(trace, arm)
    upper, bar, average, radius = (float(told[n]) for n in ("upper", "bar", "average", "radius"))
    digits = len(told["upper"].partition(".")[2])
    assert upper < bar
    assert round(average + radius, digits) == upper
    seen = sum(n for _, n, _ in told["terms"])
    assert seen == told["seen"]
    assert sum(n * float(most) for _, n, most in told["terms"]) / seen == pytest.approx(
        average, abs=10.0**-digits
    )
    out = next(one for one in trace.eliminations if one.arm == arm)
    index = int(np.searchsorted(trace.rounds, out.round))
    assert told["at"] == trace.samples[index]
    assert told["upper"] == decimal(trace.upper[index, arm], digits)
    assert told["own"] == trace.pulls[index, arm]


# ---------------------------------------------------------------- the second act


@pytest.fixture(scope="module")
def misled():
    return wrong_survey.misled_problem(ADS.build())


def test_only_what_the_survey_says_about_the_best_arm_is_too_low(misled):
    right, best = ADS.build(), misled.best_arm
    fallen = right.pseudo_rewards - misled.pseudo_rewards
    others = np.arange(misled.n_arms) != best
    assert (fallen[best, others] > 0.0).all()
    assert fallen[best, others].max() == wrong_survey.POINTS
    assert not fallen[others].any()
    assert not fallen[best, best].any()
    assert check_validity(misled, masks=1).smallest_safe_q == stored.BUFFERS[-1]


@pytest.mark.parametrize("buffer", stored.BUFFERS)
def test_the_second_act_says_what_the_runs_say(misled, buffer):
    content = stored.read(stored.name_with(buffer))
    run = wrong_survey.misled_trace(misled, stored.DELTA, buffer)
    fell = misled.best_arm in {out.arm for out in run.eliminations}
    assert fell == (buffer <= 0.5)
    assert ("ruled out Soccer stadium" in content["outcome"]) == fell
    wrong, runs = wrong_survey.count_misled(misled, stored.DELTA, buffer)
    assert f"in {wrong or 'none'} " in content["rate"]
    assert f"In {runs} runs" in content["rate"]
    assert ("the guarantee holds" in content["rate"]) == (buffer >= 2.5)


def test_the_buffer_changes_the_second_act_and_nothing_else():
    app = home()
    before, title = said(app.main), app.title[0].value
    assert "It ruled out Soccer stadium" in before
    app.select_slider(key="buffer").set_value(2.5).run()
    assert not app.exception
    assert "C-LUCB finds Soccer stadium" in said(app.main)
    assert app.title[0].value == title
