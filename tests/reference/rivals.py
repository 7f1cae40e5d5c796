"""One trial of each rival from the literature in plain Python: the slow twins.

Of `track_and_stop`, `top_two` and `exponential_gap` in `cbai.simulation.loops`, written from the
definitions in docs/lower-bound.md with lists, the math module and SciPy's root finder.
"""

from __future__ import annotations

from math import ceil, inf, log, log1p, sqrt

from scipy.optimize import brentq

from tests.reference.bandit import Result

EXACT = {"xtol": 1e-15, "rtol": 1e-14, "maxiter": 500}
TIE = 1e-6
ASKED_ON_TOP = 1e-6


def against(counts, values, x, ceiling, sign=1):
    """Return what rewards say, in nats, against "the mean of sign R is at least x", and its slope.

    The most that betting a fixed stake lambda on every reward would have won.
    """
    gains = [(n, x - sign * value) for n, value in zip(counts, values, strict=True) if n]
    room = ceiling - x

    def slope(stake):
        return sum(n * g / (1 + stake * g) for n, g in gains)

    if room <= 0 or slope(0.0) <= 0:
        return 0.0, 0.0
    most = 1 / room
    if min(1 + most * g for _, g in gains) > 0 and slope(most) >= 0:
        stake = most
    else:
        high = most * (1 - 1e-15)
        stake = high if slope(high) > 0 else brentq(slope, 0.0, high, **EXACT)
    won = sum(n * log1p(stake * g) for n, g in gains)
    return max(won, 0.0), sum(n for n, _ in gains) * stake


def mean(counts, values):
    return sum(n * value for n, value in zip(counts, values, strict=True)) / sum(counts)


def cost(ours, theirs, values, b, epsilon=0.0):
    """Return the least evidence, over all x, against "ours has mean x, theirs x + epsilon"."""
    if epsilon >= b:
        return inf
    left, right = max(mean(theirs, values) - epsilon, 0.0), min(mean(ours, values), b - epsilon)
    if left > right:
        return 0.0

    def slope(x):
        return against(theirs, values, x + epsilon, b)[1] - against(ours, values, -x, 0.0, -1)[1]

    edge = 1e-12 * b
    low, high = max(left, edge), min(right, b - epsilon - edge)
    if low >= high:
        x, y = right, left
    elif slope(low) >= 0:
        x = y = low
    elif slope(high) <= 0:
        x = y = high
    else:
        x = y = brentq(slope, low, high, **EXACT)
    return against(ours, values, -x, 0.0, -1)[0] + against(theirs, values, y + epsilon, b)[0]


def split(counts, values, b):
    """Return the optimal proportions for the rewards so far."""
    n_arms = len(counts)
    means = [mean(one, values) for one in counts]
    best = means.index(max(means))
    tied = [m >= means[best] - 1e-9 * b for m in means]
    if sum(tied) > 1:
        return [t / sum(tied) for t in tied]
    edge = 1e-12 * b
    high = min(means[best], b - edge)
    others = [k for k in range(n_arms) if k != best]

    def both(k, x):
        down, fall = against(counts[best], values, -x, 0.0, -1)
        up, rise = against(counts[k], values, x, b)
        n, m = sum(counts[best]), sum(counts[k])
        return down / n, fall / n, up / m, rise / m

    def common(k, x):
        down, fall, up, rise = both(k, x)
        return down + fall / rise * up

    def meet(k, y):
        if common(k, equal[k]) <= y:
            return equal[k]
        if common(k, high) >= y:  # all rewards of the best arm were the same
            return high
        return brentq(lambda x: common(k, x) - y, equal[k], high, **EXACT)

    def excess(y):
        parts = [both(k, meet(k, y)) for k in others]
        return sum(down / up for down, _, up, _ in parts) - 1

    equal = {}
    for k in others:
        low = max(means[k], edge)
        equal[k] = brentq(lambda x, k=k: both(k, x)[0] - both(k, x)[2], low, high, **EXACT)
    last = min(common(k, equal[k]) for k in others)
    y = last
    if len(others) > 1 and excess(last) > 0:
        first = 1 / sum(1 / both(k, equal[k])[2] for k in others)
        y = brentq(excess, first, last, **EXACT) if excess(first) < 0 else first
    ratio = {best: 1.0}
    for k in others:
        down, _, up, _ = both(k, meet(k, y))
        ratio[k] = (y - down) / up
    return [ratio[k] / sum(ratio.values()) for k in range(n_arms)]


def upper(counts, values, b, allowed):
    """Return the largest mean against which rewards say no more than allowed."""
    low = mean(counts, values)
    if low >= b:
        return b
    high = b - 1e-15 * b
    if against(counts, values, high, b)[0] <= allowed:
        return high
    return brentq(lambda x: against(counts, values, x, b)[0] - allowed, low, high, **EXACT)


class Trial:
    """What both algorithms that stop by likelihood ratios have in common."""

    def __init__(self, values, n_arms, b, draw, delta, epsilon):
        self.values, self.b, self.draw = values, b, draw
        self.n_arms, self.epsilon = n_arms, epsilon
        self.level = log((n_arms - 1) / delta)
        self.counts = [[0] * len(values) for _ in range(n_arms)]
        self.sums = [0.0] * n_arms
        self.rounds = self.look = 0

    def pulls(self, k):
        return sum(self.counts[k])

    @property
    def samples(self):
        return sum(map(sum, self.counts))

    def pull(self, arms):
        for k in arms:
            value = self.draw(k, self.pulls(k))
            self.counts[k][value] += 1
            self.sums[k] += self.values[value]
        self.rounds += 1

    def best(self):
        means = [self.sums[k] / self.pulls(k) for k in range(self.n_arms)]
        return means.index(max(means))

    def decided(self):
        """Return whether it is time to look, and the best arm is known then."""
        if self.samples < self.look:
            return False
        self.look = self.samples + self.n_arms
        i = self.best()

        def regret(k):
            return 0.5 * log(self.pulls(k)) + log(2)

        return all(
            cost(self.counts[i], self.counts[k], self.values, self.b, self.epsilon)
            > self.level + regret(i) + regret(k) + ASKED_ON_TOP
            for k in range(self.n_arms)
            if k != i
        )

    def result(self, status):
        pulls = [self.pulls(k) for k in range(self.n_arms)]
        return Result(status, self.best(), self.samples, self.rounds, pulls, [0] * self.n_arms)


def first_largest(scores, tie):
    """Return the key of the largest score; an earlier one unless it is smaller by more than tie."""
    chosen = None
    for k, score in scores.items():
        if chosen is None or score > scores[chosen] + tie:
            chosen = k
    return chosen


def track_and_stop(values, n_arms, b, draw, delta, max_samples, epsilon=0.0):
    """Play one trial to its end; arguments as in `tests.reference.bandit.play`."""
    trial = Trial(values, n_arms, b, draw, delta, epsilon)
    named, due, weights = list(range(n_arms)), 0, []
    while True:
        trial.pull(named)
        if trial.decided():
            return trial.result("identified")
        t = trial.samples
        if t >= due:
            due = t + max(n_arms, t // 64)
            weights = split(trial.counts, values, b)
        pulls = {k: trial.pulls(k) for k in range(n_arms)}
        fewest = min(pulls, key=pulls.get)
        if pulls[fewest] < sqrt(t) - n_arms / 2:
            named = [fewest]
        else:
            named = [first_largest({k: t * weights[k] - n for k, n in pulls.items()}, TIE)]
        if t + 1 > max_samples:
            return trial.result("budget")


def ttucb(values, n_arms, b, draw, delta, max_samples, epsilon=0.0):
    """Play one trial to its end; arguments as in `tests.reference.bandit.play`."""
    trial = Trial(values, n_arms, b, draw, delta, epsilon)
    named, due, last = list(range(n_arms)), 0, None
    highest, costs = {}, {}
    led, pulled = [0] * n_arms, [0] * n_arms
    while True:
        trial.pull(named)
        if trial.decided():
            return trial.result("identified")
        t = trial.samples
        everything = t >= due
        if everything:
            due = t + max(n_arms, t // 32)
        for k in range(n_arms) if everything else named:
            highest[k] = upper(trial.counts[k], values, b, log(t))
        leader = first_largest(highest, TIE * b)
        everything = everything or leader != last
        last = leader
        for k in range(n_arms) if everything else named:
            mine, theirs = (trial.sums[j] / trial.pulls(j) for j in (leader, k))
            if theirs >= mine:
                costs[k] = mine - theirs
            else:
                costs[k] = cost(trial.counts[leader], trial.counts[k], values, b)
        led[leader] += 1
        if pulled[leader] <= led[leader] / 2:
            pulled[leader] += 1
            named = [leader]
        else:
            rivals = {k: -costs[k] for k in range(n_arms) if k != leader}
            named = [first_largest(rivals, TIE)]
        if t + 1 > max_samples:
            return trial.result("budget")


def exp_gap(values, n_arms, b, draw, delta, max_samples, epsilon=0.0, factors=(2.0, 4.0)):
    """Play one trial to its end; arguments as in `tests.reference.bandit.play`."""
    pulls, sums, eliminated_at = [0] * n_arms, [0.0] * n_arms, [0] * n_arms
    active, rounds = list(range(n_arms)), 0

    class OutOfBudget(Exception):
        pass

    def averages(arms, times):
        nonlocal rounds
        total = dict.fromkeys(arms, 0.0)
        for _ in range(times):
            if sum(pulls) + len(arms) > max_samples:
                raise OutOfBudget
            for k in arms:
                reward = values[draw(k, pulls[k])]
                pulls[k] += 1
                sums[k] += reward
                total[k] += reward
            rounds += 1
        return {k: total[k] / times for k in arms}

    def median_elimination(arms, gap, error):
        """Return an arm within gap of the best, in shares of b, but for this error probability."""
        gap, error = gap / 4, error / 2
        while len(arms) > 1:
            seen = averages(arms, ceil(factors[1] / gap**2 * log(3 / error)))
            better_first = sorted(arms, key=lambda k: (-seen[k], k))
            arms = sorted(better_first[: (len(arms) + 1) // 2])
            gap, error = 0.75 * gap, error / 2
        return arms[0]

    def result(status, answer):
        return Result(status, answer, sum(pulls), rounds, pulls, eliminated_at)

    phase = 0
    try:
        while True:
            phase += 1
            gap, error = 2.0**-phase / 4, delta / (50 * phase**3)
            seen = averages(active, ceil(factors[0] / gap**2 * log(2 / error)))
            reference = median_elimination(active, gap / 2, error)
            bar = seen[reference] - gap * b
            for k in [k for k in active if seen[k] < bar]:
                active.remove(k)
                eliminated_at[k] = rounds
            if len(active) == 1 or gap * b / 2 <= epsilon:
                return result("identified", reference)
    except OutOfBudget:
        return result("budget", max(active, key=lambda k: sums[k] / pulls[k]))
