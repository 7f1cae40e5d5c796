"""Problems with pseudo-rewards as tight as can be, and what a trial came to, for many tests."""

from __future__ import annotations

import numpy as np

import cbai
from tests.strategies import latent_model


def tight(n_arms, values, seed):
    """Return arms with a hidden state and the tightest valid pseudo-rewards."""
    values = np.array(values)
    probabilities, conditional, _ = latent_model(np.random.default_rng(seed), values, n_arms)
    return cbai.Problem([f"arm {k}" for k in range(n_arms)], values, probabilities, conditional)


def coins(means):
    """Return independent arms of rewards 0 and 1; the pseudo-rewards are as tight as can be.

    All that the reward of one says of another is the other's mean.
    """
    means = np.array(means)
    n_arms = means.size
    probabilities = np.column_stack([1.0 - means, means])
    pseudo = np.repeat(means[:, None], n_arms, axis=1)[:, :, None].repeat(2, axis=2)
    pseudo[np.arange(n_arms), np.arange(n_arms)] = [0.0, 1.0]
    return cbai.Problem([f"arm {k}" for k in range(n_arms)], [0.0, 1.0], probabilities, pseudo)


def outcome(trial):
    """Return all that a trial came to, of the library or of a twin, to be compared."""
    return (
        trial.status, int(trial.best_arm), int(trial.samples), int(trial.rounds),
        list(map(int, trial.pulls)), list(map(int, trial.eliminated_at)),
    )  # fmt: skip
