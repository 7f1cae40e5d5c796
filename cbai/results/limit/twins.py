"""The problems in which another arm is best, although its pseudo-rewards are valid: twins.

In a twin arm l is best with mean x. It meets conditions on single arms only, each linear in the
distribution nu'_k of arm k:

- E'[s_{l,k}(R_k)] >= x and E'[R_k] <= x for k != l, and E'[R_l] = x;
- with pseudo-lower bounds also E'[w_{i,k}(R_k)] <= x for i != l and all k.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from cbai.problem import Problem
from cbai.results.kl_inf import Array
from cbai.results.limit.dual import divergence

MOST_EVIDENCE = 50.0
"""What a sample counts, in nats, at most: it settles the matter."""
MARGIN = 1e-6
"""By how much arm l must be able to be better than each other arm, relative to the scale."""
NO_TWIN = 1e3
"""The price of a condition that is not met: it is paid only where not all can be met."""
PAID = 1e-7


@dataclass(frozen=True, eq=False)
class Conditions:
    """The conditions on arm k in a twin in which arm l is best, for all l that are not best here.

    Attributes
    ----------
    rivals : ndarray of int, shape (L,)
        The arms l.
    targets : ndarray, shape (L, K, M, V)
        What is bounded by x on average.
    signs : ndarray, shape (L, K, M)
        1 where the mean is at least x, -1 where it is at most x, 0 where there is no condition.
    exact : ndarray of bool, shape (L, K, M)
        Where the mean is x.
    probabilities : ndarray, shape (K, V)
    """

    rivals: NDArray[np.intp]
    targets: Array
    signs: Array
    exact: NDArray[np.bool_]
    probabilities: Array

    def evidence(self, of: NDArray[np.intp], x: Array) -> tuple[Array, Array]:
        """Return D_{l,k}(x) and its slope in x, for N pairs of a rival's index and a mean x.

        Both have shape (N, K). D is convex in x, and its slope is that of the bets times their
        stakes, by the envelope theorem.
        """
        n, (k, m, v) = len(of), self.targets.shape[1:]
        signs, exact = self.signs[of].reshape(n * k, m), self.exact[of].reshape(n * k, m)
        place = np.repeat(x, k)[:, None, None]
        bets = signs[:, :, None] * (place - self.targets[of].reshape(n * k, m, v))
        bets[signs == 0.0] = -0.5  # a bet that cannot win is not made
        value, stakes = divergence(bets, np.tile(self.probabilities, (n, 1)), exact)
        slope = (stakes * signs).sum(axis=1)
        return np.minimum(value, MOST_EVIDENCE).reshape(n, k), slope.reshape(n, k)

    def between(self, scale: float) -> Array:
        """Return for each rival the means x of its twins: low and high, shape (L, 2).

        If there is no twin, low is above high. Linear programmes find the least and the largest x
        for all pairs (l, k) at once.
        """
        n_rivals, k, m, v = self.targets.shape
        pairs, strict = n_rivals * k, MARGIN * scale
        targets, signs = self.targets.reshape(pairs, m, v), self.signs.reshape(pairs, m)
        at, which = np.nonzero(signs)
        sign, exact = signs[at, which], self.exact.reshape(pairs, m)[at, which]
        rows = np.arange(len(at))
        # unknowns of each pair: the V probabilities, x, and what its conditions lack
        own = np.zeros((pairs, v + 2))
        columns = at[:, None] * (v + 2) + np.arange(v + 2)
        entries = np.concatenate(
            [-sign[:, None] * targets[at, which], sign[:, None], -np.ones((len(at), 1))], axis=1
        )
        conditions = sparse.csr_matrix(
            (entries.ravel(), (np.repeat(rows, v + 2), columns.ravel())), (len(at), own.size)
        )
        own[:, :v] = 1.0
        sums = sparse.csr_matrix(
            (own.ravel(), (np.repeat(np.arange(pairs), v + 2), np.arange(own.size)))
        )
        room = np.where((sign < 0.0) & ~exact, -strict, 0.0)
        equal = conditions[exact]
        ends = []
        for direction in (1.0, -1.0):
            price = np.zeros((pairs, v + 2))
            price[:, v], price[:, v + 1] = direction, NO_TWIN
            found = optimize.linprog(
                price.ravel(),
                A_ub=sparse.vstack([conditions, -equal]) if exact.any() else conditions,
                b_ub=np.concatenate([room, np.zeros(int(exact.sum()))]),
                A_eq=sums,
                b_eq=np.ones(pairs),
                bounds=[(0.0, None)] * own.size,
                method="highs",
            ).x.reshape(pairs, v + 2)
            lacking = found[:, v + 1] > PAID * scale
            ends.append(np.where(lacking, direction * np.inf, found[:, v]).reshape(n_rivals, k))
        low, high = ends
        return np.stack([low.max(axis=1), high.min(axis=1)], axis=1)


def conditions_of(problem: Problem, *, two_sided: bool) -> Conditions:
    """Return the conditions of all twins of a problem.

    With `two_sided`, a pseudo-lower bound that is nowhere above another one is left out.
    """
    n, values = problem.n_arms, problem.values
    rivals = np.delete(np.arange(n), problem.best_arm)
    below = problem.lower_bounds if two_sided else None
    lists = [[_conditions(problem, int(arm), k, below) for k in range(n)] for arm in rivals]
    most = max(len(one) for row in lists for one in row)
    targets = np.zeros((len(rivals), n, most, values.size))
    signs, exact = np.zeros((len(rivals), n, most)), np.zeros((len(rivals), n, most), dtype=bool)
    for at, row in enumerate(lists):
        for k, conditions in enumerate(row):
            for j, (target, sign) in enumerate(conditions):
                targets[at, k, j], signs[at, k, j] = target, sign
            exact[at, k, 0] = k == rivals[at]
    return Conditions(rivals, targets, signs, exact, problem.probabilities)


def _conditions(
    problem: Problem, arm: int, k: int, below: Array | None
) -> list[tuple[Array, float]]:
    """Return what the mean is bounded by and the sign, for one arm l and one arm k."""
    upper = problem.pseudo_rewards[arm, k]
    if below is None:
        lower = [] if k == arm else [problem.values]
    else:
        others = np.delete(below[:, k], arm, axis=0)
        lower = [others[j] for j in _highest(others)]
    return [(upper, 1.0), *((one, -1.0) for one in lower)]


def _highest(bounds: Array) -> NDArray[np.intp]:
    """Return which rows are not at or below another row everywhere; the first of equal ones."""
    at_most = (bounds[:, None] <= bounds[None]).all(axis=2)
    index = np.arange(len(bounds))
    equal = at_most & at_most.T
    dominated = (at_most & ~equal) | (equal & (index[None] < index[:, None]))
    return np.flatnonzero(~dominated.any(axis=1))
