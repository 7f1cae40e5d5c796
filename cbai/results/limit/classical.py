"""The lower bound on the samples that any algorithm without pseudo-rewards needs on average.

The lower bound of Garivier and Kaufmann, *Optimal best arm identification with fixed confidence*,
COLT 2016, for rewards with bounded support. See docs/lower-bound.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from cbai import checks
from cbai.problem import Problem
from cbai.results.kl_inf import Array, Divergence, kl_above, kl_below, root
from cbai.results.limit.bound import Limit
from cbai.simulation.plan import SMALLEST_DELTA

CLASSES = ("scale", "values")
PRECISION = 1e-11
"""Relative precision of minimisers. The costs are flat there, hence exact to floating point."""
EDGE = 1e-13
"""Smallest distance of a minimiser from the ends of the scale, relative to its length."""


def limit_of(problem: Problem, delta: float, rewards: str = "scale") -> Limit:
    """Compute the lower bound for a problem.

    Parameters
    ----------
    problem : Problem
        Its pseudo-rewards are not used.
    delta : float
        The allowed error probability, in [1e-100, 0.5].
    rewards : {"scale", "values"}
        The class of problems on which an algorithm must be delta-correct. ``"scale"``: all
        distributions on [0, b], as for the paper's algorithms. ``"values"``: only distributions on
        [values[0], values[-1]]; the bound is the same if only the problem's own values are
        allowed. The smaller class has a lower bound that is smaller or the same. Algorithms that
        bet and bounds that adapt are delta-correct only on this class; see `class_of`.

    Returns
    -------
    Limit
        T* to a relative accuracy of 1e-8 for gaps of at least 1e-6 b.

    Raises
    ------
    ValueError
        If a parameter is outside its range.

    Notes
    -----
    Garivier and Kaufmann 2016, Theorem 1, with KL_inf instead of the divergence of a one-parameter
    family: the change of measure in its proof (Kaufmann, Cappé and Garivier, JMLR 2016, Lemma 1)
    holds for any class. E[samples] >= T* kl(delta, 1 - delta) with

        1 / T* = max over w of min over l != k* of inf over x of
                 w_{k*} KL_inf(nu_{k*}, down to x) + w_l KL_inf(nu_l, up to x).

    It bounds the mean for algorithms that are delta-correct on the whole class, at any delta. It
    can be approached as delta tends to 0. How close an algorithm can come at a given delta is
    unknown.

    Examples
    --------
    >>> import cbai
    >>> from cbai.results.limit import limit_of
    >>> limit = limit_of(cbai.load_problem("movielens-1m"), delta=0.01)
    >>> round(limit.samples), round(limit.characteristic_time)
    (1873, 416)
    """
    delta = checks.real("delta", delta, SMALLEST_DELTA, 0.5)
    pair = _pair(problem, rewards)
    arms, best, n = problem.arms, problem.best_arm, problem.n_arms
    if len(problem.best_arms) > 1:
        return Limit(arms, best, delta, math.inf, np.full(n, np.nan), np.zeros(n), rewards)
    ratio = _optimal_ratios(pair)
    weights = np.insert(ratio, best, 1.0) / (1.0 + ratio.sum())
    costs = transport_costs(problem, weights, rewards)
    return Limit(arms, best, delta, 1.0 / float(costs.min()), weights, costs, rewards)


def transport_costs(problem: Problem, weights: Array, rewards: str = "scale") -> Array:
    """Return the evidence per sample against "this arm is the best", for each arm and any split.

    Parameters
    ----------
    problem : Problem
        With one best arm.
    weights : array_like, shape (K,)
        The share of the samples of each arm; positive.
    rewards : {"scale", "values"}
        As in `limit_of`.

    Returns
    -------
    ndarray, shape (K,)
        min over x of w_{k*} KL_inf(nu_{k*}, down to x) + w_l KL_inf(nu_l, up to x), in nats per
        sample; infinite for k*. For any split, T* is at most 1 / the smallest of these.

    Examples
    --------
    >>> import cbai
    >>> from cbai.results.limit import transport_costs
    >>> costs = transport_costs(cbai.load_problem("drug-trial"), [0.2, 0.2, 0.2, 0.2, 0.2])
    >>> costs.round(4).tolist()
    [0.0316, 0.025, 0.0274, inf, 0.0347]
    """
    w = checks.array("weights", weights, (problem.n_arms,))
    pair, best = _pair(problem, rewards), problem.best_arm
    own, other = w[best], np.delete(w, best)
    x = root(
        lambda x: own * pair.down(x).slope - other * pair.up(x).slope, *pair.between, PRECISION
    )
    costs = own * pair.down(x).value + other * pair.up(x).value
    return np.insert(costs, best, np.inf)


def split_factor(limit: Limit, problem: Problem, pulls: Array) -> float:
    """Return the factor on the lower bound that is due to splitting samples other than optimally.

    Parameters
    ----------
    limit : Limit
        Of this problem, at any delta.
    problem : Problem
        With one best arm.
    pulls : array_like, shape (K,)
        Mean pulls of each arm, or any positive multiple of the split; positive.

    Returns
    -------
    float
        At least 1. If an algorithm with this split needs more than this factor, the rest is due to
        the evidence it asks for, not to the arms it pulls.

    Examples
    --------
    >>> import cbai
    >>> from cbai.results.limit import limit_of, split_factor
    >>> problem = cbai.load_problem("movielens-1m")
    >>> round(split_factor(limit_of(problem, 0.01), problem, [1] * problem.n_arms), 2)
    5.04
    """
    pulls = checks.array("pulls", pulls, (problem.n_arms,))
    least = transport_costs(problem, pulls / pulls.sum(), limit.rewards).min()
    return float(limit.costs.min() / least)


@dataclass(frozen=True, eq=False)
class _Pair:
    """KL_inf of the best arm down to x, and of each of the K - 1 others up to x.

    `between` is the range of x: the means of the others, and K - 1 times the mean of the best arm.
    """

    down: Callable[[Array], Divergence]
    up: Callable[[Array], Divergence]
    between: tuple[Array, Array]


def _pair(problem: Problem, rewards: str) -> _Pair:
    scale = checks.one_of("rewards", rewards, CLASSES) == "scale"
    values, best = problem.values, problem.best_arm
    bottom, top = (0.0, problem.reward_max) if scale else (float(values[0]), float(values[-1]))
    others = np.delete(problem.probabilities, best, axis=0)
    own = np.broadcast_to(problem.probabilities[best], others.shape)
    edge = EDGE * (top - bottom)
    low = np.maximum(np.delete(problem.means, best), bottom + edge)
    high = np.full(len(low), min(problem.means[best], top - edge))
    return _Pair(
        down=lambda x: kl_below(values, own, x, bottom),
        up=lambda x: kl_above(values, others, x, top),
        between=(low, high),
    )


def _optimal_ratios(pair: _Pair) -> Array:
    """Return w_l / w_{k*} of the optimal split for the K - 1 other arms.

    Let z_l be that ratio. At the optimum, g_l(z_l) = min over x of down(x) + z_l up_l(x) is the
    same y for all l (Garivier and Kaufmann 2016, Theorem 5). For this y the sum of down / up_l at
    the minimisers x_l(y) is 1. Each term is at most 1, so x_l is at least the point where down and
    up_l are equal. This brackets x and y.
    """
    low, high = pair.between
    equal = root(lambda x: pair.down(x).value - pair.up(x).value, low, high, PRECISION)

    def common(x: Array) -> Array:
        down, up = pair.down(x), pair.up(x)
        return down.value + down.slope / up.slope * up.value

    def at(y: float) -> tuple[Array, Array]:
        x = root(lambda x: common(x) - y, equal, high, PRECISION)
        return pair.down(x).value, pair.up(x).value

    def excess(y: float) -> float:
        down, up = at(y)
        return float((down / up).sum()) - 1.0

    first = 1.0 / float((1.0 / pair.up(equal).value).sum())
    last = float(common(equal).min())
    if len(low) > 1 and excess(last) > 0.0 > excess(first):
        last = float(optimize.brentq(excess, first, last, xtol=1e-300, rtol=PRECISION))
    down, up = at(last)
    return np.asarray((last - down) / up)
