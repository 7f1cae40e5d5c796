"""With many arms a tree settles the rounds; every trial is the same as without."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cbai
from cbai.simulation.families import advance
from cbai.simulation.loops import many
from cbai.simulation.loops.state import MANY, ROUND, RUNNING, STATUS, begin, new_state
from cbai.simulation.plan import game_of, plan_for
from tests.effort import examples
from tests.reference import bandit
from tests.strategies import SEEDS, deltas, distributions, draw_rewards
from tests.test_follow import seen

ALONE = ("racing", "lil_ucb", "lucb", "lucb_pp", "lucb@kl_lucb", "lucb_pp@even_dar")
SUPPORTS = ([0.0, 1.0], [0.0, 0.5, 1.0], [1.0, 2.0, 3.0, 4.0, 5.0])


def many_arms(n_arms: int, seed: int) -> cbai.Problem:
    """Return a problem in which nothing is known, with some arms alike and some means tied."""
    rng = np.random.default_rng(seed)
    values = SUPPORTS[seed % len(SUPPORTS)]
    rows = distributions(rng, (n_arms, len(values)))
    rows[1 : n_arms // 3] = rows[0]
    return cbai.Problem([f"arm {k}" for k in range(n_arms)], values, rng.permutation(rows))


@examples(60)
@given(
    name=st.sampled_from(ALONE),
    n_arms=st.sampled_from([MANY, 65, 100, 128, 129, 600]),
    delta=deltas,
    epsilon=st.sampled_from([0.0, 0.0, 0.05]),
    max_samples=st.sampled_from([700, 3_000, 30_000]),
    step=st.sampled_from([1, 7, 10**9]),
    seed=SEEDS,
)
def test_a_trial_is_the_same_with_and_without_a_tree(
    name, n_arms, delta, epsilon, max_samples, step, seed
):
    problem = many_arms(n_arms, seed)
    plan = plan_for(problem, name, delta, 0.0, 0.0, seed % 1000, max_samples, epsilon)
    game = game_of(plan, 0)
    with_tree, without = begin(game), new_state(problem.n_arms, problem.n_values)
    assert with_tree.tops.size > 0 == without.tops.size
    if name == "lil_ucb" and n_arms < many.MANY_LEADERS:
        assert not many.rows_of(game, with_tree)
    while with_tree.clock[STATUS] == RUNNING:
        advance(game, with_tree, int(with_tree.clock[ROUND]) + step)
    advance(game, without)
    assert seen(with_tree) == seen(without)
    left = with_tree.active[: with_tree.clock[4]]
    assert left.tolist() == np.flatnonzero(with_tree.eliminated_at == 0).tolist()


@pytest.mark.parametrize("name", ["lucb", "lucb_pp"])
def test_a_tree_plays_as_plain_python_does(name):
    problem = many_arms(70, 4)
    rewards = draw_rewards(problem, 2_000, 4, False)
    expected = bandit.play(
        problem.values.tolist(), problem.pseudo_rewards.tolist(), problem.reward_max,
        rewards.tolist(), name, 0.3, 3_900,
    )  # fmt: skip
    trial = cbai.replay(problem, name, delta=0.3, rewards=rewards, max_samples=3_900)
    assert trial.pulls.tolist() == expected.pulls
    assert (trial.status, trial.best_arm) == (expected.status, expected.best_arm)


@examples(100)
@given(
    size=st.integers(2, 40),
    moves=st.lists(st.tuples(st.integers(0, 39), st.integers(-3, 3)), min_size=1, max_size=60),
)
def test_the_highest_is_found_and_the_first_of_several(size, moves):
    tops = np.full((1, 2 << (size - 1).bit_length()), -np.inf)
    index = np.full(size, -np.inf)
    for place, number in moves:
        arm = place % size
        index[arm] = float(number) if number > -3 else -np.inf
        many.renew(tops, 0, arm, index[arm])
        assert tops[0, 1] == index.max()
        if index.max() > -np.inf:
            assert many.highest(tops, 0) == index.argmax()


def test_what_looks_at_each_arm_alone_keeps_nothing_of_pairs():
    problem = many_arms(3_000, 1)
    for name in ("lucb", "racing", "track_and_stop", "ttucb", "exp_gap"):
        state = begin(game_of(plan_for(problem, name, 0.1, 0, 0, 0, 10**6), 0))
        arrays = [part for part in state if isinstance(part, np.ndarray)]
        assert sum(part.nbytes for part in arrays) < 3_000 * 1_000
    with pytest.raises(ValueError, match=r"6,000 arms.*824 MB, more than 256 MB.*'lucb'"):
        cbai.simulate(many_arms(6_000, 1), ["c_lucb"], delta=0.1, trials=1)
