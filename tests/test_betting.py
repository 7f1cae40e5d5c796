"""Pooled betting: the fair game, the twin, the guarantee, and what it saves."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cbai
from cbai.problem import pseudo_rewards as pr
from cbai.simulation.bounds import evidence
from cbai.simulation.loops import state
from cbai.simulation.rules.choices import Leader
from tests.arms import coins, outcome, tight
from tests.effort import examples, quick_or_full
from tests.reference import betting
from tests.reference import philox as reference_philox
from tests.strategies import SEEDS, draw_rewards, latent_model, make_problem

NAMES = {"lucb_pp_bet": False, "c_lucb_bet": True}
EXAMPLES = examples(60)
FALSE_ALARM = 1e-6
TRIALS = quick_or_full(500, 2000)
"""The quick number finds every bug that this file plants; the full one finds smaller ones too."""


def pulled_first(pseudo):
    return np.ascontiguousarray(np.transpose(pseudo, (1, 2, 0)))


# ---------------------------------------------------------------- the game


@EXAMPLES
@given(
    n_arms=st.integers(2, 6),
    n_values=st.integers(2, 5),
    seed=SEEDS,
    share=st.floats(0.0, 1.0),
    pooled=st.booleans(),
)
def test_log_wealth_is_the_one_of_the_definition(n_arms, n_values, seed, share, pooled):
    problem = make_problem(n_arms, n_values, "random", "anywhere", False, seed)
    values, pseudo = problem.values.tolist(), problem.pseudo_rewards.tolist()
    counts = np.random.default_rng(seed).integers(0, 40, (n_arms, n_values))
    x = values[0] + share * (values[-1] - values[0])
    for arm in range(n_arms):
        ours = evidence.log_wealth(
            arm, x, counts, pulled_first(problem.pseudo_rewards), pooled, 1.0
        )
        want = betting.wealth(arm, x, counts.tolist(), values, pseudo, pooled)
        assert ours == pytest.approx(want, rel=1e-9, abs=1e-9)


@EXAMPLES
@given(seed=SEEDS, low=st.floats(0.0, 1.0), high=st.floats(0.0, 1.0), pooled=st.booleans())
def test_all_that_is_left_out_would_only_add_to_the_wealth(seed, low, high, pooled):
    """So that the whole wealth, which grows with x, rules out all that the part does, and more."""
    problem = make_problem(3, 4, "random", "anywhere", False, seed)
    counts = np.random.default_rng(seed).integers(0, 40, (3, 4))
    first, last = problem.values[0], problem.values[-1]
    table = pulled_first(problem.pseudo_rewards)
    values, pseudo = problem.values.tolist(), problem.pseudo_rewards.tolist()
    x, larger = (first + share * (last - first) for share in sorted((low, high)))
    part = evidence.log_wealth(1, x, counts, table, pooled, 1.0)
    whole, later = (
        betting.wealth(1, at, counts.tolist(), values, pseudo, pooled, everything=True)
        for at in (x, larger)
    )
    assert part <= whole + 1e-9
    assert whole <= later + 1e-9


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("order", list(itertools.product((0, 1), repeat=4)))
def test_the_game_is_fair_at_the_true_mean_and_unfair_below(seed, order):
    """The expected wealth over every sequence of rewards, enumerated, is 1 at the true mean.

    Two arms pulled in the given order. The bounds on arm 0 are as tight as can be. At a lower mean
    one loses, at a higher one wins. What the library works out is never more than this wealth.
    """
    rng = np.random.default_rng(seed)
    values = np.array([0.0, 1.0, 3.0])
    probabilities, conditional, _ = latent_model(rng, values, 2)
    table = pulled_first(conditional)
    truth = float(probabilities[0] @ values)

    def expected(x):
        total = 0.0
        for rewards in itertools.product(range(3), repeat=len(order)):
            counts = np.zeros((2, 3), np.int64)
            chance = 1.0
            for arm, value in zip(order, rewards, strict=True):
                counts[arm, value] += 1
                chance *= probabilities[arm, value]
            wealth = betting.wealth(
                0, x, counts.tolist(), values.tolist(), conditional.tolist(), True, everything=True
            )
            assert evidence.log_wealth(0, x, counts, table, True, 1.0) <= wealth + 1e-9
            total += chance * math.exp(min(wealth, 50.0))
        return total

    assert expected(truth) == pytest.approx(1.0, abs=1e-9)
    assert expected(truth - 0.1) < 1.0
    assert expected(truth + 0.1) > 1.0


def test_a_mean_above_all_that_the_bounds_allow_is_ruled_out_at_once():
    """Nothing needs to be pulled to know that a mean is at most the largest bound on it."""
    counts = np.zeros((2, 2), np.int64)
    counts[1, 0] = 1
    table = pulled_first([[[0.0, 1.0], [0.3, 0.3]], [[1.0, 1.0], [0.0, 1.0]]])
    assert evidence.log_wealth(0, 0.31, counts, table, True, 1.0) > math.log(1e9)
    assert evidence.log_wealth(0, 0.30, counts, table, True, 1.0) < math.log(2.0)


# ---------------------------------------------------------------- the twin


@examples(40)
@given(
    n_arms=st.integers(2, 7),
    kind=st.sampled_from(["valid", "random", "nothing known"]),
    support=st.sampled_from(["ratings", "halves"]),
    delta=st.sampled_from([0.3, 0.1, 0.01]),
    max_samples=st.integers(12, 250),
    seed=SEEDS,
)
def test_replay_agrees_with_the_twin(n_arms, kind, support, delta, max_samples, seed):
    problem = make_problem(n_arms, 2 + seed % 4, kind, support, seed % 2 == 0, seed)
    rewards = draw_rewards(problem, max_samples, seed, twins=False)
    table = rewards.tolist()
    for name, pooled in NAMES.items():
        want = betting.play(
            problem.values.tolist(), problem.pseudo_rewards.tolist(), lambda k, j: table[k][j],
            pooled, delta, max_samples,
        )  # fmt: skip
        trial = cbai.replay(problem, name, delta, rewards, max_samples=max_samples)
        assert outcome(trial) == outcome(want), name


@pytest.mark.parametrize("name", NAMES)
def test_a_long_trial_on_movielens_agrees_with_the_twin(name):
    problem = cbai.load_problem("movielens-1m")
    trials = cbai.simulate(problem, [name], 0.1, trials=1, seed=4, p=0.2, q=0.2, max_samples=900)
    buffered = pr.add_buffer(problem.pseudo_rewards, 0.2, 5.0)
    pseudo = pr.apply_mask(buffered, pr.mask(18, 5, 0.2, 4, 0), 5.0)
    draw = reference_philox.drawer(problem.probabilities.tolist(), 4, 0)
    values = problem.values.tolist()
    want = betting.play(values, pseudo.tolist(), draw, NAMES[name], 0.1, 900)
    assert trials.samples[0, 0] == want.samples
    assert trials.pulls[0, 0].tolist() == want.pulls
    assert trials.eliminated_at[0, 0].tolist() == want.eliminated_at


# ---------------------------------------------------------------- the guarantee


PROBLEMS = {
    "four arms of rewards 0 and 1": tight(4, [0.0, 1.0], 188),
    "five arms of ratings": tight(5, [1.0, 2.0, 3.0, 4.0, 5.0], 168),
    "six near arms": coins(0.5 - 0.05 * np.arange(6)),
    "two near arms": coins([0.5, 0.45]),
}
ALPHA = FALSE_ALARM / (len(PROBLEMS) * 2 * len(NAMES))


def too_many(wrong, delta):
    """Return whether so many errors refute an error probability of delta."""
    return stats.binomtest(int(wrong), TRIALS, delta, alternative="greater").pvalue < ALPHA


@pytest.mark.parametrize("delta", [0.1, 0.2])
@pytest.mark.parametrize("title", PROBLEMS)
def test_the_error_rate_is_at_most_delta(title, delta):
    """A right library fails here with probability at most `FALSE_ALARM` over all cases."""
    trials = cbai.simulate(PROBLEMS[title], list(NAMES), delta, trials=TRIALS, seed=7)
    assert trials.identified.all()
    for wrong in trials.wrong.sum(axis=1):
        assert not too_many(wrong, delta)


def test_a_game_that_pays_too_early_is_found_out(monkeypatch):
    """With a tenth of the log-wealth needed, errors are far above delta."""
    honest = state.log_wealth_needed
    monkeypatch.setattr(state, "log_wealth_needed", lambda d: 0.1 * honest(d))
    problem = PROBLEMS["two near arms"]
    trials = cbai.simulate(problem, list(NAMES), 0.01, trials=TRIALS, seed=7)
    for wrong in trials.wrong.sum(axis=1):
        assert too_many(wrong, 0.01)


def test_a_good_arm_with_a_poor_start_is_not_left_waiting_for_good():
    """Its first rewards all 0: their spread is small, and it looks hopeless. Pulls of all active
    arms must grow without end, or the trial never stops."""
    problem = coins([0.5, 0.39, 0.37, 0.36])
    rewards = draw_rewards(problem, 20_000, 0, twins=False)
    rewards[0, :8] = 0
    for name in NAMES:
        trial = cbai.replay(problem, name, 0.1, rewards)
        assert (trial.status, trial.best_arm) == ("identified", 0), name


def test_it_takes_a_twelfth_of_the_samples_of_c_lucb_on_movielens():
    """With a safe buffer, so that every answer is covered; the seed is fixed."""
    problem = cbai.load_problem("movielens-1m")
    names = ["c_lucb_bet", "lucb_pp_bet", "c_lucb", "lucb_pp"]
    trials = cbai.simulate(problem, names, 0.01, trials=100, seed=0, p=0.2, q=0.2)
    pooled, own, paper, classical = trials.samples.mean(axis=1)
    assert not trials.wrong.any()
    assert 12.0 * pooled < paper
    assert 6.0 * own < classical


# ---------------------------------------------------------------- around it


def test_the_trace_shows_the_bounds_that_decide():
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, "c_lucb_bet", 0.01, seed=1, p=0.2, q=0.2)
    assert trace.status == "identified"
    final, bar = trace.cross_upper[-1], trace.lower[-1].max()
    dropped = ~trace.active[-1]
    assert (final[dropped] <= bar + 0.05).all()
    assert (trace.cross_upper <= trace.own_upper + 1e-12).all()
    assert (trace.lower <= trace.mean + 1e-12).all()
    assert (trace.mean <= trace.own_upper + 1e-12).all()
    assert any(one.by != one.arm for one in trace.eliminations)


def test_betting_is_a_whole_and_has_no_radius():
    row = cbai.ALGORITHMS["c_lucb_bet"]
    assert row.beyond
    with pytest.raises(ValueError, match="Betting must have the leader mean"):
        replace(row, leader=Leader.OWN_UCB)
    with pytest.raises(ValueError, match="has no confidence sequence to exchange"):
        cbai.simulation.find("c_lucb_bet@kl_lucb")
