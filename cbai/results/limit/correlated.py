"""The lower bound on the samples of algorithms that know the pseudo-rewards.

The change of measure is that of the classical bound (`limit_of`). The class of problems is smaller:
those in which the pseudo-rewards of the best arm are valid. See docs/lower-bound.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from cbai import checks
from cbai.problem import Problem
from cbai.results.kl_inf import Array
from cbai.results.limit.bound import Limit
from cbai.results.limit.twins import Conditions, conditions_of
from cbai.simulation.plan import SMALLEST_DELTA

PRECISION = 1e-4
"""The relative width of the bracket around the characteristic time."""
POINTS, ROUNDS = 7, 200
"""The best means that are tried first, and the most rounds of cuts."""
FROM_ENDS = 1e-6
"""How far the first and the last of these are from where twins end, relative to the length."""

HIGHEST = 1e6
"""The largest entry of a cut, as a multiple of the evidence of an even split."""


def correlated_limit_of(problem: Problem, delta: float, *, two_sided: bool = False) -> Limit:
    """Compute the lower bound for algorithms that trust the pseudo-rewards of the best arm.

    Parameters
    ----------
    problem : Problem
        With its pseudo-rewards as the algorithm knows them: p and q are already applied.
    delta : float
        The allowed error probability, in [1e-100, 0.5].
    two_sided : bool
        Whether the algorithm trusts the pseudo-lower bounds, too.

    Returns
    -------
    Limit
        Its characteristic time is at most a ten thousandth below the exact one. It is 0 if no
        problem of the class has another best arm: then the pseudo-rewards alone give the answer.

    Raises
    ------
    ValueError
        If `delta` is outside its range, or the pseudo-rewards of the best arm are too low, or with
        `two_sided` a pseudo-lower bound is too high: then the problem is none of those for which
        the algorithms are right.

    Notes
    -----
    The class holds all problems on the same values in which E[s_{k*,k}(R_k)] >= mu_{k*} for every
    k, which is what the theorem of `c_lucb_bet` assumes. A twin in which arm l is best with mean x
    therefore has E[s_{l,k}(R_k)] >= x and E[R_k] <= x for every other arm k. As the arms' rewards
    are independent samples,

        1 / T = max over w of min over l != k* of inf over x of sum over k of w_k D_{l,k}(x),

    with D_{l,l}(x) the divergence of nu_l to mean x, and for k != l, by duality,

        D_{l,k}(x) = max over alpha, beta >= 0 of E[log(1 + alpha (x - s_{l,k}(R)) + beta (R - x))].

    With `two_sided` the class is smaller: E[w_{i,k}(R_k)] <= mu_{k*} for all i != k* and every k,
    too. The theorem of `c_lucb_bet_two` needs no more. Each of these conditions adds a multiplier.

    Each D is convex in x, as a minimum of a convex function under constraints linear in x. The
    maximum over w is a linear programme with a cut for each x tried. Cuts are added near the
    minimisers until both sides of the bracket agree; tangents bound the minimum from below.

    It bounds E[samples] >= T kl(delta, 1 - delta) for algorithms that are delta-correct on the
    whole class. Those that do not use pseudo-rewards are; so is `c_lucb_bet`. The class allows any
    distributions of the single arms. Joint distributions of all arms may allow fewer twins.

    Examples
    --------
    >>> import cbai
    >>> from cbai.problem.pseudo_rewards import add_buffer
    >>> from cbai.results.limit import correlated_limit_of
    >>> problem = cbai.load_problem("movielens-1m")
    >>> bounds = add_buffer(problem.pseudo_rewards, 0.2, problem.reward_max)
    >>> limit = correlated_limit_of(problem.with_pseudo_rewards(bounds), delta=0.01)
    >>> round(limit.samples)
    277
    """
    delta = checks.real("delta", delta, SMALLEST_DELTA, 0.5)
    arms, best, n = problem.arms, problem.best_arm, problem.n_arms
    _check_valid(problem)
    if two_sided:
        _check_lower(problem)
    if len(problem.best_arms) > 1:
        return Limit(arms, best, delta, np.inf, np.full(n, np.nan), np.zeros(n), "values")
    conditions = conditions_of(problem, two_sided=two_sided)
    scale = float(problem.values[-1] - problem.values[0])
    between = conditions.between(scale)
    costs, has_twin = np.full(n, np.inf), between[:, 0] < between[:, 1]
    if not has_twin.any():
        return Limit(arms, best, delta, 0.0, np.full(n, np.nan), costs, "values")
    game = _Game(conditions, np.flatnonzero(has_twin), between[has_twin])
    weights, least, upper = game.solve()
    costs[conditions.rivals[has_twin]] = least
    return Limit(arms, best, delta, 1.0 / upper, weights, costs, "values")


def _check_valid(problem: Problem) -> None:
    means = (problem.pseudo_rewards[problem.best_arm] * problem.probabilities).sum(axis=1)
    means[problem.best_arm] = np.inf
    k = int(means.argmin())
    best = float(problem.means[problem.best_arm])
    if means[k] < best - checks.TOLERANCE:
        raise ValueError(
            "The pseudo-rewards of the best arm must be valid, got a mean of "
            f"{means[k]:g} for {checks.quoted(problem.arms[problem.best_arm])} by "
            f"{checks.quoted(problem.arms[k])}, below its mean {best:g}."
        )


def _check_lower(problem: Problem) -> None:
    means = np.einsum("kv,ikv->ik", problem.probabilities, problem.lower_bounds)
    means[problem.best_arm] = -np.inf
    i, k = np.unravel_index(int(means.argmax()), means.shape)
    best = float(problem.means[problem.best_arm])
    if means[i, k] > best + checks.TOLERANCE:
        raise ValueError(
            "No pseudo-lower bound may be above the best mean, got a mean of "
            f"{means[i, k]:g} for {checks.quoted(problem.arms[i])} by "
            f"{checks.quoted(problem.arms[k])}, above {best:g}."
        )


@dataclass(eq=False)
class _Game:
    """The choice of w against that of a rival l and a mean x.

    Attributes
    ----------
    conditions : Conditions
    rivals : ndarray of int, shape (L,)
        Indices of the rivals that have twins.
    between : ndarray, shape (L, 2)
        Where their twins' means x begin and end.
    x : ndarray, shape (L, N)
        The means tried so far, in increasing order.
    costs, slopes : ndarray, shape (L, N, K)
        D_{l,k}(x) and its slope in x.
    """

    conditions: Conditions
    rivals: NDArray[np.intp]
    between: Array
    x: Array = field(init=False)
    costs: Array = field(init=False)
    slopes: Array = field(init=False)

    def __post_init__(self) -> None:
        k = len(self.conditions.probabilities)
        self.x = np.empty((len(self.rivals), 0))
        self.costs = self.slopes = np.empty((len(self.rivals), 0, k))
        steps = np.linspace(FROM_ENDS, 1.0 - FROM_ENDS, POINTS)
        low, high = self.between[:, :1], self.between[:, 1:]
        self._try(low + steps * (high - low))

    def solve(self) -> tuple[Array, Array, float]:
        """Return w, the evidence against each rival, and the upper end of 1 / T."""
        best, chosen = -np.inf, (np.zeros(0), np.zeros(0))
        for _ in range(ROUNDS):
            weights, upper = _best_split(self.costs.reshape(-1, self.costs.shape[2]))
            lower, places = self._minima(weights)
            if lower.min() > best:
                best, chosen = float(lower.min()), (weights, (self.costs @ weights).min(axis=1))
            if best >= (1.0 - PRECISION) * upper:
                break
            self._try(places)
        return *chosen, upper

    def _try(self, x: Array) -> None:
        """Add means to those that are tried, for each rival; shape (L, N)."""
        costs, slopes = self.conditions.evidence(np.repeat(self.rivals, x.shape[1]), x.ravel())
        shape = *x.shape, -1
        self.x = np.concatenate([self.x, x], axis=1)
        order = self.x.argsort(axis=1, kind="stable")
        self.x = np.take_along_axis(self.x, order, axis=1)
        self.costs, self.slopes = (
            np.take_along_axis(
                np.concatenate([old, new.reshape(shape)], axis=1), order[:, :, None], axis=1
            )
            for old, new in ((self.costs, costs), (self.slopes, slopes))
        )

    def _minima(self, weights: Array) -> tuple[Array, Array]:
        """Return a lower bound on the least evidence against each rival, and where to look next.

        The least evidence is between the last x at which the evidence falls and the first at which
        it rises. Two tangents bound it from below. Next are the root of the slope, if the slope
        were linear, and the middle.
        """
        cost, slope = self.costs @ weights, self.slopes @ weights
        rows, last = np.arange(len(cost)), cost.shape[1] - 1
        right = np.where((slope >= 0.0).any(axis=1), (slope >= 0.0).argmax(axis=1), last)
        left = np.maximum(right - 1, 0)
        (a, b), (f, g), (down, up) = (
            (table[rows, left], table[rows, right]) for table in (self.x, cost, slope)
        )
        inside = (down < 0.0) & (up > 0.0)
        turn = np.where(inside, up - down, 1.0)
        lower = np.where(
            inside,
            f + down * np.where(inside, (g - f - up * (b - a)) / -turn, 0.0),
            np.minimum(f, g),
        )
        share = np.where(inside, -down / turn, 0.5)
        places = np.stack([a + np.clip(share, 0.02, 0.98) * (b - a), 0.5 * (a + b)], axis=1)
        return lower, places


def _best_split(cuts: Array) -> tuple[Array, float]:
    """Return the w in the simplex with the largest smallest entry of `cuts @ w`, and that entry."""
    n, k = cuts.shape
    scale = float(cuts.mean(axis=1).min())  # that of an even split; solvers want numbers near 1
    cuts = np.minimum(cuts / scale, HIGHEST)
    found = optimize.linprog(
        np.append(np.zeros(k), -1.0),
        A_ub=np.hstack([-cuts, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(k), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * k + [(None, None)],
        method="highs",
    )
    return np.maximum(found.x[:k], 0.0), scale * float(found.x[k])
