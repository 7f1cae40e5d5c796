"""What is kept of a run and of a figure: reports, files, and pages that need nothing else."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pandas as pd
import plotly.graph_objects as go
import pytest
import streamlit as st
from hypothesis import given, strategies
from hypothesis import settings as hypothesis_settings

import cbai
from cbai.datasets import Noun
from cbai.figures.base.style import count
from cbai.figures.base.words import Words
from cbai.problem.validity import VIOLATED, check_validity
from cbai.results.limit import limit_of
from cbai.results.limit.masked import MeanLimit
from cbai.results.run_file import from_json, repeat
from cbai.ui.parts import standalone
from cbai.ui.parts.answers import cost_answer
from cbai.ui.parts.chart import class_of, name_of
from cbai.ui.parts.violation import VIOLATION
from cbai.ui.samples import keep
from cbai.ui.samples.report import Content, report
from cbai.ui.shell.validity_sign import sign_text
from cbai.ui.visit.user_problem import OWN, OwnProblem
from tests.visit import SMALL, at, said, setup_of, simulated, traced, visit

TWO_ARMS = cbai.DATASETS["paper-two-arms"].title
ODD = "<script>alert(1)</script>"
MEGABYTE = 1_000_000


def content_of(setup, link="http://localhost:8501/samples?p=0.2&q=0.1"):
    validity = check_validity(setup.problem, setup.p, setup.q, setup.seed)
    return Content(
        setup, simulated(setup), limit_of(setup.problem, setup.delta), validity,
        sign_text(validity), 0.13, traced(setup, setup.algorithms[-1]), link, "run.json",
    )  # fmt: skip


class Reader(HTMLParser):
    """What a reader sees of a page, its scripts, and whatever would be loaded from elsewhere."""

    def __init__(self, page):
        super().__init__()
        self.words, self.scripts, self.loaded, self.inside = [], [], [], ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.inside = tag if tag in ("script", "style") else self.inside
        self.scripts += [dict(attrs)] if tag == "script" else []
        self.loaded += [value for name, value in attrs if name == "src"]
        self.loaded += [dict(attrs)["href"]] if tag == "link" else []

    def handle_endtag(self, tag):
        self.inside = "" if tag == self.inside else self.inside

    def handle_data(self, data):
        self.words += [] if self.inside else [data]

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def content():
    return content_of(at("movielens-1m", trials=10, max_samples=100_000))


# ---------------------------------------------------------------- the report


def test_a_report_names_p_beside_the_effort_and_both_lower_bounds(content):
    text = Reader(report(content)).text
    assert "In this run 20 % of the pseudo-rewards are unknown (p)." in text
    assert "lower bound with correlation" not in text
    known = replace(content, known=MeanLimit(0.01, 77.0, 20))
    assert f"the lower bound is {count(known.known.samples)} ratings" in Reader(report(known)).text
    without = replace(content, trace=replace(content.trace, p=0.0))
    assert "pseudo-rewards are unknown" not in Reader(report(without)).text
    false = Reader(report(replace(content, why_not="false"))).text
    assert "holds only for valid pseudo-rewards" in false


def test_a_report_says_what_the_page_says(content):
    page = report(content)
    read = Reader(page)
    assert content.validity.verdict == VIOLATED
    words = Words.of(content.setup.dataset)
    parts = [
        cost_answer(content.trials, words), VIOLATION, "δ = 0.01", "p = 20 % unknown", "seed 0",
        "python -m cbai run run.json", content.link, cbai.__version__, "100,000 ratings per run",
        content.setup.dataset.licence, content.trials.problem.fingerprint[:12],
        "0 of 10 wrong (at most 31 %)",
    ]  # fmt: skip
    for part in parts:
        assert " ".join(part.split()) in read.text
    assert read.loaded == []
    assert len(page) < 3 * MEGABYTE


@pytest.mark.parametrize(
    ("link", "said_so"),
    [
        ("http://localhost:8501/samples?p=0.2", True),
        ("http://127.0.0.1:8501/samples", True),
        ("http://[::1]:8501/samples", True),
        ("https://explorer.example.org/samples?p=0.2", False),
        ("", False),
    ],
)
def test_a_report_says_that_its_link_opens_only_here(content, link, said_so):
    page = Reader(report(replace(content, link=link))).text
    assert ("opens only on the computer" in page) == said_so


def test_a_report_shouts_only_where_the_assumption_is_violated_and_relied_on(content):
    setup = content.setup
    assert VIOLATION not in report(content_of(replace(setup, algorithms=("lucb",))))
    assert VIOLATION not in report(content_of(replace(setup, q=0.2)))


def test_runs_without_an_answer_are_not_shown_as_answers(content):
    read = Reader(report(content_of(replace(content.setup, max_samples=2_000))))
    assert "≥ 2,000 no answer 10 of 10" in read.text
    assert "LUCB ≥ 2,000" in read.text


def test_scripts_in_names_stay_names(content):
    problem = cbai.load_problem("paper-two-arms")
    odd = cbai.Problem(
        [ODD, "**b** </script>"], problem.values, problem.probabilities, problem.pseudo_rewards
    )
    dataset = replace(
        cbai.DATASETS["paper-two-arms"],
        id=OWN, title=ODD, arm=Noun(ODD, ODD), provenance=f"From the file {ODD}.", licence=ODD,
        options={},
    )  # fmt: skip
    setup = replace(content.setup, dataset_id=OWN, options=(), dataset=dataset, problem=odd)
    page = report(content_of(setup, link=""))
    read = Reader(page)
    assert ODD not in page
    assert f"From the file {ODD}." in read.text
    assert len(read.scripts) == 4  # two figures, Plotly, and what draws them
    data = re.findall(r'id="samples data">(.*?)</script>', page)
    assert len(data) == 1
    assert json.loads(data[0])["data"]


# ---------------------------------------------------------------- pages that need nothing else


@hypothesis_settings(max_examples=50, derandomize=True, deadline=None)
@given(strategies.text() | strategies.just(ODD), strategies.text() | strategies.just(ODD))
def test_no_text_gets_out_of_a_page(monkeypatch_plotly, title, name):
    figure = go.Figure(go.Bar(x=[name], y=[1]), layout={"title": {"text": name}})
    page = standalone.figure_page(figure, title, name)
    read = Reader(page)
    assert len(read.scripts) == 3
    data = re.search(r'id="figure data">(.*?)</script>', page, re.DOTALL)
    assert json.loads(data[1])["data"][0]["x"] == [name]


@pytest.fixture(scope="module")
def monkeypatch_plotly():
    """Plotly's code is packed once only: see that it is there, then leave it out."""
    page = standalone.figure_page(go.Figure(), "t", "a")
    assert MEGABYTE < len(page) < 3 * MEGABYTE
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(standalone, "_packed_plotly", lambda: "")
        yield


def test_a_kept_figure_does_not_change_the_one_on_the_page():
    figure = go.Figure(layout={"font": {"color": "#FFFFFF"}, "paper_bgcolor": "#000000"})
    before = figure.to_json()
    copy = standalone.on_paper(figure)
    assert copy.layout.font.color == standalone.INK
    assert figure.to_json() == before


def test_names_of_files_and_classes():
    assert class_of("figure certainty C-LUCB++") == "st-key-figure-certainty-C-LUCB--"
    assert name_of("certainty C-LUCB++") == "cbai-certainty-c-lucb"


# ---------------------------------------------------------------- the page


@pytest.fixture
def offered(monkeypatch):
    """What the page offers for download, by its label; all of it made on a click only."""
    found = {}

    def download_button(label, data, **options):
        assert callable(data)
        assert options["on_click"] == "ignore"
        found[label] = (data, options["file_name"])

    monkeypatch.setattr(st, "download_button", download_button)
    return found


def test_the_page_offers_the_run_in_every_form(offered):
    app = visit("samples", data=TWO_ARMS, seed="4", **SMALL)
    assert not app.exception
    expected = simulated(setup_of(app))
    make, name = offered["Run as JSON"]
    again = repeat(from_json(make()))
    pd.testing.assert_frame_equal(again.to_frame(), expected.to_frame())
    assert name == "cbai-paper-two-arms-delta0.01-p0.2-q0.json"
    table = pd.read_parquet(io.BytesIO(offered["as Parquet"][0]()))
    pd.testing.assert_frame_equal(table, expected.to_frame())
    page = Reader(offered["Report, one page"][0]())
    assert f"python -m cbai run {name}" in page.text
    assert "seed=4" in page.text


def test_ones_own_problem_is_in_the_file(offered):
    app = visit("samples", data=TWO_ARMS, **SMALL)
    problem = cbai.load_problem("paper-three-arms")
    own = OwnProblem(problem, "mine", "Mine.", Noun("tea", "teas"), Noun("sip", "sips"))
    app.session_state["own problem"] = own
    app.run()
    app.selectbox(key="data").set_value(OWN).run()
    assert not app.exception
    read = from_json(offered["Run as JSON"][0]())
    assert (read.dataset, read.problem.fingerprint) == ("", problem.fingerprint)
    assert "http" not in Reader(offered["Report, one page"][0]()).text
    assert "The JSON file also holds the data" in said(app.main)


def test_every_figure_can_be_kept(offered):
    visit("samples", data=TWO_ARMS, **SMALL)
    page = Reader(offered["HTML page"][0]())
    assert "Mean pulls" in page.text
    assert offered["HTML page"][1] == "cbai-paper-two-arms-costs.html"


def test_the_file_names_the_data_set_of_the_run():
    setup = at("goodreads-poetry", {"selection": "title"}, trials=2, max_samples=20_000)
    read = from_json(keep.run_json(setup, simulated(setup)))
    assert (read.dataset, read.options) == ("goodreads-poetry", {"selection": "title"})
