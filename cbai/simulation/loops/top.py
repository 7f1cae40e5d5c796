"""One trial that looks for the best few arms: another compiled loop on the same game and state.

LUCB for the m best arms (Kalyanakrishnan, Tewari, Auer and Stone, ICML 2012), and its correlated
version, in which the rewards of every arm bound all others from above. All bounds hold at all times
at once, so the lowest upper and the highest lower bound so far are kept.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import numba
import numpy as np

from cbai import compiled
from cbai.simulation.bounds import mean_bounds
from cbai.simulation.loops import rules
from cbai.simulation.loops.draw import pull
from cbai.simulation.loops.state import (
    ANSWER,
    BUDGET,
    EXHAUSTED,
    IDENTIFIED,
    LOWER,
    N_NEXT,
    ROUND,
    RUNNING,
    SAMPLES,
    SAMPLING,
    STANDING,
    STATUS,
    TOP,
)


@numba.njit(**compiled.LEAN)
def choose(score, top, chosen):
    """Mark the `top` arms with the largest scores, lowest index first among ties."""
    chosen[:] = False
    for _ in range(top):
        best = -1
        for arm in range(score.size):
            if not chosen[arm] and (best < 0 or score[arm] > score[best]):
                best = arm
        chosen[best] = True


@numba.njit(**compiled.LEAN)
def weakest_and_strongest(chosen, lower, upper):
    """Return the chosen arm with the lowest lower bound, and the other with the highest upper."""
    weakest, strongest = -1, -1
    for arm in range(lower.size):
        if chosen[arm]:
            if weakest < 0 or lower[arm] < lower[weakest]:
                weakest = arm
        elif strongest < 0 or upper[arm] > upper[strongest]:
            strongest = arm
    return weakest, strongest


@numba.njit(**compiled.LEAN)
def _play(game, state, end, chosen):
    rule, level_terms, shape, growths = game.rules, game.level_terms, game.shape, game.growths
    pseudo_rewards, epsilon = game.pseudo_rewards, game.epsilon
    max_samples = game.max_samples
    clock, next_arms, eliminated_at = state.clock, state.next_arms, state.eliminated_at
    pulls, means = state.pulls, state.means
    indices, upper, pseudo_sums = state.indices, state.upper, state.pseudo_sums
    cross = rule[2] == rules.CROSS_ELIMINATION
    level_term = level_terms[SAMPLING]
    standing, lower = indices[STANDING], indices[LOWER]
    now, samples, n_next = clock[ROUND], clock[SAMPLES], clock[N_NEXT]
    status, named = clock[STATUS], clock[ANSWER]

    while status == RUNNING and now < end:
        for i in range(n_next):
            arm = next_arms[i]
            value = pull(arm, game, state)
            if value < 0:
                status, named = EXHAUSTED, arm
                break
            n = pulls[arm]
            growth = growths[n] if n < growths.size else mean_bounds.growth(n, shape)
            width = mean_bounds.width(n, growth, shape, level_term)
            lower[arm] = max(lower[arm], means[arm] - width)
            upper[arm] = min(upper[arm], means[arm] + width)
            if cross:
                for j in range(pulls.size):
                    pseudo_sums[j, arm] += pseudo_rewards[arm, value, j]
                    upper[j] = min(upper[j], pseudo_sums[j, arm] / n + width)
        if status == EXHAUSTED:
            break
        now += 1
        samples += n_next

        for arm in range(pulls.size):
            standing[arm] = min(means[arm], upper[arm])
        choose(standing, rule[TOP], chosen)
        weakest, strongest = weakest_and_strongest(chosen, lower, upper)
        next_arms[0], next_arms[1] = weakest, strongest
        n_next = 2
        if lower[weakest] + epsilon > upper[strongest]:
            status, named = IDENTIFIED, rules.argmax(standing)
            for arm in range(pulls.size):
                if not chosen[arm]:
                    eliminated_at[arm] = now
        elif samples + n_next > max_samples:
            status, named = BUDGET, rules.argmax(standing)

    clock[ROUND], clock[SAMPLES], clock[N_NEXT] = now, samples, n_next
    clock[STATUS], clock[ANSWER] = status, named


@numba.njit(**compiled.OPTIONS)
def advance_top(game, state, end):
    """Play rounds until the trial ends or round `end` is complete."""
    _play(game, state, end, np.zeros(state.pulls.size, np.bool_))
