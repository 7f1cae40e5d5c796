"""What a lower bound says, and the algorithms that it binds."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cbai.simulation import Algorithm
from cbai.simulation.families import kind_of
from cbai.simulation.guarantee import cover


@dataclass(frozen=True, eq=False)
class Limit:
    """A lower bound: no algorithm that is delta-correct on a class needs fewer samples on average.

    Attributes
    ----------
    arms : tuple of str
    best : int
        The arm k*.
    delta : float
    characteristic_time : float
        T*, in samples per nat of evidence. Infinite in a tie.
    proportions : ndarray, shape (K,)
        The optimal split of the samples, w*; it sums to 1. nan in a tie.
    costs : ndarray, shape (K,)
        The evidence per sample, in nats, that w* gathers against "arm l is better than k*". At the
        optimum of `limit_of` it is 1 / T* for every l, at that of `correlated_limit_of` it is no
        less. Infinite for k* itself; 0 in a tie.
    rewards : {"scale", "values"}
        The class of problems on which an algorithm must be delta-correct; see `limit_of`.

    Examples
    --------
    >>> import cbai
    >>> from cbai.results.limit import limit_of
    >>> limit = limit_of(cbai.load_problem("movielens-1m"), delta=0.01)
    >>> limit.arms[limit.best], round(limit.samples)
    ('Film-Noir', 1873)
    """

    arms: tuple[str, ...]
    best: int
    delta: float
    characteristic_time: float
    proportions: NDArray[np.float64]
    costs: NDArray[np.float64]
    rewards: str = "scale"

    @property
    def samples(self) -> float:
        """The lower bound on E[samples]: T* kl(delta, 1 - delta)."""
        return self.characteristic_time * evidence(self.delta)

    @property
    def pulls(self) -> NDArray[np.float64]:
        """The lower bound divided among the arms by the optimal split, shape (K,); nan in a tie."""
        return self.samples * self.proportions

    @property
    def tied(self) -> bool:
        """Whether several arms are best; then no number of samples is enough on average."""
        return math.isinf(self.characteristic_time)


def evidence(delta: float) -> float:
    """Return kl(delta, 1 - delta) in nats, close to log(1 / (2.4 delta)) for a small delta.

    Examples
    --------
    >>> from cbai.results.limit import evidence
    >>> round(evidence(0.01), 3)
    4.503
    """
    return (1.0 - 2.0 * delta) * (math.log1p(-delta) - math.log(delta))


def binds(algorithm: Algorithm, n_arms: int, delta: float) -> bool:
    """Return whether the lower bound of `limit_of` holds for an algorithm, by what is proven.

    The algorithm must be delta-correct on *every* problem of the class. An algorithm that trusts
    pseudo-rewards is not: if they are too low, it may err more often. An algorithm that no theorem
    covers is not, either.

    Examples
    --------
    >>> import cbai
    >>> from cbai.results.limit import binds
    >>> [binds(cbai.ALGORITHMS[name], 18, 0.01) for name in ("lucb", "c_lucb", "lil_ucb")]
    [True, False, False]
    """
    return not algorithm.uses_correlation and cover(algorithm, n_arms, delta).covered


def class_of(algorithm: Algorithm) -> str:
    """Return the class on which an algorithm is delta-correct, "scale" or "values": see `limit_of`.

    Betting and the bounds `range` and `eb` need rewards between the smallest and the largest value
    of the problem. The others only need rewards in [0, b].

    Examples
    --------
    >>> import cbai
    >>> from cbai.results.limit import class_of
    >>> [class_of(cbai.ALGORITHMS[name]) for name in ("lucb", "lucb_pp_bet")]
    ['scale', 'values']
    """
    return kind_of(algorithm).rewards
