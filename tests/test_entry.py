"""Problems typed in, latent sources and exported tables."""

from __future__ import annotations

import io
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cbai
from cbai.datasets import paper
from cbai.datasets.table import inspect, read_survey
from cbai.problem import entry, latent
from cbai.results.export import safe_csv
from tests.strategies import SEEDS

ARMS, VALUES = ["left", "right"], [0.0, 1.0, 2.0]
REWARDS = [[0.2, 0.3, 0.5], [0.5, 0.3, 0.2]]
PSEUDO = [
    [[None, None, None], [0.7, None, math.nan]],
    [[1.5, "", 0.4], [0.0, 1.0, 2.0]],
]


def test_empty_cells_are_padded_and_marked():
    made = entry.build(ARMS, VALUES, REWARDS, PSEUDO)
    assert made.problem.pseudo_rewards[0, 1].tolist() == [0.7, 2.0, 2.0]
    assert made.problem.pseudo_rewards[1, 0].tolist() == [1.5, 2.0, 0.4]
    assert made.problem.pseudo_rewards[0, 0].tolist() == VALUES
    assert made.padded.tolist() == [
        [[False] * 3, [False, True, True]],
        [[False, True, False], [False] * 3],
    ]


def test_counts_become_shares():
    made = entry.build(ARMS, VALUES, [[2, 3, 5], [10, 0, 30]], PSEUDO, 3.0, counts=True)
    assert made.problem.probabilities.tolist() == [[0.2, 0.3, 0.5], [0.25, 0.0, 0.75]]
    assert made.problem.pseudo_rewards[0, 1].tolist() == [0.7, 3.0, 3.0]


def changed(table, place, cell):
    """Return a copy of a nested list with one cell replaced."""
    copy = [list(row) if not isinstance(row[0], list) else [list(r) for r in row] for row in table]
    inner = copy
    for index in place[:-1]:
        inner = inner[index]
    inner[place[-1]] = cell
    return copy


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"rewards": changed(REWARDS, (0, 1), None)},
            "Row 'left', column 1 of the rewards is empty",
        ),
        ({"rewards": changed(REWARDS, (1, 2), "x")}, "Row 'right', column 2 of the rewards.*'x'"),
        (
            {"rewards": changed(REWARDS, (1, 2), 0.3)},
            "Row 'right' of the rewards must sum to 1.*1.1",
        ),
        ({"rewards": changed(REWARDS, (1, 2), -0.2)}, r"Row 'right', column 2.*\[0, 1\], got -0.2"),
        ({"rewards": REWARDS[:1]}, "The table of rewards must have 2 entries.*got 1"),
        ({"rewards": [[0.5, 0.5], REWARDS[1]]}, "Row 'left' of the rewards must have 3 entries"),
        ({"rewards": [[0, 0, 0], [1, 1, 1]], "counts": True}, "Row 'left'.*count above 0"),
        ({"rewards": [[0, -1, 2], [1, 1, 1]], "counts": True}, "Row 'left', column 1.*got -1"),
        (
            {"pseudo_rewards": changed(PSEUDO, (0, 1, 0), 2.5)},
            r"Row 'left', column 'right' = 0 of the pseudo-rewards.*\[0, 2\], got 2.5",
        ),
        (
            {"pseudo_rewards": changed(PSEUDO, (1, 0, 2), True)},
            "Row 'right', column 'left' = 2.*True",
        ),
        ({"pseudo_rewards": changed(PSEUDO, (1, 0, 2), math.inf)}, "'left' = 2.*must be a number"),
        (
            {"pseudo_rewards": changed(PSEUDO, (0, 0, 1), 1.5)},
            "bound on itself: it must be 1 or empty",
        ),
        ({"pseudo_rewards": changed(PSEUDO, (0, 1), [0.7])}, "pulled 'right', must have 3 entries"),
        (
            {"pseudo_rewards": changed(PSEUDO, (0, 1), 0.7)},
            "pulled 'right', must have.*got no list",
        ),
        ({"values": [2.0, 1.0, 0.0]}, "increasing"),
        ({"arms": ["left", "left"]}, "different names"),
    ],
)
def test_bad_cells_are_named(change, words):
    good = {"arms": ARMS, "values": VALUES, "rewards": REWARDS, "pseudo_rewards": PSEUDO}
    with pytest.raises(ValueError, match=words):
        entry.build(**{**good, **change})


@pytest.mark.parametrize("table", ["a", "b"])
def test_a_joint_distribution_gives_the_tightest_bounds(table):
    """Table 1 of Gupta, Joshi and Yağan (2021): within its pseudo-rewards, by hand."""
    joint = paper.TWO_ARM_JOINTS[table]
    made = entry.from_joint(["1", "2"], [0.0, 1.0], list(joint), list(joint.values()))
    paper_problem = cbai.load_problem("paper-two-arms", table=table)
    np.testing.assert_allclose(made.problem.probabilities, paper_problem.probabilities)
    off = ~np.eye(2, dtype=bool)
    assert (made.problem.pseudo_rewards[off] <= paper_problem.pseudo_rewards[off] + 1e-12).all()
    second_given_0 = joint[0, 1] / (joint[0, 0] + joint[0, 1])
    assert made.problem.pseudo_rewards[1, 0, 0] == pytest.approx(second_given_0)
    counts = entry.from_joint(["1", "2"], [0, 1], list(joint), [40 * w for w in joint.values()])
    np.testing.assert_allclose(counts.problem.pseudo_rewards, made.problem.pseudo_rewards)


def test_a_joint_distribution_pads_what_does_not_occur():
    made = entry.from_joint(["1", "2"], [0, 1, 2], [[0, 0], [2, 1]], [1, 3])
    assert made.padded[1, 0].tolist() == [False, True, False]
    assert made.problem.pseudo_rewards[1, 0].tolist() == [0.0, 2.0, 1.0]
    for outcomes, weights, words in (
        ([[0, 3]], [1], "outcomes must lie in"),
        ([[0, 0.5]], [1], "not whole"),
        ([[0, 1]], [0], "sum above 0"),
        ([[0, 1]], [-1], "weights must lie in"),
        ([[0, 1]], [1, 2], "weights must have shape"),
    ):
        with pytest.raises(ValueError, match=words):
            entry.from_joint(["1", "2"], [0, 1, 2], outcomes, weights)


# ---------------------------------------------------------------- latent sources, equation 2


def slow_soft(low, high, values, kappa, b):
    """Return equation 2 of Gupta, Joshi and Yağan (2021), one entry at a time."""
    n_states, n_arms = len(low), len(low[0])
    result = np.empty((n_arms, n_arms, len(values)))
    for bounded, pulled, v in np.ndindex(result.shape):
        allowed = [
            high[x][bounded]
            for x in range(n_states)
            if low[x][pulled] <= values[v] <= high[x][pulled]
        ]
        top = max(allowed) if allowed else b
        result[bounded, pulled, v] = (1 - kappa) ** 2 * top + (1 - (1 - kappa) ** 2) * b
        if bounded == pulled:
            result[bounded, pulled, v] = values[v]
    return result


@given(SEEDS, st.integers(1, 6), st.integers(2, 5), st.sampled_from([0.0, 0.1, 0.5, 0.99]))
@settings(max_examples=60)
def test_soft_bounds_are_equation_2(seed, n_states, n_arms, kappa):
    rng = np.random.default_rng(seed)
    b, values = 4.0, np.array([0.0, 0.5, 1.0, 2.5, 4.0])
    ends = np.sort(rng.choice([*values, 0.25, 1.7, 3.0], (2, n_states, n_arms)), axis=0)
    low, high = ends.tolist()
    found = latent.soft_pseudo_rewards(low, high, values, kappa, b)
    np.testing.assert_allclose(found, slow_soft(low, high, values, kappa, b))
    unexplained = latent.unexplained_rewards(low, high, values, b)
    for k, v in np.ndindex(unexplained.shape):
        fits = [low[x][k] <= values[v] <= high[x][k] for x in range(n_states)]
        assert unexplained[k, v] == (not any(fits))
        if unexplained[k, v]:
            assert (np.delete(found[:, k, v], k) == b).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kappa": 1.0}, r"kappa must be in \[0, 1\), got 1"),
        ({"kappa": -0.1}, "kappa"),
        ({"low": [[2.0, 0.0]]}, "got 2 above 1 for state 0 and arm 0"),
        ({"high": [[5.0, 1.0]]}, r"high must lie in \[0, 3\], got 5"),
        ({"low": [[-1.0, 0.0]]}, "low must lie in"),
        ({"high": [[1.0]]}, "high must have shape"),
        ({"values": [0.0, 4.0]}, "values must lie in"),
        ({"values": [1.0, 0.0]}, "increasing"),
        ({"values": []}, "at least 1 state, arm and value"),
        ({"reward_max": 0.0}, "reward_max"),
    ],
)
def test_bad_soft_bounds_are_quoted(change, words):
    good = {
        "low": [[0.0, 0.0]], "high": [[1.0, 1.0]], "values": [0.0, 1.0], "kappa": 0.1,
        "reward_max": 3.0,
    }  # fmt: skip
    with pytest.raises(ValueError, match=words):
        latent.soft_pseudo_rewards(**{**good, **change})


# ---------------------------------------------------------------- export


def test_no_cell_is_a_formula():
    bad = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "＝1", "fine", "a=b"]
    frame = pd.DataFrame(
        {"=name": bad, "number": np.arange(9) - 4.5, "mixed": [*bad[:7], -1, None]}
    )
    back = pd.read_csv(io.BytesIO(safe_csv(frame)))
    assert back.columns.tolist() == ["'=name", "number", "mixed"]
    assert back["number"].tolist() == frame["number"].tolist()
    assert back.iloc[:, 0].tolist() == ["'" + cell for cell in bad[:7]] + bad[7:]
    assert back["mixed"].tolist()[-2] == "-1"
    assert frame.loc[0, "=name"] == "=1+1", "the frame itself stays as it is"


def test_the_index_and_categories_are_escaped_too():
    frame = pd.DataFrame({"x": [1, 2]}, index=pd.Index(["=a", "b"], name="arm"))
    assert safe_csv(frame, index=True) == b'"arm","x"\n"\'=a",1\n"b",2\n'
    categories = pd.DataFrame({"c": pd.Categorical(["@x", "y"])})
    assert safe_csv(categories) == b'"c"\n"\'@x"\n"y"\n'


def test_what_is_exported_can_be_read_again():
    frame = pd.DataFrame(
        {"user": [1, 1, 2, 2], "arm": list("xyxy"), "reward": [1.5, 2.0, 0.0, 1.0]}
    )
    data = safe_csv(frame)
    survey, report = read_survey(data, inspect(data, "f.csv"))
    assert (report.ratings, survey.values.tolist()) == (4, [0.0, 1.0, 1.5, 2.0])
