"""Rounds that a few arms settle end as if all arms were looked at in every round.

Played one round at a time, a trial looks at all arms in each of them. That version is compared with
plain Python elsewhere.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cbai
from cbai.simulation.bounds.confidence import CONFIDENCE
from cbai.simulation.families import advance
from cbai.simulation.loops.follow import FIRST, SECOND, UPPER
from cbai.simulation.loops.follow_pairs import MOST_AHEAD, SLACK, choose
from cbai.simulation.loops.pseudo import SEEN
from cbai.simulation.loops.state import N_NEXT, OWN_UCB, ROUND, RUNNING, STATUS, State, new_state
from cbai.simulation.plan import game_of, plan_for
from tests.effort import examples, quick_or_full
from tests.strategies import SEEDS, deltas, make_problem

COMPOSED = (
    *("racing", "lil_ucb", "lucb", "lucb_pp", "c_lucb", "c_lucb_pp", "maxmin_lucb", "two_lucb"),
    *("lucb@kl_lucb", "c_lucb@kl_lucb", "c_lucb_pp@lil_kl_lucb", "two_lucb@kl_lucb"),
    *("lucb_pp@even_dar", "c_lucb@kk_lucb"),
)
EXACT = settings(
    examples(80), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def played(plan, trial: int, step: int | None = None, rewards=None) -> State:
    """Play a trial in one go, or at most so many rounds at a time."""
    game, problem = game_of(plan, trial), plan.problem
    if rewards is not None:
        game = game._replace(rewards=rewards)
    state = new_state(problem.n_arms, problem.n_values)
    while state.clock[STATUS] == RUNNING:
        if step is None:
            advance(game, state)
        else:
            advance(game, state, int(state.clock[ROUND]) + step)
    return state


def seen(state: State) -> dict[str, list[int]]:
    """Return what a trial shows of itself."""
    pulled = state.next_arms[: state.clock[N_NEXT]] if state.clock[STATUS] == RUNNING else []
    return {
        "clock": state.clock[: N_NEXT + 1].tolist(),
        "pulls": state.pulls.tolist(),
        "eliminated": state.eliminated_at.tolist(),
        "next": sorted(pulled),
    }


@EXACT
@given(
    name=st.sampled_from(COMPOSED),
    n_arms=st.sampled_from([2, 3, 5, 8, 13, 21, 60]),
    kind=st.sampled_from(["valid", "random", "nothing known"]),
    support=st.sampled_from(["ratings", "halves"]),
    p=st.sampled_from([0.0, 0.2, 0.8, 1.0]),
    delta=deltas,
    epsilon=st.sampled_from([0.0, 0.0, 0.05, 0.5]),
    max_samples=st.sampled_from([300, 3_000, 30_000]),
    seed=SEEDS,
)
def test_a_trial_ends_as_if_all_arms_were_looked_at(
    name, n_arms, kind, support, p, delta, epsilon, max_samples, seed
):
    problem = make_problem(n_arms, 2 + seed % 5, kind, support, False, seed)
    plan = plan_for(
        problem, name, delta, p, 0.0, seed % 1000, max_samples, min(epsilon, problem.reward_max)
    )
    expected = seen(played(plan, 0, step=1))
    assert seen(played(plan, 0)) == expected
    assert seen(played(plan, 0, step=7)) == expected


@pytest.mark.parametrize("data", ["movielens-1m", "goodreads-poetry", "ad-campaign"])
@pytest.mark.parametrize("name", ["lucb", "lucb_pp", "lil_ucb", "c_lucb", "c_lucb_pp", "two_lucb"])
def test_long_trials_too(name, data):
    for p in (0.0, 0.2, 1.0):
        plan = plan_for(cbai.load_problem(data), name, 0.05, p, 0.0, 5, 40_000)
        expected = seen(played(plan, 3, step=1))
        assert seen(played(plan, 3)) == expected, p


@pytest.mark.parametrize("name", ["lucb", "c_lucb"])
def test_arms_that_cannot_be_told_apart_take_turns_as_before(name):
    """Ties at every moment: rewards that are always the same, and bounds that say nothing."""
    unknown = np.ones((4, 4, 2))
    unknown[range(4), range(4)] = [0.0, 1.0]
    always_one = np.tile([0.0, 1.0], (4, 1))
    problem = cbai.Problem(["A", "B", "C", "D"], [0.0, 1.0], always_one, unknown)
    plan = plan_for(problem, name, 0.1, 0.0, 0.0, 1, 2_000)
    assert seen(played(plan, 0)) == seen(played(plan, 0, step=1))


def in_runs(rng, n_arms: int, n_values: int, length: int) -> np.ndarray:
    """Return rewards that stay the same for a while, so that averages move as fast as they can."""
    rewards = np.empty((n_arms, length), np.int64)
    for row in rewards:
        ends = np.unique(np.append(rng.integers(1, length, size=length // 12), length))
        row[:] = np.repeat(rng.integers(n_values, size=ends.size), np.diff(ends, prepend=0))
    return rewards


@settings(EXACT, max_examples=quick_or_full(60, 200))
@given(
    name=st.sampled_from(COMPOSED[2:]),
    n_arms=st.sampled_from([8, 13, 21]),
    kind=st.sampled_from(["valid", "random"]),
    seed=SEEDS,
)
def test_rewards_that_come_in_runs_change_nothing(name, n_arms, kind, seed):
    problem = make_problem(n_arms, 2 + seed % 3, kind, "ratings", False, seed)
    rewards = in_runs(np.random.default_rng(seed), n_arms, problem.n_values, 2_000)
    plan = plan_for(problem, name, 0.1, 0.2 * (seed % 2), 0.0, seed % 100, 2_000)
    assert seen(played(plan, 0, None, rewards)) == seen(played(plan, 0, 1, rewards))


def indices_after(game, state, extreme, rounds: int):
    """Return all arms' indices if each arm in the contest gets the same reward so often.

    `extreme` says, for a bounded arm, which reward of each arm: the one that raises its average
    pseudo-reward most, or lowers it most.
    """
    now = int(state.clock[ROUND]) + rounds
    b, n = game.reward_max, state.pulls.astype(float)
    contest = state.followed.column >= 0
    n_after = n + rounds * contest
    rewards = extreme(game.pseudo_rewards, axis=1)  # (pulled, bounded)
    phi = (state.phi * n + (rewards * contest[:, None]).T * rounds) / n_after
    explored = (phi + b * np.sqrt(2.0 * np.log(now + 1.0) / n_after)).min(axis=1)
    widths = CONFIDENCE["howard"].radius(n_after, 0.1 / (2 * n.size), b)
    return explored, (phi + widths).min(axis=1)


@settings(EXACT, max_examples=quick_or_full(40, 150))
@given(
    n_arms=st.sampled_from([8, 13, 21]),
    ahead=st.sampled_from([1, 4, 8, 64]),
    rounds=st.sampled_from([10, 100, 1000]),
    seed=SEEDS,
)
def test_no_arm_outside_the_contest_goes_beyond_what_it_is_judged_to_reach(
    n_arms, ahead, rounds, seed
):
    problem = make_problem(n_arms, 2 + seed % 3, "random", "ratings", False, seed)
    plan = plan_for(problem, "c_lucb", 0.1, 0.0, 0.0, seed % 100, 10_000)
    game, state = game_of(plan, 0), new_state(n_arms, problem.n_values)
    advance(game, state, rounds)
    if state.clock[STATUS] != RUNNING:
        return
    size, n_contest = choose(game, state, ahead, 0.0)
    column, rest = state.followed.column, state.followed.rest
    active = state.eliminated_at == 0
    outside = active & (column < 0)
    unfollowed = outside.copy()
    unfollowed[state.followed.arms[:size]] = False
    assert column[state.next_arms[:2]].min() >= 0
    assert (column >= 0).sum() == n_contest
    for later in range(1, ahead + 1):
        highest, _ = indices_after(game, state, np.max, later)
        _, lowest = indices_after(game, state, np.min, later)
        own = state.indices[OWN_UCB]
        assert (highest[outside] <= rest[FIRST]).all()
        assert (np.minimum(highest, own)[outside] <= rest[SECOND]).all()
        assert (lowest[unfollowed] >= rest[UPPER]).all()


def test_all_arms_are_looked_at_once_the_rounds_judged_ahead_are_over():
    """After 8 rounds ahead, then after 16: two arms so far apart settle every round themselves."""
    known = np.ones((2, 2, 2))
    known[range(2), range(2)] = [0.0, 1.0]
    problem = cbai.Problem(["A", "B"], [0.0, 1.0], [[0.0, 1.0], [1.0, 0.0]], known)
    plan = plan_for(problem, "c_lucb", 1e-50, 0.0, 0.0, 1, 1_000)
    for end, last in ((5, 1), (9, 1), (10, 10), (26, 10), (27, 27)):
        state = new_state(2, 2)
        advance(game_of(plan, 0), state, end)
        assert (state.pulls == end).all()
        assert (state.whole[SEEN] == last).all(), end


def test_a_running_sum_is_off_by_less_than_the_slack():
    """The largest number of additions between two exact averages, each of at most b."""
    assert MOST_AHEAD * np.finfo(float).eps < SLACK / 100
