"""Pages never show an answer that no run has given."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.results import Ratio
from cbai.ui.parts.answers import relation
from tests.visit import PAGES, SMALL, said, setup_of, simulated, traced, visit

MOVIES, POETRY = cbai.DATASETS["movielens-1m"], cbai.DATASETS["goodreads-poetry"]
PAIR = ["LUCB", "C-LUCB"]


COMPARED = re.compile(r"\bneed(s|ed) (about|\d)")
"""How pages say how many samples an algorithm needs, or what share of another's."""


@pytest.mark.parametrize("share", [0.5, 0.34, 0.86, 1.06, 3.0])
def test_a_comparison_is_known_when_it_is_said(share):
    """What is looked for below is what pages say where there is an answer."""
    assert COMPARED.search(f"C-LUCB needs {relation(Ratio(share, share, share), 'views', 'LUCB')}.")


def test_a_comparison_is_seen_on_a_page_with_answers():
    app = visit("samples", data=cbai.DATASETS["drug-trial"].title, algorithms=PAIR, **SMALL)
    assert COMPARED.search(said(app.main))


def tied():
    values = [0.0, 0.5, 1.0]
    probabilities = [[0.2, 0.2, 0.6], [0.2, 0.2, 0.6], [0.6, 0.2, 0.2]]
    pseudo = np.ones((3, 3, 3))
    pseudo[range(3), range(3)] = values
    return cbai.Problem(["Ann", "Bea", "Cat"], values, probabilities, pseudo)


@pytest.mark.parametrize("page", PAGES)
def test_equally_good_arms_have_no_winner(page, monkeypatch):
    row = replace(cbai.DATASETS["drug-trial"], id="tied", title="A tie", build=tied, options={})
    monkeypatch.setitem(cbai.DATASETS, "tied", row)
    app = visit(page, data="A tie", **SMALL)
    assert not app.exception
    text = said(app.main)
    assert "found" not in text
    assert "rightly named" not in text
    if page == "samples":
        assert "equally good" in text
        assert not COMPARED.search(text)
    elif page in ("home", "race"):
        assert "without an answer" in text


@pytest.mark.parametrize("page", ["home", "race", "samples"])
@pytest.mark.parametrize("row", [POETRY, MOVIES], ids=["none answers", "some answer"])
def test_runs_that_end_at_the_budget_have_no_answer(page, row):
    app = visit(page, data=row.title, algorithms=PAIR, **SMALL)
    assert not app.exception
    setup, text = setup_of(app), said(app.main)
    assert traced(setup, "lucb").status == "budget"
    assert "found" not in text
    assert not COMPARED.search(text)
    if page == "samples":
        assert "20,000" in text
        for name in setup.algorithms:
            status = simulated(replace(setup, algorithms=(name,))).status
            assert f"{(status == 'budget').sum()} without an answer" in text
    else:
        spent = int(traced(setup, "lucb").samples[-1])
        assert spent <= 20_000
        assert f"LUCB used up its budget after {spent:,} " in text
