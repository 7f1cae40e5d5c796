"""One trial of best-arm identification in plain Python: the slow twin of the compiled kernel.

It is written from the definitions of Gupta, Joshi and Yağan, *Best-Arm Identification in
Correlated Multi-Armed Bandits* (IEEE JSAIT 2021), with lists and the math module only, so that
it can be checked by reading. Nothing here is shared with the library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import log, sqrt

from tests.reference import bounds

ELIMINATION = {
    "racing": ("own", lambda delta, n_arms: delta / n_arms),
    "lucb": ("own", lambda delta, n_arms: delta / n_arms),
    "c_lucb": ("cross", lambda delta, n_arms: delta / (2 * n_arms)),
    "c_lucb_pp": ("cross", lambda delta, n_arms: delta / (3 * n_arms)),
    "maxmin_lucb": ("cross", lambda delta, n_arms: delta / (2 * n_arms)),
    "two_lucb": ("cross", lambda delta, n_arms: delta / (2 * n_arms)),
}
"""The bound that eliminates and its share of delta; `lil_ucb` and `lucb_pp` eliminate nothing."""

ALGORITHMS = ("racing", "lil_ucb", "lucb", "lucb_pp", "c_lucb", "c_lucb_pp", "maxmin_lucb",
              "two_lucb")  # fmt: skip


@dataclass
class Round:
    """What one round did and what was known after it; lists are indexed by arm."""

    pulled: list[int]
    pulls: list[int]
    mean: list[float]
    lcb: list[float]
    own_ucb: list[float]
    cross_ucb: list[float]
    pseudo_ucb: list[float]
    eliminated: list[tuple[int, int]]
    """(arm removed, arm whose rewards removed it)."""
    active: list[bool]
    """After the round's eliminations."""


@dataclass
class Result:
    """How a trial ended."""

    status: str
    best_arm: int
    samples: int
    rounds: int
    pulls: list[int]
    eliminated_at: list[int]
    """The round each arm was eliminated in, 0 = never."""
    record: list[Round] = field(default_factory=list)


def play(
    values: Sequence[float],
    pseudo_rewards: Sequence[Sequence[Sequence[float]]],
    reward_max: float,
    rewards: Sequence[Sequence[int]] | Callable[[int, int], int],
    algorithm: str,
    delta: float,
    max_samples: int,
    record: bool = False,
    confidence: str = "",
    epsilon: float = 0.0,
    state: State | None = None,
) -> Result:
    """Play one trial to its end.

    Parameters
    ----------
    values : sequence of float, length V
        The reward values.
    pseudo_rewards : nested sequence, K x K x V
        s_{l,k}(values[v]) indexed (arm bounded, arm pulled, value).
    reward_max : float
        The largest possible reward b.
    rewards : nested sequence, K x N, or callable (arm, pull) -> int
        The value index of each arm's pull number 0, 1, ...
    algorithm : str
        One of `ALGORITHMS`.
    delta : float
        The error probability.
    max_samples : int
        No round starts that would take the number of samples above this.
    record : bool
        Whether to keep a `Round` for each round.
    confidence : str
        One of `tests.reference.bounds.NAMES`; by default the algorithm's own.
    epsilon : float
        How far below the best mean the answer's may be.
    state : State, optional
        With bounds of another kind.
    """
    draw = rewards if callable(rewards) else lambda arm, pull: rewards[arm][pull]
    own = "lil" if algorithm == "lil_ucb" else "howard"
    state = state or State(len(pseudo_rewards), reward_max, confidence or own)
    kind, share = ELIMINATION.get(algorithm, ("none", lambda delta, n_arms: delta / n_arms))
    share_of_delta = share(delta, state.n_arms)
    named = list(range(state.n_arms))
    rounds: list[Round] = []
    while True:
        for arm in named:
            state.pull(arm, draw(arm, state.pulls[arm]), pseudo_rewards, values)
        state.rounds += 1
        removed = state.eliminate(kind, share_of_delta)
        if record:
            rounds.append(state.snapshot(named, removed, share_of_delta))
        if len(state.active) == 1:
            return state.result("identified", state.active[0], rounds)
        if epsilon > 0 and kind != "none":
            near = state.near_best(kind, share_of_delta, epsilon)
            if near is not None:
                return state.result("identified", near, rounds)
        named = name_arms(algorithm, state, delta)
        answer = own_stopping_rule(algorithm, state, delta, named, epsilon)
        if answer is not None:
            return state.result("identified", answer, rounds)
        if state.samples + len(named) > max_samples:
            return state.result("budget", state.largest(state.mean), rounds)


class State:
    """The statistics of section III: pulls, means and empirical pseudo-rewards."""

    running = False
    """Whether all sums are running sums. It makes a difference in the last digit only."""

    def __init__(self, n_arms: int, reward_max: float, confidence: str) -> None:
        self.n_arms = n_arms
        self.confidence = confidence
        self.b = reward_max
        self.rounds = 0
        self.active = list(range(n_arms))
        self.pulls = [0] * n_arms
        self.eliminated_at = [0] * n_arms
        self.sums = [[0.0] * n_arms for _ in range(n_arms)]
        self.phi = [[0.0] * n_arms for _ in range(n_arms)]
        self.counts: list[dict[int, int]] = [{} for _ in range(n_arms)]

    @property
    def samples(self) -> int:
        return sum(self.pulls)

    def pull(self, arm, index, pseudo_rewards, values):
        """Note a reward. The mean is a running sum; others' pseudo-rewards are summed by value."""
        self.pulls[arm] += 1
        self.counts[arm].setdefault(index, 0)
        self.counts[arm][index] += 1
        for other in range(self.n_arms):
            known = values[index] if other == arm else pseudo_rewards[other][arm][index]
            self.sums[other][arm] += known
            total = self.sums[other][arm]
            if other != arm and not self.running:
                by_value = sorted(self.counts[arm].items())
                total = sum(n * pseudo_rewards[other][arm][value] for value, n in by_value)
            self.phi[other][arm] = total / self.pulls[arm]

    def mean(self, arm: int) -> float:
        return self.phi[arm][arm]

    def lcb(self, arm: int, d: float) -> float:
        return bounds.lower(self.confidence, self.mean(arm), self.pulls[arm], d, self.b)

    def own_ucb(self, arm: int, d: float) -> float:
        return self.cross_ucb_by(arm, arm, d)

    def cross_ucb_by(self, arm: int, k: int, d: float) -> float:
        return bounds.upper(self.confidence, self.phi[arm][k], self.pulls[k], d, self.b)

    def cross_ucbs(self, arm: int, d: float) -> list[float]:
        return [self.cross_ucb_by(arm, k, d) for k in range(self.n_arms)]

    def cross_ucb(self, arm: int, d: float) -> float:
        return min(self.cross_ucbs(arm, d))

    def pseudo_ucb(self, arm: int) -> float:
        exploration = self.b * sqrt(2 * log(self.rounds + 1))  # rounded as in the library
        return min(
            self.phi[arm][k] + exploration * (1.0 / sqrt(self.pulls[k])) for k in range(self.n_arms)
        )

    def smallest_pseudo_reward(self, arm: int) -> float:
        return min(self.phi[arm])

    def largest(self, score: Callable[[int], float], without: Iterable[int] = ()) -> int:
        """Return the active arm with the largest score, the lowest index among ties."""
        return max((arm for arm in self.active if arm not in without), key=score)

    def eliminate(self, kind: str, d: float) -> list[tuple[int, int]]:
        """Remove what lies below the leader, and return (arm removed, arm that removed it)."""
        if kind == "none":
            return []
        leader = self.largest(lambda arm: self.lcb(arm, d))
        bar = self.lcb(leader, d)
        removed = []
        for arm in self.active:
            if kind == "own":
                bound, by = self.own_ucb(arm, d), arm
            else:
                bounds = self.cross_ucbs(arm, d)
                bound = min(bounds)
                by = bounds.index(bound)
            if arm != leader and bound < bar:
                removed.append((arm, by))
        for arm, _ in removed:
            self.active.remove(arm)
            self.eliminated_at[arm] = self.rounds
        return removed

    def near_best(self, kind: str, d: float, epsilon: float) -> int | None:
        """Return the arm that no other can beat by more than epsilon, by these bounds."""
        leader = self.largest(lambda arm: self.lcb(arm, d))
        bar = self.lcb(leader, d) + epsilon
        upper = self.own_ucb if kind == "own" else self.cross_ucb
        rivals = [arm for arm in self.active if arm != leader]
        return leader if all(upper(arm, d) <= bar for arm in rivals) else None

    def snapshot(self, pulled: list[int], removed: list[tuple[int, int]], d: float) -> Round:
        arms = range(self.n_arms)
        return Round(
            pulled=list(pulled),
            pulls=list(self.pulls),
            mean=[self.mean(arm) for arm in arms],
            lcb=[self.lcb(arm, d) for arm in arms],
            own_ucb=[self.own_ucb(arm, d) for arm in arms],
            cross_ucb=[self.cross_ucb(arm, d) for arm in arms],
            pseudo_ucb=[self.pseudo_ucb(arm) for arm in arms],
            eliminated=removed,
            active=[arm in self.active for arm in arms],
        )

    def result(self, status: str, best_arm: int, rounds: list[Round]) -> Result:
        return Result(
            status, best_arm, self.samples, self.rounds, self.pulls, self.eliminated_at, rounds
        )


def name_arms(algorithm: str, state: State, delta: float) -> list[int]:
    """Return the arms of the next round: m1 and m2, or all active ones, or one."""
    n_arms = state.n_arms
    if algorithm == "racing":
        return list(state.active)
    if algorithm == "lil_ucb":
        return [state.largest(lambda arm: state.own_ucb(arm, delta))]

    def first(arm: int) -> float:
        if algorithm in ("lucb", "lucb_pp"):
            return state.mean(arm)
        if algorithm == "maxmin_lucb":
            return state.smallest_pseudo_reward(arm)
        return state.pseudo_ucb(arm)

    def second(arm: int) -> float:
        if algorithm == "lucb":
            return state.own_ucb(arm, delta / n_arms)
        if algorithm == "lucb_pp":
            return state.own_ucb(arm, delta / 2)
        if algorithm == "c_lucb":
            return min(state.own_ucb(arm, delta / (2 * n_arms)), state.pseudo_ucb(arm))
        if algorithm == "c_lucb_pp":
            return min(state.own_ucb(arm, delta / 2), state.pseudo_ucb(arm))
        return state.cross_ucb(arm, delta / (2 * n_arms))

    m1 = state.largest(first)
    m2 = state.largest(second, without=[m1])
    return [m1, m2]


def own_stopping_rule(
    algorithm: str, state: State, delta: float, named: list[int], epsilon: float
) -> int | None:
    """Return the answer if the algorithm's own rule stops here, else None."""
    if algorithm == "lil_ucb":
        top = state.largest(lambda arm: state.pulls[arm])
        others = state.samples - state.pulls[top]
        return top if state.pulls[top] >= 9 * others else None
    if algorithm == "lucb_pp":
        m1, m2 = named
        low = state.lcb(m1, delta / (2 * state.n_arms))
        return m1 if low + epsilon > state.own_ucb(m2, delta / 2) else None
    if algorithm == "c_lucb_pp":
        m1 = named[0]
        low = state.lcb(m1, delta / (4 * state.n_arms))
        highest = max(state.own_ucb(arm, delta / 4) for arm in state.active if arm != m1)
        return m1 if low + epsilon > highest else None
    return None
