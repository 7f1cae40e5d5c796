"""What Your data and Assumption say of small, open, clear, wide and patchy surveys."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from cbai.datasets import load_problem
from cbai.problem.counted import counted
from cbai.problem.splits import make_problem, split
from cbai.problem.trust import trust_of
from cbai.problem.validity import check_validity
from cbai.ui.parts.violation import violation_text
from cbai.ui.shell.validity_sign import assumption
from cbai.ui.your_data.survey_sentences import buffer
from tests.surveys import Population
from tests.visit import SMALL, said, visit

NUMBERS = {0: "0 people", 1: "1 person", 2: "2 people", 1200: "1,200 people"}
ONE_OF_MANY = re.compile(r"\b1 (other )?(people|options|ratings|rows|pairs)\b")
NAMES = ("Elm", "Oak", "Ash", "Fir", "Yew", "Bay", "Box", "Fig", "Hop", "Ivy", "Nut", "Rue")


def ratings(people, better, missing=0.0, scale=(1, 5), seed=5):
    """Return a table of people who rate options; each is better by so many points."""
    rng = np.random.default_rng(seed)
    middle = sum(scale) / 2.0
    score = rng.normal(middle, 0.8, (people, 1)) + np.array(better)
    score = np.clip(np.rint(score + 0.6 * rng.normal(size=score.shape)), *scale).astype(int)
    gone = rng.random(score.shape) < missing
    rows = [
        ",".join([f"p{i}", *("" if no else str(one) for one, no in zip(*row, strict=True))])
        for i, row in enumerate(zip(score, gone, strict=True))
    ]
    head = ",".join(["person", *NAMES[: len(better)]])
    return "\n".join([head, *rows, ""]).encode()


def apart(people):
    """Return a table in which half of the people rated two options, the others two others."""
    rows = ratings(people, [0.5, 0.0, -0.3, 0.3]).decode().splitlines()
    kept = [
        ",".join([who, *(("", "", c, d) if i % 2 else (a, b, "", ""))])
        for i, (who, a, b, c, d) in enumerate(row.split(",") for row in rows[1:])
    ]
    return "\n".join([rows[0], *kept, ""]).encode()


SURVEYS = {
    "two people": b"person,Elm,Oak,Ash\na,5,3,1\nb,4,2,2\n",
    "300 alike": ratings(300, [0.0, 0.0]),
    "60 with a leader": ratings(60, [1.2, 0.1, -0.8]),
    "12 options": ratings(150, [0.02 * k for k in range(12)]),
    "missing pairs": apart(150),
    "yes or no": ratings(40, [0.05, 0.0, 0.3], scale=(0, 1)),
}


def uploaded(name, **query):
    app = visit("data", **SMALL, **query)
    app.file_uploader(key="own_table").upload("trees.csv", SURVEYS[name], "text/csv")
    app.run()
    assert not app.exception
    return app


def assumption_of(app):
    app.button(key="use it").click().run()
    app.switch_page("pages/assumption.py").run()
    assert not app.exception
    return app


def headings(app):
    return [one.value for one in app.markdown if one.value.startswith("## ")]


@pytest.mark.parametrize("name", SURVEYS)
def test_every_survey_is_spoken_of_as_people_options_and_ratings(name):
    """With the right number: one person, two people."""
    app = uploaded(name)
    for page in ("Your data", "Assumption"):
        if page == "Assumption":
            assumption_of(app)
        text = said(app.main)
        assert not ONE_OF_MANY.search(text), ONE_OF_MANY.search(text)
        assert not re.search(r"\b[Aa]rms?\b|\busers?\b|\binf\b|\bnan\b", text), text


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_goes_with_its_noun(number):
    assert counted(number) == NUMBERS[number]
    assert counted(number, "pair", "pairs").endswith("pair" if number == 1 else "pairs")


@pytest.mark.parametrize(("q", "word"), [(0.0, "too low with"), (0.15, "open"), (0.2, "No ")])
def test_what_is_said_of_the_assumption_goes_with_the_buffer(q, word):
    survey = Population().survey(np.random.default_rng(1), 200)
    halves = split(survey, "random", seed=1)
    found = trust_of(make_problem(survey, halves, "mean"), survey, halves)
    found = replace(found, q_low=0.1, q_high=0.2)
    assert word in assumption(found, q).replace("low, with", "low with")
    assert ("q = 0.15" in assumption(found, q)) == (q == 0.15)
    assert "largest buffer in the sidebar is 0.15" in buffer(replace(found, useful=True), 0.15)
    assert "at most" not in buffer(replace(found, useful=True), 0.25)
    assert "no useful buffer" in buffer(replace(found, useful=False), 0.25)


def test_two_people_are_too_few_to_say_what_it_takes():
    text = said(uploaded("two people").main)
    assert "Only 1 person is held out" in text
    assert "at least 10" in text
    assert "at a time" not in text
    assert "1 person makes the pseudo-rewards" in text
    assert "makes no clear difference" not in text


def test_a_buffer_that_leaves_nothing_is_not_suggested():
    app = uploaded("yes or no")
    text = said(app.main)
    assert "no useful buffer" in text
    assert "is enough" not in text
    assumption_of(app)
    assert "no useful buffer" in said(app.main)
    assert not [one for one in app.button if one.key == "use suggested buffer"]


def test_all_ways_that_come_to_what_is_in_use_are_marked():
    app = uploaded("60 with a leader")
    ways = {one.key: one for one in app.button if one.key.startswith("way ")}
    assert not any(one.disabled for one in ways.values())
    marked = [key for key, one in ways.items() if one.proto.icon.endswith("check:")]
    assert marked == ["way auto", "way mean"]
    assert "Here the tightest valid way is the paper's mean" in said(app.main)
    ways["way joint"].click().run()
    marked = [
        one.key for one in app.button
        if one.key.startswith("way ") and one.proto.icon.endswith("check:")
    ]  # fmt: skip
    assert marked == ["way joint"]


def test_the_headline_is_short_however_many_options_there_are():
    (heading,) = headings(uploaded("12 options"))
    assert re.fullmatch(
        r"## These 150 people cannot tell which of (the|the top) \d+ options is best\.", heading
    )


def test_whose_ratings_count_for_what_is_said_once():
    text = said(uploaded("missing pairs").main)
    assert "from the ratings of all 150 people" in text
    assert "75 people, drawn at random (seed 0), make the pseudo-rewards from 150 ratings" in text
    assert "The other 75 people" in text
    assert "Nobody rated both options of 4 pairs, such as 'Elm' and 'Ash'" in text


@pytest.mark.parametrize("name", ["300 alike", "60 with a leader", "yes or no"])
def test_both_pages_say_alike_whether_a_survey_can_be_trusted(name):
    app = uploaded(name)
    text = said(app.main)
    open_, trusted = "is open whether" in text, "**The survey can be trusted.**" in text
    assert open_ != trusted
    assumption_of(app)
    (heading,) = headings(app)
    assert "All pseudo-rewards are valid" not in said(app.main)
    assert ("open" in heading) == open_
    assert ("with 95" in heading) == trusted
    assert "they are only a sample" in said(app.main)
    if open_ and name != "yes or no":
        assert re.search(r"between q\xa0=\xa0[\d.]+ and [\d.]+", said(app.main))


def test_no_interval_looks_as_if_it_held_what_it_does_not():
    """A lead of 0.250 ± 0.248 is not written 0.25 ± 0.25."""
    (heading,) = headings(uploaded("yes or no"))
    if found := re.search(r"leads: ([\d.]+) ± ([\d.]+)", heading):
        assert float(found[1]) > float(found[2])


def test_a_buffer_that_is_too_small_is_not_called_enough():
    validity = check_validity(load_problem("movielens-1m"), 0.2)
    safe = validity.smallest_safe_q
    assert "is enough" in violation_text(validity, ["C-LUCB"], "genre", safe)
    said_of = violation_text(validity, ["C-LUCB"], "genre", safe - 0.02)
    assert "is enough" not in said_of
    assert "Even the largest safety buffer" in said_of


@pytest.mark.parametrize("page", ["home", "race", "samples"])
def test_a_run_on_data_that_decide_nothing_says_so(page):
    app = uploaded("300 alike")
    app.button(key="use it").click().run()
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    assert "Your data cannot tell" in said(app.main)
    assert "take the means that were observed for the truth" in said(app.main)
