"""What a trial needs (`Game`, fixed) and what it changes (`State`), as plain arrays."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

ROUND, SAMPLES, STATUS, ANSWER, N_ACTIVE, N_NEXT, DUE = range(7)
LOOK, SUSPECT, HOLDER, PHASE, STAGE, LEFT, KNOWN = range(7, 14)
"""The places in `State.clock`."""

RUNNING, IDENTIFIED, BUDGET, EXHAUSTED = range(4)
"""The values of ``clock[STATUS]``; exhausted means that a replay ran out of rewards."""

SAMPLING, ELIMINATION, LEADER, CHALLENGER = range(4)
"""The shares of delta: the places in `Game.level_terms`."""

FAMILY, TOP, GUARDED = 5, 6, 7
"""The places in `Game.rules`: which loop plays, how many best arms are asked for, the guard."""

COUNTERS = 16
"""How many counters of the generator are drawn at a time. Each gives four words."""

BLOCK = 4 * COUNTERS
"""How many rewards of an arm are drawn at a time."""

STANDING, OWN_UCB, LOWER, LEADER_LOWER, RIVAL_UPPER, CROSS_UCB = range(6)
"""The rows of `State.indices`."""


ROOT = 4
"""The place of 1 / sqrt(pulls) in `Game.widths`; the others are those of `Game.level_terms`."""

Widths = tuple[
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
]


MANY = 64
"""With at least so many arms, those that are looked at alone are kept in a tree; see
`cbai.simulation.loops.many`."""


class Game(NamedTuple):
    """The part of a trial that does not change.

    Attributes
    ----------
    rules : ndarray of int64, shape (8,)
        Leader, challenger, elimination and stopping rule; whether pseudo-rewards are used; which
        loop plays; how many best arms are asked for; whether it is guarded.
    level_terms : ndarray, shape (4,)
        The part of each exploration that depends on its share of delta; without a confidence
        sequence, the logarithm of 1 / d.
    shape : ndarray
        The constants of the confidence sequence, shape (7,), or shape (9,) if it adapts. Families
        without one have constants of their own, see `cbai.simulation.families`.
    widths : tuple of 5 ndarrays
        The `width` of `cbai.simulation.bounds.mean_bounds` after 0, 1, ... pulls at each share of
        delta, then 1 / sqrt(pulls). Those that no rule of the algorithm uses are empty.
    growths : ndarray
        The part that depends on the number of pulls, see `growth_table` in
        `cbai.simulation.bounds.mean_bounds`.
    values : ndarray, shape (V,)
    pseudo_rewards : ndarray, shape (K, V, K)
        Indexed (arm pulled, value, arm bounded), so a pull reads one contiguous row. Empty if the
        algorithm looks at each arm alone.
    pseudo_lower : ndarray, shape (K, V, K)
        The lower bounds in the same order; empty if the algorithm does not use them.
    reward_max : float
    epsilon : float
        How far below the best mean an answer's may be.
    thresholds : ndarray of uint64, shape (K, V - 1)
        See `cbai.philox.thresholds`.
    rewards : ndarray of int64, shape (K, N)
        The value indices of a replay; N = 0 when rewards are drawn.
    seed, trial, max_samples : int
    """

    rules: NDArray[np.int64]
    level_terms: NDArray[np.float64]
    shape: NDArray[np.float64]
    widths: Widths
    growths: NDArray[np.float64]
    values: NDArray[np.float64]
    pseudo_rewards: NDArray[np.float64]
    pseudo_lower: NDArray[np.float64]
    reward_max: float
    epsilon: float
    thresholds: NDArray[np.uint64]
    rewards: NDArray[np.int64]
    seed: int
    trial: int
    max_samples: int


CONTEST, ROWS, PARTS = 6, 8, 8
"""How many arms may be in the contest, how many are followed, and how much is kept of the rest."""


class Followed(NamedTuple):
    """The arms that settle most rounds of an algorithm composed of rules.

    See `cbai.simulation.loops.follow` and `cbai.simulation.loops.follow_pairs`. Nothing here needs
    to last from one call of the loop to the next.

    Attributes
    ----------
    arms : ndarray of int64, shape (ROWS,)
        First those in the contest.
    column : ndarray of int64, shape (K,)
        The place of each arm in the contest, -1 for all others.
    rest : ndarray, shape (PARTS,)
        What the arms that are not followed can reach.
    values, sums, averages : ndarray, shapes (CONTEST, V, ROWS) and twice (CONTEST, ROWS)
        Of each followed arm by the rewards of each arm in the contest: the pseudo-rewards, and
        their sums and averages.
    rough : ndarray, shape (ROWS,)
        A number that is at most the CrossUCB of a followed arm.
    fixed : ndarray, shape (3, CONTEST)
        The lowest bounds on an arm in the contest by arms that are not: as a leader in the next
        round and in the last, and as a challenger.
    lowest : ndarray, shape (2, ROWS)
        The lowest bounds by arms in the contest, as a leader and as a challenger.
    """

    arms: NDArray[np.int64]
    column: NDArray[np.int64]
    rest: NDArray[np.float64]
    values: NDArray[np.float64]
    sums: NDArray[np.float64]
    averages: NDArray[np.float64]
    rough: NDArray[np.float64]
    fixed: NDArray[np.float64]
    lowest: NDArray[np.float64]


def _new_followed(n_arms: int, n_values: int) -> Followed:
    return Followed(
        arms=np.zeros(ROWS, np.int64),
        column=np.full(n_arms, -1, np.int64),
        rest=np.zeros(PARTS),
        values=np.zeros((CONTEST, n_values, ROWS)),
        sums=np.zeros((CONTEST, ROWS)),
        averages=np.zeros((CONTEST, ROWS)),
        rough=np.zeros(ROWS),
        fixed=np.zeros((3, CONTEST)),
        lowest=np.zeros((2, ROWS)),
    )


class State(NamedTuple):
    """The part of a trial that changes.

    Attributes
    ----------
    clock : ndarray of int64, shape (14,)
        Rounds and samples so far, status, answer, number of active arms and of arms to pull next;
        the sample count at which expensive quantities are next recomputed, and that at which the
        likelihood ratios are next compared; the arm that was not refuted then, and the leader whose
        transport costs are kept; phase, stage within it, and rounds left of it; the number of arms
        that have led, for algorithms that test claims.
    active, next_arms : ndarray of int64, shape (K,)
        The active arms in index order, and the arms of the next round.
    eliminated_at : ndarray of int64, shape (K,)
        The round in which an arm was eliminated, 0 for never.
    pulls, counts : ndarray of int64, shapes (K,) and (K, V)
        Pulls per arm, and per arm and value.
    sums, means : ndarray, shape (K,)
    indices : ndarray, shape (6, K)
        Indices that a plain scan compares, -inf for arms that are ruled out: the mean, the own UCB
        for sampling, the LCB for elimination, the LCB and UCB for stopping, and, with bounds that
        adapt, the CrossUCB for sampling; see `STANDING` and so on. Rows that no rule of the
        algorithm uses are not filled in.
    upper : ndarray, shape (K,)
        The own UCB for elimination. Under the cross rule, a number that is at most the CrossUCB,
        which is computed only if this number is too low. It is inf for arms that are ruled out.
    sampling_width, elimination_width : ndarray, shape (K,)
        The `width` of `cbai.simulation.bounds.mean_bounds` at the shares of delta for sampling and
        for elimination.
    no_caps : ndarray, shape (K,)
        Infinities, for indices that no own UCB caps.
    root_inverse : ndarray, shape (K,)
        1 / sqrt(pulls).
    pseudo_sums, phi : ndarray, shape (K, K)
        Sums and averages of s_{l,k} over the rewards of arm k, indexed (l, k). They are kept up to
        date for active l only; the others are not used.
    variance : ndarray, shape (K, K)
        In betting, a cautious variance of s_{l,k} over the rewards of arm k; with bounds that adapt
        to the variance, the sum of (s - mean of the earlier ones)².
    source : ndarray of int64, shape (K,)
        The arm that last attained the minimum in an arm's index. It is looked at first. For
        algorithms that test claims: the arms that have led, in that order.
    drawn : ndarray of int32, shape (K, 64)
        The value indices of the current block of pulls of each arm; see
        `cbai.simulation.loops.draw`.
    words : ndarray of uint64, shape (4, 16)
        The random words from which such a block is made.
    whole, real : ndarrays of int64 and of float64, shapes (2, K) and (4, K)
        Whatever else a family keeps of each arm; its loop says what.
    led : ndarray of int64, shape (K, V)
        How often each reward of each arm was seen while the arm led. Only algorithms that test
        claims keep it.
    lowest : ndarray, shape (2, K, K)
        With bounds that adapt: the lowest upper bound so far on arm l by the rewards of arm k, at
        the shares of delta for elimination and for sampling. In algorithms composed of rules, the
        smallest and the largest pseudo-reward of each pair; in two-sided betting, the averages and
        variances of the lower bounds.
    followed : Followed
    tops : ndarray, shape (6, 2 P)
        The trees of `cbai.simulation.loops.many`, where P is the power of two that is at least K;
        empty if there are few arms, or if each arm is not looked at alone.
    """

    clock: NDArray[np.int64]
    active: NDArray[np.int64]
    next_arms: NDArray[np.int64]
    eliminated_at: NDArray[np.int64]
    pulls: NDArray[np.int64]
    counts: NDArray[np.int64]
    sums: NDArray[np.float64]
    means: NDArray[np.float64]
    indices: NDArray[np.float64]
    upper: NDArray[np.float64]
    sampling_width: NDArray[np.float64]
    elimination_width: NDArray[np.float64]
    no_caps: NDArray[np.float64]
    root_inverse: NDArray[np.float64]
    pseudo_sums: NDArray[np.float64]
    phi: NDArray[np.float64]
    variance: NDArray[np.float64]
    source: NDArray[np.int64]
    drawn: NDArray[np.int32]
    words: NDArray[np.uint64]
    whole: NDArray[np.int64]
    real: NDArray[np.float64]
    led: NDArray[np.int64]
    lowest: NDArray[np.float64]
    followed: Followed
    tops: NDArray[np.float64]


REGRET = (0.5, math.log(2.0))
"""The best fixed bet on n rewards wins at most 0.5 log(n) + log(2) nats more than the mixture."""

PULLS = (2.0, 4.0)
"""Factors of log(.) / epsilon^2: the pulls in a phase, and in a stage of Median Elimination."""


def log_wealth_needed(d: float) -> float:
    """Return log(1 / d): a fair game ever wins this much with probability at most d (Ville)."""
    return -math.log(d)


def pulled_first(pseudo_rewards: NDArray[np.float64]) -> NDArray[np.float64]:
    """Reorder (arm bounded, arm pulled, value) to (arm pulled, value, arm bounded)."""
    return np.ascontiguousarray(pseudo_rewards.transpose(1, 2, 0))


def begin(game: Game) -> State:
    """Return the state before round 1 of a game."""
    return new_state(len(game.thresholds), game.values.size, pairs=game.pseudo_rewards.size > 0)


def new_state(n_arms: int, n_values: int, *, pairs: bool = True) -> State:
    """Return the state before round 1, in which every arm is to be pulled once.

    Without `pairs` there is nothing in what is kept of each pair of arms.
    """
    n_pairs = n_arms if pairs else 0

    def integers(*shape: int) -> Any:
        return np.zeros(shape, np.int64)

    clock = integers(14)
    clock[N_ACTIVE] = clock[N_NEXT] = n_arms
    return State(
        clock=clock,
        active=np.arange(n_arms, dtype=np.int64),
        next_arms=np.arange(n_arms, dtype=np.int64),
        eliminated_at=integers(n_arms),
        pulls=integers(n_arms),
        counts=integers(n_arms, n_values),
        sums=np.zeros(n_arms),
        means=np.zeros(n_arms),
        indices=np.full((6, n_arms), -np.inf),
        upper=np.full(n_arms, np.inf),
        sampling_width=np.full(n_arms, np.inf),
        elimination_width=np.full(n_arms, np.inf),
        no_caps=np.full(n_arms, np.inf),
        root_inverse=np.full(n_arms, np.inf),
        pseudo_sums=np.zeros((n_pairs, n_pairs)),
        phi=np.full((n_pairs, n_pairs), np.inf),
        variance=np.zeros((n_pairs, n_pairs)),
        source=np.arange(n_arms, dtype=np.int64),
        drawn=np.zeros((n_arms, BLOCK), np.int32),
        words=np.zeros((4, COUNTERS), np.uint64),
        whole=integers(2, n_arms),
        real=np.zeros((4, n_arms)),
        led=integers(n_arms, n_values),
        lowest=np.full((2, n_pairs, n_pairs), np.inf),
        followed=_new_followed(n_arms, n_values),
        tops=np.empty((6, 0 if pairs or n_arms < MANY else 2 << (n_arms - 1).bit_length())),
    )
