"""Runs that spend a fixed budget, in plain Python: the slow twin of the compiled loop.

Sources: Karnin, Koren and Somekh, *Almost optimal exploration in multi-armed bandits* (ICML 2013),
Algorithm 2; Lalitha, Kalantari, Ma, Deoras and Kveton, *Fixed-budget best-arm identification with
heterogeneous reward variances* (UAI 2023), Algorithm 2; after Zhao, Stephens, Szepesvári and Jun,
*Revisiting simple regret: fast rates for returning a good arm* (ICML 2023). What differs from them
is said in docs/beyond.md. Nothing here is shared with the library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, inf, log, log2, sqrt

from tests.reference import philox

ORDERS = 5
VARIANCE_LEVEL = 0.05


class Run:
    """One run: its rewards so far, and an order of the arms that decides ties."""

    def __init__(
        self,
        values: Sequence[float],
        pseudo_rewards: Sequence[Sequence[Sequence[float]]],
        draw: Callable[[int, int], int],
        n_arms: int,
        seed: int,
        trial: int,
    ) -> None:
        self.values, self.pseudo, self.draw, self.n_arms = values, pseudo_rewards, draw, n_arms
        self.rewards: list[list[int]] = [[] for _ in range(n_arms)]
        self.words = [
            philox.block((i // 4, 0, trial, ORDERS), seed)[i % 4] for i in range(4 * n_arms)
        ]
        self.used = 0
        order = self.some(n_arms)
        self.place = [order.index(arm) for arm in range(n_arms)]

    def some(self, size: int) -> list[int]:
        """Return `size` arms at random, each set and order equally likely."""
        arms = list(range(self.n_arms))
        for i in range(size):
            j = i + self.words[self.used] * (self.n_arms - i) // 2**32
            arms[i], arms[j] = arms[j], arms[i]
            self.used += 1
        return arms[:size]

    def pull(self, arm: int) -> None:
        self.rewards[arm].append(self.draw(arm, len(self.rewards[arm])))

    def total(self, arm: int) -> float:
        total = 0.0
        for value in self.rewards[arm]:
            total += self.values[value]
        return total

    def mean(self, arm: int, since: int = 0) -> float:
        """Return the mean of an arm's rewards since the first so many of them."""
        before = 0.0
        for value in self.rewards[arm][:since]:
            before += self.values[value]
        return (self.total(arm) - before) / (len(self.rewards[arm]) - since)

    def cap(self, bounded: int, pulled: int) -> float:
        """Return the average of s_{bounded, pulled} over the rewards of the arm pulled."""
        total = 0.0
        for value in range(len(self.values)):
            times = self.rewards[pulled].count(value)
            total += times * self.pseudo[bounded][pulled][value]
        return total / len(self.rewards[pulled])

    def unsure(self, arm: int) -> float:
        """Return a cautious variance of an arm's mean; infinite with too few rewards."""
        n, needed = len(self.rewards[arm]), log(1.0 / VARIANCE_LEVEL)
        if n - 1 <= 4.0 * needed:
            return inf
        squares, total = 0.0, self.total(arm)
        for value in self.rewards[arm]:
            squares += self.values[value] * self.values[value]
        variance = max(0.0, (squares - total * total / n) / (n - 1))
        return variance / (1.0 - 2.0 * sqrt(needed / (n - 1))) / n

    def least_known(self, arms: list[int]) -> int:
        return max(
            arms,
            key=lambda arm: (self.unsure(arm), -len(self.rewards[arm]), -self.place[arm]),
        )

    def halve(self, arms: list[int], budget: int, rule: str) -> int:
        rounds = ceil(log2(len(arms)))
        while len(arms) > 1:
            before = [len(one) if rule == "fresh" else 0 for one in self.rewards]
            if rule == "by_variance":
                for _ in range(budget // rounds):
                    self.pull(self.least_known(arms))
            else:
                for arm in arms:
                    for _ in range(budget // (rounds * len(arms))):
                        self.pull(arm)
            score = {arm: self.mean(arm, before[arm]) for arm in arms}
            if rule == "by_bounds" and len(arms) > 2:
                score = {
                    arm: min(score[arm], *(self.cap(arm, k) for k in arms if k != arm))
                    for arm in arms
                }
            best_first = sorted(arms, key=lambda arm: (-score[arm], self.place[arm]))
            arms = best_first[: ceil(len(arms) / 2)]
        return arms[0]


def play(
    values: Sequence[float],
    pseudo_rewards: Sequence[Sequence[Sequence[float]]],
    reward_max: float,
    draw: Callable[[int, int], int],
    n_arms: int,
    name: str,
    budget: int,
    seed: int,
    trial: int,
) -> tuple[int, list[int]]:
    """Return the arm that a run names, and the pulls of each arm."""
    run = Run(values, pseudo_rewards, draw, n_arms, seed, trial)
    everyone = list(range(n_arms))
    if name == "uniform":
        for arm in everyone:
            for _ in range(budget // n_arms):
                run.pull(arm)
        named = max(everyone, key=lambda arm: (run.mean(arm), -run.place[arm]))
    elif name == "bracketing_halving":
        groups = 1
        while 2**groups < n_arms:
            size = min(2 ** (groups + 1), n_arms)
            if budget // (groups + 1) < (groups + 1) * size:
                break
            groups += 1
        named, best = -1, -inf
        for b in range(1, groups + 1):
            winner = run.halve(run.some(min(2**b, n_arms)), budget // groups, "plain")
            radius = reward_max * sqrt(log(budget) / (2 * len(run.rewards[winner])))
            if run.mean(winner) - radius > best:
                named, best = winner, run.mean(winner) - radius
    else:
        rules = {
            "sequential_halving": "plain",
            "sequential_halving_fresh": "fresh",
            "sh_ada_var": "by_variance",
            "c_halving": "by_bounds",
        }
        named = run.halve(everyone, budget, rules[name])
    return named, [len(one) for one in run.rewards]
