"""How large a buffer should be: the assumption as a function of q, and a suggestion."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cbai import checks
from cbai.problem.problem import Problem
from cbai.problem.pseudo_rewards import add_buffer, off_diagonal
from cbai.problem.validity import (
    check_validity,
    expected_pseudo_rewards,
    smallest_buffers,
    violations,
)

STEPS = 500
"""The least number of steps in [0, b] for a suggestion: a step is 0.01 for five stars."""
PERCENT = "\N{NARROW NO-BREAK SPACE}%"


@dataclass(frozen=True, eq=False)
class BufferCurve:
    """How buffers affect the assumption.

    Attributes
    ----------
    q : ndarray, shape (Q,)
        The buffers, in units of reward.
    violated_share : ndarray, shape (Q,)
        The share of the K (K - 1) pairs that are violated, on average over the masks.
    best_arm_share : ndarray, shape (Q,)
        The share of the masks under which all bounds on the best arm are valid.
    """

    q: NDArray[np.float64]
    violated_share: NDArray[np.float64]
    best_arm_share: NDArray[np.float64]

    @property
    def best_arm_ok(self) -> NDArray[np.bool_]:
        """Where all bounds on the best arm are valid under every mask, shape (Q,)."""
        return self.best_arm_share >= 1.0


@dataclass(frozen=True)
class Suggestion:
    """A buffer q, and the reason for it in words."""

    q: float
    words: str


def buffer_curve(
    problem: Problem, grid: ArrayLike, p: float = 0.0, seed: int = 0, masks: int = 200
) -> BufferCurve:
    """Return the share of violated pairs, and whether the best arm is safe, at each buffer.

    Parameters
    ----------
    problem : Problem
        Before p and q.
    grid : array_like, shape (Q,)
        The buffers, each in [0, b].
    p, seed, masks
        As in `check_validity`. With p = 0 no mask is drawn.

    Raises
    ------
    ValueError
        If p or an entry of the grid is outside its range.
    """
    buffers = checks.array("grid", grid, (None,))
    n_pairs = problem.n_arms * (problem.n_arms - 1)
    counts, on_best = violations(problem, p, buffers.tolist(), seed, masks)
    shares, safe = counts.mean(axis=1) / n_pairs, 1.0 - on_best.mean(axis=1)
    return BufferCurve(buffers, shares, safe)


def shortfall(problem: Problem, q: float = 0.0) -> NDArray[np.float64]:
    """Return by how much each pair is violated: max(mu_l - phi_{l,k}, 0) with buffer q, (K, K).

    In units of reward, indexed (arm bounded, arm pulled); 0 where the bound is valid.
    """
    buffered = add_buffer(problem.pseudo_rewards, q, problem.reward_max)
    phi = expected_pseudo_rewards(problem.with_pseudo_rewards(buffered))
    missing = np.maximum(problem.means[:, None] - phi, 0.0)
    missing[(missing <= checks.TOLERANCE) | ~off_diagonal(problem.n_arms)] = 0.0
    return missing


def suggest_q(problem: Problem, p: float = 0.0, seed: int = 0, masks: int = 200) -> Suggestion:
    """Suggest the smallest buffer with which the guarantee of C-LUCB holds, and give the reason.

    Parameters
    ----------
    problem, p, seed, masks
        As in `check_validity`.

    Returns
    -------
    Suggestion
        0 with p = 1, because nothing is known then. Otherwise the smallest q with which every bound
        on the best arm is valid under every mask, rounded up to a step of 1, 2 or 5 times a power
        of ten, b / `STEPS` or finer.

    Raises
    ------
    ValueError
        If p is outside [0, 1].

    Notes
    -----
    This uses the true means, which only a simulation knows. Where they are unknown, q must come
    from elsewhere: another half of the survey, or a confidence bound (`cbai.problem.methods`).
    """
    checks.real("p", p, 0.0, 1.0)
    buffers = smallest_buffers(problem)
    pulled = buffers[problem.best_arms].max(axis=0)
    needed, whole = float(pulled.max()), float(buffers.max())
    best = problem.arms[problem.best_arm]
    if p == 1.0:
        return Suggestion(
            0.0, "No buffer is needed: no pseudo-reward is known, so none is too low."
        )
    if needed <= 0.0:
        rest = _rest(whole, "Some other bounds are too low, but they cannot make an answer wrong")
        return Suggestion(0.0, f"No buffer is needed: every bound on {best} is valid{rest}")
    q = _round_up(needed, problem.reward_max)
    now = check_validity(problem, p, 0.0, seed, masks)
    by_masks = (
        f" If {100 * p:g}{PERCENT} of the pseudo-rewards are unknown, at random, every remaining "
        f"bound on {best} is valid in {100 * now.best_arm_share:.0f}{PERCENT} of the draws."
        if p > 0.0
        else ""
    )
    words = (
        f"A buffer of q = {q:g} is enough. Without a buffer, the bound that "
        f"{problem.arms[int(pulled.argmax())]} gives on {best}, the best arm, is too low, and the "
        f"guarantee of C-LUCB does not hold.{by_masks} With q = {q:g} every bound on {best} is "
        "valid, whichever pseudo-rewards are unknown"
    )
    return Suggestion(
        q, words + _rest(whole if whole > q else 0.0, "Some bounds on other arms are still too low")
    )


def _rest(whole: float, words: str) -> str:
    """Say what is left. The buffer that makes all bounds valid is rounded up."""
    enough = math.ceil(whole * 1000.0 - 1e-9) / 1000.0
    if whole <= 0.0:
        return ", and so are all others."
    return f". {words}; q = {enough:.3f} would make all bounds valid."


def _round_up(q: float, b: float) -> float:
    """Round up to a step of 1, 2 or 5 times a power of ten, of at most b / `STEPS`."""
    power = 10.0 ** np.floor(np.log10(b / STEPS))
    step = max(factor * power for factor in (1.0, 2.0, 5.0) if factor * power <= b / STEPS * 1.001)
    steps = np.ceil(np.round(q / step, 6))
    return float(min(np.round(steps * step, 12), b))
