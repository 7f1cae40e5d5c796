"""One trial by pooled betting: another compiled loop over rounds, on the same game and state.

To see whether an arm is ruled out, all rewards so far are needed. So this is checked only every few
rounds, and only if a quick estimate says that it may succeed. An arm may then stay active for
longer than necessary. That costs a few samples, but the answer is as reliable.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds import evidence
from cbai.simulation.loops import rules
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

PATIENCE = 8
"""Evidence is computed again after this many samples for each active arm."""

PROMISING = 0.7
"""Evidence is computed once the quick estimate reaches this share of the evidence needed."""


@numba.njit(**compiled.LEAN)
def spread(counts, values, mean, pulls):
    """Return a cautious variance: it counts one more value, as far from the mean as possible."""
    span = evidence.ceiling_of(values, 1.0) + evidence.ceiling_of(values, -1.0)
    total = 0.25 * span**2
    for v in range(counts.size):
        total += counts[v] * (values[v] - mean) ** 2
    return total / (pulls + 1)


@numba.njit(**compiled.LEAN)
def promising(arm, bar, pulls, phi, variance, pooled, needed):
    """Estimate whether the evidence against "the mean is at least the bar" may be enough."""
    total = 0.0
    for k in range(0 if pooled else arm, pulls.size if pooled else arm + 1):
        gap = bar - phi[arm, k]
        if gap > 0.0:
            if variance[arm, k] <= 0.0:
                return True
            total += pulls[k] * gap * gap / (2.0 * variance[arm, k])
    return total >= PROMISING * needed


@numba.njit(**compiled.LEAN)
def challenger_of(leader, active, n_active, pulls, phi, variance, pooled, needed, least):
    """Return the active arm, other than the leader, with the largest index.

    An arm with fewer pulls than `least` comes first. Otherwise a few equal and poor rewards at the
    start could keep a good arm from being pulled ever again.

    The index is the lowest, over all arms k, of phi + sqrt(2 u v / (n - 2 u)). That is about where
    a bet on the rewards of k alone would win u = `needed` in log-wealth. It is a rule of thumb: the
    choice of arms does not affect correctness.
    """
    chosen = -1
    best = -math.inf
    for i in range(n_active):
        arm = active[i]
        if arm == leader:
            continue
        index = math.inf
        for k in range(0 if pooled else arm, pulls.size if pooled else arm + 1):
            spare = pulls[k] - 2.0 * needed
            if spare > 0.0 and pulls[arm] >= least:
                index = min(index, phi[arm, k] + math.sqrt(2.0 * needed * variance[arm, k] / spare))
                if index <= best:
                    break
        if index > best:
            best = index
            chosen = arm
    return chosen


@numba.njit(**compiled.LEAN)
def weigh(
    pooled, needed, active, n_active, indices, pulls, counts, phi, variance, pseudo_rewards,
    eliminated_at, now,
):  # fmt: skip
    """Remove every active arm that the evidence rules out, and return how many are left.

    An arm is ruled out if the evidence refutes a mean of at least the highest lower bound.
    """
    holder = rules.argmax(indices[LOWER])
    bar = indices[LOWER, holder]
    kept = 0
    for i in range(n_active):
        arm = active[i]
        for k in range(0 if pooled else arm, pulls.size if pooled else arm + 1):
            bounds = pseudo_rewards[k, :, arm]
            variance[arm, k] = spread(counts[k], bounds, phi[arm, k], pulls[k])
        out = (
            arm != holder
            and promising(arm, bar, pulls, phi, variance, pooled, needed)
            and evidence.log_wealth(arm, bar, counts, pseudo_rewards, pooled, 1.0) >= needed
        )
        if out:
            eliminated_at[arm] = now
            indices[:, arm] = -math.inf
        else:
            active[kept] = arm
            kept += 1
    return kept


@numba.njit(**compiled.LEAN)
def near_best(
    pooled, needed, epsilon, active, n_active, lower, pulls, counts, phi, variance, pseudo_rewards
):
    """Return the arm that is best or at most epsilon below it by the evidence, -1 if none is.

    That is the one with the highest lower bound L, if "the mean is at least L + epsilon" is ruled
    out for all others.
    """
    holder = rules.argmax(lower)
    bar = lower[holder] + epsilon
    for i in range(n_active):
        arm = active[i]
        if arm != holder and not (
            promising(arm, bar, pulls, phi, variance, pooled, needed)
            and evidence.log_wealth(arm, bar, counts, pseudo_rewards, pooled, 1.0) >= needed
        ):
            return -1
    return holder


@numba.njit(**compiled.LEAN)
def advance_betting(game, state, end):
    """Play rounds until the trial ends or round `end` is complete."""
    rule, level_terms, values = game.rules, game.level_terms, game.values
    pseudo_rewards, epsilon = game.pseudo_rewards, game.epsilon
    max_samples = game.max_samples
    clock, active, next_arms = state.clock, state.active, state.next_arms
    eliminated_at, pulls, counts = state.eliminated_at, state.pulls, state.counts
    means, indices, pseudo_sums, phi = state.means, state.indices, state.pseudo_sums, state.phi
    variance = state.variance
    pooled = rule[2] == rules.POOLED_WEALTH
    needed = level_terms[ELIMINATION]
    standing, lower = indices[STANDING], indices[LOWER]
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
            n = pulls[arm]
            phi[arm, arm] = means[arm]
            if pooled:
                for j in range(n_active):
                    bounded = active[j]
                    pseudo_sums[bounded, arm] += pseudo_rewards[arm, value, bounded]
                    phi[bounded, arm] = pseudo_sums[bounded, arm] / n
        if status == EXHAUSTED:
            break
        now += 1
        samples += n_next

        leader = rules.argmax(standing)
        if samples >= clock[DUE]:
            clock[DUE] = samples + PATIENCE * n_active
            lower[leader] = evidence.lower_bound(
                leader,
                counts,
                pseudo_rewards,
                False,
                means[leader],
                level_terms[LEADER],
                max(lower[leader], values[0]),
            )
            n_active = weigh(
                pooled,
                needed,
                active,
                n_active,
                indices,
                pulls,
                counts,
                phi,
                variance,
                pseudo_rewards,
                eliminated_at,
                now,
            )
            if n_active == 1:
                status, named = IDENTIFIED, active[0]
                break
            if epsilon > 0.0:
                near = near_best(
                    pooled,
                    needed,
                    epsilon,
                    active,
                    n_active,
                    lower,
                    pulls,
                    counts,
                    phi,
                    variance,
                    pseudo_rewards,
                )
                if near >= 0:
                    status, named = IDENTIFIED, near
                    break
            leader = rules.argmax(standing)
        n_next = 2
        next_arms[0] = leader
        next_arms[1] = challenger_of(
            leader,
            active,
            n_active,
            pulls,
            phi,
            variance,
            pooled,
            needed,
            math.sqrt(samples / pulls.size),
        )
        if samples + n_next > max_samples:
            status, named = BUDGET, leader

    clock[ROUND], clock[SAMPLES] = now, samples
    clock[N_ACTIVE], clock[N_NEXT] = n_active, n_next
    clock[STATUS], clock[ANSWER] = status, named
