"""Problems in which nothing is known of any arm by another."""

from __future__ import annotations

import numpy as np
from scipy import stats

import cbai


def problem_of(values, probabilities, top=None):
    """Return a problem where nothing is known of any arm by another."""
    probabilities = np.array(probabilities)
    k, b = len(probabilities), values[-1] if top is None else top
    pseudo = np.full((k, k, len(values)), float(b))
    pseudo[range(k), range(k)] = values
    return cbai.Problem([f"arm {i}" for i in range(k)], values, probabilities, pseudo, b)


def bernoulli(means):
    means = np.array(means)
    return problem_of([0.0, 1.0], np.column_stack([1.0 - means, means]))


def kl(p, q):
    return float(stats.entropy([1.0 - p, p], [1.0 - q, q]))


def random_problem(seed, n_arms, n_values=4, room=0.3):
    """Return a problem with one best arm and values anywhere within [0, b]."""
    rng = np.random.default_rng(seed)
    values = np.cumsum(rng.uniform(0.1, 1.0, n_values))
    top = values[-1] + room * rng.uniform()
    return problem_of(values, rng.dirichlet(np.ones(n_values), n_arms), top)
