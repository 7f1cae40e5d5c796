"""One trial of two-sided betting in plain Python: the slow twin of `loops.two_sided`.

Written from the definitions in docs/beyond.md with lists and the math module only.
"""

from __future__ import annotations

from math import inf, log, sqrt

from tests.reference.bandit import Result
from tests.reference.betting import wealth


class Side:
    """All that one kind of bounds says: upper bounds for sign = 1, lower bounds for sign = -1.

    Everything is in terms of reward times sign, so that a claim is always "at least x".
    """

    def __init__(self, sign, values, table, needed):
        n_arms = len(table)
        self.values = [sign * value for value in values]
        self.table = [
            [self.values if k == arm else [sign * s for s in table[arm][k]] for k in range(n_arms)]
            for arm in range(n_arms)
        ]
        self.needed = needed

    def wealth(self, arm, x, counts):
        return wealth(arm, x, counts, self.values, self.table, True)

    def mean(self, arm, k, counts):
        known = self.table[arm][k]
        return sum(n * s for n, s in zip(counts[k], known, strict=True)) / sum(counts[k])

    def variance(self, arm, k, counts):
        known, mean = self.table[arm][k], self.mean(arm, k, counts)
        squares = 0.25 * (max(known) - min(known)) ** 2
        for n, s in zip(counts[k], known, strict=True):
            squares += n * (s - mean) ** 2
        return squares / (sum(counts[k]) + 1)

    def estimate(self, arm, counts):
        best = inf
        for k, row in enumerate(counts):
            best = min(best, max(self.table[arm][k]))
            spare = sum(row) - 2 * self.needed
            if spare > 0:
                half = sqrt(2 * self.needed * self.variance(arm, k, counts) / spare)
                best = min(best, self.mean(arm, k, counts) + half)
        return best

    def growth_rate(self, arm, k, x, counts):
        gap, variance = x - self.mean(arm, k, counts), self.variance(arm, k, counts)
        return gap * gap / (2 * variance) if gap > 0 and variance > 0 else 0.0

    def most_informative_arm(self, arm, x, counts):
        return max([arm, *range(len(counts))], key=lambda k: self.growth_rate(arm, k, x, counts))

    def is_out(self, arm, bar, counts):
        guess = 0.0
        for k, row in enumerate(counts):
            guess += sum(row) * self.growth_rate(arm, k, bar, counts)
            if bar > max(self.table[arm][k]):
                guess = inf
        return guess >= 0.7 * self.needed and self.wealth(arm, bar, counts) >= self.needed

    def upper(self, arm, counts, known):
        """Return the smallest x that is ruled out, by bisection from a bound that holds."""
        low, high = self.values[0] if self.values[0] < self.values[-1] else self.values[-1], known
        if self.wealth(arm, high, counts) < self.needed:
            return known
        for _ in range(24):
            x = 0.5 * (low + high)
            if self.wealth(arm, x, counts) >= self.needed:
                high = x
            else:
                low = x
        return high


def play(values, pseudo, lower, draw, delta, max_samples, epsilon=0.0):
    """Play one trial to its end; arguments as in `tests.reference.betting.play`."""
    n_arms = len(pseudo)
    above = Side(1, values, pseudo, log(2 / delta))
    below = Side(-1, values, lower, log(2 * n_arms / delta))
    counts = [[0] * len(values) for _ in range(n_arms)]
    lows = [-inf] * n_arms
    active, named = list(range(n_arms)), list(range(n_arms))
    eliminated_at = [0] * n_arms
    rounds = due = 0

    def mean(arm):
        return above.mean(arm, arm, counts)

    def result(status, answer):
        pulls = [sum(row) for row in counts]
        return Result(status, answer, sum(pulls), rounds, pulls, eliminated_at)

    while True:
        for arm in named:
            counts[arm][draw(arm, sum(counts[arm]))] += 1
        rounds += 1
        samples = sum(map(sum, counts))
        if samples >= due:
            due = samples + 2 * len(active)
            leader = max(active, key=lambda arm: (-below.estimate(arm, counts), mean(arm)))
            low = -below.estimate(leader, counts)
            known = max(lows[leader], values[0])
            lows[leader] = -below.upper(leader, counts, -known)
            holder = max(active, key=lambda arm: lows[arm])
            bar = lows[holder]
            rivals = [arm for arm in active if arm != holder]
            out = [arm for arm in rivals if above.is_out(arm, bar, counts)]
            left = [arm for arm in rivals if arm not in out]
            for arm in out:
                active.remove(arm)
                eliminated_at[arm] = rounds
            if all(epsilon > 0 and above.is_out(arm, bar + epsilon, counts) for arm in left):
                return result("identified", holder)
            if leader not in active:
                leader, low = holder, bar
            others = [arm for arm in active if arm != leader]
            rival = max(others, key=lambda arm: (above.estimate(arm, counts), mean(arm)))
            x = 0.5 * (low + above.estimate(rival, counts))
            named = [
                below.most_informative_arm(leader, -x, counts),
                above.most_informative_arm(rival, x, counts),
            ]  # fmt: skip
            few = [arm for arm in active if sum(counts[arm]) < sqrt(samples / n_arms)]
            if few:
                named[1] = few[0]
            if named[0] == named[1]:
                named.pop()
        if samples + len(named) > max_samples:
            return result("budget", max(active, key=mean))
