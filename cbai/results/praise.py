"""Whether an algorithm may be praised: in a headline, for what it saves, in a paragraph to forward.

It may not if its guarantee does not hold here, or if it was wrong too often, however few samples it
needs. This module decides it for all pages.
"""

from __future__ import annotations

from collections.abc import Sequence

from cbai.problem.validity import VALID, VIOLATED, Validity, check_validity
from cbai.results.summary import Rate, error_rates
from cbai.simulation import Algorithm, Trials
from cbai.simulation.guarantee import cover

WORTHY = ""
TOO_OFTEN_WRONG = "too often wrong"
NOT_GUARANTEED = "guarantee does not hold"
UNPROVEN = "no guarantee"


def doubt(
    row: Algorithm,
    n_arms: int,
    delta: float,
    validity: Validity,
    rate: Rate | None = None,
    named: Sequence[int] = (),
) -> str:
    """Say why an algorithm may not be praised, in a few words; empty if it may.

    Parameters
    ----------
    row : Algorithm
    n_arms : int
        K.
    delta : float
        The error allowed.
    validity : Validity
        Of the pseudo-rewards at the p and q of the runs, under the masks of all of them.
    rate : Rate or None
        How often it was wrong, if it was played.
    named : sequence of int
        The arms that a right answer names, if it names more than one: bounds on each of them must
        then hold.

    Returns
    -------
    str
        `TOO_OFTEN_WRONG` if the exact interval of its error rate lies above delta.
        `NOT_GUARANTEED` if it rules arms out by pseudo-rewards that are too low for a best arm, or
        by lower bounds that are too high. `UNPROVEN` if no theorem covers it. Else `WORTHY`.

    Notes
    -----
    For one algorithm that is wrong with probability delta, the exact interval lies above delta in
    at most 2.5 % of all sets of runs.
    """
    if rate is not None and rate.low > delta:
        return TOO_OFTEN_WRONG
    if not cover(row, n_arms, delta).covered:
        return UNPROVEN
    few = validity.verdict != VALID and bool(validity.violated_pairs[list(named)].any())
    if row.trusts_pseudo_rewards and (validity.verdict == VIOLATED or few):
        return NOT_GUARANTEED
    if row.two_sided and not validity.lower_holds:
        return NOT_GUARANTEED
    return WORTHY


def doubts(trials: Trials, validity: Validity | None = None) -> tuple[str, ...]:
    """Return the `doubt` of each algorithm played.

    Parameters
    ----------
    trials : Trials
    validity : Validity, optional
        Computed if it is not given.
    """
    found = validity_of(trials) if validity is None else validity
    problem = trials.problem
    named = problem.ranking[: trials.top].tolist() if trials.top > 1 else []
    return tuple(
        doubt(row, problem.n_arms, trials.delta, found, rate, named)
        for row, rate in zip(trials.algorithms, error_rates(trials), strict=True)
    )


def validity_of(trials: Trials) -> Validity:
    """Return whether the pseudo-rewards hold at the trials' p and q, under all of their masks."""
    last = trials.first_trial + trials.samples.shape[1]
    return check_validity(trials.problem, trials.p, trials.q, trials.seed, last)
