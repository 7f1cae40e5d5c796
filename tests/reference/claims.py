"""One trial that tests claims, in plain Python: the slow twin of `loops.claims`.

Written from the definitions in docs/beyond.md with lists and the math module only.
"""

from __future__ import annotations

from math import copysign, exp, floor, fsum, log, log2, sqrt

from tests.reference.bandit import Result

FRACTIONS = [0.7 / 2**j for j in range(12)]
PARTS = [0.15, 0.3, 0.28, 0.12, 0.06, 0.03, 0.02, 0.015, 0.01, 0.006, 0.005, 0.004]
MIXES = {0.0: 0.7, 0.5: 0.15, 0.75: 0.15}
OWN = 0.4


class Bets:
    """Bets at one mix t on rewards that were seen so often, with bounds; a list of (n, R, s)."""

    def __init__(self, t, x, lists, span):
        self.seen = []
        for seen in lists:
            gains = [t * (x - s) + (1 - t) * (r - x) for _, r, s in seen]
            room = max([1e-9 * span, *(-gain for gain in gains)])
            self.seen += [(n, g / room) for (n, _, _), g in zip(seen, gains, strict=True) if n]

    def won(self, fraction):
        return fsum(n * log(1 + fraction * gain) for n, gain in self.seen)

    def whole(self):
        """The log-wealth of all fractions, nothing left out."""
        return logs(log(part) + self.won(f) for part, f in zip(PARTS, FRACTIONS, strict=True))

    def likely(self):
        first = fsum(n * gain for n, gain in self.seen)
        second = fsum(n * gain * gain for n, gain in self.seen)
        ratio = min(second / first, sqrt(second)) if first > 0 else max(-first, sqrt(second))
        return min(max(floor(log2(0.7 * ratio) + 0.5), 0), 11) if ratio > 0 else 0

    def part(self):
        """Three fractions, and the least that all smaller ones can have."""
        at = self.likely()
        three = [j for j in (at - 1, at, at + 1) if 0 <= j < 12]
        known = {j: self.won(FRACTIONS[j]) for j in three}
        for j in range(at + 2, 12):
            known[j] = known[at + 1] / 2 ** (j - at - 1)
        return logs(log(PARTS[j]) + one for j, one in known.items())


def logs(terms):
    terms = list(terms)
    top = max(terms)
    return top + log(fsum(exp(term - top) for term in terms))


class Claims:
    """The games against "arm l is the best, with mean x"; the pseudo-rewards are indexed (l, k)."""

    def __init__(self, values, pseudo):
        n_arms = len(pseudo)
        self.values, self.span = values, values[-1] - values[0]
        self.pseudo = [
            [values if k == arm else pseudo[arm][k] for k in range(n_arms)] for arm in range(n_arms)
        ]
        self.caps = [
            min([values[-1], *(max(row[k]) for k in range(n_arms) if k != arm)])
            for arm, row in enumerate(self.pseudo)
        ]

    def seen(self, arm, k, counts):
        return list(zip(counts[k], self.values, self.pseudo[arm][k], strict=True))

    def wealth(self, arm, low, high, counts, led, everything=False):
        """At low = high, the log-wealth; otherwise a bound that holds in between."""
        play = Bets.whole if everything else Bets.part
        own = play(Bets(1.0, low, [self.seen(arm, arm, counts)], self.span))
        others = [k for k in range(len(led)) if k != arm and any(led[k])]
        joint = [
            log(part)
            + play(
                Bets(
                    t, low if t > 0.5 else high, [self.seen(arm, k, led) for k in others], self.span
                )
            )
            for t, part in MIXES.items()
        ]
        return logs([log(1 - OWN), log(OWN) + own]) + logs(joint)

    def surpasses(self, arm, needed, counts, led):
        x, end = self.values[0], self.caps[arm]
        least = self.span / 4096
        width = 64 * least
        while x < end:
            high = min(x + width, end)
            if self.wealth(arm, x, high, counts, led) >= needed + 1e-6:
                x, width = high, 2 * width
            elif width <= least:
                return False, 0.5 * (x + high)
            else:
                width *= 0.5
        return True, end

    def growth(self, t, x, seen, n):
        gains = [(m, t * (x - s) + (1 - t) * (r - x)) for m, r, s in seen]
        mean = fsum(m * gain for m, gain in gains) / n
        square = fsum(m * gain * gain for m, gain in gains) / n
        coarse = (self.span / 4) ** 2
        variance = max(square - mean * mean, 0.01 * coarse) + coarse / n
        return max(mean, 0.0) ** 2 / (2 * variance)


class Search:
    """Where there is least evidence against the claim of one arm, as far as known."""

    def __init__(self, claims, arm):
        self.claims, self.arm = claims, arm
        self.cap = max(claims.caps[arm], claims.values[0])
        self.x, self.evidence, self.step = self.cap, 0.0, -claims.span / 64

    def move(self, counts, led):
        span = self.claims.span
        there = min(max(self.x + self.step, self.claims.values[0]), self.cap)
        here, moved = (self.claims.wealth(self.arm, x, x, counts, led) for x in (self.x, there))
        self.evidence = min(here, moved)
        if moved < here:
            self.x, step = there, 2 * self.step
        else:
            step = -0.5 * self.step
        self.step = copysign(min(max(abs(step), span / 4096), span / 16), step)

    def is_out(self, needed, counts, led):
        if self.claims.caps[self.arm] < self.claims.values[0]:
            return True
        self.move(counts, led)
        if self.evidence < needed + 1e-6:
            return False
        proven, x = self.claims.surpasses(self.arm, needed, counts, led)
        if not proven:
            self.x, self.step = x, -self.claims.span / 64
        return proven


def play(values, pseudo, draw, delta, max_samples):
    """Play one trial to its end; arguments as in `tests.reference.betting.play`."""
    n_arms, needed = len(pseudo), log(1 / delta)
    claims = Claims(values, pseudo)
    search = [Search(claims, arm) for arm in range(n_arms)]
    counts, led = ([[0] * len(values) for _ in range(n_arms)] for _ in range(2))
    active, eliminated_at = list(range(n_arms)), [0] * n_arms
    samples = due = 0

    def pulls(arm):
        return sum(counts[arm])

    def total(arm):
        return sum(n * value for n, value in zip(counts[arm], values, strict=True))

    def leader_now():
        return max(active, key=lambda arm: (total(arm) + claims.caps[arm]) / (pulls(arm) + 1))

    def choose(leader):
        if pulls(leader) == 0:
            return leader
        few = [arm for arm in active if pulls(arm) + 1 <= 0.1 * samples / len(active)]
        if few:
            return few[0]
        rival = min((a for a in active if a != leader), key=lambda a: search[a].evidence)
        n, x = pulls(rival), search[rival].x
        if n < 0.05 * pulls(leader):
            return rival
        if n >= pulls(leader):
            return leader
        seen = claims.seen(rival, leader, counts)
        by_leader = max(claims.growth(t, x, seen, pulls(leader)) for t in MIXES)
        shift = (claims.caps[rival] - total(rival) / n) / (n + 1)
        by_rival = claims.growth(1.0, x - shift, claims.seen(rival, rival, counts), n)
        return rival if by_rival > by_leader else leader

    def result(status, answer):
        return Result(
            status, answer, samples, samples, [pulls(arm) for arm in range(n_arms)], eliminated_at
        )

    while True:
        leader = leader_now()
        arm = choose(leader)
        value = draw(arm, pulls(arm))
        counts[arm][value] += 1
        led[arm][value] += arm == leader
        samples += 1
        if samples >= due:
            due = samples + max(8, samples // 32)
            leader = leader_now()
            for arm in [one for one in active if one != leader]:
                if search[arm].is_out(needed, counts, led):
                    active.remove(arm)
                    eliminated_at[arm] = samples
            if len(active) == 1:
                return result("identified", active[0])
        if samples + 1 > max_samples:
            seen = [arm for arm in active if pulls(arm)]
            likely = max(seen, key=lambda arm: total(arm) / pulls(arm)) if seen else leader_now()
            return result("budget", likely)
