"""MovieLens: algorithms cost what the paper's Tables 3 and 4 say, relative to LUCB.

The paper prints averages of 10 trials at delta = 0.01. Its absolute numbers depend on a random
assignment of genres and on all users, so what is compared is the proportion to LUCB with the bounds
of Howard et al., within 12 %. Where the printed formula is not what was run (Even-Dar, LUCB of
Kaufmann and Kalyanakrishnan, lil-KL-LUCB) no proportion is claimed. The seed is fixed, so nothing
is random here.
"""

from __future__ import annotations

import pytest

import cbai
from tests.effort import quick_or_full

TRIALS = quick_or_full(50, 200)
TOLERANCE = 0.12
TABLE_3 = {
    "racing": 82504.7,
    "racing@lil": 120498.5,
    "lucb@lil": 90523.0,
    "lucb@kl_lucb": 81154.4,
    "lil_ucb": 140987.0,
    "lucb_pp": 55138.8,
}
LUCB = 62533.2


@pytest.fixture(scope="module")
def mean_samples():
    problem = cbai.load_problem("movielens-1m")
    names = ["lucb", *TABLE_3, "c_lucb"]
    trials = cbai.simulate(problem, names, 0.01, trials=TRIALS, seed=0, p=0.2, q=0.0)
    assert trials.identified.all()
    assert not trials.wrong[:-1].any()
    means = dict(zip(names, trials.samples.mean(axis=1), strict=True))
    unknown = cbai.simulate(problem, ["c_lucb"], 0.01, trials=TRIALS, seed=0, p=1.0)
    means["c_lucb, nothing known"] = unknown.samples.mean()
    return means


@pytest.mark.parametrize("name", TABLE_3)
def test_table_3_comes_out_in_proportion(mean_samples, name):
    ours, paper = mean_samples[name] / mean_samples["lucb"], TABLE_3[name] / LUCB
    assert abs(ours / paper - 1.0) < TOLERANCE


@pytest.mark.parametrize(
    ("name", "low", "high"), [("c_lucb", 0.1, 0.95), ("c_lucb, nothing known", 1.0, 1.15)]
)
def test_c_lucb_gains_by_what_is_known(mean_samples, name, low, high):
    assert low < mean_samples[name] / mean_samples["lucb"] < high


def test_the_gap_is_the_one_asked_for():
    problem = cbai.load_problem("movielens-1m")
    best, second = problem.means[problem.ranking[:2]]
    assert 0.14 <= best - second <= 0.18
