"""The lower bound on the samples of algorithms that know the pseudo-rewards.

The change of measure is that of the classical bound (`cbai.results.limit`). The class of problems
is smaller: those in which the pseudo-rewards of the best arm are valid. See docs/lower-bound.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from cbai import checks
from cbai.problem import Problem
from cbai.results.kl_inf import Array, kl_above, kl_below
from cbai.results.limit import EDGE, Limit
from cbai.simulation.plan import SMALLEST_DELTA

PRECISION = 1e-4
"""The relative width of the bracket around the characteristic time."""
MOST_EVIDENCE = 50.0
"""What a sample counts, in nats, that no problem of the class allows: it settles the matter."""
POINTS, ZOOMS, ROUNDS = 9, 9, 60
"""Points of a grid over the best mean, how often it is made finer, and the most rounds of cuts."""
LAST_BARRIER, MOST_STAKED, LEAST_LEFT = 1e-10, 1e7, 1e-14
STEPS = 6


def correlated_limit_of(problem: Problem, delta: float) -> Limit:
    """Compute the lower bound for algorithms that trust the pseudo-rewards of the best arm.

    Parameters
    ----------
    problem : Problem
        With its pseudo-rewards as the algorithm knows them: p and q are already applied.
    delta : float
        The allowed error probability, in [1e-100, 0.5].

    Returns
    -------
    Limit
        Its characteristic time is at most a ten thousandth below the exact one.

    Raises
    ------
    ValueError
        If `delta` is outside its range, or the pseudo-rewards of the best arm are too low: then the
        problem is none of those for which the algorithms are right.

    Notes
    -----
    The class holds all problems on the same values in which E[s_{k*,k}(R_k)] >= mu_{k*} for every
    k, which is what the theorem of `c_lucb_bet` assumes. A twin in which arm l is best with mean x
    therefore has E[s_{l,k}(R_k)] >= x and E[R_k] <= x for every other arm k. As the arms' rewards
    are independent samples,

        1 / T = max over w of min over l != k* of inf over x of sum over k of w_k D_{l,k}(x),

    with D_{l,l}(x) the divergence of nu_l to mean x, and for k != l, by duality,

        D_{l,k}(x) = max over alpha, beta >= 0 of E[log(1 + alpha (x - s_{l,k}(R)) + beta (R - x))].

    Each D is convex in x, as a minimum of a convex function under constraints linear in x. The
    maximum over w is a linear programme with a cut for each x tried. Cuts are added at the
    minimisers until both sides of the bracket agree.

    It bounds E[samples] >= T kl(delta, 1 - delta) for algorithms that are delta-correct on the
    whole class. Those that do not use pseudo-rewards are; so is `c_lucb_bet`. The class allows any
    distributions of the single arms. Joint distributions of all arms may allow fewer twins.
    """
    delta = checks.real("delta", delta, SMALLEST_DELTA, 0.5)
    arms, best, n = problem.arms, problem.best_arm, problem.n_arms
    _check_valid(problem)
    if len(problem.best_arms) > 1:
        return Limit(arms, best, delta, np.inf, np.full(n, np.nan), np.zeros(n), "values")
    game = _Game(problem)
    weights, costs, upper = game.solve()
    every = np.insert(costs, best, np.inf)
    return Limit(arms, best, delta, 1.0 / upper, weights, every, "values")


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


@dataclass(frozen=True, eq=False)
class _Game:
    """The choice of w against that of l and x."""

    problem: Problem

    @property
    def others(self) -> NDArray[np.intp]:
        """The arms that are not best."""
        return np.delete(np.arange(self.problem.n_arms), self.problem.best_arm)

    def evidence(self, arm: NDArray[np.intp], x: Array) -> Array:
        """Return D_{l,k}(x) for N pairs of an arm l and a mean x, and all k, shape (N, K)."""
        values, nu = self.problem.values, self.problem.probabilities
        n, k = len(arm), self.problem.n_arms
        s = self.problem.pseudo_rewards[arm]
        place = np.repeat(x, k)
        found = divergence(
            place[:, None] - s.reshape(n * k, -1),
            values[None, :] - place[:, None],
            np.tile(nu, (n, 1)),
        ).reshape(n, k)
        up = kl_above(values, nu[arm], x, float(values[-1])).value
        down = kl_below(values, nu[arm], x, float(values[0])).value
        found[np.arange(n), arm] = np.maximum(up, down)
        return np.minimum(found, MOST_EVIDENCE)

    def solve(self) -> tuple[Array, Array, float]:
        """Return w, the evidence against each l, and the upper end of 1 / T."""
        low, high = self._range()
        start = np.linspace(low, high, POINTS)
        others = self.others
        cuts = self.evidence(np.repeat(others, POINTS), np.tile(start, len(others)))
        for _ in range(ROUNDS):
            weights, upper = _best_split(cuts)
            x = self._minimisers(weights)
            rows = self.evidence(others, x)
            costs = rows @ weights
            if costs.min() >= (1.0 - PRECISION) * upper:
                break
            cuts = np.concatenate([cuts, rows])
        return weights, costs, upper

    def _range(self) -> tuple[float, float]:
        low, high = float(self.problem.values[0]), float(self.problem.values[-1])
        edge = 1e3 * EDGE * (high - low)
        return low + edge, high - edge

    def _minimisers(self, weights: Array) -> Array:
        """Return the x with the least evidence, for each other arm: it is convex, so by zoom."""
        others, (low, high) = self.others, self._range()
        left, right = np.full(len(others), low), np.full(len(others), high)
        for _ in range(ZOOMS):
            grid = np.linspace(left, right, POINTS, axis=1)
            found = self.evidence(np.repeat(others, POINTS), grid.ravel()) @ weights
            at = found.reshape(len(others), POINTS).argmin(axis=1)
            rows = np.arange(len(others))
            left = grid[rows, np.maximum(at - 1, 0)]
            right = grid[rows, np.minimum(at + 1, POINTS - 1)]
        x: Array = 0.5 * (left + right)
        return x


def _best_split(cuts: Array) -> tuple[Array, float]:
    """Return the w in the simplex with the largest smallest entry of `cuts @ w`, and that entry."""
    n, k = cuts.shape
    found = optimize.linprog(
        np.append(np.zeros(k), -1.0),
        A_ub=np.hstack([-cuts, np.ones((n, 1))]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(k), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0.0, 1.0)] * k + [(None, None)],
        method="highs",
    )
    return np.maximum(found.x[:k], 0.0), float(found.x[k])


def divergence(a: Array, c: Array, p: Array) -> Array:
    """Return the max over alpha, beta >= 0 of E[log(1 + alpha a + beta c)], for N distributions.

    Parameters
    ----------
    a, c, p : ndarray, shape (N, V)
        The two bets at each value, and its probability. No outcome of a twin may lose more than
        everything, also at values of probability 0.

    Returns
    -------
    ndarray, shape (N,)
        In nats; infinite where bets can win without end: then there is no twin. At most 1e-8 too
        small elsewhere.

    Notes
    -----
    By Newton's method with a logarithmic barrier: the gap is at most the barrier's weight times the
    number of constraints.
    """
    a, c = np.asarray(a, dtype=np.float64), np.asarray(c, dtype=np.float64)
    bounded = _has_twin(a, c)
    # bets that cannot win are not made; scaled, the largest loss of a bet of 1 is everything
    scale_a, scale_c = (np.maximum(-one.min(axis=1), 1e-12)[:, None] for one in (a, c))
    bets = np.stack([a / scale_a, c / scale_c], axis=2)
    bets[~bounded] = -0.5
    stakes = np.full((len(a), 2), 0.25)
    barrier = 1e-2
    while barrier >= LAST_BARRIER:
        for _ in range(STEPS):
            stakes = _newton(bets, p, stakes, barrier)
        barrier *= 0.1
    value = (p * np.log(_left(bets, stakes))).sum(axis=1)
    result: Array = np.where(bounded, np.maximum(value, 0.0), np.inf)
    return result


def _won(bets: Array, stakes: Array) -> Array:
    won: Array = np.einsum("nvi,ni->nv", bets, stakes)
    return won


def _left(bets: Array, stakes: Array) -> Array:
    """Return what is left of 1 at each value; rounding may not take all of it."""
    left: Array = np.maximum(1.0 + _won(bets, stakes), LEAST_LEFT)
    return left


def _newton(bets: Array, p: Array, stakes: Array, barrier: float) -> Array:
    """Return stakes after a damped step of Newton's method that stays inside."""
    left = _left(bets, stakes)
    weight = (p + barrier) / left
    slope = np.einsum("nv,nvi->ni", weight, bets) + barrier / stakes
    curve = np.einsum("nv,nvi,nvj->nij", weight / left, bets, bets)
    curve[:, [0, 1], [0, 1]] += barrier / stakes**2
    curve[:, [0, 1], [0, 1]] *= 1.0 + 1e-9  # bets that are alike leave no curvature
    det = curve[:, 0, 0] * curve[:, 1, 1] - curve[:, 0, 1] ** 2
    step = (
        np.stack(
            [
                curve[:, 1, 1] * slope[:, 0] - curve[:, 0, 1] * slope[:, 1],
                curve[:, 0, 0] * slope[:, 1] - curve[:, 0, 1] * slope[:, 0],
            ],
            axis=1,
        )
        / np.maximum(det, 1e-300)[:, None]
    )
    decrement = np.sqrt(np.maximum((step * slope).sum(axis=1), 0.0) / barrier)
    share = 1.0 / (1.0 + np.where(decrement > 0.25, decrement, 0.0))
    # a full step reaches the edge, or the largest stake, where one of these is 1
    losing = np.concatenate(
        [-_won(bets, step) / left, -step / stakes, step / np.maximum(MOST_STAKED - stakes, 1.0)],
        axis=1,
    ).max(axis=1)
    longest = 0.99 / np.maximum(losing, 1e-300)
    larger = np.minimum(longest, 1.0)
    better = _height(bets, p, stakes + larger[:, None] * step, barrier) >= _height(
        bets, p, stakes, barrier
    )
    move = np.where(better, larger, np.minimum(share, larger))
    moved: Array = stakes + move[:, None] * step
    return moved


def _height(bets: Array, p: Array, stakes: Array, barrier: float) -> Array:
    height: Array = ((p + barrier) * np.log(_left(bets, stakes))).sum(axis=1) + barrier * np.log(
        stakes
    ).sum(axis=1)
    return height


def _has_twin(a: Array, c: Array) -> NDArray[np.bool_]:
    """Return whether some distribution has E[a] <= 0 and E[c] <= 0: no bets win without end.

    That is, whether no t in [0, 1] has t a + (1 - t) c > 0 at every value. The largest smallest
    value over t lies at an end, or where two values are equal.
    """
    d = a - c
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (c[:, None, :] - c[:, :, None]) / (d[:, :, None] - d[:, None, :])
    t = np.where(np.isfinite(t), np.clip(t, 0.0, 1.0), 0.0).reshape(len(a), -1)
    t = np.concatenate([t, np.zeros((len(a), 1)), np.ones((len(a), 1))], axis=1)
    least = (c[:, None, :] + t[:, :, None] * d[:, None, :]).min(axis=2).max(axis=1)
    found: NDArray[np.bool_] = least <= 1e-12
    return found
