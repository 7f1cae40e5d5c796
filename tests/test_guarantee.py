"""With valid pseudo-rewards every algorithm errs with probability at most delta.

The claim is tested with a one-sided exact binomial test on seeded trials. Over the whole file a
correct library is rejected with probability at most `FALSE_ALARM` (Bonferroni). The same test must
reject algorithms whose confidence radius is planted too small, and pseudo-rewards planted too low:
so it can see a broken guarantee.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import cbai
from cbai.simulation.bounds import confidence
from tests import effort
from tests.arms import coins
from tests.effort import quick_or_full
from tests.strategies import latent_model

DELTA = 0.1
TRIALS = quick_or_full(200, 1000)
"""The quick number finds a radius that is too small; the full one finds smaller bugs too."""
MORE = quick_or_full(500, 1000)
"""False pseudo-rewards are found with so many."""
FALSE_ALARM = 1e-6


def two_arms(joint):
    """Return the pseudo-rewards of the paper's Table 1 with a joint P(R_1, R_2) of rewards 0, 1.

    Source: Gupta, Joshi and Yağan (2021), Table 1. Returned with the true conditional means.
    """
    joint = np.array(joint)
    values = np.array([0.0, 1.0])
    pseudo = np.array([[values, [0.8, 0.5]], [[0.7, 0.4], values]])
    first, second = joint.sum(axis=1), joint.sum(axis=0)
    conditional = np.array([[values, joint[1] / second], [joint[:, 1] / first, values]])
    return cbai.Problem(["arm 1", "arm 2"], values, [first, second], pseudo), conditional


def hidden_state(n_arms, values, seed):
    """Return arms that share a hidden state; their pseudo-rewards are the conditional means."""
    values = np.array(values)
    probabilities, conditional, _ = latent_model(np.random.default_rng(seed), values, n_arms)
    arms = [f"arm {k}" for k in range(n_arms)]
    return cbai.Problem(arms, values, probabilities, conditional), conditional


PROBLEMS = {
    "Table 1 (a), gap 0.2": two_arms([[0.2, 0.2], [0.4, 0.2]]),
    "Table 1 (b), gap 0.1": two_arms([[0.2, 0.4], [0.3, 0.1]]),
    "four arms of rewards 0 and 1": hidden_state(4, [0.0, 1.0], seed=188),
    "five arms of ratings": hidden_state(5, [1.0, 2.0, 3.0, 4.0, 5.0], seed=168),
}
EVERY = [name for name in cbai.ALGORITHMS if name != "exp_gap"]
"""All but one that needs millions of samples here; tests/test_rivals.py looks at it."""
NAMES = [
    name
    for name in EVERY
    if effort.full
    or (
        cbai.ALGORITHMS[name].confidence in confidence.CONFIDENCE
        and cbai.ALGORITHMS[name].by_sequence
    )
]
"""With quick numbers, those by a confidence sequence of the paper.

The others have an error rate test of their own, on these problems and on harder ones: those that
bet in tests/test_betting.py and tests/test_two_sided.py, the one that tests claims in
tests/test_claims.py, those that weigh likelihoods in tests/test_rivals.py, those that adapt in
tests/test_adaptive.py.
"""
TIGHTEST = coins([0.6, 0.4, 0.4])
"""All that a reward says of another arm is that arm's mean: the worst case that is known."""
N_TESTS = (2 * len(PROBLEMS) + 1) * len(NAMES) + len(EVERY)
ALPHA = FALSE_ALARM / N_TESTS


def errors(problem, algorithms, p, n_trials=TRIALS):
    """Return each algorithm's number of wrong identifications and of identifications."""
    trials = cbai.simulate(
        problem, algorithms, DELTA, trials=n_trials, seed=2021, p=p, max_samples=200_000
    )
    identified = trials.status == "identified"
    wrong = identified & ~np.isin(trials.best_arm, problem.best_arms)
    return wrong.sum(axis=1), identified.sum(axis=1)


def breaks_the_guarantee(wrong, n_trials=TRIALS):
    """Return whether this many errors in `n_trials` refute an error probability of delta."""
    return stats.binomtest(int(wrong), n_trials, DELTA, alternative="greater").pvalue < ALPHA


@pytest.fixture
def too_small(monkeypatch):
    """Return algorithm rows whose confidence radius is a fifth of what it must be.

    Those that bet, weigh likelihoods or adapt have tests and planted bugs of their own.
    """
    rows = []
    for row in cbai.ALGORITHMS.values():
        if not row.by_sequence:
            continue
        if row.confidence not in confidence.CONFIDENCE:
            continue
        right = confidence.CONFIDENCE[row.confidence]
        wrong = f"{row.confidence}, too small"
        monkeypatch.setitem(confidence.CONFIDENCE, wrong, replace(right, scale=0.2 * right.scale))
        rows.append(replace(row, name=f"{row.name}, planted", confidence=wrong))
    return rows


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_pseudo_rewards_are_valid(name):
    problem, conditional = PROBLEMS[name]
    assert (conditional <= problem.pseudo_rewards + 1e-12).all()
    bounds = np.einsum("kv,lkv->lk", problem.probabilities, problem.pseudo_rewards)
    assert (bounds >= problem.means[:, None] - 1e-12).all()


def test_table_1_has_the_means_of_the_paper():
    assert PROBLEMS["Table 1 (a), gap 0.2"][0].means == pytest.approx([0.6, 0.4])
    assert PROBLEMS["Table 1 (b), gap 0.1"][0].means == pytest.approx([0.4, 0.5])


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("p", [0.0, 0.5])
def test_the_error_rate_is_at_most_delta(name, p):
    problem, _ = PROBLEMS[name]
    wrong, identified = errors(problem, NAMES, p)
    for algorithm, n_wrong, n_identified in zip(NAMES, wrong, identified, strict=True):
        assert not breaks_the_guarantee(n_wrong), algorithm
        assert n_identified == TRIALS, algorithm


@pytest.mark.parametrize("name", EVERY)
def test_every_row_errs_at_most_delta_of_the_time_where_each_bound_is_a_mean(name):
    """The planted bugs of the file of each family show that the test can see too many errors."""
    wrong, identified = errors(TIGHTEST, [name], p=0.0)
    assert not breaks_the_guarantee(wrong[0])
    assert identified[0] == TRIALS


@pytest.mark.parametrize("name", ["Table 1 (b), gap 0.1", "four arms of rewards 0 and 1"])
def test_a_confidence_radius_too_small_is_found_out(name, too_small):
    """The other problems lack this power: with the wider gap or range, racing errs too rarely."""
    problem, _ = PROBLEMS[name]
    wrong, _ = errors(problem, too_small, p=0.0)
    for row, n_wrong in zip(too_small, wrong, strict=True):
        assert breaks_the_guarantee(n_wrong), (row.name, n_wrong)


def test_false_pseudo_rewards_are_found_out_where_correlation_is_used():
    """Bounds on the best arm far below its mean: no theorem covers this, and it shows."""
    problem, _ = PROBLEMS["Table 1 (b), gap 0.1"]
    false = problem.pseudo_rewards.copy()
    false[problem.best_arm, 1 - problem.best_arm] = 0.05
    rows = [cbai.ALGORITHMS[name] for name in NAMES]
    wrong, _ = errors(problem.with_pseudo_rewards(false), rows, p=0.0, n_trials=MORE)
    for row, n_wrong in zip(rows, wrong, strict=True):
        affected = row.uses_correlation and not row.guarded
        assert breaks_the_guarantee(n_wrong, MORE) == affected, (row.name, n_wrong)
