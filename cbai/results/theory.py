"""The theorems for a problem: how many samples the proofs allow LUCB and C-LUCB.

Theorem 2 of Gupta, Joshi and Yağan 2021 and its proof. For LUCB the same count over all arms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cbai import checks
from cbai.problem import Problem
from cbai.results.competitive import Competitive, true_competitive
from cbai.simulation.bounds.confidence import CONFIDENCE, ConfidenceSequence
from cbai.simulation.plan import SMALLEST_DELTA, plan_for, pseudo_rewards_of
from cbai.simulation.rules.rows import ALGORITHMS

LARGEST_DELTA = 0.5
"""Up to this delta every share d is at most 0.25, for which B(n, d) surely decreases in n."""


@dataclass(frozen=True, eq=False)
class Theory:
    """Gaps, hardness and the bounds on the samples of LUCB and C-LUCB.

    Attributes
    ----------
    arms : tuple of str
    best, second : int
        The arms k* and k(2).
    delta : float
    gap : ndarray, shape (K,)
        Delta_k = mu_{k*} - mu_k in units of reward; that of k* is the smallest. 0 in a tie.
    pseudo_gap : ndarray, shape (T, K)
        mu_{k(2)} - phi_{k,k*} after the buffer q and under each trial's own mask.
    competitive : ndarray of bool, shape (T, K)
        The competitive set of each trial; k* and k(2) belong to it by definition.
    contradicted : ndarray of bool, shape (T,)
        Whether the formula calls k* or k(2) non-competitive: the assumption is violated.
    settled_lucb, settled_c_lucb : ndarray, shape (K,)
        tau_k, the number of pulls after which the radius is below a quarter of the gap, with the
        share of delta that LUCB (delta / K) and C-LUCB (delta / 2K) give to each bound. Whole
        numbers; infinite in a tie.
    t0 : float
        The round from which the proof relies on the PseudoUCB. See `first_trusted_round`.
    """

    arms: tuple[str, ...]
    best: int
    second: int
    delta: float
    gap: NDArray[np.float64]
    pseudo_gap: NDArray[np.float64]
    competitive: NDArray[np.bool_]
    contradicted: NDArray[np.bool_]
    settled_lucb: NDArray[np.float64]
    settled_c_lucb: NDArray[np.float64]
    t0: float

    @property
    def tied(self) -> bool:
        """Whether several arms are best; then no bound is finite."""
        return bool(self.gap[self.best] == 0.0)

    @property
    def hardness(self) -> float:
        """H, the sum of 1 / Delta_k**2 over all arms, in 1 / reward**2; infinite in a tie."""
        return float(_inverse_square(self.gap).sum())

    @property
    def hardness_competitive(self) -> NDArray[np.float64]:
        """The same sum over the competitive arms of each trial, shape (T,)."""
        return _sum_over(self.competitive, _inverse_square(self.gap))

    @property
    def lucb(self) -> float:
        """The number of samples that LUCB stays within with probability at least 1 - delta.

        Twice the sum of tau_k over all arms, round 1 included. Holds for any pseudo-rewards.
        """
        return float(2.0 * self.settled_lucb.sum())

    @property
    def c_lucb_competitive(self) -> NDArray[np.float64]:
        """The part of C-LUCB's bound that grows with log(1 / delta), by trial, shape (T,).

        Twice the sum of tau_k over the competitive arms. On the good event it bounds the samples
        of all rounds in which k* or a competitive arm is not settled yet. `c_lucb_rest` bounds the
        other rounds in expectation. Does not hold if a pseudo-reward that bounds k* is too low.
        """
        return 2.0 * _sum_over(self.competitive, self.settled_c_lucb)

    @property
    def c_lucb_rest(self) -> float:
        """The part of the bound on E[samples | good event] that tends to a constant in delta.

        (3K + 2K t0) / (1 - delta) + 2 / (1 - delta) ((K + 1)^3 / t0 + 2 / t0^2), Theorem 2.
        """
        k, t0 = len(self.arms), self.t0
        if math.isinf(t0):
            return math.inf
        whole = 3.0 * k + 2.0 * k * t0 + 2.0 * ((k + 1) ** 3 / t0 + 2.0 / t0**2)
        return whole / (1.0 - self.delta)


def theory_of(
    problem: Problem,
    delta: float,
    p: float = 0.0,
    q: float = 0.0,
    seed: int = 0,
    trials: int = 1,
    sequence: ConfidenceSequence = CONFIDENCE["howard"],
) -> Theory:
    """Compute what the theorems promise for a problem.

    Parameters
    ----------
    problem : Problem
        Before p and q.
    delta : float
        The allowed error probability, in [1e-100, 0.5].
    p, q, seed
        As in `cbai.simulate`. The competitive set is that of the pseudo-rewards with the buffer q
        and the trial's own mask, so it may differ from trial to trial.
    trials : int
        Number of trials, counted from 0, whose competitive sets are computed. With p = 0 or 1 all
        are the same.
    sequence : ConfidenceSequence
        Its radius B(n, d) must decrease in n.

    Raises
    ------
    ValueError
        If a parameter is outside its range.

    Notes
    -----
    Gupta, Joshi and Yağan 2021, Theorem 2 and Lemmas 7 to 9 of its proof. tau_k is used instead of
    its estimate zeta / Delta_k^2 log(2K log(1 / Delta_k^2) / delta), because the paper does not
    give the constant zeta. The bound counts rounds, not the pulls of an arm: in a round that k*
    needs, the second pull may go to a non-competitive arm.
    """
    delta = checks.real("delta", delta, SMALLEST_DELTA, LARGEST_DELTA)
    sets = _competitive_sets(problem, p, q, seed, checks.whole("trials", trials, 1))
    gap = np.where(sets[0].gap <= checks.TOLERANCE, 0.0, sets[0].gap)
    best, second = int(sets[0].best), int(sets[0].second)
    gap[best] = gap[second]

    def settled(algorithm: str) -> NDArray[np.float64]:
        d = ALGORITHMS[algorithm].elimination_share.of(delta, problem.n_arms)
        return np.array([settled_after(g, d, problem.reward_max, sequence) for g in gap])

    return Theory(
        arms=problem.arms,
        best=best,
        second=second,
        delta=delta,
        gap=gap,
        pseudo_gap=np.array([one.pseudo_gap for one in sets]),
        competitive=np.array([one.competitive for one in sets]),
        contradicted=np.array([bool(one.contradicted) for one in sets]),
        settled_lucb=settled("lucb"),
        settled_c_lucb=settled("c_lucb"),
        t0=first_trusted_round(gap[best] / problem.reward_max, problem.n_arms),
    )


def settled_after(
    gap: float,
    d: float,
    reward_max: float,
    sequence: ConfidenceSequence = CONFIDENCE["howard"],
) -> float:
    """Return tau, the first n with B(n, d) < gap / 4; infinite for a gap of 0.

    Parameters
    ----------
    gap : float
        In units of reward, at least 0.
    d : float
        The error probability of one bound. B must decrease in n; that of Howard et al. does for
        d <= 0.4.
    reward_max : float
        The largest possible reward b.
    sequence : ConfidenceSequence

    Returns
    -------
    float
        A whole number, exact up to 2**53.
    """
    if gap <= 0.0:
        return math.inf
    return float(_first(lambda n: float(sequence.radius(n, d, reward_max)) < gap / 4.0, 1))


def first_trusted_round(relative_gap: float, n_arms: int) -> float:
    """Return t0 = inf{t >= 2: Delta_{k*} / b >= 4 sqrt(2 K log(t) / t)}; infinite for no gap.

    Parameters
    ----------
    relative_gap : float
        Delta_{k*} / b, in [0, 1]. The paper's proof is for rewards in [0, 1]; other rewards are
        scaled to that range.
    n_arms : int
        K, at least 2. So t0 is beyond t = e, where log(t) / t decreases.
    """
    if relative_gap <= 0.0:
        return math.inf
    share = relative_gap**2 / (32.0 * n_arms)
    return float(_first(lambda t: share * t >= math.log(t), 3))


def _first(holds: Callable[[int], bool], low: int) -> int:
    """Return the first whole number from `low` on that `holds`, as all later ones must."""
    if holds(low):
        return low
    high = 2 * low
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _competitive_sets(
    problem: Problem, p: float, q: float, seed: int, trials: int
) -> list[Competitive]:
    plan = plan_for(problem, "c_lucb", LARGEST_DELTA, p, q, seed, problem.n_arms)
    different = 1 if plan.p in (0.0, 1.0) else trials
    sets = [
        true_competitive(problem.with_pseudo_rewards(pseudo_rewards_of(plan, trial)))
        for trial in range(different)
    ]
    return sets * (trials // different)


def _sum_over(chosen: NDArray[np.bool_], values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.where(chosen, values, 0.0).sum(axis=1))


def _inverse_square(gap: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.array([math.inf if one == 0.0 else one**-2.0 for one in gap])
