"""How results show themselves in a notebook: well-formed, safe, and with the numbers they hold."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import cbai
from cbai import notebook


class Reader(HTMLParser):
    """Reads the rows of a table, and checks that every tag is closed."""

    ALONE = ("rect", "line", "circle")

    def __init__(self, text):
        super().__init__()
        self.open, self.rows, self.tags = [], [], set()
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_startendtag(self, tag, attributes):
        assert tag in self.ALONE

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


@pytest.fixture(scope="module")
def problem():
    return cbai.load_problem("ad-campaign")


def test_a_problem_shows_its_arms_and_means(problem):
    head, *rows = Reader(problem._repr_html_()).rows
    assert [row[1] for row in rows] == list(problem.arms)
    assert [float(row[2]) for row in rows] == pytest.approx(problem.means, rel=1e-3)
    assert len(head) == len(rows[0])


def test_trials_show_samples_and_errors(problem):
    trials = cbai.simulate(problem, ["lucb", "c_lucb"], 0.1, trials=3, max_samples=2100)
    _, *rows = Reader(trials._repr_html_()).rows
    assert [row[0] for row in rows] == ["LUCB", "C-LUCB"]
    assert [float(row[1].replace(",", "")) for row in rows] == pytest.approx(
        trials.samples.mean(axis=1), abs=0.05
    )
    no_answer = (~trials.identified).sum(axis=1)
    assert no_answer[0] == 3
    assert [int(row[4]) for row in rows] == no_answer.tolist()
    assert [int(row[3]) for row in rows] == trials.wrong.sum(axis=1).tolist()


def test_a_trace_shows_what_was_ruled_out_when(problem):
    trace = cbai.trace(problem, "c_lucb", 0.1)
    text = trace._repr_html_()
    assert "C-LUCB named Soccer stadium after 2,412 samples." in text
    _, *rows = Reader(text).rows
    rounds = {event.arm: f"in round {event.round:,}" for event in trace.eliminations}
    assert [row[4] for row in rows] == [rounds.get(arm, "") for arm in range(problem.n_arms)]


def test_a_trace_without_an_answer_names_none(problem):
    text = cbai.trace(problem, "lucb", 0.1, max_samples=100)._repr_html_()
    assert "ran out of samples" in text
    assert "named" not in text


def test_names_are_text_whoever_chose_them():
    names = ["<script>alert(1)</script>", "a'b\"c&d"]
    unknown = np.ones((2, 2, 2))
    unknown[[0, 1], [0, 1]] = [0, 1]
    problem = cbai.Problem(names, [0, 1], [[0, 1], [1, 0]], unknown)
    for one in (problem, cbai.trace(problem, "lucb", 0.1)):
        reader = Reader(one._repr_html_())
        assert "script" not in reader.tags
        assert any(names[0] in row for row in reader.rows)


def test_a_long_table_is_cut_off_and_says_so():
    _, *rows = Reader(notebook.table("", ["a"], [[i] for i in range(100)])).rows
    assert len(rows) == notebook.MOST_ROWS + 1
    assert rows[-1] == ["and 60 more"]


@pytest.mark.parametrize("share", [-np.inf, -1.0, 0.5, 2.0, np.inf, np.nan])
def test_figures_stay_inside_their_frame(share):
    assert 0.0 <= float(notebook._x(share)) <= notebook.WIDTH


def test_no_plotting_library_is_needed():
    code = (
        "import sys, cbai; problem = cbai.load_problem('ad-campaign'); problem._repr_html_();"
        "sys.exit('plotly' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
