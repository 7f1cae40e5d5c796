"""What the theorems promise: exact counts, and bounds that hold.

Statistical tests are seeded. Over the whole file a correct library is rejected with probability at
most `FALSE_ALARM`.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cbai
from cbai.results import true_competitive
from cbai.results.certainty import allowed_slope
from cbai.results.theory import first_trusted_round, settled_after, theory_of
from cbai.simulation.bounds.confidence import CONFIDENCE
from tests.strategies import SEEDS, make_problem, problems

FALSE_ALARM = 1e-6
TRIALS = 200
HOWARD = CONFIDENCE["howard"]

gaps = st.floats(1e-4, 1.0)
shares = st.floats(1e-12, 0.25)
scales = st.floats(0.1, 10.0)


def survey(chances):
    """Return arms of rewards 0 and 1 that depend on each other through a hidden state.

    `chances` holds P(1 | state) for each arm and two equally likely states; the pseudo-rewards are
    the true conditional means, so they are valid, and phi_{l,k} = mu_l.
    """
    chance = np.array(chances).T
    joint = 0.5 * np.stack([1.0 - chance, chance], axis=-1)
    probabilities = joint.sum(axis=0)
    pseudo = np.einsum("xl,xkv->lkv", chance, joint) / probabilities
    arms = range(chance.shape[1])
    pseudo[arms, arms] = [0.0, 1.0]
    return cbai.Problem([f"arm {k}" for k in arms], [0, 1], probabilities, pseudo)


CLEAR = survey([(0.9, 0.3), (0.2, 0.8), (0.15, 0.05), (0.05, 0.15), (0.15, 0.05), (0.05, 0.15)])
"""Means 0.6, 0.5 and four times 0.1; pseudo-gaps of 0.4: clearly non-competitive."""

VALID = {
    "clear": CLEAR,
    "three close": survey([(0.9, 0.3), (0.2, 0.8), (0.4, 0.6)]),
    "ad-campaign": cbai.load_problem("ad-campaign"),
    "paper-two-arms": cbai.load_problem("paper-two-arms"),
}


def by_hand(phi_of_third=0.4):
    """Means 0.9, 0.7, 0.4; what arm 0 says of arm 2 is `phi_of_third`, all else is unknown."""
    means = np.array([0.9, 0.7, 0.4])
    pseudo = np.ones((3, 3, 2))
    pseudo[range(3), range(3)] = [0.0, 1.0]
    pseudo[2, 0] = phi_of_third
    return cbai.Problem(list("abc"), [0, 1], np.column_stack([1 - means, means]), pseudo)


# ---------------------------------------------------------------- tau, t0, hardness


@pytest.mark.parametrize("gap", [0.13, 0.31, 0.97])
@pytest.mark.parametrize("d", [0.25, 0.01, 1e-9])
@pytest.mark.parametrize("b", [0.5, 1.0, 5.0])
def test_an_arm_is_settled_at_the_first_count_that_a_scan_finds(gap, d, b):
    radii = HOWARD.radius(np.arange(1, 400_000), d, b)
    first = 1 + int(np.flatnonzero(radii < gap * b / 4.0)[0])
    assert settled_after(gap * b, d, b) == first


@given(gaps, shares, scales)
def test_one_pull_less_would_not_do(gap, d, b):
    tau = settled_after(gap * b, d, b)
    assert HOWARD.radius(tau, d, b) < gap * b / 4.0
    assert tau == 1 or HOWARD.radius(tau - 1, d, b) >= gap * b / 4.0


@given(st.floats(1e-12, 0.4), scales, st.integers(1, 10**12))
def test_the_radius_decreases_as_the_bisection_needs(d, b, n):
    at, later = HOWARD.radius([n, n + 1], d, b)
    assert later < at or (n > 10**9 and later == at)


@pytest.mark.parametrize(("gap", "n_arms"), [(1.0, 2), (0.4, 2), (0.3, 6)])
def test_the_trusted_round_is_the_first_that_a_scan_finds(gap, n_arms):
    t = np.arange(2, 300_000)
    holds = gap >= 4.0 * np.sqrt(2.0 * n_arms * np.log(t) / t)
    assert first_trusted_round(gap, n_arms) == t[np.flatnonzero(holds)[0]]


def test_hardness_by_hand():
    theory = theory_of(by_hand(), 0.1)
    np.testing.assert_allclose(theory.gap, [0.2, 0.2, 0.5])
    assert list(theory.competitive[0]) == [True, True, False]
    assert theory.hardness == pytest.approx(25 + 25 + 4)
    assert theory.hardness_competitive == pytest.approx([50])
    assert theory_of(by_hand(0.8), 0.1).hardness_competitive == pytest.approx([54])


def test_bounds_by_hand():
    theory = theory_of(by_hand(), 0.1)
    near, far = (settled_after(gap, 0.1 / 3, 1.0) for gap in (0.2, 0.5))
    assert theory.lucb == pytest.approx(2 * (near + near + far))
    near = settled_after(0.2, 0.1 / 6, 1.0)
    assert theory.c_lucb_competitive == pytest.approx([4 * near])
    t0 = first_trusted_round(0.2, 3)
    expected = (9 + 6 * t0) / 0.9 + 2 / 0.9 * (64 / t0 + 2 / t0**2)
    assert theory.c_lucb_rest == pytest.approx(expected)


def test_the_round_to_trust_does_not_depend_on_the_unit_of_reward():
    small, large = by_hand(), by_hand()
    large = cbai.Problem(
        large.arms, 5 * large.values, large.probabilities, 5 * large.pseudo_rewards
    )
    assert theory_of(small, 0.1).t0 == theory_of(large, 0.1).t0
    assert theory_of(small, 0.1).lucb == pytest.approx(theory_of(large, 0.1).lucb, rel=0.2)


@given(problems, st.sampled_from([0.0, 0.3, 1.0]), SEEDS)
def test_each_trial_has_the_competitive_set_of_its_own_mask(problem, p, seed):
    seed %= 2**31
    theory = theory_of(problem, 0.05, p, 0.1 * problem.reward_max, seed, trials=3)
    for trial in range(3):
        seen = cbai.trace(
            problem, "c_lucb", 0.05, seed=seed, trial=trial, p=p, q=0.1 * problem.reward_max,
            max_samples=2 * problem.n_arms,
        )  # fmt: skip
        truth = true_competitive(seen.problem)
        np.testing.assert_array_equal(theory.competitive[trial], truth.competitive)
        np.testing.assert_allclose(theory.pseudo_gap[trial], truth.pseudo_gap)
        assert theory.contradicted[trial] == truth.contradicted
    assert theory.tied == (len(problem.best_arms) > 1)


def test_a_tie_promises_nothing():
    problem = make_problem(4, 3, "ties", "ratings", False, seed=3)
    means = problem.means.copy()
    assert len(problem.best_arms) > 1, means
    theory = theory_of(problem, 0.1)
    assert theory.tied
    for bound in (theory.hardness, theory.lucb, theory.c_lucb_competitive[0], theory.c_lucb_rest):
        assert bound == math.inf
    assert allowed_slope([theory, theory_of(problem, 0.01)]) == math.inf


@pytest.mark.parametrize(
    ("change", "message"),
    [({"delta": 0.6}, "delta"), ({"delta": 0}, "delta"), ({"p": 2}, "p must"), ({"q": 9}, "q must"),
     ({"trials": 0}, "trials")],
)  # fmt: skip
def test_bad_parameters_are_met_with_a_sentence(change, message):
    with pytest.raises(ValueError, match=message):
        theory_of(CLEAR, **({"delta": 0.1} | change))


# ---------------------------------------------------------------- the promise


def broken(samples, bound, delta):
    """Return whether samples are beyond a bound too often for an error probability of delta."""
    beyond = int((samples > bound).sum())
    test = stats.binomtest(beyond, samples.size, delta, alternative="greater")
    return test.pvalue < FALSE_ALARM / (2 * len(VALID))


@pytest.mark.parametrize("delta", [0.2, 0.01])
@pytest.mark.parametrize("name", VALID)
def test_runs_stay_within_what_the_proofs_allow(name, delta):
    problem = VALID[name]
    trials = cbai.simulate(problem, ["lucb", "c_lucb"], delta, trials=TRIALS, seed=2021, p=0.2)
    theory = theory_of(problem, delta, 0.2, 0.0, 2021, trials=TRIALS)
    assert trials.identified.all()
    lucb, c_lucb = trials.samples
    assert not broken(lucb, theory.lucb, delta)
    assert broken(lucb, theory.lucb / 20.0, delta)
    # the theorem bounds a mean; far from it, as its constants are huge
    assert c_lucb.mean() <= theory.c_lucb_competitive.mean() + theory.c_lucb_rest
