"""One trial by pooled betting on both sides, another compiled loop on the same game and state.

Pseudo-rewards are evidence that an arm is bad. Pseudo-lower bounds are evidence that it is good. If
another arm tells most about an arm, that other arm may be pulled instead. So an arm may be named
best although it was hardly pulled.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds import evidence
from cbai.simulation.loops import rules
from cbai.simulation.loops.betting import PROMISING, spread
from cbai.simulation.loops.draw import pull
from cbai.simulation.loops.state import (
    ANSWER,
    BUDGET,
    DUE,
    ELIMINATION,
    EXHAUSTED,
    IDENTIFIED,
    LEADER,
    LOWER,
    N_ACTIVE,
    N_NEXT,
    ROUND,
    RUNNING,
    SAMPLES,
    STANDING,
    STATUS,
)

PATIENCE = 2
"""All evidence is computed again after this many samples for each active arm."""


@numba.njit(**compiled.LEAN)
def refresh_moments(active, n_active, pulls, counts, table, mean, variance):
    """Fill in the mean and the cautious variance of each bound over the rewards of each arm."""
    for i in range(n_active):
        arm = active[i]
        for k in range(pulls.size):
            bounds = table[k, :, arm]
            total = 0.0
            for v in range(bounds.size):
                total += counts[k, v] * bounds[v]
            mean[arm, k] = total / pulls[k]
            variance[arm, k] = spread(counts[k], bounds, mean[arm, k], pulls[k])


@numba.njit(**compiled.LEAN)
def estimate(arm, sign, pulls, table, mean, variance, needed):
    """Return about how high (sign = 1) or how low (-1) the mean of an arm may be, times sign.

    This is the lowest value, over all arms k, of mean + sqrt(2 u v / (n - 2 u)). There a bet on the
    rewards of k alone would win about u = `needed` in log-wealth. It is never above the largest
    value of a bound.
    """
    best = math.inf
    for k in range(pulls.size):
        best = min(best, evidence.ceiling_of(table[k, :, arm], sign))
        spare = pulls[k] - 2.0 * needed
        if spare > 0.0:
            half = math.sqrt(2.0 * needed * variance[arm, k] / spare)
            best = min(best, sign * mean[arm, k] + half)
    return best


@numba.njit(**compiled.LEAN)
def growth_rate(arm, sign, k, x, mean, variance):
    """Return about how much a pull of arm k wins against "the mean, times sign, is at least x"."""
    gap = x - sign * mean[arm, k]
    if gap <= 0.0 or variance[arm, k] <= 0.0:
        return 0.0
    return gap * gap / (2.0 * variance[arm, k])


@numba.njit(**compiled.LEAN)
def most_informative_arm(arm, sign, x, mean, variance):
    """Return the arm whose rewards win most against that claim, the arm itself if none wins.

    This may be an arm that is ruled out, because its rewards may still tell most about the others.
    """
    chosen = arm
    best = growth_rate(arm, sign, arm, x, mean, variance)
    for k in range(mean.shape[0]):
        gain = growth_rate(arm, sign, k, x, mean, variance)
        if gain > best:
            best = gain
            chosen = k
    return chosen


@numba.njit(**compiled.LEAN)
def is_out(arm, bar, pulls, counts, table, mean, variance, needed):
    """Return whether the evidence rules out that the mean of an arm is at least the bar."""
    total = 0.0
    for k in range(pulls.size):
        total += pulls[k] * growth_rate(arm, 1.0, k, bar, mean, variance)
        if bar > evidence.ceiling_of(table[k, :, arm], 1.0):
            total = math.inf
    if total < PROMISING * needed:
        return False
    return evidence.log_wealth(arm, bar, counts, table, True, 1.0) >= needed


@numba.njit(**compiled.LEAN)
def foremost(sign, excluded, active, n_active, means, pulls, table, mean, variance, needed):
    """Return the active arm with the largest estimated bound, leaving out one, and that bound.

    The largest upper bound for sign = 1, the largest lower bound for sign = -1; in a tie the larger
    mean of own rewards counts.
    """
    chosen, best = -1, -math.inf
    for i in range(n_active):
        arm = active[i]
        if arm == excluded:
            continue
        bound = sign * estimate(arm, sign, pulls, table, mean, variance, needed)
        if chosen < 0 or bound > best or (bound == best and means[arm] > means[chosen]):
            chosen, best = arm, bound
    return chosen, best


@numba.njit(**compiled.LEAN)
def weigh(
    holder, epsilon, active, n_active, indices, pulls, counts, table, mean, variance, needed,
    eliminated_at, now,
):  # fmt: skip
    """Remove every active arm that the evidence rules out.

    Returns how many are left, and whether none of these can be better than the arm `holder`, with
    the highest lower bound, by more than epsilon.
    """
    bar = indices[LOWER, holder]
    kept = 0
    within = True
    for i in range(n_active):
        arm = active[i]
        out = arm != holder and is_out(arm, bar, pulls, counts, table, mean, variance, needed)
        if out:
            eliminated_at[arm] = now
            indices[:, arm] = -math.inf
        else:
            active[kept] = arm
            kept += 1
            if arm != holder:
                within &= epsilon > 0.0 and is_out(
                    arm, bar + epsilon, pulls, counts, table, mean, variance, needed
                )
    return kept, within


@numba.njit(**compiled.LEAN)
def name_arms(
    leader, rival, low, high, least, active, n_active, next_arms, pulls, phi, variance, omega,
    variance_low,
):  # fmt: skip
    """Name the arms that are pulled next, and return how many.

    The first is the arm whose rewards tell most about the leader being good. The second is the arm
    whose rewards tell most about the rival being no better. An arm with fewer pulls than `least`
    comes before the second.
    """
    x = 0.5 * (low + high)
    next_arms[0] = most_informative_arm(leader, -1.0, -x, omega, variance_low)
    next_arms[1] = most_informative_arm(rival, 1.0, x, phi, variance)
    for i in range(n_active):
        if pulls[active[i]] < least:
            next_arms[1] = active[i]
            break
    return 1 if next_arms[1] == next_arms[0] else 2


@numba.njit(**compiled.LEAN)
def advance_two_sided(game, state, end):
    """Play rounds until the trial ends or round `end` is complete."""
    level_terms, values, pseudo_rewards = game.level_terms, game.values, game.pseudo_rewards
    pseudo_lower, epsilon = game.pseudo_lower, game.epsilon
    max_samples = game.max_samples
    clock, active, next_arms = state.clock, state.active, state.next_arms
    eliminated_at, pulls, counts = state.eliminated_at, state.pulls, state.counts
    means, indices, phi, variance = state.means, state.indices, state.phi, state.variance
    needed, needed_low = level_terms[ELIMINATION], level_terms[LEADER]
    standing, lower = indices[STANDING], indices[LOWER]
    omega, variance_low = state.lowest[0], state.lowest[1]
    now, samples = clock[ROUND], clock[SAMPLES]
    n_active, n_next = clock[N_ACTIVE], clock[N_NEXT]
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

        if samples >= clock[DUE]:
            clock[DUE] = samples + PATIENCE * n_active
            refresh_moments(active, n_active, pulls, counts, pseudo_rewards, phi, variance)
            refresh_moments(active, n_active, pulls, counts, pseudo_lower, omega, variance_low)
            leader, low = foremost(
                -1.0, -1, active, n_active, means, pulls, pseudo_lower, omega, variance_low,
                needed_low,
            )  # fmt: skip
            lower[leader] = evidence.lower_bound(
                leader,
                counts,
                pseudo_lower,
                True,
                values[-1],
                needed_low,
                max(lower[leader], values[0]),
            )
            holder = rules.argmax(lower)
            n_active, within = weigh(
                holder, epsilon, active, n_active, indices, pulls, counts, pseudo_rewards, phi,
                variance, needed, eliminated_at, now,
            )  # fmt: skip
            if within:
                status, named = IDENTIFIED, holder
                break
            if eliminated_at[leader] > 0:
                leader, low = holder, lower[holder]
            rival, high = foremost(
                1.0, leader, active, n_active, means, pulls, pseudo_rewards, phi, variance, needed
            )
            n_next = name_arms(
                leader, rival, low, high, math.sqrt(samples / pulls.size), active, n_active,
                next_arms, pulls, phi, variance, omega, variance_low,
            )  # fmt: skip
        if samples + n_next > max_samples:
            status, named = BUDGET, rules.argmax(standing)

    clock[ROUND], clock[SAMPLES] = now, samples
    clock[N_ACTIVE], clock[N_NEXT] = n_active, n_next
    clock[STATUS], clock[ANSWER] = status, named
