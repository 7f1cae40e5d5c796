"""The lower bound over joint distributions of all arms, by brute minimisation; for small problems.

Independent of `cbai.results.limit`: nothing is decomposed into arms, and there is no duality.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize

EVERYTHING = 1e-12


def closest_twin(problem, arm, weights, start):
    """Return the least evidence of a split against an arm, and each arm's share of it, (K,).

    A twin is a joint distribution of all K arms, V^K probabilities, in which `arm` is best and
    E'[R_arm | R_k = r] <= s_{arm,k}(r) for all k and r. All of this is linear.
    """
    margins, twins = marginals(problem), conditions(problem, arm)
    nu = problem.probabilities.ravel()
    each = np.repeat(weights, problem.n_values)

    def cost(joint):
        return float(-(each * nu * np.log(np.maximum(margins @ joint, EVERYTHING))).sum())

    def slope(joint):
        return -(each * nu / np.maximum(margins @ joint, EVERYTHING)) @ margins

    found = optimize.minimize(
        cost,
        start,
        jac=slope,
        bounds=[(0.0, 1.0)] * len(start),
        constraints=[
            {"type": "eq", "fun": lambda x: x.sum() - 1.0, "jac": np.ones_like},
            {"type": "ineq", "fun": lambda x: -(twins @ x), "jac": lambda _: -twins},
        ],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-13},
    )
    there = np.maximum(margins @ found.x, EVERYTHING)
    shares = (nu * np.log(np.maximum(nu, 1e-300) / there)).reshape(problem.probabilities.shape)
    return shares.sum(axis=1) @ weights, shares.sum(axis=1)


def marginals(problem):
    """Return the matrix from joint probabilities to those of each arm and value, (K V, V^K)."""
    n, v = problem.n_arms, problem.n_values
    outcomes = np.indices((v,) * n).reshape(n, -1)
    return np.concatenate([[outcomes[k] == value for value in range(v)] for k in range(n)]) * 1.0


def conditions(problem, arm):
    """Return the matrix whose product with the joint probabilities of a twin is at most 0."""
    n, v = problem.n_arms, problem.n_values
    outcomes = np.indices((v,) * n).reshape(n, -1)
    rewards = problem.values[outcomes]
    rows = []
    for k in (k for k in range(n) if k != arm):
        rows.append(rewards[k] - rewards[arm])
        for value in range(v):
            bound = problem.pseudo_rewards[arm, k, value]
            rows.append(np.where(outcomes[k] == value, rewards[arm] - bound, 0.0))
    return np.array(rows)


def inner_point(problem, arm):
    """Return joint probabilities of a twin that meets all conditions with room, None if none is."""
    twins = conditions(problem, arm)
    n = twins.shape[1]
    found = optimize.linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.vstack(
            [
                np.column_stack([twins, np.ones(len(twins))]),
                np.column_stack([-np.eye(n), np.ones(n)]),
            ]
        ),
        b_ub=np.zeros(len(twins) + n),
        A_eq=np.append(np.ones(n), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(None, None)] * (n + 1),
    )
    return found.x[:n] if found.x[n] > 0.0 else None


def characteristic_time(problem, precision=3e-4, rounds=300):
    """Return T by cuts: a linear programme over splits, a minimisation for each arm and split."""
    n = problem.n_arms
    starts = {arm: inner_point(problem, arm) for arm in range(n) if arm != problem.best_arm}
    starts = {arm: start for arm, start in starts.items() if start is not None}
    cuts = [closest_twin(problem, arm, np.full(n, 1.0 / n), at)[1] for arm, at in starts.items()]
    best = 0.0
    for _ in range(rounds):
        table = np.array(cuts)
        split = optimize.linprog(
            np.append(np.zeros(n), -1.0),
            A_ub=np.column_stack([-table, np.ones(len(table))]),
            b_ub=np.zeros(len(table)),
            A_eq=np.append(np.ones(n), 0.0)[None, :],
            b_eq=[1.0],
            bounds=[(1e-9, 1.0)] * n + [(None, None)],
        )
        weights, upper = split.x[:n], split.x[n]
        found = [closest_twin(problem, arm, weights, at) for arm, at in starts.items()]
        best = max(best, min(value for value, _ in found))
        if best >= (1.0 - precision) * upper:
            return 1.0 / upper
        cuts += [shares for _, shares in found]
    raise AssertionError(f"no agreement after {rounds} rounds: {best} and {upper}")
