"""The lower bound for algorithms that know the pseudo-rewards, over the runs of a simulation.

Each run has a mask of its own: it does not know the same pseudo-rewards as the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cbai import checks
from cbai.problem import Problem
from cbai.results.limit.bound import Limit, evidence
from cbai.results.limit.correlated import correlated_limit_of
from cbai.simulation.plan import MAX_SAMPLES, known_in, plan_for

ANY = "c_lucb"
"""Any algorithm that uses pseudo-rewards: all of them know the same ones."""


@dataclass(frozen=True)
class MeanLimit:
    """The lower bound on the samples of a run, on average over masks.

    Attributes
    ----------
    delta : float
    characteristic_time : float
        The mean of T, in samples per nat of evidence. Infinite in a tie.
    masks : int
        Over how many masks it is a mean: 1 if all masks are the same.
    two_sided : bool
        Whether it is for algorithms that trust pseudo-lower bounds, too.
    """

    delta: float
    characteristic_time: float
    masks: int
    two_sided: bool = False

    @property
    def samples(self) -> float:
        """The lower bound on E[samples]: T kl(delta, 1 - delta)."""
        return self.characteristic_time * evidence(self.delta)

    @property
    def tied(self) -> bool:
        """Whether several arms are best; then no number of samples is enough on average."""
        return bool(np.isinf(self.characteristic_time))


def masked_limits(
    problem: Problem,
    delta: float,
    p: float,
    q: float,
    seed: int,
    masks: int,
    *,
    two_sided: bool = False,
    first: int = 0,
) -> Iterator[Limit]:
    """Yield the `correlated_limit_of` what is known in each of the first trials of a simulation.

    Parameters
    ----------
    problem : Problem
        Before p and q.
    delta, two_sided
        As in `correlated_limit_of`, with its errors.
    p, q, seed
        As in `cbai.simulate`.
    masks : int
        The number of trials, at least 1. With p = 0 and p = 1 all masks are the same, and one is
        enough.
    first : int
        The first trial that is looked at.
    """
    plan = plan_for(problem, ANY, delta, p, q, seed, max(MAX_SAMPLES, problem.n_arms))
    for trial in range(first, distinct_masks(p, masks)):
        yield correlated_limit_of(known_in(plan, trial), delta, two_sided=two_sided)


def distinct_masks(p: float, masks: int) -> int:
    """Return how many of the first masks can differ."""
    return 1 if p in (0.0, 1.0) else checks.whole("masks", masks, 1)


def mean_of(limits: Sequence[Limit], *, two_sided: bool = False) -> MeanLimit:
    """Return the mean of the bounds of several masks; there is at least one."""
    time = float(np.mean([limit.characteristic_time for limit in limits]))
    return MeanLimit(limits[0].delta, time, len(limits), two_sided)
