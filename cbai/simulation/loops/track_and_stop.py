"""One trial of Track-and-Stop: another compiled loop over rounds, on the same game and state.

Garivier and Kaufmann (COLT 2016): the shares of the samples follow the optimal split for the
rewards so far (D-tracking), with forced exploration. A round is one pull. The split is recomputed
only once the samples have grown by a 64th: the choice of arms does not affect correctness. The
likelihood ratios are checked once for every K samples. Rarer checks only make it stop later.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds.proportions import optimal
from cbai.simulation.bounds.transport import unrefuted_rival
from cbai.simulation.loops import rules
from cbai.simulation.loops.draw import pull
from cbai.simulation.loops.state import (
    ANSWER,
    BUDGET,
    DUE,
    EXHAUSTED,
    IDENTIFIED,
    LEADER,
    LOOK,
    N_NEXT,
    ROUND,
    RUNNING,
    SAMPLES,
    STANDING,
    STATUS,
    SUSPECT,
)

LOWS, PLACES, SPLIT = range(3)
"""The rows of `State.real`: two of working memory, and the split that is followed."""

GROWTH = 64
"""The split is recomputed once the samples have grown by one part in this many."""

TIE = 1e-6
"""An arm comes before one of lower index only if it lags behind by this many samples more."""


@numba.njit(**compiled.LEAN)
def most_behind(samples, pulls, split):
    """Return the arm that D-tracking pulls: a neglected one, or the one farthest behind."""
    fewest = 0
    for arm in range(1, pulls.size):
        if pulls[arm] < pulls[fewest]:
            fewest = arm
    if pulls[fewest] < math.sqrt(samples) - 0.5 * pulls.size:
        return fewest
    chosen = 0
    lag = samples * split[0] - pulls[0]
    for arm in range(1, pulls.size):
        one = samples * split[arm] - pulls[arm]
        if one > lag + TIE:
            lag = one
            chosen = arm
    return chosen


@numba.njit(**compiled.LEAN)
def advance_tracking(game, state, end):
    """Play rounds until the trial ends or round `end` is complete."""
    level_terms, shape, values = game.level_terms, game.shape, game.values
    reward_max, epsilon = game.reward_max, game.epsilon
    max_samples = game.max_samples
    clock, next_arms, pulls, counts = state.clock, state.next_arms, state.pulls, state.counts
    means, indices = state.means, state.indices
    real = state.real
    standing, split = indices[STANDING], real[SPLIT]
    n_arms = pulls.size
    now, samples, n_next = clock[ROUND], clock[SAMPLES], clock[N_NEXT]
    status, named = clock[STATUS], clock[ANSWER]

    while status == RUNNING and now < end:
        for i in range(n_next):
            arm = next_arms[i]
            value = pull(arm, game, state)
            if value < 0:
                status, named = EXHAUSTED, arm
                break
        if status == EXHAUSTED:
            break
        now += 1
        samples += n_next
        best = rules.argmax(standing)

        if samples >= clock[LOOK]:
            clock[LOOK] = samples + n_arms
            rival = unrefuted_rival(
                best,
                clock[SUSPECT],
                counts,
                values,
                pulls,
                means,
                reward_max,
                epsilon,
                level_terms[LEADER],
                shape,
            )
            if rival < 0:
                status, named = IDENTIFIED, best
                break
            clock[SUSPECT] = rival
        if samples >= clock[DUE]:
            clock[DUE] = samples + max(n_arms, samples // GROWTH)
            optimal(best, counts, values, pulls, means, reward_max, real[LOWS], real[PLACES], split)
        n_next = 1
        next_arms[0] = most_behind(samples, pulls, split)
        if samples + n_next > max_samples:
            status, named = BUDGET, best

    clock[ROUND], clock[SAMPLES], clock[N_NEXT] = now, samples, n_next
    clock[STATUS], clock[ANSWER] = status, named
