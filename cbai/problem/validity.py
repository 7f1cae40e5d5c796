"""Is the assumption true? Whether pseudo-rewards bound, on average, what they are meant to bound.

A pseudo-reward is valid if E[R_l | R_k = r] <= s_{l,k}(r) for every r. That implies
phi_{l,k} = E[s_{l,k}(R_k)] >= mu_l, which is all that the correctness of C-LUCB needs and all that
can be checked without a joint distribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cbai import checks
from cbai.problem.problem import Problem
from cbai.problem.pseudo_rewards import add_buffer, mask, off_diagonal, subtract_buffer

VALID = "valid"
BEST_ARM_ONLY = "best arm only"
VIOLATED = "violated"

BISECTIONS = 60


@dataclass(frozen=True, eq=False)
class Validity:
    """What can be said of a problem's pseudo-rewards at a given p and q.

    Attributes
    ----------
    verdict : str
        `VALID` if no pair is violated in any of the masks looked at; `BEST_ARM_ONLY` if at least
        all bounds on the best arm hold in all of them, which is what the guarantee of C-LUCB needs;
        else `VIOLATED`.
    violated_pairs : ndarray of bool, shape (K, K)
        Where phi_{l,k} < mu_l with the buffer q and every entry known.
    violated_share : float
        The share of the K (K - 1) pairs violated, on average over the masks.
    best_arm_share : float
        The share of the masks under which all bounds on the best arm hold.
    lower_holds : bool
        Whether E[w_{l,k}(R_k)] <= mu_l for every arm l that is not best and every k, with the
        buffer q and every entry known: what two-sided algorithms need besides.
    smallest_q_best, smallest_q_all : float
        The smallest buffer that makes the bounds on the best arm, or all of them, hold whatever is
        masked.
    """

    verdict: str
    violated_pairs: NDArray[np.bool_]
    violated_share: float
    best_arm_share: float
    lower_holds: bool
    smallest_q_best: float
    smallest_q_all: float

    @property
    def smallest_safe_q(self) -> float:
        """The smallest buffer, in steps of 0.01, with which the guarantee of C-LUCB holds."""
        return float(np.ceil(np.round(self.smallest_q_best * 100.0, 6)) / 100.0)


def expected_pseudo_rewards(problem: Problem) -> NDArray[np.float64]:
    """Return phi_{l,k} = E[s_{l,k}(R_k)], indexed (l, k), shape (K, K)."""
    phi: NDArray[np.float64] = np.einsum(
        "kv,lkv->lk", problem.probabilities, problem.pseudo_rewards
    )
    return phi


def smallest_buffers(problem: Problem) -> NDArray[np.float64]:
    """Return for each pair the smallest q with E[min(s_{l,k}(R_k) + q, b)] >= mu_l.

    Returns
    -------
    ndarray, shape (K, K)
        In units of reward, 0 where no buffer is needed; correct to b / 2**60, never too small.
    """
    b = problem.reward_max
    target = problem.means[:, None] - checks.TOLERANCE / 2.0  # safe however it is summed up
    low = np.zeros((problem.n_arms, problem.n_arms))
    high = np.full_like(low, b)

    def holds(q: NDArray[np.float64]) -> NDArray[np.bool_]:
        raised = np.minimum(problem.pseudo_rewards + q[:, :, None], b)
        enough: NDArray[np.bool_] = np.einsum("kv,lkv->lk", problem.probabilities, raised) >= target
        return enough

    high[holds(low)] = 0.0
    np.fill_diagonal(high, 0.0)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2.0
        enough = holds(middle)
        high = np.where(enough, middle, high)
        low = np.where(enough, low, middle)
    return high


def check_validity(
    problem: Problem, p: float = 0.0, q: float = 0.0, seed: int = 0, masks: int = 200
) -> Validity:
    """Check the assumption under the masks that the first trials of a seed draw.

    `masks` should be the number of trials that run: a mask that is not looked at may be one of the
    few under which the assumption fails.

    Parameters
    ----------
    problem : Problem
        Before p and q.
    p, q, seed
        As in `cbai.simulate`.
    masks : int
        How many trials' masks to look at, at least 1.

    Raises
    ------
    ValueError
        If p, q or masks is outside its range.
    """
    counts, best_rows = (rows[0] for rows in violations(problem, p, [q], seed, masks))
    pairs = problem.n_arms * (problem.n_arms - 1)
    raised = add_buffer(problem.pseudo_rewards, q, problem.reward_max)
    buffers = smallest_buffers(problem)
    return Validity(
        verdict=VALID if not counts.any() else VIOLATED if best_rows.any() else BEST_ARM_ONLY,
        violated_pairs=_too_low(problem, raised),
        violated_share=float(counts.mean() / pairs),
        best_arm_share=float(1.0 - best_rows.mean()),
        lower_holds=not too_high(problem, q).any(),
        smallest_q_best=float(buffers[problem.best_arms].max()),
        smallest_q_all=float(buffers.max()),
    )


def too_high(problem: Problem, q: float) -> NDArray[np.bool_]:
    """Return where a pseudo-lower bound of an arm that is not best is too high, shape (K, K).

    That is E[w_{l,k}(R_k)] > mu_l with the buffer q and every entry known: entries that are unknown
    can only mend it.
    """
    lower = subtract_buffer(problem.lower_bounds, q)
    omega = np.einsum("kv,lkv->lk", problem.probabilities, lower)
    high: NDArray[np.bool_] = omega > problem.means[:, None] + checks.TOLERANCE
    high[problem.best_arms] = False
    return high


def violations(
    problem: Problem, p: float, buffers: Sequence[float], seed: int, masks: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return how many pairs have phi_{l,k} < mu_l at several buffers, under the same masks.

    Parameters
    ----------
    problem, p, seed, masks
        As in `check_validity`, with its errors.
    buffers : sequence of float
        Q values of q.

    Returns
    -------
    ndarray of int, ndarray of bool, each of shape (Q, M)
        How many pairs fail, and whether a bound on a best arm is among them; M masks, or one for
        p = 0. An unknown entry can only mend a pair, so only pairs that fail with every entry known
        are looked at.
    """
    b, means = problem.reward_max, problem.means
    checks.real("p", p, 0.0, 1.0)
    checks.whole("masks", masks, 1)
    number = 1 if p == 0.0 else masks
    counts = np.zeros((len(buffers), number), dtype=np.int64)
    on_best = np.zeros((len(buffers), number), dtype=bool)
    parts = []
    for q in buffers:
        raised = add_buffer(problem.pseudo_rewards, q, b)
        at = np.nonzero(_too_low(problem, raised))
        weights = problem.probabilities[at[1]]
        phi = (raised[at] * weights).sum(axis=1)
        parts.append((at, phi, (b - raised[at]) * weights))
    if not any(at[0].size for at, _, _ in parts):
        return counts, on_best
    best = np.isin(np.arange(problem.n_arms), problem.best_arms)
    for m in range(number):
        unknown = mask(problem.n_arms, problem.n_values, p, seed, m)
        for i, (at, phi, gain) in enumerate(parts):
            low = phi + (gain * unknown[at]).sum(axis=1) < means[at[0]] - checks.TOLERANCE
            counts[i, m] = low.sum()
            on_best[i, m] = best[at[0][low]].any()
    return counts, on_best


def _too_low(problem: Problem, raised: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return where phi_{l,k} < mu_l with every entry known, shape (K, K)."""
    phi = (raised * problem.probabilities[None, :, :]).sum(axis=2)
    low: NDArray[np.bool_] = phi < problem.means[:, None] - checks.TOLERANCE
    return low & off_diagonal(problem.n_arms)
