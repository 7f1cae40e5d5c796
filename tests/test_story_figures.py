"""The figures of the story show what the library says, and the presenter view enlarges them."""

from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cbai
from cbai.datasets.paper import TWO_ARM_BOUNDS, TWO_ARM_JOINTS
from cbai.figures.base import layout
from cbai.figures.base.words import Words
from cbai.figures.samples import costs
from cbai.figures.story import coin as story_coin
from cbai.figures.story import gaps as story_gaps
from cbai.figures.story import joint as story_joint
from cbai.problem.pseudo_rewards import add_buffer
from cbai.results import true_competitive
from cbai.simulation import CONFIDENCE
from cbai.simulation.streams import paths

WORDS = Words("ad", "ads", "view", "views")
ADS = cbai.load_problem("ad-campaign")


# ---------------------------------------------------------------- two coins


@pytest.mark.parametrize("views", story_coin.VIEWS)
def test_bands_are_hoeffdings_around_the_streams(views):
    info = story_coin.gather(views)
    assert info.n[0] == story_coin.FIRST
    assert info.n[-1] == views
    np.testing.assert_array_equal(info.radius, CONFIDENCE["hoeffding"].radius(info.n, 0.025, 1.0))
    for arm, rate in enumerate(story_coin.RATES):
        stream = paths([1 - rate, rate], [0, 1], np.arange(1, views + 1), 1, arm)[0]
        np.testing.assert_array_equal(info.mean[arm], stream[info.n - 1])


def test_the_bands_part_once_and_the_right_ad_leads():
    apart = [story_coin.gather(views).apart for views in story_coin.VIEWS]
    assert apart == sorted(apart)
    assert not apart[0]
    assert apart[-1]
    assert story_coin.gather(story_coin.VIEWS[-1]).leader == int(np.argmax(story_coin.RATES))
    assert "too early" in story_coin.answer(story_coin.gather(10))
    assert "Ad A is better" in story_coin.answer(story_coin.gather(10_000))


# ---------------------------------------------------------------- a joint table


def test_the_papers_table_holds_in_both_truths():
    for joint in TWO_ARM_JOINTS.values():
        info = story_joint.gather([round(10 * joint[one]) for one in story_joint.OUTCOMES])
        assert not info.broken.any()
        for of, by, r, at in zip(*np.transpose(story_joint.GIVEN), range(4), strict=True):
            assert info.bound[at] == TWO_ARM_BOUNDS[of, by][r]


people = st.lists(st.integers(0, 10), min_size=4, max_size=4).filter(any)


@settings(derandomize=True, deadline=None)
@given(people)
def test_conditional_rates_are_counted(numbers):
    info = story_joint.gather(numbers)
    neither, a, b, both = numbers
    total = sum(numbers)
    np.testing.assert_allclose(info.rates, [(a + both) / total, (b + both) / total])
    pairs = [(b, b + neither), (both, both + a), (a, a + neither), (both, both + b)]
    expected = [part / whole if whole else np.nan for part, whole in pairs]
    np.testing.assert_allclose(info.truth, expected)
    broken = [rate > bound + 1e-9 for rate, bound in zip(expected, info.bound, strict=True)]
    np.testing.assert_array_equal(info.broken, broken)
    assert story_joint.draw(info).data[1].x is not None


def test_nobody_is_refused():
    with pytest.raises(ValueError, match="weights must have a sum above 0"):
        story_joint.gather([0, 0, 0, 0])


# ---------------------------------------------------------------- pseudo-gaps


def test_one_view_says_what_the_pseudo_reward_of_its_score_says():
    best = ADS.best_arm
    column = int(np.searchsorted(ADS.values, 9.0))
    info = story_gaps.gather(ADS, 0.1, 0.3, 9.0)
    by_hand = np.minimum(ADS.pseudo_rewards[ADS.ranking, best, column] + 0.1, ADS.reward_max)
    np.testing.assert_allclose(info.by_one[1:], by_hand[1:])
    least = info.arms[1 + int(np.argmin(by_hand[1:]))]
    assert f"gives {least} at most {by_hand[1:].min():.2f}" in story_gaps.one_view(info, WORDS)
    assert story_gaps.one_view(story_gaps.gather(ADS, 0.1, 0.3), WORDS) == ""
    names = [trace.name for trace in story_gaps.draw(info, WORDS).data]
    assert any(name and "score 9" in name for name in names)
    assert all(info.axis[0] < bound < info.axis[1] for bound in by_hand[1:])


@pytest.mark.parametrize("q", [0.0, 0.1, 0.3])
def test_gaps_are_those_of_the_formula(q):
    info = story_gaps.gather(ADS, q, 0.3)
    known = ADS.with_pseudo_rewards(add_buffer(ADS.pseudo_rewards, q, ADS.reward_max))
    truth, order = true_competitive(known), ADS.ranking
    np.testing.assert_array_equal(info.competitive, truth.competitive[order])
    np.testing.assert_array_equal(info.pseudo_gap, truth.pseudo_gap[order])
    np.testing.assert_allclose(info.second_mean - info.at_most, info.pseudo_gap)
    assert info.arms == tuple(ADS.arms[arm] for arm in order)
    low, high = info.axis
    shown = np.concatenate([info.mean[1:], info.at_most[1:], [info.second_mean]])
    assert low < shown.min()
    assert shown.max() < high


def test_a_buffer_moves_marks_and_no_axis():
    none, some, large = (story_gaps.gather(ADS, q, 0.3) for q in (0.0, 0.1, 0.3))
    assert none.axis == some.axis == large.axis
    assert none.competitive.sum() < some.competitive.sum() < large.competitive.sum() == ADS.n_arms
    assert "no pseudo-reward rules one out" in story_gaps.answer(large, WORDS)
    assert "2 of 6 ads are competitive" in story_gaps.answer(none, WORDS)


# ---------------------------------------------------------------- larger figures


def figures():
    trials = cbai.simulate(ADS, ["racing", "lucb"], 0.1, trials=3)
    yield story_coin.draw(story_coin.gather(100))
    yield story_joint.draw(story_joint.gather([2, 4, 2, 2]))
    yield story_gaps.draw(story_gaps.gather(ADS, 0.1, 0.3), WORDS)
    yield costs.draw(costs.gather(trials), WORDS)


def fonts(part, name=""):
    """Yield every font size in a part of a figure."""
    if isinstance(part, dict):
        if "font" in name and part.get("size"):
            yield part["size"]
        for key, value in part.items():
            yield from fonts(value, key)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from fonts(one, name)


@pytest.mark.parametrize("fig", [*figures()], ids=["coin", "joint", "gaps", "costs"])
def test_an_enlarged_figure_can_be_read_from_the_last_row(fig):
    before = fig.to_json()
    large = layout.enlarged(fig)
    assert fig.to_json() == before
    sizes = list(fonts(large.to_plotly_json()["layout"]))
    assert min(sizes) >= 18
    assert large.layout.height == round(1.5 * fig.layout.height)
    same = [json.loads(one.to_json())["data"] for one in (go.Figure(fig.to_plotly_json()), large)]
    assert [(one["x"], one["y"]) for one in same[0]] == [(one["x"], one["y"]) for one in same[1]]
    for old, new in zip(fig.data, large.data, strict=True):
        if old.type == "scatter" and old.mode == "lines" and (old.line.width or 0) >= 1.5:
            assert new.line.width >= 3


def test_context_stays_thinner_than_what_matters():
    fig = layout.figure(100)
    for width in (1, 1.5, 3):
        fig.add_scatter(x=[0, 1], y=[0, 1], mode="lines", line={"width": width})
    assert [trace.line.width for trace in layout.enlarged(fig).data] == [1.5, 3, 4.5]
