"""The page on bounds: it says what the library says, whatever is chosen."""

from __future__ import annotations

import numpy as np
import pytest

import cbai
from cbai.figures.base.style import percent
from cbai.figures.base.words import Words
from cbai.figures.bounds import bound_widths, miss_curves
from cbai.results import clopper_pearson
from cbai.simulation.bounds.confidence import CONFIDENCE
from cbai.simulation.coverage import first_misses
from cbai.ui.bounds import coverage
from cbai.ui.bounds.sentences import coverage_answer, price_answer
from tests.visit import said, setup_of, visit

WORDS = Words("coin", "coins", "toss", "tosses")
COIN = ([0.5, 0.5], [0.0, 1.0], 1.0)
MOVIES = cbai.load_problem("movielens-1m")


def plain(text):
    """Return a text of the page without its escapes."""
    return text.replace("\\", "")


def chips(app):
    """Return the choice of bounds."""
    return next(group for group in app.main.get("button_group") if group.key == "bounds")


# ---------------------------------------------------------------- sentences


def info_of(counts, promise=0.1, streams=1000):
    """Return the curves of sequences with so many misses."""
    first = np.zeros((len(counts), streams), np.int64)
    for row, count in zip(first, counts.values(), strict=True):
        row[:count] = 5
    return miss_curves.gather(list(counts), first, 100, promise)


@pytest.mark.parametrize(
    ("counts", "spread_", "parts"),
    [
        (
            {"howard": 2, "lil": 0, "hoeffding": 300}, 1.0,
            ["300 of 1,000", "although at most 10", "2 anytime bounds missed it in at most 2"],
        ),
        ({"howard": 0, "hoeffding": 300}, 1.0, ["bound Howard et al. missed it in none"]),
        ({"hoeffding": 300}, 1.0, ["300 of 1,000"]),
        ({"howard": 0, "lil": 0}, 1.0, ["in none of 1,000 streams", "0.37"]),
        ({"hoeffding": 2}, 0.3, ["even the fixed-n bound", "2 of 1,000", "vary only 30"]),
        ({"hoeffding": 90}, 1.0, ["90 of 1,000", "are too few to see more misses"]),
    ],
    ids=lambda x: str(x)[:50],
)  # fmt: skip
def test_the_answer_says_what_was_counted(counts, spread_, parts):
    sentence = coverage_answer(info_of(counts), spread_, WORDS)
    for part in parts:
        assert part in sentence
    assert sentence.endswith((".", "?"))


def test_the_price_is_that_of_the_tightest_anytime_bound():
    info = bound_widths.gather(["howard", "lil", "hoeffding"], 0.5, 0.05, 1.0)
    factor = CONFIDENCE["howard"].radius(10_000, 0.05, 1.0) / np.sqrt(np.log(20) / 20_000)
    sentence = price_answer(info, 10_000, WORDS)
    assert "Howard et al." in sentence
    assert f"{factor:.2g} times" in sentence
    edge = bound_widths.gather(["kl_lucb"], 0.01, 0.05, 1.0)
    assert "even nearer to the mean" in price_answer(edge, 100_000, WORDS)
    assert "Choose" in price_answer(bound_widths.gather(["hoeffding"], 0.5, 0.05, 1.0), 10, WORDS)


# ---------------------------------------------------------------- the page


def test_a_first_visit_says_what_the_library_says():
    text = plain(said(visit("bounds").main))
    found = first_misses(*COIN, ["hoeffding", "howard", "lil", "kl_lucb"], 0.05, 10_000, 1000)
    fixed, *others = (found > 0).sum(axis=1)
    assert f"missed the true mean in {fixed} of 1,000 streams" in text
    assert clopper_pearson(int(fixed), 1000).low > 0.1
    assert f"3 anytime bounds missed it in at most {max(others)}" in text
    assert percent(clopper_pearson(int(max(others)), 1000).high) in text


def test_an_arm_of_the_data_set_brings_its_own_rewards():
    name = MOVIES.arms[MOVIES.best_arm]
    app = visit("bounds", rewards_of=name, misses_allowed="20 %", streams="200", seed="3")
    assert not app.exception
    assert app.slider(key="coin_mean").disabled
    found = first_misses(
        MOVIES.probabilities[MOVIES.best_arm],
        MOVIES.values,
        5.0,
        ["hoeffding"],
        0.1,
        10_000,
        200,
        3,
    )
    text = plain(said(app.main))
    assert f"{(found > 0).sum()} of 200" in text
    assert "vary only" in text
    assert "b = 5" in text


def test_a_link_sets_all_controls_and_every_formula_is_shown():
    app = visit(
        "bounds", coin_mean="0.05", misses_allowed="1 %", look_until="1,000", streams="200",
        bounds=["KL-LUCB", "Even-Dar"], corridor="KL-LUCB", shown_as="times Howard's",
    )  # fmt: skip
    assert not app.exception
    assert app.slider(key="coin_mean").value == 0.05
    assert app.selectbox(key="corridor").value == "kl_lucb"
    text = plain(said(app.main))
    assert "2 anytime bounds" in text
    assert [one.value for one in app.latex] == [
        f"$$\n{row.formula}\n$$" for row in CONFIDENCE.values()
    ]
    for row in CONFIDENCE.values():
        assert row.source in text


@pytest.mark.parametrize(
    "query",
    [
        {"coin_mean": "7"}, {"coin_mean": "nan"}, {"rewards_of": "nobody"}, {"streams": "1e9"},
        {"misses_allowed": "0 %"}, {"look_until": "-1"}, {"corridor": "?"}, {"shown_as": "?"},
        {"bounds": "foo"}, {"bounds": ["lil"], "corridor": "Howard et al."},
    ],
    ids=str,
)  # fmt: skip
def test_values_that_make_no_sense_are_dropped(query):
    app = visit("bounds", **query)
    assert not app.exception
    assert "Checked after every toss" in plain(said(app.main))


def test_without_a_bound_the_page_gives_a_hint():
    app = visit("bounds", bounds="")
    assert not app.exception
    assert "at least one bound" in " ".join(info.value for info in app.info)


def test_an_arm_that_another_data_set_does_not_have_is_forgotten():
    app = visit("bounds", rewards_of=MOVIES.arms[17], streams="200")
    assert app.selectbox(key="rewards_of").value == 17
    app.selectbox(key="data").set_value("paper-two-arms").run()
    assert not app.exception
    assert app.selectbox(key="rewards_of").value == coverage.COIN


def test_a_bound_taken_away_leaves_the_corridor():
    app = visit("bounds", streams="200", look_until="1,000")
    assert app.selectbox(key="corridor").value == "hoeffding"
    chips(app).set_value(["lil", "howard"]).run()
    assert not app.exception
    assert app.selectbox(key="corridor").value == "howard"


def test_streams_are_drawn_once_and_a_stopped_run_shows_nothing(monkeypatch):
    calls = []

    def counted(*args, **options):
        calls.append(args)
        return first_misses(*args, **options)

    monkeypatch.setattr(coverage, "first_misses", counted)
    app = visit("bounds", streams="200", look_until="1,000", seed="77")
    chips(app).set_value(["lil"]).run()
    assert len(calls) == 1
    lab = coverage.lab_of(setup_of(app).problem, coverage.COIN, 0.5, 0.05, 1000, 200, 78)
    app.session_state["stopped run"] = repr(lab)
    app.number_input(key="seed").set_value(78).run()
    assert len(calls) == 1
    assert "Stopped" in " ".join(info.value for info in app.info)
    next(button for button in app.button if button.label == "Run again").click().run()
    assert len(calls) == 2
    assert not app.exception
