"""By hand: what is exactly at a bound stays, what is above b becomes b, and no rule is unknown."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import cbai
from cbai.problem.pseudo_rewards import add_buffer, apply_mask, subtract_buffer
from cbai.simulation.loops.exponential_gap import remove_below
from cbai.simulation.loops.rules import (
    CROSS_ELIMINATION,
    OWN_ELIMINATION,
    argmax,
    argmax_except,
    argmax_min_bound,
    eliminate,
    near_best,
)
from cbai.simulation.rules import algorithms
from cbai.simulation.rules.choices import Challenger, Elimination, Leader, Stopping

# ---------------------------------------------------------------- strictly below

LOWER = [0.5, 0.1, 0.0, 0.2]
UPPER = [0.9, 0.5, 0.25, 0.75]
"""The first arm leads with 0.5: the second is exactly there, and the third alone is below."""


def eliminated(rule, phi):
    """Return when each of four arms was ruled out in round 7, and who is left."""
    active, eliminated_at = np.arange(4), np.zeros(4, np.int64)
    indices, lower = np.zeros((6, 4)), np.array(LOWER)
    left = eliminate(
        rule, active, 4, indices, np.array(UPPER), lower, phi, np.full(4, 0.25), 0.0,
        np.zeros(4, np.int64), eliminated_at, 7,
    )  # fmt: skip
    return eliminated_at.tolist(), active[:left].tolist(), indices


def test_an_arm_is_ruled_out_only_strictly_below_the_best_lower_bound():
    at, left, indices = eliminated(OWN_ELIMINATION, np.zeros((4, 4)))
    assert at == [0, 0, 7, 0]
    assert left == [0, 1, 3]
    assert (indices[:, 2] == -math.inf).all()
    assert (indices[:, [0, 1, 3]] == 0.0).all()


def test_so_it_is_where_another_arms_rewards_bound_it():
    """0.25 + 0.25 is exactly the leader's lower bound for the second arm, 0.125 below it for the
    third; `upper` of both is only a number that their bound does not fall below."""
    phi = np.full((4, 4), 1.0)
    phi[1, 3], phi[2, 3] = 0.25, 0.125
    upper = np.array([0.9, 0.375, 0.375, 0.75])
    active, eliminated_at = np.arange(4), np.zeros(4, np.int64)
    left = eliminate(
        CROSS_ELIMINATION, active, 4, np.zeros((6, 4)), upper, np.array(LOWER), phi,
        np.full(4, 0.25), 0.0, np.zeros(4, np.int64), eliminated_at, 7,
    )  # fmt: skip
    assert eliminated_at.tolist() == [0, 0, 7, 0]
    assert active[:left].tolist() == [0, 1, 3]


def test_an_arm_at_the_bar_of_its_phase_stays():
    active, eliminated_at = np.arange(3), np.zeros(3, np.int64)
    left = remove_below(
        0.5, np.array([0.75, 0.5, 0.25]), active, 3, np.zeros((6, 3)), eliminated_at, 2
    )
    assert eliminated_at.tolist() == [0, 0, 2]
    assert active[:left].tolist() == [0, 1]


@pytest.mark.parametrize(("second", "found"), [(0.75, 0), (0.7500001, -1)])
def test_an_arm_is_near_enough_at_exactly_epsilon(second, found):
    lower, upper = np.array([0.5, 0.1]), np.array([0.9, second])
    assert near_best(
        OWN_ELIMINATION, np.arange(2), 2, lower, upper, 0.25, np.zeros((2, 2)), np.zeros(2), 0.0,
        np.zeros(2, np.int64),
    ) == found  # fmt: skip


def test_of_equal_arms_the_first_is_taken():
    index = np.array([0.5, 0.75, 0.75, 0.75])
    assert argmax(index) == 1
    assert argmax_except(index, 1) == 2
    phi, caps = np.full((4, 4), 0.5), np.full(4, math.inf)
    for first in range(4):  # wherever the search begins
        winner = argmax_min_bound(
            np.arange(4), 4, phi, 1.0, np.full(4, 0.25), 0.0, np.zeros(4, np.int64), caps, first, 0
        )
        assert winner == 1


# ---------------------------------------------------------------- one value


def one_value(n_arms=3):
    """Every reward is 0.5: all arms are best, and nothing is ever strictly below."""
    return cbai.Problem(
        list("ABC")[:n_arms], [0.5], np.ones((n_arms, 1)), np.full((n_arms, n_arms, 1), 0.5), 1.0
    )


def test_a_problem_of_one_value_has_all_arms_for_its_best():
    problem = one_value()
    assert problem.best_arms.tolist() == [0, 1, 2]
    assert problem.means.tolist() == [0.5] * 3


@pytest.mark.parametrize("name", ["lucb_eb", "c_lucb_eb", "c_lucb_range", "c_lucb_guard"])
def test_bounds_without_width_rule_out_no_equal_arm(name):
    """Rewards that cannot vary leave no width: lower and upper bounds are all exactly 0.5."""
    trials = cbai.simulate(one_value(), [name], 0.1, trials=2, max_samples=300)
    assert trials.status.tolist() == [["budget"] * 2]
    assert (trials.eliminated_at == 0).all()


@pytest.mark.parametrize("name", cbai.ALGORITHMS)
def test_every_algorithm_plays_a_problem_of_one_value(name):
    trials = cbai.simulate(one_value(), [name], 0.1, trials=2, p=0.5, max_samples=300)
    assert (trials.samples <= 300).all()
    assert not trials.wrong.any()
    assert (trials.pulls.sum(axis=2) == trials.samples).all()


# ---------------------------------------------------------------- never above b


def test_a_buffer_raises_up_to_b_and_no_further():
    pseudo = np.array([[[0.0, 1.0], [0.25, 0.875]], [[1.0, 0.5], [0.0, 1.0]]])
    raised = add_buffer(pseudo, 0.25, 1.0)
    assert raised.tolist() == [[[0.0, 1.0], [0.5, 1.0]], [[1.0, 0.75], [0.0, 1.0]]]
    assert pseudo[0, 1].tolist() == [0.25, 0.875], "the argument stays as it is"
    assert add_buffer(pseudo, 1.0, 1.0)[0, 1].tolist() == [1.0, 1.0]


def test_a_lower_bound_falls_to_the_smallest_reward_and_no_further():
    pseudo = np.array([[[1.0, 2.0], [1.5, 2.0]], [[1.25, 1.75], [1.0, 2.0]]])
    lowered = subtract_buffer(pseudo, 0.5)
    assert lowered.tolist() == [[[1.0, 2.0], [1.0, 1.5]], [[1.0, 1.25], [1.0, 2.0]]]


def test_what_is_unknown_is_b():
    pseudo = np.array([[[0.0, 1.0], [0.25, 0.875]], [[1.0, 0.5], [0.0, 1.0]]])
    unknown = np.zeros((2, 2, 2), bool)
    unknown[0, 1, 0] = True
    assert apply_mask(pseudo, unknown, 1.5)[0, 1].tolist() == [1.5, 0.875]


# ---------------------------------------------------------------- no unknown rule


RULES = {
    "leader": Leader, "challenger": Challenger, "elimination": Elimination, "stopping": Stopping,
}  # fmt: skip


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("rule", [99, -1, 2, "mean", None])
def test_what_is_no_rule_is_refused(kind, rule):
    """A number is none either: 2 would be played as the third rule, or fall to the last branch."""
    said = f"{kind} must be one of .* of {RULES[kind].__name__}, got '?{rule}"
    with pytest.raises(ValueError, match=said):
        replace(cbai.ALGORITHMS["c_lucb_pp"], **{kind: rule})


@pytest.mark.parametrize("kind", RULES)
def test_a_rule_that_no_loop_knows_is_refused(kind, monkeypatch):
    """As if a rule had been added to its list and forgotten in the loop: it was played as another.

    The forgotten one is a rule of C-LUCB++ here, which all of the loop but this list knows.
    """
    row = cbai.ALGORITHMS["c_lucb_pp"]
    forgotten = getattr(row, kind)
    known = tuple(
        (one, tuple(rule for rule in rules if rule is not forgotten))
        for one, rules in algorithms.COMPOSABLE
    )
    monkeypatch.setattr(algorithms, "COMPOSABLE", known)
    name = forgotten.name.lower()
    with pytest.raises(ValueError, match=f"{kind} of a composition .* got {name}: no loop plays"):
        replace(row, name="again")


def test_every_rule_is_played_by_some_loop():
    known = [rule for _, rules in algorithms.COMPOSABLE for rule in rules]
    known += [rule for whole in algorithms.INDIVISIBLE.values() for rule in whole.own_rules]
    for kind in RULES.values():
        for rule in kind:
            assert any(rule is one for one in known), rule
