"""Whom the limit binds, and that none of them is below it.

The test is seeded. An algorithm whose mean is at the limit or below would pass with probability at
most `LUCK` (Student's t over `TRIALS` trials); those here are so far above that they do not fail.
"""

from __future__ import annotations

import pytest
from scipy import stats

import cbai
from cbai.results.limit import binds, limit_of
from cbai.simulation import find
from tests.strategies import make_problem
from tests.unknown import bernoulli

LUCK = 1e-6
TRIALS = 60


def test_whom_the_limit_binds():
    bound = {name for name in cbai.ALGORITHMS if binds(find(name), 5, 0.1)}
    assert bound == {
        "racing", "lucb", "lucb_pp", "lucb_pp_bet", "track_and_stop", "ttucb", "exp_gap",
    }  # fmt: skip
    assert binds(find("lucb@kl_lucb"), 5, 0.1)
    assert not binds(find("lucb@hoeffding"), 5, 0.1)


def clearly_above(samples, limit):
    """Return whether a mean of so many samples shows the expectation to be above the limit."""
    test = stats.ttest_1samp(samples, limit, alternative="greater")
    return test.pvalue < LUCK / 24


SMALL = {
    "coins": bernoulli([0.7, 0.4, 0.3]),
    "valid": make_problem(4, 3, "valid", "ratings", False, seed=25),
    "ad-campaign": cbai.load_problem("ad-campaign"),
}


@pytest.mark.parametrize("delta", [0.1, 0.01])
@pytest.mark.parametrize("name", SMALL)
def test_no_algorithm_is_below_the_limit(name, delta):
    problem = SMALL[name]
    names = [row for row in cbai.ALGORITHMS if binds(find(row), problem.n_arms, delta)]
    names.remove("exp_gap")  # far above it, with next to no spread, and often out of budget
    trials = cbai.simulate(problem, names, delta, trials=TRIALS, seed=11)
    limit = limit_of(problem, delta)
    assert trials.identified.all()
    for samples in trials.samples:
        assert clearly_above(samples, limit.samples)
        assert not clearly_above(samples, 1.3 * samples.mean())
