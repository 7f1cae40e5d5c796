"""Bounds that adapt, in plain Python: a state for `tests.reference.bandit.play`.

Written from the definitions in docs/beyond.md. Every bound is the best of all that held so far, so
the history of each pair is kept.
"""

from __future__ import annotations

from math import inf, log, sqrt

from tests.reference.bandit import State

ZETA = 3.10555


def radius(confidence: str, n: int, d: float, span: float, squares: float) -> float:
    """Return the radius around a mean of n values between two numbers `span` apart."""
    if span == 0.0:
        return 0.0
    if confidence == "range":
        return 0.85 * span * sqrt((log(log(2 * n)) + 0.72 * log(5.2 / d)) / n)
    eta, least = 2.04, span * span / 4
    v = max(squares, least)
    ell = 1.4 * log(log(eta * v / least)) + log(ZETA / (d * log(eta) ** 1.4))
    k1 = (eta**0.25 + eta**-0.25) / sqrt(2)
    k2 = (sqrt(eta) + 1) / 2
    return (sqrt(k1 * k1 * v * ell + (k2 * span * ell) ** 2) + k2 * span * ell) / n


class Adaptive(State):
    """The statistics of a trial with bounds that adapt; `tolerance` guards it."""

    running = True

    def __init__(self, confidence, values, pseudo, reward_max, guard_share=None, tolerance=None):
        super().__init__(len(pseudo), reward_max, confidence)
        arms = range(self.n_arms)
        known = [[values if k == arm else pseudo[arm][k] for k in arms] for arm in arms]
        self.span = [[max(known[arm][k]) - min(known[arm][k]) for k in arms] for arm in arms]
        self.middle = [
            [(max(known[arm][k]) + min(known[arm][k])) / 2 for k in arms] for arm in arms
        ]
        self.squares = [[0.0] * self.n_arms for _ in arms]
        self.history = [[[] for _ in arms] for _ in arms]
        self.best: dict[tuple, tuple[int, float]] = {}
        self.guard_share, self.tolerance = guard_share, tolerance

    def pull(self, arm, index, pseudo_rewards, values):
        before = [self.phi[other][arm] for other in range(self.n_arms)]
        super().pull(arm, index, pseudo_rewards, values)
        n = self.pulls[arm]
        for other in range(self.n_arms):
            reward = values[index] if other == arm else pseudo_rewards[other][arm][index]
            expected = before[other] if n > 1 else self.middle[other][arm]
            self.squares[other][arm] += (reward - expected) ** 2
            entry = (self.phi[other][arm], n, self.squares[other][arm])
            self.history[other][arm].append(entry)

    def extreme(self, arm, k, d, sign):
        """Return the lowest upper (sign 1) or highest lower (-1) bound so far, times sign."""
        seen, best = self.best.get((arm, k, d, sign), (0, inf))
        for phi, n, squares in self.history[arm][k][seen:]:
            best = min(best, sign * phi + radius(self.confidence, n, d, self.span[arm][k], squares))
        self.best[arm, k, d, sign] = len(self.history[arm][k]), best
        return best

    def lcb(self, arm, d):
        return -self.extreme(arm, arm, d, -1)

    def cross_ucb_by(self, arm, k, d):
        bound = self.extreme(arm, k, d, 1)
        if self.tolerance is None or arm == k:
            return bound
        own = self.extreme(arm, arm, d, 1)
        contradicted = bound < self.lcb(arm, self.guard_share)
        return own if contradicted else max(bound, own - self.tolerance)
