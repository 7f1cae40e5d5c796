"""The lower bound with pseudo-rewards: against direct minimisation, brute force, the classical."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import optimize

import cbai
from cbai.problem.pseudo_rewards import add_buffer, apply_mask, mask
from cbai.results.correlated_limit import PRECISION, _Game, correlated_limit_of, divergence
from cbai.results.limit import limit_of

GENRES = cbai.load_problem("movielens-1m")
DELTA = 0.01


def known(problem, p=0.0, q=0.0, trial=0):
    """Return the problem as an algorithm knows it in a trial."""
    n, v, b = problem.n_arms, problem.values.size, problem.reward_max
    bounds = apply_mask(problem.pseudo_rewards, mask(n, v, p, 0, trial), b)
    return problem.with_pseudo_rewards(add_buffer(bounds, q, b))


def random_problem(rng, n_arms, n_values=3):
    """Return a problem on 0 .. V - 1 whose pseudo-rewards are valid, as they are a bit too high."""
    joint = rng.dirichlet(np.full(n_values**n_arms, 0.5)).reshape((n_values,) * n_arms)
    values = np.arange(n_values, dtype=float)
    probabilities = np.empty((n_arms, n_values))
    bounds = np.empty((n_arms, n_arms, n_values))
    for k in range(n_arms):
        probabilities[k] = joint.sum(axis=tuple(i for i in range(n_arms) if i != k))
        for arm in range(n_arms):
            if arm == k:
                bounds[arm, k] = values
                continue
            both = joint.sum(axis=tuple(i for i in range(n_arms) if i not in (arm, k)))
            both = both if arm < k else both.T
            mean = values @ both / both.sum(axis=0)
            bounds[arm, k] = np.minimum(mean + rng.uniform(0.05, 0.6), values[-1])
    names = [f"arm {k}" for k in range(n_arms)]
    return cbai.Problem(names, values, probabilities, bounds)


def direct(a, c, p):
    """Return the smallest divergence to a distribution with E[a] <= 0 and E[c] <= 0."""
    found = optimize.minimize(
        lambda nu: float((p * np.log(p / np.maximum(nu, 1e-300))).sum()),
        np.full(p.size, 1.0 / p.size),
        bounds=[(1e-9, 1.0)] * p.size,
        constraints=[
            {"type": "eq", "fun": lambda nu: nu.sum() - 1.0},
            {"type": "ineq", "fun": lambda nu: -(nu @ a)},
            {"type": "ineq", "fun": lambda nu: -(nu @ c)},
        ],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-12},
    )
    return found.fun if found.success else np.inf  # no distribution meets both


@pytest.mark.parametrize("seed", range(12))
def test_the_divergence_is_that_of_a_direct_minimisation(seed):
    rng = np.random.default_rng(seed)
    v = int(rng.integers(2, 6))
    p = rng.dirichlet(np.ones(v))
    a, c = rng.uniform(-1.0, 0.7, (2, v))
    value = float(divergence(a[None], c[None], p[None])[0])
    assert value == pytest.approx(direct(a, c, p), abs=2e-5)


def test_the_divergence_is_infinite_where_there_is_no_twin():
    p = np.array([[0.5, 0.3, 0.2]])
    never = divergence(np.array([[0.1, 0.2, 0.3]]), np.array([[-1.0, 0.5, 0.2]]), p)
    together = divergence(np.array([[1.0, -0.5, 0.2]]), np.array([[-0.5, 1.0, 0.2]]), p)
    assert np.isinf([never[0], together[0]]).all()
    nothing_to_do = divergence(np.array([[-0.1, -0.2, -0.3]]), np.array([[-1.0, 0.5, -0.2]]), p)
    assert nothing_to_do[0] == pytest.approx(0.0, abs=1e-7)


@pytest.mark.parametrize("n_arms", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_brute_force_finds_the_same_split(n_arms, seed):
    """All splits on a grid, each against all arms and means on a grid."""
    problem = random_problem(np.random.default_rng(seed), n_arms)
    limit = correlated_limit_of(problem, DELTA)
    game = _Game(problem)
    x = np.linspace(1e-6, problem.reward_max - 1e-6, 161)
    tables = [game.evidence(np.full(x.size, arm), x) for arm in game.others]
    steps = np.linspace(0.0, 1.0, 61)
    splits = [
        (w, 1.0 - w) if n_arms == 2 else (w, u, 1.0 - w - u)
        for w in steps
        for u in (steps if n_arms == 3 else [0.0])
        if n_arms == 2 or w + u <= 1.0 + 1e-12
    ]
    found = max(min(float((table @ np.array(w)).min()) for table in tables) for w in splits)
    assert limit.characteristic_time == pytest.approx(1.0 / found, rel=0.03)


def test_with_nothing_known_it_is_the_classical_lower_bound():
    nothing = known(GENRES, p=1.0)
    assert correlated_limit_of(nothing, DELTA).samples == pytest.approx(
        limit_of(GENRES, DELTA, "values").samples, rel=2 * PRECISION
    )


def test_with_everything_known_it_is_far_lower_and_all_on_the_best_genre():
    limit = correlated_limit_of(known(GENRES, q=0.2), DELTA)
    assert limit.samples == pytest.approx(277.0, abs=0.5)
    assert limit.proportions[GENRES.best_arm] > 0.98
    assert limit.costs[np.isfinite(limit.costs)].min() == pytest.approx(
        1.0 / limit.characteristic_time, rel=2 * PRECISION
    )


@pytest.mark.parametrize("seed", range(4))
def test_knowing_more_never_needs_more(seed):
    rng = np.random.default_rng(100 + seed)
    problem = random_problem(rng, 4)
    found = [
        correlated_limit_of(known(problem, p, q), DELTA).samples
        for p, q in ((0.0, 0.0), (0.0, 0.3), (0.0, problem.reward_max))
    ]
    classical = limit_of(problem, DELTA, "values").samples
    assert all(a <= b * (1.0 + 2 * PRECISION) for a, b in pairwise(found))
    assert found[-1] == pytest.approx(classical, rel=2 * PRECISION)
    assert known(problem, 0.0, problem.reward_max).fingerprint != problem.fingerprint


def test_false_bounds_on_the_best_arm_are_refused():
    with pytest.raises(ValueError, match="of the best arm must be valid, got a mean"):
        correlated_limit_of(GENRES, DELTA)


def test_in_a_tie_no_number_is_enough():
    problem = random_problem(np.random.default_rng(7), 2)
    same = np.broadcast_to(problem.probabilities[0], (2, 3))
    tied = cbai.Problem(problem.arms, problem.values, same, known(problem, q=2.0).pseudo_rewards)
    assert np.isinf(correlated_limit_of(tied, DELTA).samples)


@pytest.mark.full
def test_film_genres_with_a_fifth_unknown():
    """The mean over the first twenty masks; an independent program found 347 over other masks."""
    found = [
        correlated_limit_of(known(GENRES, 0.2, 0.2, trial), DELTA).samples for trial in range(20)
    ]
    spread = np.std(found, ddof=1)
    assert np.mean(found) == pytest.approx(335.9, abs=0.5)
    assert abs(np.mean(found) - 347.0) < 3.0 * spread / np.sqrt(20)  # of an independent program
