"""Is the assumption true? Whether pseudo-rewards bound, on average, what they are meant to bound.

A pseudo-reward is valid if E[R_l | R_k = r] <= s_{l,k}(r) for every r. That implies
phi_{l,k} = E[s_{l,k}(R_k)] >= mu_l, which is all that the correctness of C-LUCB needs and all that
can be checked without a joint distribution.
"""

from __future__ import annotations

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

    Parameters
    ----------
    problem : Problem
        Before p and q.
    p, q, seed
        As in `cbai.simulate`.
    masks : int
        How many trials' masks to look at.

    Raises
    ------
    ValueError
        If p or q is outside its range.
    """
    tables = violated_tables(problem, p, q, seed, masks)
    known = tables[0] if p == 0.0 else violated_tables(problem, 0.0, q, seed, 1)[0]
    pairs = off_diagonal(problem.n_arms)
    best_rows = np.array([table[problem.best_arms].any() for table in tables])
    shares = np.array([table.sum() / pairs.sum() for table in tables])
    buffers = smallest_buffers(problem)
    return Validity(
        verdict=VALID if not shares.any() else VIOLATED if best_rows.any() else BEST_ARM_ONLY,
        violated_pairs=known,
        violated_share=float(shares.mean()),
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


def violated_tables(
    problem: Problem, p: float, q: float, seed: int, masks: int
) -> list[NDArray[np.bool_]]:
    """Return where phi_{l,k} < mu_l: one table of shape (K, K) a mask, or just one for p = 0.

    Parameters as in `check_validity`, with its errors.
    """
    b, means = problem.reward_max, problem.means
    buffered = add_buffer(problem.pseudo_rewards, q, b)
    checks.real("p", p, 0.0, 1.0)
    pairs = off_diagonal(problem.n_arms)
    weights = problem.probabilities[None, :, :]
    phi = (buffered * weights).sum(axis=2)

    def low(raised: NDArray[np.float64]) -> NDArray[np.bool_]:
        below: NDArray[np.bool_] = raised < means[:, None] - checks.TOLERANCE
        return below & pairs

    if p == 0.0:
        return [low(phi)]
    gain = (b - buffered) * weights
    shape = (problem.n_arms, problem.n_values)
    return [low(phi + (gain * mask(*shape, p, seed, trial)).sum(axis=2)) for trial in range(masks)]
