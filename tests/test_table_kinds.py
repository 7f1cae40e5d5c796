"""Tables made like the exports of survey tools, logs and dumps: read rightly, or asked about."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from cbai.datasets.table import inspect, read_survey

TABLES = Path(__file__).parent / "tables"
EXPECTED = json.loads((TABLES / "expected.json").read_text())


def means_of(survey, offset=0.0):
    """Return the mean rating of each arm, as it stands in the file."""
    return {
        name: np.average(
            survey.values[survey.value[survey.arm == i]] - offset,
            weights=survey.weight[survey.arm == i],
        )
        for i, name in enumerate(survey.arms)
    }


@pytest.mark.parametrize("name", EXPECTED)
def test_a_table_is_read_rightly_or_asked_about(name):
    want = EXPECTED[name]
    data = (TABLES / name).read_bytes()
    guess = inspect(data, name)
    if want["want"] == "right":
        assert guess.doubts == ()
    if want["means"] is None:
        assert guess.doubts
        return
    guess = replace(guess, **want.get("options", {}))
    if name.startswith("minus_10"):  # the ratings go below 0, which is said in one sentence
        with pytest.raises(ValueError, match=r"got -9: add an offset of 9 to"):
            read_survey(data, guess)
        guess = replace(guess, offset=10.0)
    survey, report = read_survey(data, guess)
    found = means_of(survey, guess.offset)
    assert guess.layout == want["layout"]
    assert found == pytest.approx(want["means"], abs=1e-6)
    assert max(found, key=found.get) == want["best"]
    assert report.doubts == tuple(guess.doubts)


def test_totals_are_refused_in_one_sentence():
    data = (TABLES / "aggregated_ab.csv").read_bytes()
    guess = inspect(data, "aggregated_ab.csv")
    assert [(doubt.key, doubt.answers) for doubt in guess.doubts] == [("totals", ())]
    with pytest.raises(ValueError, match="look like totals for each entry of 'variant'"):
        read_survey(data, guess)


def test_either_of_two_columns_may_be_the_reward():
    data = (TABLES / "true_false.csv").read_bytes()
    guess = inspect(data, "true_false.csv")
    (doubt,) = guess.doubts
    assert doubt.key == "reward column"
    assert [answer.changes["reward"] for answer in doubt.answers] == ["retention_1", "retention_7"]
    settled = guess.answered(doubt.key, doubt.answers[1])
    assert (settled.reward, settled.doubts) == ("retention_7", ())
    survey, report = read_survey(data, settled)
    assert survey.values.tolist() == [0.0, 1.0]
    assert report.doubts == ()
