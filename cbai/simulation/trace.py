"""One trial recorded round by round, for the animation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cbai import checks, notebook
from cbai.problem import Problem
from cbai.simulation.families import FromState, advance, kind_of
from cbai.simulation.loops.state import ANSWER, ROUND, STATUS, Game, State, begin
from cbai.simulation.outcomes import STATUS_NAMES
from cbai.simulation.plan import MAX_SAMPLES, Plan, game_of, known_in, plan_for
from cbai.simulation.record import Notes, new_notes, play_round, play_rounds
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.shown import by_sequence, lowest_source

MOST_ARMS = 2000
"""A trace keeps what each arm says of each other."""
MOST_PAIRS = 100_000
"""How many bounds of pairs of arms are computed at a time, to take little memory."""


Bounds = tuple[NDArray[np.float64], ...]
"""LCB, own UCB and CrossUCB, each of shape (R, K)."""


class Elimination(NamedTuple):
    """An arm that was ruled out: in which round, and by whose samples.

    `by` is the arm whose rewards gave the lowest upper bound, or the arm itself if only own bounds
    count.

    Examples
    --------
    >>> import cbai
    >>> recorded = cbai.trace(cbai.load_problem("ad-campaign"), "c_lucb", delta=0.1)
    >>> recorded.eliminations[0]
    Elimination(round=928, arm=4, by=1)
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
        Empirical mean, LCB, own UCB, CrossUCB and PseudoUCB of each arm. Before its first pull, an
        arm's mean is the largest that the pseudo-rewards allow. The first three bounds are
        at the shares of delta that the algorithm decides with: those of its elimination rule if it
        has one, else of its stopping rule, else of its sampling rule. An algorithm without a
        confidence sequence has bounds of its own; see its family in `cbai.simulation.families`.
    upper : ndarray, shape (R, K)
        The upper bound by which the algorithm rules an arm out: CrossUCB or own UCB.
    active, pulled : ndarray of bool, shape (R, K)
        Which arms are active, and which were pulled in that round.
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

    Examples
    --------
    >>> import cbai
    >>> recorded = cbai.trace(cbai.load_problem("ad-campaign"), "c_lucb", delta=0.1, max_rounds=50)
    >>> recorded.upper.shape
    (48, 6)
    >>> int(recorded.samples[-1])
    2412
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

    def _repr_html_(self) -> str:
        """Show the arms as they stood in the last recorded round in a notebook."""
        named = f"named {self.problem.arms[self.best_arm]}"
        ended = named if self.status == "identified" else "ran out of samples"
        caption = f"{self.algorithm.title} {ended} after {int(self.samples[-1]):,} samples."
        ruled_out = {event.arm: event.round for event in self.eliminations}
        bounds = np.stack([self.lower[-1], self.mean[-1], self.upper[-1]], axis=1)
        rows = [
            (
                name,
                f"{int(self.pulls[-1, arm]):,}",
                f"{self.mean[-1, arm]:.4g}",
                notebook.interval(*(bounds[arm] / self.problem.reward_max).tolist()),
                f"in round {ruled_out[arm]:,}" if arm in ruled_out else "",
            )
            for arm, name in enumerate(self.problem.arms)
        ]
        head = ("arm", "samples", "mean", "confidence bounds", "ruled out")
        return notebook.table(caption, head, rows, best=self.best_arm)


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
        The most rounds that are recorded. They are denser at the start, where more happens.

    Returns
    -------
    Trace

    Raises
    ------
    ValueError
        If a parameter is outside its range, or `max_rounds` is too small for the eliminations.

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("ad-campaign")
    >>> recorded = cbai.trace(problem, "c_lucb", delta=0.1)
    >>> first = recorded.eliminations[0]
    >>> f"{problem.arms[first.arm]} in round {first.round}, by {problem.arms[first.by]}"
    'City café in round 928, by Soccer stadium'
    """
    plan = plan_for(problem, algorithm, delta, p, q, seed, max_samples, epsilon)
    checks.whole("number of arms of a trace", problem.n_arms, 2, MOST_ARMS)
    trial = checks.whole("trial", trial, 0, 2**32 - 1)
    game = game_of(plan, trial)
    state = begin(game)
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
    """Play the trial once more, and compute what is shown of the recorded rounds."""
    state = begin(game)
    notes = new_notes(len(rounds), used.n_arms, used.n_values)
    from_state = kind_of(plan.algorithm).from_state
    if from_state is None:
        play_rounds(game, state, rounds, notes)
        mean, phi = _averages(used, notes)
        bounds = _bounds(plan, used, phi, notes.pulls)
        eliminations = [
            Elimination(number, arm, lowest_source(plan, arm, phi[at, arm], notes.pulls[at]))
            for at, number, arm in _ruled_out(state, rounds)
        ]
    else:
        bounds, eliminations = _step_by_step(from_state, plan.algorithm, game, state, rounds, notes)
        mean, phi = _averages(used, notes)
    pulls = np.maximum(notes.pulls, 1)
    exploration = used.reward_max * np.sqrt(2.0 * np.log(rounds + 1.0)[:, None] / pulls)
    columns = {
        "samples": notes.samples,
        "pulls": notes.pulls,
        "counts": notes.counts,
        "mean": mean,
        **dict(zip(("lower", "own_upper", "cross_upper"), bounds, strict=True)),
        "pseudo_upper": (phi + exploration[:, None, :]).min(axis=2),
        "active": (state.eliminated_at == 0) | (state.eliminated_at > rounds[:, None]),
        "pulled": notes.pulls > notes.before,
    }
    return columns, tuple(eliminations)


def _ruled_out(state: State, rounds: NDArray[np.int64]) -> Iterator[tuple[int, int, int]]:
    """Yield every arm that was eliminated: the record's index, the round, and the arm."""
    for at, number in enumerate(rounds.tolist()):
        for arm in np.flatnonzero(state.eliminated_at == number).tolist():
            yield at, number, arm


def _step_by_step(
    show: FromState,
    row: Algorithm,
    game: Game,
    state: State,
    rounds: NDArray[np.int64],
    notes: Notes,
) -> tuple[Bounds, list[Elimination]]:
    """Play an algorithm whose bounds, and who ruled out whom, depend on the state of the moment."""
    shown, eliminations = [], []
    trusts = row.trusts_pseudo_rewards
    for at, number in enumerate(rounds.tolist()):
        play_round(game, state, number, notes, at)
        shown.append(show.bounds(row, game, state))
        for _, _, arm in _ruled_out(state, rounds[at : at + 1]):
            by = show.ruled_out_by(row, game, state, arm) if trusts else arm
            eliminations.append(Elimination(number, arm, by))
    return tuple(np.array(part) for part in zip(*shown, strict=True)), eliminations


def _averages(used: Problem, notes: Notes) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the means, shape (R, K), and the empirical pseudo-rewards, shape (R, K, K).

    Where an arm has not been pulled, both are the most that the pseudo-rewards allow.
    """
    arms = np.arange(used.n_arms)
    most = used.pseudo_rewards.max(axis=2)
    seen, pulls = notes.pulls > 0, np.maximum(notes.pulls, 1)
    sums = np.einsum("lkv,rkv->rlk", used.pseudo_rewards, notes.counts)
    phi = np.where(seen[:, None, :], sums / pulls[:, None, :], most)
    mean = np.where(seen, notes.sums / pulls, most.min(axis=1))
    phi[:, arms, arms] = mean
    return mean, phi


def _bounds(
    plan: Plan, used: Problem, phi: NDArray[np.float64], pulls: NDArray[np.int64]
) -> Bounds:
    """Compute the bounds of the recorded rounds, many at once: that is far quicker."""
    step = max(1, MOST_PAIRS // used.n_arms**2)
    parts = [
        by_sequence(plan, used, phi[i : i + step], pulls[i : i + step])
        for i in range(0, len(phi), step)
    ]
    return tuple(map(np.concatenate, zip(*parts, strict=True)))
