"""Surveys drawn from a known population, for tests that must know the truth."""

from __future__ import annotations

import numpy as np

from cbai.problem import Problem
from cbai.problem.survey import Survey
from tests.strategies import latent_model

VALUES = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
N_ARMS = 5


class Population:
    """People with a hidden taste; given it, the ratings of the arms are independent."""

    def __init__(self, seed=3, n_arms=N_ARMS):
        _, self.truth, joint = latent_model(np.random.default_rng(seed), VALUES, n_arms)
        self.states = joint[:, 0].sum(axis=1)
        self.cuts = np.cumsum(joint / self.states[:, None, None], axis=2)[:, :, :-1]
        self.shares = joint.sum(axis=0)
        self.n_arms = n_arms

    def survey(self, rng, n_people, rate=0.8):
        """Return a survey in which each person rates each arm with probability `rate`, once."""
        taste = rng.choice(self.states.size, n_people, p=self.states)
        value = (rng.random((n_people, self.n_arms, 1)) >= self.cuts[taste]).sum(axis=2)
        rated = rng.random(value.shape) < rate
        person, arm = np.nonzero(rated)
        arms = [f"arm {k}" for k in range(self.n_arms)]
        return Survey(arms, VALUES, person, arm, value[rated], n_people=n_people, reward_max=5.0)

    def with_truth(self, problem):
        """Return the problem with the population's probabilities in place of the estimates."""
        b = problem.reward_max
        return Problem(problem.arms, VALUES, self.shares, problem.pseudo_rewards, b)


def alike(rng, n_people=300, n_arms=2, most=1, paired=True):
    """Return a survey by people who rate all arms alike, up to `most` times each."""
    taste = rng.normal(size=n_people)
    person, arm, value = [], [], []
    for k in range(n_arms):
        times = rng.integers(1, most + 1, n_people)
        who = np.repeat(
            np.arange(n_people), times if paired else times * rng.integers(0, 2, n_people)
        )
        own = taste + rng.normal(size=n_people)
        score = own[who] + 0.5 * rng.normal(size=who.size)
        person.append(who)
        arm.append(np.full(who.size, k))
        value.append(np.clip(np.rint(2.0 + score), 0, 4).astype(int))
    columns = (np.concatenate(part) for part in (person, arm, value))
    return Survey([f"ad {k}" for k in range(n_arms)], VALUES, *columns, n_people=n_people)
