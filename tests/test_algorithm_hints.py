"""Every algorithm says in a sentence what it is."""

from __future__ import annotations

import cbai
from cbai.simulation.rules.names import LAB_TITLE
from cbai.ui.shell.hints import HINTS, by_title


def test_every_algorithm_has_a_hint_of_its_own():
    assert list(HINTS) == list(cbai.ALGORITHMS)
    assert len(set(HINTS.values())) == len(HINTS)
    assert set(by_title()) == {row.title for row in cbai.ALGORITHMS.values()} | {LAB_TITLE}


def test_a_hint_says_whether_the_correlation_is_used():
    for name, hint in HINTS.items():
        if "no correlation" in hint or "own rewards only" in hint:
            assert not cbai.ALGORITHMS[name].uses_correlation
        if "C-LUCB" in hint or "pseudo-rewards" in hint:
            assert cbai.ALGORITHMS[name].uses_correlation
