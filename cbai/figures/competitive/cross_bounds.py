"""What each arm's samples say about each other arm: the data of `heatmap`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cbai import checks
from cbai.figures.base.style import decimal
from cbai.figures.base.words import Words, written
from cbai.problem import Problem
from cbai.problem.validity import expected_pseudo_rewards


@dataclass(frozen=True, eq=False)
class Info:
    """Expected pseudo-rewards, arms from best to worst true mean.

    Attributes
    ----------
    arms : tuple of str
    means : ndarray, shape (K,)
    phi : ndarray, shape (K, K)
        phi_{l,k} = E[s_{l,k}(R_k)]: row l bounded, column k pulled.
    violated : ndarray of bool, shape (K, K)
        Where phi_{l,k} < mu_l: the pair is too low and violates the assumption.
    reference : float
        The second-best mean mu_(2). In the best arm's column, an arm below it is ruled out.
    reach : float
        How far the colours go on both sides of `reference`; a few extreme cells may lie beyond.
    reward_max : float
        The largest possible reward b.
    """

    arms: tuple[str, ...]
    means: NDArray[np.float64]
    phi: NDArray[np.float64]
    violated: NDArray[np.bool_]
    reference: float
    reach: float
    reward_max: float


def gather(problem: Problem) -> Info:
    """Gather what the figure shows of a problem, with its pseudo-rewards unchanged."""
    order = problem.ranking
    means = problem.means[order]
    phi = expected_pseudo_rewards(problem)[np.ix_(order, order)]
    pairs = ~np.eye(len(means), dtype=bool)
    distance = np.abs(phi - means[1])[pairs]
    return Info(
        arms=tuple(problem.arms[arm] for arm in order),
        means=means,
        phi=phi,
        violated=pairs & (phi < means[:, None] - checks.TOLERANCE),
        reference=float(means[1]),
        reach=float(max(np.quantile(distance, 0.98), 1e-3)),
        reward_max=problem.reward_max,
    )


def sentence(info: Info, bounded: int, pulled: int, words: Words) -> str:
    """Say in words what one cell means; arms are counted in the order of `info`."""
    of, by = written(info.arms[bounded]), written(info.arms[pulled])
    if bounded == pulled:
        return f"The true mean of {of} is {decimal(info.means[bounded])}."
    verdict = "too low" if info.violated[bounded, pulled] else "valid"
    text = (
        f"On average one {words.sample} of {by} says that {of} is at most "
        f"{decimal(info.phi[bounded, pulled])}.<br>"
        f"The true mean is {decimal(info.means[bounded])}, so this bound is {verdict}."
    )
    ruled_out = pulled == 0 and info.phi[bounded, pulled] < info.reference
    second = decimal(info.reference)
    return text + (
        f"<br>It is below the second-best mean, {second}: {of} is ruled out." if ruled_out else ""
    )
