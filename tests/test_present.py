"""The presenter view, without a browser: its link, and what it shows larger."""

from __future__ import annotations

import pytest

import cbai
from cbai.ui.shell import present
from tests.visit import PAGES, SMALL, visit

TWO = cbai.DATASETS["paper-two-arms"].title


def is_on(app):
    return app.session_state[present.PRESENT]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_can_be_presented(page):
    app = visit(page, data=TWO, present="1", **SMALL)
    assert not app.exception
    assert is_on(app)
    assert list(app.query_params["present"]) == ["1"]


@pytest.mark.parametrize("asked", ["0", "", "x"])
def test_another_value_does_not_present(asked):
    app = visit("story", present=asked)
    assert not is_on(app)
    assert "present" not in app.query_params


def test_it_is_turned_on_and_off_and_the_link_follows():
    """As the bar's buttons do; they are pressed in tests/browser/test_story.py."""
    app = visit("story")
    assert "present" not in app.query_params
    app.session_state[present.PRESENT] = True
    app.run()
    assert list(app.query_params["present"]) == ["1"]
    app.session_state[present.PRESENT] = False
    app.run()
    assert "present" not in app.query_params
    assert not app.exception


def test_it_stays_on_over_a_switch_of_pages():
    app = visit("story", present="1")
    app.switch_page("pages/race.py").run()
    assert is_on(app)
    assert list(app.query_params["present"]) == ["1"]
