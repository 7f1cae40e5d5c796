"""One trial recorded round by round, for the animation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cbai import checks
from cbai.problem import Problem
from cbai.simulation.algorithms import Algorithm
from cbai.simulation.kernel import advance
from cbai.simulation.outcomes import STATUS_NAMES
from cbai.simulation.plan import MAX_SAMPLES, Plan, game_of, known_in, plan_for
from cbai.simulation.shown import bounds_of, by_sequence, has_sequence, ruled_out_by
from cbai.simulation.state import ANSWER, ROUND, SAMPLES, STATUS, Game, State, new_state

MOST_PAIRS = 100_000
"""Bounds of pairs of arms that are worked out at a time, so that they take little memory."""


class Elimination(NamedTuple):
    """An arm that was ruled out: in which round, and by whose samples.

    That is the arm k attaining the minimum of its CrossUCB, or the arm itself where only own bounds
    count.
    """

    round: int
    arm: int
    by: int


@dataclass(frozen=True, eq=False)
class Trace:
    """One trial, recorded after at most `max_rounds` of its rounds.

    Attributes
    ----------
    rounds, samples : ndarray of int64, shape (R,)
        The recorded rounds, the last one and every elimination among them, and the samples so far.
    pulls : ndarray of int64, shape (R, K)
    counts : ndarray of int64, shape (R, K, V)
        Pulls per arm, and per arm and value.
    mean, lower, own_upper, cross_upper, pseudo_upper : ndarray, shape (R, K)
        Empirical mean, LCB, own UCB, CrossUCB and PseudoUCB of each arm. The first three bounds are
        at the shares of delta that the algorithm decides with: those of its elimination rule if it
        has one, else of its stopping rule, else of its sampling rule. An algorithm without a
        confidence sequence has bounds of its own; see `cbai.simulation.shown`.
    upper : ndarray, shape (R, K)
        The upper bound that the algorithm really uses to rule an arm out: CrossUCB or own UCB.
    active, pulled : ndarray of bool, shape (R, K)
        Which arms are still in the running, and which were pulled in that very round.
    eliminations : tuple of Elimination
        In the order in which they happened.
    status, best_arm
        As in `Trial`.
    problem : Problem
        With the pseudo-rewards that this trial used: after the buffer and the mask.
    algorithm : Algorithm
    delta, p, q : float
    seed, trial, max_samples : int
    epsilon : float
        How it was made.
    """

    rounds: NDArray[np.int64]
    samples: NDArray[np.int64]
    pulls: NDArray[np.int64]
    counts: NDArray[np.int64]
    mean: NDArray[np.float64]
    lower: NDArray[np.float64]
    own_upper: NDArray[np.float64]
    cross_upper: NDArray[np.float64]
    pseudo_upper: NDArray[np.float64]
    active: NDArray[np.bool_]
    pulled: NDArray[np.bool_]
    eliminations: tuple[Elimination, ...]
    status: str
    best_arm: int
    problem: Problem = field(repr=False)
    algorithm: Algorithm = field(repr=False)
    delta: float
    p: float
    q: float
    seed: int
    trial: int
    max_samples: int
    epsilon: float = 0.0

    @property
    def upper(self) -> NDArray[np.float64]:
        """The upper bounds that the algorithm really uses, shape (R, K)."""
        cross = self.algorithm.trusts_pseudo_rewards
        return self.cross_upper if cross else self.own_upper


def trace(
    problem: Problem,
    algorithm: str | Algorithm,
    delta: float,
    seed: int = 0,
    trial: int = 0,
    p: float = 0.0,
    q: float = 0.0,
    max_rounds: int = 300,
    max_samples: int = MAX_SAMPLES,
    epsilon: float = 0.0,
) -> Trace:
    """Play one trial of `simulate` again and record it.

    Parameters
    ----------
    problem, algorithm, delta, seed, p, q, max_samples, epsilon
        As in `simulate`.
    trial : int
        Which trial of that seed.
    max_rounds : int
        How many rounds to record at most; denser at the start, where more happens.

    Returns
    -------
    Trace

    Raises
    ------
    ValueError
        If a parameter is outside its range, or `max_rounds` is too small for the eliminations.
    """
    plan = plan_for(problem, algorithm, delta, p, q, seed, max_samples, epsilon)
    trial = checks.whole("trial", trial, 0, 2**32 - 1)
    game = game_of(plan, trial)
    state = new_state(problem.n_arms, problem.n_values)
    advance(game, state)
    used = known_in(plan, trial)
    rounds = _schedule(int(state.clock[ROUND]), state.eliminated_at, max_rounds)
    columns, eliminations = _record(plan, game, used, rounds)
    return Trace(
        rounds=rounds,
        **columns,
        eliminations=eliminations,
        status=STATUS_NAMES[state.clock[STATUS]],
        best_arm=int(state.clock[ANSWER]),
        problem=used,
        algorithm=plan.algorithm,
        delta=plan.delta,
        p=plan.p,
        q=float(q),
        seed=plan.seed,
        trial=trial,
        max_samples=plan.max_samples,
        epsilon=plan.epsilon,
    )


def _schedule(last: int, eliminated_at: NDArray[np.int64], limit: int) -> NDArray[np.int64]:
    """Choose at most `limit` rounds: first, last, every elimination, and more of the early ones."""
    needed = np.unique(np.append(eliminated_at[eliminated_at > 0], [1, last]))
    checks.whole("max_rounds", limit, len(needed))
    n_more = limit - len(needed)
    evenly = np.linspace(1.0, np.sqrt(last), max(n_more, 2)) ** 2
    candidates = np.setdiff1d(np.rint(evenly).astype(np.int64), needed)
    return np.union1d(needed, candidates[:n_more])


def _record(
    plan: Plan, game: Game, used: Problem, rounds: NDArray[np.int64]
) -> tuple[dict[str, NDArray[Any]], tuple[Elimination, ...]]:
    state = new_state(used.n_arms, used.n_values)
    snapshots: list[dict[str, NDArray[Any]]] = []
    eliminations: list[Elimination] = []
    for number in rounds:
        advance(game, state, int(number) - 1)
        before = state.pulls.copy()
        advance(game, state, int(number))
        snapshot = _snapshot(plan, game, used, state)
        snapshot["pulled"] = state.pulls > before
        snapshots.append(snapshot)
        for arm in np.flatnonzero(state.eliminated_at == number):
            by = ruled_out_by(plan, game, state, int(arm))
            eliminations.append(Elimination(int(number), int(arm), by))
    phi = [snapshot.pop("phi") for snapshot in snapshots]
    columns = {name: np.array([s[name] for s in snapshots]) for name in snapshots[0]}
    if has_sequence(plan.algorithm):
        columns |= _bounds(plan, used, phi, columns["pulls"])
    return columns, tuple(eliminations)


def _bounds(
    plan: Plan, used: Problem, phi: list[NDArray[np.float64]], pulls: NDArray[np.int64]
) -> dict[str, NDArray[np.float64]]:
    """Work out the bounds of the recorded rounds, of many at once: that is far quicker."""
    step = max(1, MOST_PAIRS // used.n_arms**2)
    parts = [
        by_sequence(plan, used, np.array(phi[i : i + step]), pulls[i : i + step])
        for i in range(0, len(phi), step)
    ]
    names = ("lower", "own_upper", "cross_upper")
    return dict(zip(names, map(np.concatenate, zip(*parts, strict=True)), strict=True))


def _snapshot(plan: Plan, game: Game, used: Problem, state: State) -> dict[str, NDArray[Any]]:
    """Work out what is shown of every arm from the rewards so far, but no sequence's bounds yet."""
    mean = state.sums / state.pulls
    phi = np.einsum("lkv,kv->lk", used.pseudo_rewards, state.counts) / state.pulls
    np.fill_diagonal(phi, mean)
    exploration = used.reward_max * np.sqrt(2.0 * np.log(state.clock[ROUND] + 1.0) / state.pulls)
    snapshot = {
        "samples": np.array(state.clock[SAMPLES]),
        "pulls": state.pulls.copy(),
        "counts": state.counts.copy(),
        "mean": mean,
        "phi": phi,
        "pseudo_upper": (phi + exploration).min(axis=1),
        "active": state.eliminated_at == 0,
    }
    if not has_sequence(plan.algorithm):
        names = ("lower", "own_upper", "cross_upper")
        snapshot |= zip(names, bounds_of(plan, game, state), strict=True)
    return snapshot
