"""Competitive arms: which need real work, in truth and as estimated during a trial.

Section V-A of Gupta, Joshi and Yağan 2021: let k* be the best and k(2) the second-best arm. The
pseudo-gap of l is mu_{k(2)} - phi_{l,k*}. An arm with a positive pseudo-gap is non-competitive: the
samples of the best arm alone show that it is not the best.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cbai import checks
from cbai.problem import Problem
from cbai.problem.validity import expected_pseudo_rewards
from cbai.simulation import Trace


@dataclass(frozen=True, eq=False)
class Competitive:
    """Gaps, pseudo-gaps and the competitive set.

    Attributes
    ----------
    best, second : ndarray of intp, shape (...)
        The best and second-best arm.
    gap : ndarray, shape (..., K)
        mu_{k*} - mu_l.
    pseudo_gap : ndarray, shape (..., K)
        mu_{k(2)} - phi_{l,k*}.
    competitive : ndarray of bool, shape (..., K)
        Pseudo-gap at most 0; the best and the second-best arm by definition.
    contradicted : ndarray of bool, shape (...)
        Whether the formula calls the best or the second-best arm non-competitive: then the
        pseudo-rewards violate the assumption.

    Examples
    --------
    >>> import cbai
    >>> from cbai.results import true_competitive
    >>> truth = true_competitive(cbai.load_problem("ad-campaign"))
    >>> int(truth.competitive.sum()), bool(truth.contradicted)
    (2, False)
    """

    best: NDArray[np.intp]
    second: NDArray[np.intp]
    gap: NDArray[np.float64]
    pseudo_gap: NDArray[np.float64]
    competitive: NDArray[np.bool_]
    contradicted: NDArray[np.bool_]


def true_competitive(problem: Problem) -> Competitive:
    """Return the true gaps and competitive set of a problem; shapes (K,).

    Examples
    --------
    >>> import cbai
    >>> from cbai.results import true_competitive
    >>> problem = cbai.load_problem("ad-campaign")
    >>> [problem.arms[arm] for arm in true_competitive(problem).competitive.nonzero()[0]]
    ['Soccer stadium', 'Price offer']
    """
    phi = expected_pseudo_rewards(problem)
    return _competitive(problem.means[None], phi[None], index=0)


def estimated_competitive(trace: Trace) -> Competitive:
    """Return the estimates in each recorded round of a trial; shapes (R,) and (R, K).

    The formulas are the same, with the empirical means and pseudo-rewards. The empirical best and
    second-best arms must have at least an average number of pulls, or be the two most pulled: the
    mean of an arm that was pulled once and then ruled out says nothing.

    Examples
    --------
    >>> import cbai
    >>> from cbai.results import estimated_competitive
    >>> recorded = cbai.trace(cbai.load_problem("ad-campaign"), "c_lucb", delta=0.1)
    >>> estimated_competitive(recorded).competitive[-1].tolist()
    [True, True, True, False, False, True]
    """
    weights = trace.counts / np.maximum(trace.pulls, 1)[:, :, None]
    phi = np.einsum("rkv,lkv->rlk", weights, trace.problem.pseudo_rewards)
    enough = trace.pulls >= trace.pulls.mean(axis=1, keepdims=True)
    enough |= trace.pulls >= np.sort(trace.pulls, axis=1)[:, -2:-1]
    return _competitive(trace.mean, phi, ranked=np.where(enough, trace.mean, -np.inf))


def _competitive(
    means: NDArray[np.float64],
    phi: NDArray[np.float64],
    ranked: NDArray[np.float64] | None = None,
    index: int | slice = slice(None),
) -> Competitive:
    order = np.argsort(-(means if ranked is None else ranked), axis=1, kind="stable")
    best, second = order[:, 0], order[:, 1]
    rows = np.arange(len(means))
    second_mean = means[rows, second]
    pseudo_gap = second_mean[:, None] - phi[rows, :, best]
    by_formula = pseudo_gap <= checks.TOLERANCE
    contradicted = ~by_formula[rows, second] | ~by_formula[rows, best]
    competitive = by_formula.copy()
    competitive[rows, best] = competitive[rows, second] = True
    gap = means[rows, best][:, None] - means
    return Competitive(
        best[index],
        second[index],
        gap[index],
        pseudo_gap[index],
        competitive[index],
        contradicted[index],
    )
