"""Bounds on both sides: the fair game, the twin, the guarantee, and what it saves."""

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
from cbai.problem.validity import check_validity
from cbai.simulation.bounds import evidence
from cbai.simulation.loops import state
from tests.arms import outcome
from tests.effort import examples, quick_or_full
from tests.reference import philox as reference_philox
from tests.reference import two_sided
from tests.strategies import SEEDS, draw_rewards, latent_model, make_problem

NAME = "c_lucb_bet_two"
EXAMPLES = examples(40)
FALSE_ALARM = 1e-6
TRIALS = quick_or_full(500, 2000)
"""The quick number finds every bug that this file plants; the full one finds smaller ones too."""


def with_lower(problem, kind, seed):
    """Return the problem with lower bounds: random ones, or its pseudo-rewards once more."""
    lower = problem.pseudo_rewards
    if kind == "random":
        shape = lower.shape
        lower = np.random.default_rng(seed).uniform(0.0, problem.reward_max, shape)
        lower[np.arange(shape[0]), np.arange(shape[0])] = problem.values
    return problem.with_pseudo_rewards(problem.pseudo_rewards, lower)


# ---------------------------------------------------------------- the twin


@EXAMPLES
@given(
    n_arms=st.integers(2, 6),
    kind=st.sampled_from(["valid", "random", "nothing known"]),
    support=st.sampled_from(["ratings", "halves", "from zero"]),
    delta=st.sampled_from([0.3, 0.1, 0.01]),
    max_samples=st.integers(12, 220),
    epsilon=st.sampled_from([0.0, 0.3]),
    seed=SEEDS,
)
def test_replay_agrees_with_the_twin(n_arms, kind, support, delta, max_samples, epsilon, seed):
    problem = make_problem(n_arms, 2 + seed % 4, kind, support, seed % 2 == 0, seed)
    problem = with_lower(problem, kind, seed)
    epsilon = min(epsilon, problem.reward_max)
    rewards = draw_rewards(problem, max_samples, seed, twins=False)
    table = rewards.tolist()
    want = two_sided.play(
        problem.values.tolist(), problem.pseudo_rewards.tolist(), problem.lower_bounds.tolist(),
        lambda k, j: table[k][j], delta, max_samples, epsilon,
    )  # fmt: skip
    assert outcome(cbai.replay(problem, NAME, delta, rewards, max_samples, epsilon)) == outcome(
        want
    )


@pytest.mark.parametrize("p", [0.0, 0.4])
def test_simulate_agrees_with_the_twin_under_buffer_and_mask(p):
    problem, q = cbai.load_problem("ad-campaign"), 0.3
    trials = cbai.simulate(problem, [NAME], 0.1, trials=3, seed=9, p=p, q=q, first_trial=4)
    for i in range(3):
        unknown = pr.mask(problem.n_arms, problem.n_values, p, 9, 4 + i)
        upper = pr.apply_mask(pr.add_buffer(problem.pseudo_rewards, q, 10.0), unknown, 10.0)
        lower = pr.apply_mask(pr.subtract_buffer(problem.lower_bounds, q), unknown, 3.0)
        draw = reference_philox.drawer(problem.probabilities.tolist(), 9, 4 + i)
        want = two_sided.play(
            problem.values.tolist(), upper.tolist(), lower.tolist(), draw, 0.1, 10**6
        )
        assert trials.samples[0, i] == want.samples
        assert trials.pulls[0, i].tolist() == want.pulls
        assert trials.best_arm[0, i] == want.best_arm


def test_a_trial_can_be_paused_after_any_round():
    problem = cbai.load_problem("drug-trial")
    trace = cbai.trace(problem, NAME, 0.1, seed=3)
    trials = cbai.simulate(problem, [NAME], 0.1, trials=1, seed=3)
    assert trace.samples[-1] == trials.samples[0, 0]
    assert (trace.pulls[-1] == trials.pulls[0, 0]).all()
    assert (trace.lower <= trace.cross_upper + 1e-9).all()


# ---------------------------------------------------------------- the game


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("order", list(itertools.product((0, 1), repeat=4)))
def test_the_game_for_lower_bounds_is_fair_at_the_true_mean(seed, order):
    """Enumerated over every sequence of rewards; the bounds on arm 0 are as tight as can be."""
    rng = np.random.default_rng(seed)
    values = np.array([0.0, 1.0, 3.0])
    probabilities, conditional, _ = latent_model(rng, values, 2)
    table = np.ascontiguousarray(conditional.transpose(1, 2, 0))
    truth = float(probabilities[0] @ values)
    side = two_sided.Side(-1, values.tolist(), conditional.tolist(), 0.0)

    def expected(x):
        total = 0.0
        for rewards in itertools.product(range(3), repeat=len(order)):
            counts = np.zeros((2, 3), np.int64)
            chance = 1.0
            for arm, value in zip(order, rewards, strict=True):
                counts[arm, value] += 1
                chance *= probabilities[arm, value]
            wealth = two_sided.wealth(
                0, -x, counts.tolist(), side.values, side.table, True, everything=True
            )
            assert evidence.log_wealth(0, -x, counts, table, True, -1.0) <= wealth + 1e-9
            total += chance * math.exp(min(wealth, 50.0))
        return total

    assert expected(truth) == pytest.approx(1.0, abs=1e-9)
    assert expected(truth + 0.1) < 1.0
    assert expected(truth - 0.1) > 1.0


# ---------------------------------------------------------------- the guarantee


def tight(n_arms, values, seed):
    """Return arms with a hidden state and the tightest valid bounds on both sides."""
    values = np.array(values)
    probabilities, conditional, joint = latent_model(np.random.default_rng(seed), values, n_arms)
    mass = joint.sum(axis=0) > 0
    lower = np.where(mass[None], conditional, values[0])
    lower[np.arange(n_arms), np.arange(n_arms)] = values
    arms = [f"arm {k}" for k in range(n_arms)]
    return cbai.Problem(arms, values, probabilities, conditional, None, lower)


def coins(means):
    """Return independent arms of rewards 0 and 1, with lower bounds that are half the mean."""
    means = np.array(means)
    known = np.repeat(means[:, None], means.size, axis=1)[:, :, None].repeat(2, axis=2)
    lower = 0.5 * known
    for bound in (known, lower):
        bound[np.arange(means.size), np.arange(means.size)] = [0.0, 1.0]
    probabilities = np.column_stack([1.0 - means, means])
    arms = [f"arm {k}" for k in range(means.size)]
    return cbai.Problem(arms, [0.0, 1.0], probabilities, known, 1.0, lower)


PROBLEMS = {
    "four arms of rewards 0 and 1": tight(4, [0.0, 1.0], 188),
    "five arms of ratings": tight(5, [1.0, 2.0, 3.0, 4.0, 5.0], 168),
    "two near arms": coins([0.5, 0.45]),
    "treatments": cbai.load_problem("drug-trial"),
}
ALPHA = FALSE_ALARM / (2 * len(PROBLEMS))


def too_many(wrong, delta):
    """Return whether so many errors refute an error probability of delta."""
    return stats.binomtest(int(wrong), TRIALS, delta, alternative="greater").pvalue < ALPHA


@pytest.mark.parametrize("title", PROBLEMS)
def test_the_bounds_hold(title):
    validity = check_validity(PROBLEMS[title])
    assert validity.verdict == "valid"
    assert validity.lower_holds


@pytest.mark.parametrize("delta", [0.1, 0.2])
@pytest.mark.parametrize("title", PROBLEMS)
def test_the_error_rate_is_at_most_delta(title, delta):
    """A right library fails here with probability at most `FALSE_ALARM` over all cases."""
    trials = cbai.simulate(PROBLEMS[title], [NAME], delta, trials=TRIALS, seed=7)
    assert trials.identified.all()
    assert not too_many(trials.wrong.sum(), delta)


def test_a_game_that_pays_too_early_is_found_out(monkeypatch):
    honest = state.log_wealth_needed
    monkeypatch.setattr(state, "log_wealth_needed", lambda d: 0.05 * honest(d))
    problem = PROBLEMS["two near arms"]  # a few trials would wait for good
    trials = cbai.simulate(problem, [NAME], 0.01, trials=TRIALS, seed=7, max_samples=20_000)
    assert too_many(trials.wrong.sum(), 0.01)


def test_lower_bounds_that_are_too_high_are_found_out():
    """Of another arm, far above its mean: it is named at once, and the validity says why."""
    problem = PROBLEMS["four arms of rewards 0 and 1"]
    worst = int(problem.ranking[-1])
    lower = problem.lower_bounds.copy()
    lower[worst, problem.best_arm] = 0.99
    false = problem.with_pseudo_rewards(problem.pseudo_rewards, lower)
    assert not check_validity(false).lower_holds
    assert check_validity(problem).lower_holds
    trials = cbai.simulate(false, [NAME], 0.1, trials=TRIALS, seed=7)
    assert too_many(trials.wrong.sum(), 0.1)


# ---------------------------------------------------------------- what it is good for


def test_an_arm_is_declared_best_with_hardly_a_pull_of_its_own():
    """All is known of two noisy arms from a third that tells people apart, and is itself poor."""
    behaviour = np.array([
        [[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.8, 0.0, 0.2]],
        [[1.0, 0.0, 0.0], [0.1, 0.0, 0.9], [0.5, 0.0, 0.5]],
    ])  # fmt: skip
    from cbai.problem import latent

    values = np.array([0.0, 1.0, 2.0])
    problem = cbai.Problem(
        ["quiz", "good", "poor"], values, latent.mixed_marginals(np.array([0.5, 0.5]), behaviour),
        latent.worst_case_pseudo_rewards(behaviour, values, 2.0), 2.0,
        latent.best_case_pseudo_lower(behaviour, values),
    )  # fmt: skip
    trials = cbai.simulate(problem, ["c_lucb_bet", NAME], 0.01, trials=100, seed=1)
    one, both = trials.pulls.mean(axis=1)
    assert not trials.wrong.any()
    assert (trials.best_arm == 1).all()
    assert one[1] > 30.0
    assert both[1] < 0.2 * one[1]


def test_it_takes_a_third_of_the_samples_on_the_poetry_books():
    problem = cbai.load_problem("goodreads-poetry")
    trials = cbai.simulate(
        problem, ["c_lucb_bet", NAME], 0.01, trials=quick_or_full(10, 40), seed=0
    )
    one, both = trials.samples.mean(axis=1)
    assert not trials.wrong.any()
    assert 2.5 * both < one


def test_without_lower_bounds_nothing_is_known():
    problem = cbai.load_problem("paper-two-arms")
    assert problem.pseudo_lower is None
    assert (problem.lower_bounds[0, 1] == 0.0).all()
    assert check_validity(problem).lower_holds
    trials = cbai.simulate(problem, [NAME], 0.1, trials=50, seed=0)
    assert trials.identified.all()


# ---------------------------------------------------------------- a problem's lower bounds


def test_bad_lower_bounds_are_named():
    problem = cbai.load_problem("drug-trial")
    lower = problem.lower_bounds.copy()
    lower[0, 1, 0] = 11.0
    with pytest.raises(ValueError, match="pseudo_lower must"):
        problem.with_pseudo_rewards(problem.pseudo_rewards, lower)
    lower = problem.lower_bounds.copy()
    lower[0, 0, 0] = 4.0
    with pytest.raises(ValueError, match=r"pseudo_lower\[l, l\] must equal values"):
        problem.with_pseudo_rewards(problem.pseudo_rewards, lower)


def test_a_problem_is_told_apart_by_its_lower_bounds():
    problem = cbai.load_problem("drug-trial")
    without = cbai.Problem(
        problem.arms, problem.values, problem.probabilities, problem.pseudo_rewards
    )
    assert without.fingerprint != problem.fingerprint
    assert without.with_pseudo_rewards(problem.pseudo_rewards).pseudo_lower is None


@pytest.mark.parametrize("name", cbai.DATASETS)
def test_the_built_in_lower_bounds_are_below_the_upper_ones(name):
    problem = cbai.load_problem(name)
    assert (problem.lower_bounds <= problem.pseudo_rewards + 1e-12).all()
    if cbai.DATASETS[name].valid_by_construction:
        assert check_validity(problem).lower_holds


def test_a_survey_mirrored_gives_lower_bounds():
    """By each method, a lower bound is b minus the upper bound of the mirrored ratings."""
    from cbai.problem.methods import METHODS, Evidence, pseudo_lower, pseudo_rewards
    from cbai.problem.survey import Survey, tally_of

    rng = np.random.default_rng(0)
    person, arm = np.repeat(np.arange(60), 3), rng.integers(0, 4, 180)
    value = rng.integers(0, 5, 180)
    values = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    survey = Survey(list("abcd"), values, person, arm, value)
    flipped = Survey(list("abcd"), (5.0 - values)[::-1], person, arm, 4 - value, reward_max=5.0)
    everyone = np.ones(60, bool)
    for method in METHODS:
        lower = pseudo_lower(Evidence(tally_of(survey, everyone), 5.0), method)
        mirror = pseudo_rewards(Evidence(tally_of(flipped, everyone), 5.0), method)[:, :, ::-1]
        want = np.maximum(5.0 - mirror, 1.0)
        off = ~np.eye(4, dtype=bool)
        assert lower[off] == pytest.approx(want[off], abs=1e-12), method
        assert (lower[np.arange(4), np.arange(4)] == values).all()
    mean = pseudo_rewards(Evidence(tally_of(survey, everyone), 5.0), "mean")
    known = mean < 5.0
    lower = pseudo_lower(Evidence(tally_of(survey, everyone), 5.0), "mean")
    assert lower[known] == pytest.approx(mean[known], abs=1e-9)


def test_the_page_says_how_few_pulls_of_its_own_an_answer_rests_on():
    from cbai.ui.parts.answers import hardly_pulled
    from tests.visit import said, setup_of, simulated, visit

    title = cbai.ALGORITHMS[NAME].title
    app = visit(
        "samples", data=cbai.DATASETS["goodreads-poetry"].title, algorithms=[title, "LUCB"],
        trials="10", p="0", delta="0.1",
    )  # fmt: skip
    setup = setup_of(app)
    trials = simulated(setup)
    row = [row.name for row in trials.algorithms].index(NAME)
    named = trials.pulls[row][np.arange(10), trials.best_arm[row]].mean()
    assert named < 0.1 * trials.samples[row].mean()
    assert hardly_pulled(trials, setup.words) in said(app.main)
    assert f"{named:.3g} of these are of the book" in hardly_pulled(trials, setup.words)
