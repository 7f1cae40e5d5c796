"""One trial of pooled betting in plain Python: the slow twin of `cbai.simulation.loops.betting`.

Written from the definitions in docs/beyond.md with lists and the math module only.
"""

from __future__ import annotations

from math import exp, inf, log, log1p, log2, sqrt

from tests.reference.bandit import Result

FRACTIONS = [0.95 / 2**j for j in range(16)]
PARTS = [0.8 / 5] * 5 + [0.2 / 11] * 11
EDGE = 1e-9


def add(*logs: float) -> float:
    """Return the logarithm of a sum of numbers given by their logarithms."""
    top = max(logs)
    return top + log(sum(exp(one - top) for one in logs))


def wealth_by(counts, values, x, ceiling, everything=False):
    """Return the log-wealth of betting that values come out below x, started from 1.

    Of four fractions about the likely best, or of `everything`: the rest can only add to it.
    """
    room = ceiling - x
    if room < -EDGE:
        return 1e6
    if room < EDGE:
        x, room = ceiling - EDGE, EDGE
    gains = [(n, (x - s) / room) for n, s in zip(counts, values, strict=True)]
    first, second = sum(n * g for n, g in gains), sum(n * g * g for n, g in gains)
    likely = 15
    if first > 0:
        likely = min(max(int(log2(0.95 * second / first)) + 1, 0), 15)
    window = range(16) if everything else range(max(likely - 2, 0), min(likely + 2, 16))
    return add(
        *(log(PARTS[j]) + sum(n * log1p(FRACTIONS[j] * g) for n, g in gains if n) for j in window)
    )


def wealth(arm, x, counts, values, pseudo, pooled, everything=False):
    """Return the log-wealth against "the mean of an arm is at least x"."""
    own = wealth_by(counts[arm], values, x, max(values), everything)
    if not pooled or own >= 1e6:
        return own
    cross = 0.0
    for k in range(len(counts)):
        if k != arm:
            by = wealth_by(counts[k], pseudo[arm][k], x, max(pseudo[arm][k]), everything)
            cross += add(log(0.8), log(0.2) + by)
    return min(own + add(log(0.5), log(0.5) + cross), 1e6)


def lower(counts, values, mean, needed, known):
    """Return the largest mean ruled out by the rewards of one arm."""
    mirrored = [-value for value in values]
    low, high = known, mean
    if wealth_by(counts, mirrored, -low, -values[0]) < needed:
        return known
    for _ in range(24):
        x = 0.5 * (low + high)
        if wealth_by(counts, mirrored, -x, -values[0]) >= needed:
            low = x
        else:
            high = x
    return low


def play(values, pseudo, draw, pooled, delta, max_samples, epsilon=0.0):
    """Play one trial to its end; arguments as in `tests.reference.bandit.play`."""
    n_arms, n_values = len(pseudo), len(values)
    needed, needed_low = log(2 / delta), log(2 * n_arms / delta)
    counts = [[0] * n_values for _ in range(n_arms)]
    lows = [-inf] * n_arms
    variance = [[0.0] * n_arms for _ in range(n_arms)]
    active, named = list(range(n_arms)), list(range(n_arms))
    eliminated_at = [0] * n_arms
    rounds = due = 0

    def pulls(k):
        return sum(counts[k])

    def phi(arm, k):
        known = values if arm == k else pseudo[arm][k]
        return sum(n * s for n, s in zip(counts[k], known, strict=True)) / pulls(k)

    def result(status, answer):
        all_pulls = [pulls(k) for k in range(n_arms)]
        return Result(status, answer, sum(all_pulls), rounds, all_pulls, eliminated_at)

    def largest(score, among):
        return max(among, key=score)

    def index(arm):
        best = inf
        if pulls(arm) < sqrt(sum(map(sum, counts)) / n_arms):
            return best
        for k in range(n_arms) if pooled else [arm]:
            spare = pulls(k) - 2 * needed
            if spare > 0:
                best = min(best, phi(arm, k) + sqrt(2 * needed * variance[arm][k] / spare))
        return best

    def sources(arm):
        for k in range(n_arms) if pooled else [arm]:
            yield k, values if arm == k else pseudo[arm][k], phi(arm, k)

    def spread(arm):
        for k, known, mean in sources(arm):
            squares = 0.25 * (max(known) - min(known)) ** 2 + sum(
                n * (s - mean) ** 2 for n, s in zip(counts[k], known, strict=True)
            )
            variance[arm][k] = squares / (pulls(k) + 1)

    def out(arm, bar):
        guess = 0.0
        for k, _, mean in sources(arm):
            if bar > mean:
                spent = variance[arm][k]
                guess += pulls(k) * (bar - mean) ** 2 / (2 * spent) if spent > 0 else inf
        if guess < 0.7 * needed:
            return False
        return wealth(arm, bar, counts, values, pseudo, pooled) >= needed

    while True:
        for arm in named:
            counts[arm][draw(arm, pulls(arm))] += 1
        rounds += 1
        samples = sum(map(sum, counts))
        leader = largest(lambda k: phi(k, k), active)
        if samples >= due:
            due = samples + 8 * len(active)
            start = max(lows[leader], values[0])
            lows[leader] = lower(counts[leader], values, phi(leader, leader), needed_low, start)
            holder = largest(lambda k: lows[k], active)
            bar = lows[holder]
            removed = []
            for arm in active:
                spread(arm)
                if arm != holder and out(arm, bar):
                    removed.append(arm)
            for arm in removed:
                active.remove(arm)
                eliminated_at[arm] = rounds
            if len(active) == 1:
                return result("identified", active[0])
            holder = largest(lambda k: lows[k], active)
            bar = lows[holder] + epsilon
            if epsilon > 0 and all(out(arm, bar) for arm in active if arm != holder):
                return result("identified", holder)
            leader = largest(lambda k: phi(k, k), active)
        named = [leader, largest(index, [arm for arm in active if arm != leader])]
        if samples + 2 > max_samples:
            return result("budget", leader)
