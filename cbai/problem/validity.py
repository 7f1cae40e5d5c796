"""Is the assumption true? Checks whether pseudo-rewards are, on average, upper bounds on the means.

A pseudo-reward is valid if E[R_l | R_k = r] <= s_{l,k}(r) for every r. That implies
phi_{l,k} = E[s_{l,k}(R_k)] >= mu_l. The correctness of C-LUCB needs only this, and without a joint
distribution only this can be checked.
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
    """Whether a problem's pseudo-rewards are valid at a given p and q.

    Attributes
    ----------
    verdict : str
        `VALID` if no pair is violated under any of the masks that were checked. `BEST_ARM_ONLY` if
        all bounds on the best arm are valid under all of them, which is enough for the guarantee of
        C-LUCB. `VIOLATED` otherwise.
    violated_pairs : ndarray of bool, shape (K, K)
        Where phi_{l,k} < mu_l with the buffer q and every entry known.
    violated_share : float
        The share of the K (K - 1) pairs that are violated, on average over the masks.
    best_arm_share : float
        The share of the masks under which all bounds on the best arm are valid.
    lower_holds : bool
        Whether E[w_{l,k}(R_k)] <= mu_l for every arm l that is not best and every k, with the
        buffer q and every entry known. Two-sided algorithms need this too.
    smallest_q_best, smallest_q_all : float
        The smallest buffer with which the bounds on the best arm, or all bounds, are valid under
        every mask.
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
    target = problem.means[:, None] - checks.TOLERANCE / 2.0  # safe for any order of summation
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

    `masks` should be the number of trials that run. The assumption may fail under a few masks only,
    and a mask that is not checked may be one of them.

    Parameters
    ----------
    problem : Problem
        Before p and q.
    p, q, seed
        As in `cbai.simulate`.
    masks : int
        The number of trials whose masks are checked, at least 1.

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

    That is E[w_{l,k}(R_k)] > mu_l with the buffer q and every entry known. Unknown entries can only
    make a bound valid.
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
        How many pairs fail, and whether a bound on a best arm is among them. There are M masks, or
        one for p = 0. An unknown entry can only make a pair valid, so only the pairs that fail with
        every entry known are checked.
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
