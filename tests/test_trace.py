"""A trace shows what the reference knew in each of its rounds, and ends as the trial does."""

from __future__ import annotations

import numpy as np
import pytest

import cbai
from cbai.problem import pseudo_rewards as pr
from cbai.simulation.families import kind_of
from cbai.simulation.loops.state import new_state
from cbai.simulation.plan import game_of, plan_for
from cbai.simulation.record import new_notes, play_round, play_rounds
from tests.reference import bandit, philox
from tests.strategies import make_problem

CASES = [("valid", 1, 0.0, 0.0), ("random", 4, 0.2, 0.1), ("ties", 6, 0.35, 0.0)]
CLOSE = {"rel": 1e-12, "abs": 1e-12}

pairs = pytest.mark.parametrize(("kind", "seed", "p", "q"), CASES)
names = pytest.mark.parametrize("name", bandit.ALGORITHMS)


def both(name, kind, seed, p, q, max_rounds=40, max_samples=1500):
    """Return the trace and the reference's result with its record of every round."""
    problem = make_problem(5, 4, kind, "ratings", False, seed)
    trace = cbai.trace(
        problem, name, 0.1, seed=seed, trial=2, p=p, q=q, max_rounds=max_rounds,
        max_samples=max_samples,
    )  # fmt: skip
    unknown = pr.mask(problem.n_arms, problem.n_values, p, seed, 2)
    buffered = pr.add_buffer(problem.pseudo_rewards, q, problem.reward_max)
    pseudo = pr.apply_mask(buffered, unknown, problem.reward_max)
    draw = philox.drawer(problem.probabilities.tolist(), seed, 2)
    result = bandit.play(
        problem.values.tolist(), pseudo.tolist(), problem.reward_max, draw, name, 0.1,
        max_samples, record=True,
    )  # fmt: skip
    return trace, result


@names
@pairs
def test_it_ends_as_the_trial_does(name, kind, seed, p, q):
    trace, result = both(name, kind, seed, p, q)
    assert (trace.status, trace.best_arm) == (result.status, result.best_arm)
    assert trace.rounds[-1] == result.rounds
    assert trace.samples[-1] == result.samples
    assert trace.pulls[-1].tolist() == result.pulls


@names
@pairs
def test_what_is_noted_in_one_piece_is_what_is_noted_round_by_round(name, kind, seed, p, q):
    plan = plan_for(make_problem(5, 4, kind, "ratings", False, seed), name, 0.1, p, q, seed, 1500)
    assert kind_of(plan.algorithm).from_state is None
    game, rounds = game_of(plan, 2), np.array([1, 2, 3, 7, 20, 100])
    states = [new_state(5, 4) for _ in range(2)]
    at_once, stepwise = (new_notes(len(rounds), 5, 4) for _ in range(2))
    play_rounds(game, states[0], rounds, at_once)
    for at, number in enumerate(rounds.tolist()):
        play_round(game, states[1], number, stepwise, at)
    for one, other in zip(at_once, stepwise, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(states[0].eliminated_at, states[1].eliminated_at)


@names
@pairs
def test_each_recorded_round_is_that_of_the_reference(name, kind, seed, p, q):
    trace, result = both(name, kind, seed, p, q)
    arms = np.arange(trace.problem.n_arms)
    assert trace.rounds[0] == 1
    for i, number in enumerate(trace.rounds):
        then = result.record[number - 1]
        assert trace.pulls[i].tolist() == then.pulls
        assert trace.counts[i].sum(axis=1).tolist() == then.pulls
        assert trace.samples[i] == sum(then.pulls)
        assert trace.mean[i] == pytest.approx(then.mean, **CLOSE)
        assert trace.counts[i] @ trace.problem.values / then.pulls == pytest.approx(then.mean)
        assert trace.active[i].tolist() == then.active
        assert arms[trace.pulled[i]].tolist() == sorted(then.pulled)


@pytest.mark.parametrize("name", bandit.ELIMINATION)
@pairs
def test_its_bounds_are_at_the_elimination_share(name, kind, seed, p, q):
    trace, result = both(name, kind, seed, p, q)
    for i, number in enumerate(trace.rounds):
        then = result.record[number - 1]
        assert trace.lower[i] == pytest.approx(then.lcb, **CLOSE)
        assert trace.own_upper[i] == pytest.approx(then.own_ucb, **CLOSE)
        own = bandit.ELIMINATION[name][0] == "own"
        assert np.array_equal(trace.upper[i], trace.own_upper[i] if own else trace.cross_upper[i])


@pytest.mark.parametrize("name", bandit.ELIMINATION)
@pairs
def test_its_cross_bounds_are_those_of_the_buffered_and_masked_pseudo_rewards(
    name, kind, seed, p, q
):
    """Also for algorithms that never look at them, since the trace shows them all the same."""
    trace, result = both(name, kind, seed, p, q)
    for i, number in enumerate(trace.rounds):
        then = result.record[number - 1]
        assert trace.cross_upper[i] == pytest.approx(then.cross_ucb, **CLOSE)
        assert trace.pseudo_upper[i] == pytest.approx(then.pseudo_ucb, **CLOSE)


@names
@pairs
def test_it_says_which_arm_was_eliminated_when_and_by_whose_samples(name, kind, seed, p, q):
    trace, result = both(name, kind, seed, p, q)
    expected = [
        (number, arm, by)
        for number, then in enumerate(result.record, start=1)
        for arm, by in then.eliminated
    ]
    assert [tuple(map(int, event)) for event in trace.eliminations] == expected
    assert {number for number, _, _ in expected} <= set(trace.rounds.tolist())


def test_the_arm_that_eliminates_can_be_another_or_the_arm_itself():
    informed, _ = both("c_lucb", *CASES[0])
    alone, _ = both("c_lucb", "nothing known", 1, 0.0, 0.0, max_samples=20_000)
    assert any(event.by != event.arm for event in informed.eliminations)
    assert any(event.by == event.arm for event in alone.eliminations)


@names
def test_its_length_is_limited_and_complete_when_there_is_room(name):
    short, result = both(name, *CASES[0], max_rounds=10)
    n_events = len({event.round for event in short.eliminations})
    assert len(short.rounds) <= 10 + n_events
    complete, _ = both(name, *CASES[0], max_rounds=5000)
    assert complete.rounds.tolist() == list(range(1, result.rounds + 1))
