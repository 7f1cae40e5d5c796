"""One trial of top-two sampling: another compiled loop over rounds, on the same game and state.

TTUCB of Jourdan and Degenne (NeurIPS 2023) with KL_inf in place of Gaussian divergences. The leader
has the largest upper bound. The challenger has the smallest transport cost from the leader. Each
round pulls one of the two. An arm is pulled in every other round in which it leads. Bounds and
costs are kept. Those of the arm just pulled are recomputed. All of them are recomputed once the
samples have grown by a thirty-second, and all costs when the leader changes.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds.divergence import upper_bound
from cbai.simulation.bounds.transport import cost, unrefuted_rival
from cbai.simulation.loops import rules
from cbai.simulation.loops.draw import pull
from cbai.simulation.loops.state import (
    ANSWER,
    BUDGET,
    DUE,
    EXHAUSTED,
    HOLDER,
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

UPPER, COST = range(2)
"""The rows of `State.real`: upper bounds, and transport costs from the leader."""

LED, PULLED = range(2)
"""The rows of `State.whole`: rounds in which an arm led, and those in which it was then pulled."""

GROWTH = 32
"""All is recomputed once the samples have grown by one part in this many."""

TIE = 1e-6
"""An arm comes before one of lower index only if it is better by this, relative to b or in nats."""


@numba.njit(**compiled.LEAN)
def first_largest(index, tie, excluded):
    """Return where a vector is largest, leaving out one place; the first one up to `tie`."""
    chosen = -1
    for arm in range(index.size):
        if arm != excluded and (chosen < 0 or index[arm] > index[chosen] + tie):
            chosen = arm
    return chosen


@numba.njit(**compiled.LEAN)
def signed_transport_cost(leader, arm, counts, values, means, reward_max):
    """Return the transport cost from the leader to an arm.

    An arm that is as good so far costs 0. An arm that is better costs less than 0: the better it
    is, the lower the cost.
    """
    if means[arm] >= means[leader]:
        return means[leader] - means[arm]
    return cost(leader, arm, counts, values, means, reward_max, 0.0)


@numba.njit(**compiled.LEAN)
def advance_top_two(game, state, end):
    """Play rounds until the trial ends or round `end` is complete."""
    level_terms, shape, values = game.level_terms, game.shape, game.values
    reward_max, epsilon = game.reward_max, game.epsilon
    max_samples = game.max_samples
    clock, next_arms, pulls, counts = state.clock, state.next_arms, state.pulls, state.counts
    means, indices = state.means, state.indices
    whole, real = state.whole, state.real
    standing, highest, costs = indices[STANDING], real[UPPER], real[COST]
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

        if samples >= clock[LOOK]:
            clock[LOOK] = samples + n_arms
            best = rules.argmax(standing)
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
        everything = samples >= clock[DUE]
        if everything:
            clock[DUE] = samples + max(n_arms, samples // GROWTH)
        pulled = next_arms[0]
        for arm in range(n_arms):
            if everything or arm == pulled:
                highest[arm] = upper_bound(
                    counts[arm], values, 1.0, means[arm], reward_max, math.log(samples)
                )
        leader = first_largest(highest, TIE * reward_max, -1)
        everything |= leader != clock[HOLDER]
        clock[HOLDER] = leader
        for arm in range(n_arms):
            if arm != leader and (everything or arm == pulled):
                costs[arm] = -signed_transport_cost(leader, arm, counts, values, means, reward_max)
        n_next = 1
        whole[LED, leader] += 1
        if 2 * whole[PULLED, leader] <= whole[LED, leader]:
            whole[PULLED, leader] += 1
            next_arms[0] = leader
        else:
            next_arms[0] = first_largest(costs, TIE, leader)
        if samples + n_next > max_samples:
            status, named = BUDGET, rules.argmax(standing)

    clock[ROUND], clock[SAMPLES], clock[N_NEXT] = now, samples, n_next
    clock[STATUS], clock[ANSWER] = status, named
