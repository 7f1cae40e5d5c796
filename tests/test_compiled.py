"""The kernel is compiled for one signature only, however a problem came about."""

from __future__ import annotations

import pickle

import pytest

import cbai
from cbai.simulation import kernel


@pytest.mark.parametrize("name", cbai.DATASETS)
def test_every_data_set_uses_the_kernel_compiled_at_warm_up(name):
    problem = cbai.load_problem(name)
    copy = pickle.loads(pickle.dumps(problem))
    for one in (problem, copy):
        cbai.simulate(one, ["racing", "c_lucb"], 0.1, trials=1, p=0.5, max_samples=200)
        cbai.trace(one, "lucb", 0.1, max_samples=200)
    cbai.replay(copy, "c_lucb_pp", 0.1, [[0] * 200] * problem.n_arms, max_samples=200)
    assert len(kernel._advance.signatures) == 1


def test_a_pickled_problem_is_the_same_and_stays_read_only():
    problem = cbai.load_problem("ad-campaign")
    copy = pickle.loads(pickle.dumps(problem))
    assert copy.fingerprint == problem.fingerprint
    with pytest.raises(ValueError, match="read-only"):
        copy.probabilities[0, 0] = 0.0
