"""How much of Table 4 is decided by which pseudo-rewards are unknown."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import cbai
from cbai.figures.base.words import Words
from cbai.figures.paper import paper_masks
from cbai.problem.pseudo_rewards import mask
from cbai.reproduce.masks import between_share, masked_problem, masks_verdict, run_masks
from cbai.reproduce.stored import MASKS, stored
from tests.visit import said, visit

WORDS = Words("genre", "genres", "rating", "ratings")


@pytest.fixture(scope="module")
def found():
    return stored(MASKS)


def test_the_stored_draws_are_those_of_the_command(found):
    again = run_masks(count=2)
    pd.testing.assert_frame_equal(
        again, found[found["mask"] < 2].reset_index(drop=True), check_dtype=False, check_exact=True
    )
    assert list(found["mask"].unique()) == list(range(40))
    assert (found["budget"] == 0).all()


def test_a_draw_kept_is_the_mask_of_that_trial():
    problem = cbai.load_problem("movielens-1m")
    one = masked_problem(problem, 0.2, 0, 3)
    (theirs,) = cbai.simulate(problem, ["c_lucb"], 0.01, trials=1, first_trial=3, p=0.2).samples
    (ours,) = cbai.simulate(one, ["c_lucb"], 0.01, trials=1, first_trial=3).samples
    assert ours == theirs
    unknown = mask(problem.n_arms, problem.n_values, 0.2, 0, 3)
    assert (one.pseudo_rewards[unknown] == problem.reward_max).all()
    assert (one.pseudo_rewards[~unknown] == problem.pseudo_rewards[~unknown]).all()


def drawn(between, within, draws=400, trials=20):
    rng = np.random.default_rng(5)
    each = rng.normal(50_000.0, between, (draws, 1)) + rng.normal(0.0, within, (draws, trials))
    deviation = 2.0 * each.std(axis=1, ddof=1)
    return pd.DataFrame({"mean": each.mean(axis=1), "two_sigma": deviation, "trials": trials})


@pytest.mark.parametrize(("between", "within", "share"), [(3.0, 1.0, 0.9), (1.0, 3.0, 0.1)])
def test_the_share_between_draws_is_that_of_the_analysis_of_variance(between, within, share):
    """Seeded; by more than 0.04 it would be off in fewer than 1 of 1,000 fresh runs."""
    assert between_share(drawn(1000.0 * between, 1000.0 * within)) == pytest.approx(share, abs=0.04)


def test_the_share_would_be_too_large_if_the_runs_within_were_forgotten():
    frame = drawn(0.0, 1000.0)
    assert between_share(frame) < 0.02
    assert frame["mean"].var() > 1000.0**2 / 25


def test_the_page_says_what_is_stored(found):
    rows = found[found["label"] == "C-LUCB"]
    text = masks_verdict(found)
    assert f"above {(rows['relative'] < 39277.8 / 61175.4).sum()} of the 40" in text
    assert f"{rows['relative'].mean():.2f} times LUCB's samples" in text
    assert f"deviation of {rows['relative'].std():.2f}" in text
    assert between_share(rows) > 0.8
    assert "no surprise" in text
    app = visit("paper", paper="Table 4")
    page = said(app.main)
    assert text in page
    assert not re.search("do not know why", page)
    (fold,) = (block for block in app.expander if "40 draws" in block.label)
    alts = [chart.proto.alt for chart in fold.get("plotly_chart")]
    assert alts == [paper_masks.alt_text(paper_masks.gather(found), WORDS)]
    assert text not in said(visit("paper", paper="Table 3").main)


def test_where_no_draw_comes_near_the_paper_the_draw_explains_nothing(found):
    far = found.assign(printed_relative=9.0)
    assert "does not explain" in masks_verdict(far)
    assert "no surprise" not in masks_verdict(far)
