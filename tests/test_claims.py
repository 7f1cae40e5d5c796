"""Testing claims: the fair game, the certificate, the twin, the guarantee, and what it saves."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cbai
from cbai.problem import pseudo_rewards as pr
from cbai.simulation.bounds import claims
from cbai.simulation.game import new_game
from cbai.simulation.loops import state
from tests.arms import coins, outcome, tight
from tests.effort import examples, quick_or_full
from tests.reference import claims as twin
from tests.reference import philox as reference_philox
from tests.strategies import SEEDS, draw_rewards, latent_model, make_problem

NAME = "c_lucb_claim"
EXAMPLES = examples(60)
FALSE_ALARM = 1e-6
TRIALS = quick_or_full(500, 2000)
"""The quick number finds every bug that this file plants; the full one finds smaller ones too."""


def pulled_first(pseudo):
    return np.ascontiguousarray(np.transpose(pseudo, (1, 2, 0)))


def some_counts(problem, seed):
    """Return random counts, those while leading, and the arms that led."""
    rng = np.random.default_rng(seed)
    shape = (problem.n_arms, problem.n_values)
    counts = rng.integers(0, rng.choice([3, 40, 400]), shape) * (rng.random((shape[0], 1)) < 0.8)
    led = (counts * rng.random((shape[0], 1)).round()).astype(np.int64)
    leaders = np.flatnonzero(led.any(axis=1))
    return counts, led, leaders


# ---------------------------------------------------------------- the evidence


@EXAMPLES
@given(n_arms=st.integers(2, 5), n_values=st.integers(2, 5), seed=SEEDS, share=st.floats(0.0, 1.0))
def test_the_evidence_is_that_of_the_definition_or_less(n_arms, n_values, seed, share):
    problem = make_problem(n_arms, n_values, "random", "anywhere", False, seed)
    values = problem.values.tolist()
    games = twin.Claims(values, problem.pseudo_rewards.tolist())
    counts, led, leaders = some_counts(problem, seed)
    x = values[0] + share * (values[-1] - values[0])
    for arm in range(n_arms):
        ours = claims.log_wealth(
            arm, x, x, counts, led, leaders, len(leaders), problem.values,
            pulled_first(problem.pseudo_rewards),
        )  # fmt: skip
        seen = counts.tolist(), led.tolist()
        assert ours == pytest.approx(games.wealth(arm, x, x, *seen), rel=1e-9, abs=1e-9)
        assert ours <= games.wealth(arm, x, x, *seen, everything=True) + 1e-9


@EXAMPLES
@given(seed=SEEDS, ends=st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0)), at=st.floats(0.0, 1.0))
def test_a_bound_on_an_interval_holds_everywhere_in_it(seed, ends, at):
    """Only so may a mean be ruled out without being looked at."""
    problem = make_problem(3, 4, "random", "anywhere", False, seed)
    values = problem.values.tolist()
    games = twin.Claims(values, problem.pseudo_rewards.tolist())
    counts, led, leaders = some_counts(problem, seed)
    low, high = (values[0] + share * (values[-1] - values[0]) for share in sorted(ends))
    x = low + at * (high - low)
    for arm in range(3):
        least = claims.log_wealth(
            arm, low, high, counts, led, leaders, len(leaders), problem.values,
            pulled_first(problem.pseudo_rewards),
        )  # fmt: skip
        whole = games.wealth(arm, x, x, counts.tolist(), led.tolist(), everything=True)
        assert least <= whole + 1e-9


@EXAMPLES
@given(seed=SEEDS, needed=st.floats(0.0, 8.0))
def test_what_is_certified_holds_on_a_fine_grid(seed, needed):
    problem = make_problem(3, 4, "random", "ratings", False, seed)
    games = twin.Claims(problem.values.tolist(), problem.pseudo_rewards.tolist())
    counts, led, leaders = some_counts(problem, seed)
    for arm in range(3):
        cap = games.caps[arm]
        proven, x = claims.surpasses(
            arm, needed, cap, counts, led, leaders, len(leaders), problem.values,
            pulled_first(problem.pseudo_rewards),
        )  # fmt: skip
        assert (proven, x) == games.surpasses(arm, needed, counts.tolist(), led.tolist())
        if proven:
            for x in np.linspace(1.0, cap, 200) if cap > 1.0 else ():
                whole = games.wealth(arm, x, x, counts.tolist(), led.tolist(), everything=True)
                assert whole >= needed


# ---------------------------------------------------------------- the game


def expected_wealth(arm, x, probabilities, conditional, values, role):
    """Return the expected wealth after four pulls, over every sequence of rewards.

    Arms and roles depend on the rewards so far: `role(path, reward)` says whether the arm leads.
    """
    games = twin.Claims(values.tolist(), conditional.tolist())
    n_arms, total = len(probabilities), 0.0
    for path in itertools.product(range(values.size), repeat=4):
        counts, led = (np.zeros((n_arms, values.size), np.int64) for _ in range(2))
        chance = 1.0
        for i, value in enumerate(path):
            pulled = (sum(path[:i]) + i) % n_arms
            counts[pulled, value] += 1
            led[pulled, value] += role(path[:i], value)
            chance *= probabilities[pulled, value]
        wealth = games.wealth(arm, x, x, counts.tolist(), led.tolist(), everything=True)
        total += chance * math.exp(min(wealth, 60.0))
    return total


def by_the_past(path, reward):
    return sum(path) % 2 == 0


@pytest.mark.parametrize("n_arms", [2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_the_game_is_fair_for_the_best_arm_whoever_is_pulled(seed, n_arms):
    """With the tightest bounds, and arms and roles chosen by what was seen before."""
    values = np.array([0.0, 1.0, 3.0])
    rng = np.random.default_rng(seed)
    probabilities, conditional, _ = latent_model(rng, values, n_arms)
    means = probabilities @ values
    best, truth = int(means.argmax()), float(means.max())
    args = probabilities, conditional, values, by_the_past
    assert expected_wealth(best, truth, *args) <= 1.0 + 1e-9


def test_the_game_against_a_worse_arm_is_won_whatever_its_mean_may_be():
    problem = coins([0.9, 0.2])
    args = problem.probabilities, problem.pseudo_rewards, problem.values, by_the_past
    assert all(expected_wealth(1, x, *args) > 1.0 for x in np.linspace(0.05, 0.95, 19))
    assert expected_wealth(0, 0.9, *args) <= 1.0 + 1e-9


def test_a_role_that_is_chosen_after_the_reward_is_found_out():
    """An arm that leads only when its reward is high would win an unfair game."""
    values = np.array([0.0, 1.0, 3.0])
    probabilities, conditional, _ = latent_model(np.random.default_rng(0), values, 2)
    means = probabilities @ values
    best = int(means.argmax())
    args = probabilities, conditional, values, lambda path, reward: reward == 2
    assert expected_wealth(best, float(means[best]), *args) > 1.0 + 1e-6


# ---------------------------------------------------------------- the twin


@examples(40)
@given(
    n_arms=st.integers(2, 6),
    kind=st.sampled_from(["valid", "random", "nothing known"]),
    support=st.sampled_from(["ratings", "halves"]),
    delta=st.sampled_from([0.5, 0.3, 0.1, 0.01]),
    max_samples=st.integers(12, 250),
    seed=SEEDS,
)
def test_replay_agrees_with_the_twin(n_arms, kind, support, delta, max_samples, seed):
    problem = make_problem(n_arms, 2 + seed % 4, kind, support, seed % 2 == 0, seed)
    rewards = draw_rewards(problem, max_samples, seed, twins=False)
    table = rewards.tolist()
    want = twin.play(
        problem.values.tolist(), problem.pseudo_rewards.tolist(), lambda k, j: table[k][j], delta,
        max_samples,
    )  # fmt: skip
    assert outcome(cbai.replay(problem, NAME, delta, rewards, max_samples=max_samples)) == outcome(
        want
    )


@pytest.mark.parametrize(("name", "q"), [("ad-campaign", 0.3), ("movielens-1m", 0.2)])
def test_simulate_agrees_with_the_twin_under_buffer_and_mask(name, q):
    problem, b = cbai.load_problem(name), cbai.load_problem(name).reward_max
    trials = cbai.simulate(problem, [NAME], 0.1, trials=2, seed=9, p=0.2, q=q, first_trial=4)
    for i in range(2):
        unknown = pr.mask(problem.n_arms, problem.n_values, 0.2, 9, 4 + i)
        pseudo = pr.apply_mask(pr.add_buffer(problem.pseudo_rewards, q, b), unknown, b)
        draw = reference_philox.drawer(problem.probabilities.tolist(), 9, 4 + i)
        want = twin.play(problem.values.tolist(), pseudo.tolist(), draw, 0.1, 10**6)
        assert trials.samples[0, i] == want.samples
        assert trials.pulls[0, i].tolist() == want.pulls
        assert trials.best_arm[0, i] == want.best_arm
        assert trials.eliminated_at[0, i].tolist() == want.eliminated_at


def test_a_trial_can_be_paused_after_any_round():
    problem = cbai.load_problem("movielens-1m")
    trace = cbai.trace(problem, NAME, 0.01, seed=3, p=0.2, q=0.2)
    trials = cbai.simulate(problem, [NAME], 0.01, trials=1, seed=3, p=0.2, q=0.2)
    assert trace.samples[-1] == trials.samples[0, 0]
    assert (trace.pulls[-1] == trials.pulls[0, 0]).all()
    unseen = trace.pulls == 0
    assert unseen.any()
    caps = trace.problem.pseudo_rewards.max(axis=2).min(axis=1)
    assert (trace.mean == caps)[unseen].all()
    assert np.isfinite([trace.mean, trace.lower, trace.upper, trace.pseudo_upper]).all()
    assert (trace.lower <= trace.upper).all()


# ---------------------------------------------------------------- the guarantee


PROBLEMS = {
    "two near arms": coins([0.5, 0.45]),
    "two equal arms but for a hair": coins([0.5, 0.499]),
    "six near arms": coins(0.5 - 0.05 * np.arange(6)),
    "four arms of rewards 0 and 1": tight(4, [0.0, 1.0], 188),
    "five arms of ratings": tight(5, [1.0, 2.0, 3.0, 4.0, 5.0], 168),
}
"""Coins whose pseudo-rewards are the means: the worst case that is known."""
ALPHA = FALSE_ALARM / (2 * len(PROBLEMS))


def too_many(wrong, delta):
    """Return whether so many errors refute an error probability of delta."""
    return stats.binomtest(int(wrong), TRIALS, delta, alternative="greater").pvalue < ALPHA


@pytest.mark.parametrize("delta", [0.1, 0.3])
@pytest.mark.parametrize("title", PROBLEMS)
def test_the_error_rate_is_at_most_delta(title, delta):
    """A right library fails here with probability at most `FALSE_ALARM` over all cases.

    A trial without an answer within its budget is not an error.
    """
    trials = cbai.simulate(PROBLEMS[title], [NAME], delta, trials=TRIALS, seed=7, max_samples=5000)
    assert not too_many(trials.wrong.sum(), delta)


def test_a_game_that_pays_too_early_is_found_out(monkeypatch):
    honest = state.log_wealth_needed
    monkeypatch.setattr(state, "log_wealth_needed", lambda d: 0.2 * honest(d))
    trials = cbai.simulate(PROBLEMS["two near arms"], [NAME], 0.01, trials=TRIALS, seed=7)
    assert too_many(trials.wrong.sum(), 0.01)


def test_an_arm_that_the_survey_slanders_is_found_out():
    """Where E[s] is below the best mean, nothing is promised, and it errs far more often than δ."""
    problem = coins([0.5, 0.4])
    pseudo = problem.pseudo_rewards.copy()
    pseudo[0, 1] = 0.3
    false = problem.with_pseudo_rewards(pseudo)
    trials = cbai.simulate(false, [NAME], 0.01, trials=TRIALS, seed=7, max_samples=20_000)
    assert too_many(trials.wrong.sum(), 0.01)
    assert trials.wrong.mean() > 0.2


def test_bounds_on_other_arms_may_be_false():
    """The theorem asks for the bounds on the best arm only."""
    problem = coins([0.6, 0.4, 0.3])
    pseudo = problem.pseudo_rewards.copy()
    pseudo[1:, 0] = 0.1
    trials = cbai.simulate(problem.with_pseudo_rewards(pseudo), [NAME], 0.01, trials=TRIALS, seed=7)
    assert not too_many(trials.wrong.sum(), 0.01)
    assert trials.identified.all()


# ---------------------------------------------------------------- what it is good for


def test_an_arm_can_be_ruled_out_before_its_first_sample():
    problem = cbai.load_problem("movielens-1m")
    trials = cbai.simulate(problem, [NAME], 0.01, trials=20, seed=0, p=0.2, q=0.2)
    never = (trials.pulls[0] == 0) & (trials.eliminated_at[0] > 0)
    assert never.any(axis=1).all()
    assert not trials.wrong.any()


def test_it_takes_under_six_tenths_of_the_samples_of_pooled_betting_on_movielens():
    problem = cbai.load_problem("movielens-1m")
    trials = cbai.simulate(problem, [NAME, "c_lucb_bet"], 0.01, trials=100, seed=0, p=0.2, q=0.2)
    ours, pooled = trials.samples.mean(axis=1)
    assert not trials.wrong.any()
    assert ours < 0.6 * pooled


@pytest.mark.parametrize("known", [True, False])
def test_a_good_arm_with_a_poor_start_is_not_left_waiting_for_good(known):
    """Its first rewards are all 0, so it looks hopeless."""
    problem = coins([0.5, 0.39, 0.37, 0.36])
    if not known:
        nothing = np.ones_like(problem.pseudo_rewards)
        nothing[np.arange(4), np.arange(4)] = problem.values
        problem = problem.with_pseudo_rewards(nothing)
    rewards = draw_rewards(problem, 20_000, 0, twins=False)
    rewards[0, :8] = 0
    trial = cbai.replay(problem, NAME, 0.1, rewards)
    assert (trial.status, trial.best_arm) == ("identified", 0)


def test_an_arm_that_cannot_reach_the_smallest_reward_is_ruled_out_at_the_first_look():
    problem = cbai.Problem(
        ["a", "b"], [1.0, 2.0], [[0.5, 0.5], [0.5, 0.5]],
        [[[1.0, 2.0], [2.0, 2.0]], [[0.5, 0.5], [1.0, 2.0]]],
    )  # fmt: skip
    trial = cbai.replay(problem, NAME, 0.01, [[0] * 10, [1] * 10])
    assert (trial.best_arm, trial.samples, trial.pulls.tolist()) == (0, 1, [1, 0])


def test_an_epsilon_changes_nothing():
    problem = cbai.load_problem("ad-campaign")
    exact, loose = (
        cbai.simulate(problem, [NAME], 0.05, trials=10, seed=1, q=0.4, epsilon=epsilon).samples
        for epsilon in (0.0, 1.0)
    )
    assert (exact == loose).all()


def test_one_game_decides_at_the_whole_delta():
    row = cbai.ALGORITHMS[NAME]
    game = new_game(cbai.load_problem("ad-campaign"), row, 0.05, 100)
    assert game.level_terms[state.ELIMINATION] == pytest.approx(math.log(20.0))
    assert row.beyond
    assert row.uses_correlation
