"""One trial of Exponential-Gap Elimination: a compiled loop on the same game and state.

Karnin, Koren and Somekh (ICML 2013). Phase r pulls every active arm often enough to know its mean
within epsilon_r / 2. It then finds a reference arm on new rewards, by Median Elimination (Even-Dar,
Mannor and Mansour, COLT 2002). Each stage of it keeps half of the candidates. The phase then rules
out the arms whose mean of the phase is more than epsilon_r below the reference's. A round pulls
each arm of the current stage once.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.loops import rules
from cbai.simulation.loops.draw import pull
from cbai.simulation.loops.state import (
    ANSWER,
    BUDGET,
    EXHAUSTED,
    IDENTIFIED,
    LEFT,
    N_ACTIVE,
    N_NEXT,
    PHASE,
    ROUND,
    RUNNING,
    SAMPLES,
    SAMPLING,
    STAGE,
    STANDING,
    STATUS,
)

STAGE_SUM, PHASE_MEAN, RADIUS = range(3)
"""The rows of `State.real`: the sum of an arm's rewards in the stage, its mean in its last phase,
and the radius around that mean, epsilon_r / 2. The radius is 0 before the first phase ends."""


@numba.njit(**compiled.LEAN)
def gap_of(phase):
    """Return epsilon_r as a share of b."""
    return 0.25 * 0.5**phase


@numba.njit(**compiled.LEAN)
def rounds_of(phase, stage, level, factors):
    """Return the pulls of each arm in a stage; stage 0 is the phase's own sampling.

    `level` is log(1 / delta). Phase r has epsilon_r = 2^-r / 4 and delta_r = delta / (50 r^3).
    Median Elimination runs at epsilon_r / 2 and delta_r. Its stage l runs at a quarter of epsilon_r
    / 2 times (3/4)^(l - 1), and at delta_r / 2^l.
    """
    log_inverse = level + math.log(50.0 * float(phase) ** 3)
    if stage == 0:
        gap = gap_of(phase)
        return math.ceil(factors[0] / gap**2 * (math.log(2.0) + log_inverse))
    gap = gap_of(phase) / 8.0 * 0.75 ** (stage - 1)
    return math.ceil(factors[1] / gap**2 * (math.log(3.0 * 2.0**stage) + log_inverse))


@numba.njit(**compiled.LEAN)
def keep_better_half(candidates, n, sums):
    """Keep the half with the largest sums, rounded up, in front and in order; return its size.

    In a tie the candidate with the lower index is kept.
    """
    for left in range(n, (n + 1) // 2, -1):
        worst = 0
        for i in range(1, left):
            if sums[candidates[i]] <= sums[candidates[worst]]:
                worst = i
        for i in range(worst, left - 1):
            candidates[i] = candidates[i + 1]
    return (n + 1) // 2


@numba.njit(**compiled.LEAN)
def remove_below(bar, phase_means, active, n_active, indices, eliminated_at, now):
    """Rule out every active arm whose mean of the phase is below the bar; return how many stay."""
    kept = 0
    for i in range(n_active):
        arm = active[i]
        if phase_means[arm] < bar:
            eliminated_at[arm] = now
            indices[:, arm] = -math.inf
        else:
            active[kept] = arm
            kept += 1
    return kept


@numba.njit(**compiled.LEAN)
def advance_phases(game, state, end):
    """Play rounds until the trial ends or round `end` is complete."""
    level_terms, shape, values = game.level_terms, game.shape, game.values
    reward_max, epsilon = game.reward_max, game.epsilon
    max_samples = game.max_samples
    clock, active, next_arms = state.clock, state.active, state.next_arms
    eliminated_at = state.eliminated_at
    indices, real = state.indices, state.real
    standing, stage_sums, phase_means = indices[STANDING], real[STAGE_SUM], real[PHASE_MEAN]
    level = level_terms[SAMPLING]
    now, samples = clock[ROUND], clock[SAMPLES]
    n_active, n_next = clock[N_ACTIVE], clock[N_NEXT]
    status, named = clock[STATUS], clock[ANSWER]
    phase, stage, left = clock[PHASE], clock[STAGE], clock[LEFT]
    if phase == 0:
        phase = 1
        left = rounds_of(phase, stage, level, shape)

    while status == RUNNING and now < end:
        for i in range(n_next):
            arm = next_arms[i]
            value = pull(arm, game, state)
            if value < 0:
                status, named = EXHAUSTED, arm
                break
            stage_sums[arm] += values[value]
        if status == EXHAUSTED:
            break
        now += 1
        samples += n_next
        left -= 1

        if left == 0:
            gap = reward_max * gap_of(phase)
            if stage == 0:
                for i in range(n_active):
                    arm = active[i]
                    phase_means[arm] = stage_sums[arm] / rounds_of(phase, stage, level, shape)
                    real[RADIUS, arm] = 0.5 * gap
            else:
                n_next = keep_better_half(next_arms, n_next, stage_sums)
            stage += 1
            if n_next == 1:
                reference = next_arms[0]
                n_active = remove_below(
                    phase_means[reference] - gap,
                    phase_means,
                    active,
                    n_active,
                    indices,
                    eliminated_at,
                    now,
                )
                if n_active == 1 or 0.5 * gap <= epsilon:
                    status, named = IDENTIFIED, reference
                    break
                phase, stage, n_next = phase + 1, 0, n_active
                for i in range(n_next):
                    next_arms[i] = active[i]
            stage_sums[:] = 0.0
            left = rounds_of(phase, stage, level, shape)
        if samples + n_next > max_samples:
            status, named = BUDGET, rules.argmax(standing)

    clock[ROUND], clock[SAMPLES] = now, samples
    clock[N_ACTIVE], clock[N_NEXT] = n_active, n_next
    clock[STATUS], clock[ANSWER] = status, named
    clock[PHASE], clock[STAGE], clock[LEFT] = phase, stage, left
