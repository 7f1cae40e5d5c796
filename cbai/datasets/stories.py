"""Two stories with a latent source: the group of a person decides the response to every arm."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cbai.datasets.dataset import Dataset, Noun
from cbai.problem import Problem
from cbai.problem.latent import (
    best_case_pseudo_lower,
    mixed_marginals,
    worst_case_pseudo_rewards,
)


@dataclass(frozen=True)
class Story:
    """A population of latent groups.

    Attributes
    ----------
    arms : sequence of str
        The K arms.
    values : sequence of float
        The V rewards.
    responses : mapping of str to sequence of float
        The distribution over `values` that each word for a response stands for.
    groups : mapping of str to (float, str)
        Share of each group, and its response to each arm in order, as words.
    """

    arms: Sequence[str]
    values: Sequence[float]
    responses: Mapping[str, Sequence[float]]
    groups: Mapping[str, tuple[float, str]]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Share of each group in the population, shape (X,)."""
        return np.array([share for share, _ in self.groups.values()])

    @property
    def behaviour(self) -> NDArray[np.float64]:
        """Return P(R_k = values[v] | X = x), shape (X, K, V)."""
        return np.array(
            [[self.responses[word] for word in words.split()] for _, words in self.groups.values()]
        )

    def build(self) -> Problem:
        """Return the problem; its pseudo-rewards do not use the shares."""
        values = np.array(self.values, dtype=np.float64)
        top = values[-1]
        pseudo = worst_case_pseudo_rewards(self.behaviour, values, top)
        lower = best_case_pseudo_lower(self.behaviour, values)
        mixed = mixed_marginals(self.shares, self.behaviour)
        return Problem(self.arms, values, mixed, pseudo, top, lower)


# In both stories no two words share a reward, and each group has its own word for the best arm. So
# the rewards of the best arm alone tell the groups apart, and they bound every other arm by its
# true mean: all but the two best arms are non-competitive. But the means of the others are close
# to that of the second best arm. LUCB has to sample each of them, so it needs many samples.

SCORES = [3, 4, 5, 6, 7, 8, 9, 10]

AD_CAMPAIGN = Story(
    arms=["Tennis rally", "Soccer stadium", "Chess duel", "Trail run", "City café", "Price offer"],
    values=SCORES,
    responses={
        "cold": [0.9, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        "mild": [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        "fair": [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        "like": [0.0, 0.0, 0.0, 0.0, 0.1, 0.9, 0.0, 0.0],
        "love": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.9],
    },
    groups={
        "tennis fans": (0.25, "love fair fair mild mild mild"),
        "soccer fans": (0.40, "cold love mild mild mild mild"),
        "chess fans": (0.10, "fair cold love fair love like"),
        "runners": (0.15, "mild mild fair love fair fair"),
        "casual viewers": (0.10, "like like mild mild fair love"),
    },
)

DRUG_TRIAL = Story(
    arms=["Drug A", "Drug B", "Drug C", "Drugs A + B", "Drugs A + C"],
    values=SCORES,
    responses={
        "none": [0.9, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        "weak": [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        "some": [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
        "good": [0.0, 0.0, 0.0, 0.0, 0.1, 0.9, 0.0, 0.0],
        "full": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.9],
    },
    groups={
        "respond to A": (0.35, "good none weak good some"),
        "respond to B": (0.10, "none full weak some none"),
        "respond to A and B": (0.30, "some good weak full some"),
        "respond to C": (0.15, "none weak full weak good"),
        "respond to nothing": (0.10, "none weak weak none none"),
    },
)

WORST_CASE = (
    "The pseudo-rewards use how each {group} responds, but not how many {people} it has. Each "
    "bound is the highest mean over the {group}s that can give the observed reward. So it holds "
    "for any population."
)

AD_DATASET = Dataset(
    id="ad-campaign",
    title="Ad designs (a story)",
    story="Which ad do viewers respond to most?",
    arm=Noun("ad", "ads"),
    sample=Noun("showing", "showings"),
    provenance=(
        "We made up this story. Viewers are tennis, soccer or chess fans, runners or casual "
        "viewers. They score each design from 3 to 10. "
        + WORST_CASE.format(group="audience", people="viewers")
    ),
    licence="Ours, under the licence of this software.",
    build=AD_CAMPAIGN.build,
    valid_by_construction=True,
)

DRUG_DATASET = Dataset(
    id="drug-trial",
    title="Treatments (a story)",
    story="Which treatment improves patients' scores most?",
    arm=Noun("treatment", "treatments"),
    sample=Noun("patient", "patients"),
    provenance=(
        "We made up this story; it contains no medical data. The five treatments are one of three "
        "drugs, or two of them at half the dose. The drugs that a patient responds to decide a "
        "health score from 3 to 10. " + WORST_CASE.format(group="patient type", people="patients")
    ),
    licence="Ours, under the licence of this software.",
    build=DRUG_TRIAL.build,
    valid_by_construction=True,
)
