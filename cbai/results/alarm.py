"""The online alarm: when the rewards seen contradict a pseudo-reward."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cbai.simulation import Trace
from cbai.simulation.bounds.confidence import CONFIDENCE

DIGITS = range(3, 10)
"""The numbers of digits that are tried until the two bounds differ."""
MOST_PAIRS = 100_000
"""How many bounds are computed at once: quick, and little memory."""


@dataclass(frozen=True)
class Alarm:
    """A pseudo-reward that is contradicted by rewards.

    Attributes
    ----------
    round, index : int
        The first recorded round with the contradiction, and its index in the trace.
    bounded, pulled : int
        The arms l and k of s_{l,k}.
    lower : float
        L_l, the lower bound on the mean of arm l by its own rewards.
    upper : float
        phi_{l,k} + B(n_k), the upper bound on the mean of l by the pseudo-reward; below `lower`.
    share : float
        The error probability d of each single bound.
    concerns_best_arm : bool
        Whether l is in truth a best arm. Only then may the answer be wrong because of it.
    """

    round: int
    index: int
    bounded: int
    pulled: int
    lower: float
    upper: float
    share: float
    concerns_best_arm: bool


def find_alarm(trace: Trace, share: float | None = None) -> Alarm | None:
    """Return the first contradiction between an arm's own rewards and a bound on it, or None.

    Parameters
    ----------
    trace : Trace
        Any algorithm's; the pseudo-rewards are those it used, after buffer and mask.
    share : float, optional
        The error probability d of each bound. By default the algorithm's elimination share, which
        is delta / K for an algorithm without elimination. An algorithm that bets has one game for
        each arm, not a bound for each pair. Its default is the share of its lower bounds, which is
        per arm. See `strict_share`.

    Returns
    -------
    Alarm or None
        The first recorded round with L_l(d) > phi_{l,k} + B(n_k, d) for some l and k counts. Of its
        pairs it is the one with the largest difference, in a tie the first in index order. Rounds
        that the trace left out are not checked.

    Notes
    -----
    If s_{l,k} is valid, L_l(d) <= mu_l <= E[s_{l,k}(R_k)] <= phi_{l,k} + B(n_k, d) at all times,
    unless one of the two bounds fails. So with valid pseudo-rewards the alarm never sounds on the
    event that no bound fails. For pairs with l or k the best arm, this is the good event of Theorem
    1's proof (Gupta, Joshi and Yağan 2021). For all pairs it has probability at least 1 - K^2 d (K
    lower bounds and K (K - 1) upper ones). So with d = `strict_share` an alarm refutes the
    pseudo-rewards with confidence 1 - delta.

    Silence proves nothing. A pseudo-reward can be too low on average by less than the bounds can
    show. And an algorithm that trusts the pseudo-rewards seldom finds out: C-LUCB rules out arm l
    as soon as some phi_{l,k} + B(n_k) is below the leader's lower bound. It pulls that arm no more,
    so it never learns that L_l is higher. Racing and LUCB keep pulling on the same rewards. Watch
    their runs.
    """
    n_arms = trace.problem.n_arms
    row = trace.algorithm
    usual = row.leader_share if row.bets else row.elimination_share
    d = usual.of(trace.delta, n_arms) if share is None else share
    usual_bounds = CONFIDENCE["howard"]  # if its own depend on more than the mean
    sequence = CONFIDENCE.get(row.confidence, usual_bounds)
    b = trace.problem.reward_max
    together = max(MOST_PAIRS // n_arms**2, 1)
    for first in range(0, len(trace.rounds), together):
        rounds = slice(first, first + together)
        pulls = np.maximum(trace.pulls[rounds], 1)
        lower = sequence.lower(trace.mean[rounds], pulls, d, b)
        upper = sequence.upper(_phi(trace, rounds), pulls[:, None, :], d, b)
        excess = (lower[:, :, None] - upper).reshape(len(pulls), -1)
        alarmed = (excess > 0.0).any(axis=1)
        if not alarmed.any():
            continue
        at = int(alarmed.argmax())
        bounded, pulled = divmod(int(excess[at].argmax()), n_arms)
        return Alarm(
            round=int(trace.rounds[first + at]),
            index=first + at,
            bounded=bounded,
            pulled=pulled,
            lower=float(lower[at, bounded]),
            upper=float(upper[at, bounded, pulled]),
            share=d,
            concerns_best_arm=bounded in trace.problem.best_arms,
        )
    return None


def strict_share(trace: Trace) -> float:
    """Return d = delta / K^2, with which a false alarm has probability at most delta."""
    return trace.delta / trace.problem.n_arms**2


def words(alarm: Alarm, trace: Trace) -> str:
    """Say which pseudo-reward is contradicted, in which round, and by which numbers."""
    bounded, pulled = (trace.problem.arms[arm] for arm in (alarm.bounded, alarm.pulled))
    digits = next(
        (n for n in DIGITS if f"{alarm.lower:.{n}f}" != f"{alarm.upper:.{n}f}"), DIGITS[-1]
    )
    return (
        f"In round {alarm.round:,} the rewards contradict a pseudo-reward. By its own rewards, "
        f"{bounded} has a mean of at least {alarm.lower:.{digits}f}. By the rewards of {pulled}, "
        f"it would be at most {alarm.upper:.{digits}f}."
    )


def _phi(trace: Trace, rounds: slice) -> NDArray[np.float64]:
    """Return the empirical pseudo-rewards phi_{l,k} of recorded rounds, shape (R, K, K).

    Where arm k has not been pulled, they contradict nothing: they are b.
    """
    pulls = trace.pulls[rounds]
    seen = trace.counts[rounds] / np.maximum(pulls, 1)[:, :, None]
    phi = np.einsum("lkv,rkv->rlk", trace.problem.pseudo_rewards, seen)
    return np.where(pulls[:, None, :] > 0, phi, trace.problem.reward_max)
