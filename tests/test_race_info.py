"""What the browser draws of a race: small, true to the traces, and moving all the time."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.figures.base.words import Words
from cbai.figures.race.clock import fallen_at
from cbai.figures.race.frames import outcome, race_info
from cbai.results.caps import cap_sources

WORDS = Words("genre", "genres", "rating", "ratings")
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def traces():
    problem = cbai.load_problem("movielens-1m")
    return [cbai.trace(problem, name, 0.01, p=0.2, q=0.13) for name in ("c_lucb", "lucb")]


def test_the_race_is_small_and_ready_for_json(traces):
    info = race_info(traces, WORDS)
    text = json.dumps(info, allow_nan=False)
    assert len(text.encode()) < MEGABYTE
    assert json.loads(text)["panels"] == info["panels"]


@pytest.mark.parametrize("name", cbai.DATASETS)
@pytest.mark.parametrize("algorithm", ["racing", "lil_ucb", "lucb_pp", "maxmin_lucb"])
def test_every_race_is_ready_for_json(name, algorithm):
    trace = cbai.trace(cbai.load_problem(name), algorithm, 0.01, p=0.2, max_samples=50_000)
    assert len(json.dumps(race_info([trace], WORDS), allow_nan=False).encode()) < MEGABYTE


def test_frames_are_moments_that_were_recorded_with_every_fall_and_every_end(traces):
    frames = race_info(traces, WORDS)["frames"]
    assert frames == sorted(set(frames))
    assert set(frames) <= {int(n) for trace in traces for n in trace.samples}
    assert {n for trace in traces for n in fallen_at(trace)} <= set(frames)
    assert {int(trace.samples[-1]) for trace in traces} <= set(frames)


@pytest.mark.parametrize("name", sorted(set(cbai.DATASETS) - {"captions-640"}))
def test_a_race_moves_in_every_part_of_its_time(name):
    """Neither do the first seconds show full bars only, nor does the rest stand still.

    Left out is a contest whose best two captions are so alike that the last million ratings only
    decide between these two.
    """
    problem = cbai.load_problem(name)
    traces = [cbai.trace(problem, row, 0.01, p=0.2, q=0.2) for row in ("c_lucb", "lucb")]
    info = race_info(traces, WORDS)
    low, high = info["axis"]
    bounds = [[np.clip(decoded(panel, end, info), low, high) for end in ("lower", "upper")]
              for panel in info["panels"]]  # fmt: skip
    early = len(info["frames"]) // 8
    wide = [upper[early] - lower[early] for lower, upper in bounds]
    assert min(one.min() for one in wide) < 0.97 * (high - low)
    parts = np.linspace(0, len(info["frames"]) - 1, 7).astype(int)
    for begin, end in itertools.pairwise(parts):
        moves = [
            np.abs(one[min(end, len(one) - 1)] - one[min(begin, len(one) - 1)]).max()
            for panel in bounds
            for one in panel
        ]
        assert max(moves) > 0.02 * (high - low)


def test_a_race_begins_where_one_arm_first_rules_out_another(traces):
    info = race_info(traces, WORDS)
    cross = [
        n
        for trace in traces
        for out, n in zip(trace.eliminations, fallen_at(trace), strict=True)
        if out.by != out.arm
    ]
    assert info["frames"][info["start"]] == min(cross) < info["frames"][-1]
    classical = race_info(traces[1:], WORDS)
    assert not traces[1].algorithm.uses_correlation
    assert classical["frames"][classical["start"]] == fallen_at(traces[1])[0]
    never = cbai.trace(cbai.load_problem("paper-two-arms"), "lucb_pp", 0.05)
    info = race_info([never], WORDS)
    assert 0 < info["frames"][info["start"]] <= never.samples[-1] // 2


def decoded(panel, name, info):
    """A table that was sent as changes, row by row, as the browser reads it."""
    unit = 1 if name in ("pulls", "by") else info["unit"]
    return np.cumsum(np.reshape(panel[name], (-1, len(info["arms"]))), axis=0) * unit


def test_the_cap_is_by_the_arm_whose_rewards_set_it(traces):
    trace = next(trace for trace in traces if trace.algorithm.trusts_pseudo_rewards)
    at = np.arange(len(trace.rounds))
    sources = cap_sources(trace, at)
    for out in trace.eliminations:
        index = np.searchsorted(trace.rounds, out.round)
        assert sources[index, out.arm] == out.by
    own = sources == np.arange(trace.problem.n_arms)
    np.testing.assert_allclose(trace.upper[own], trace.own_upper[own])
    assert (trace.upper[~own] < trace.own_upper[~own]).all()
    assert cap_sources(traces[1], at) is None


def test_panels_show_the_traces(traces):
    info = race_info(traces, WORDS)
    problem = traces[0].problem
    assert info["arms"] == list(problem.arms)
    assert info["best"] == list(problem.best_arms)
    assert [problem.means[arm] for arm in info["ranking"]] == sorted(problem.means, reverse=True)
    for panel, trace in zip(info["panels"], traces, strict=True):
        assert panel["title"] == trace.algorithm.title
        assert panel["dashed"] != trace.algorithm.uses_correlation
        at = np.searchsorted(trace.samples, panel["samples"])
        assert at[-1] == len(trace.samples) - 1
        assert (panel["samples"] <= np.array(info["frames"][: len(at)])).all()
        assert np.array_equal(panel["rounds"], trace.rounds[at])
        assert np.array_equal(decoded(panel, "pulls", info), trace.pulls[at])
        for name in ("mean", "lower", "upper"):
            np.testing.assert_allclose(
                decoded(panel, name, info), getattr(trace, name)[at], atol=1e-3
            )
        if panel["by"] is not None:
            assert np.array_equal(decoded(panel, "by", info), cap_sources(trace, at))
        pulled = [sorted(row) for row in panel["pulled"]]
        assert pulled == [list(np.flatnonzero(row)) for row in trace.pulled[at]]
        outs = [(panel["rounds"][o["frame"]], o["arm"], o["by"]) for o in panel["out"]]
        assert outs == list(trace.eliminations)
        assert [o["own"] for o in panel["out"]] == [
            trace.pulls[at[o["frame"]], o["arm"]] for o in panel["out"]
        ]
        assert (panel["answer"], panel["identified"]) == (trace.best_arm, True)
        assert panel["outcome"] == outcome(trace, WORDS)
    assert (
        race_info([replace(traces[0], status="budget")], WORDS)["panels"][0]["identified"] is False
    )


def test_the_axis_holds_all_means(traces):
    low, high = race_info(traces, WORDS)["axis"]
    problem = traces[0].problem
    assert 0.0 <= low <= problem.means.min() < problem.means.max() <= high <= problem.reward_max
