"""One trial that looks for the best few arms, in plain Python: the twin of `loops.top`."""

from __future__ import annotations

from math import inf

from tests.reference import bounds
from tests.reference.bandit import Result


def play(values, pseudo, reward_max, draw, correlated, top, delta, max_samples, epsilon=0.0):
    """Play one trial to its end; arguments as in `tests.reference.bandit.play`."""
    n_arms = len(pseudo)
    arms = range(n_arms)
    d = delta / ((top + 1) * n_arms) if correlated else delta / n_arms
    pulls, rounds, named = [0] * n_arms, 0, list(arms)
    sums = [[0.0] * n_arms for _ in arms]
    lower, upper = [-inf] * n_arms, [inf] * n_arms
    while True:
        for k in named:
            value = draw(k, pulls[k])
            pulls[k] += 1
            radius = bounds.upper("howard", 0.0, pulls[k], d, reward_max)
            for arm in arms:
                sums[arm][k] += values[value] if arm == k else pseudo[arm][k][value]
                if arm == k or correlated:
                    upper[arm] = min(upper[arm], sums[arm][k] / pulls[k] + radius)
            lower[k] = max(lower[k], sums[k][k] / pulls[k] - radius)
        rounds += 1
        score = [min(sums[arm][arm] / pulls[arm], upper[arm]) for arm in arms]
        chosen = sorted(arms, key=lambda arm: -score[arm])[:top]
        weakest = min(sorted(chosen), key=lambda arm: lower[arm])
        strongest = max((arm for arm in arms if arm not in chosen), key=lambda arm: upper[arm])
        named = [weakest, strongest]
        best = max(arms, key=lambda arm: score[arm])
        if lower[weakest] + epsilon > upper[strongest]:
            out = [0 if arm in chosen else rounds for arm in arms]
            return Result("identified", best, sum(pulls), rounds, pulls, out)
        if sum(pulls) + 2 > max_samples:
            return Result("budget", best, sum(pulls), rounds, pulls, [0] * n_arms)
