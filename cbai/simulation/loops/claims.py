"""One trial that tests claims: another compiled loop over rounds, on the same game and state.

For each arm l there is one game, against the claim "l is the best". An arm is ruled out once its
game has won enough, whatever its mean may be. No lower bound of another arm is needed. There is no
round in which all arms are pulled: an arm may be ruled out before its first sample.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds import claims
from cbai.simulation.loops import rules
from cbai.simulation.loops.draw import pull
from cbai.simulation.loops.state import (
    ANSWER,
    BUDGET,
    DUE,
    ELIMINATION,
    EXHAUSTED,
    IDENTIFIED,
    KNOWN,
    N_ACTIVE,
    N_NEXT,
    ROUND,
    RUNNING,
    SAMPLES,
    STANDING,
    STATUS,
)

CAP, WEAKEST, EVIDENCE, STEP = range(4)
"""The rows of `State.real`: the largest mean that the bounds on an arm allow; the x at which there
is the least evidence against the claim, and how much that is; and how far x is moved next."""

PATIENCE, PACE = 8, 32
"""Evidence is computed again after 8 samples, later after one sample for every 32 so far."""

SHARE = 0.05
"""The challenger has at least this many pulls for each pull of the leader, and at most one."""

EXPLORED = 0.1
"""This share of the samples is divided evenly among all active arms."""

FIRST_STEP = 1.0 / 64.0
"""How far the x of an arm is moved first, as a share of the reward range."""


@numba.njit(**compiled.LEAN)
def begin(game, state):
    """Compute the largest mean that the bounds on each arm allow. No arm has been pulled."""
    values, table, real = game.values, game.pseudo_rewards, state.real
    n_arms = state.pulls.size
    real[CAP, :] = values[-1]
    for k in range(n_arms):
        for arm in range(n_arms):
            if arm != k:
                most = table[k, 0, arm]
                for v in range(values.size):
                    most = max(most, table[k, v, arm])
                real[CAP, arm] = min(real[CAP, arm], most)
    for arm in range(n_arms):
        real[WEAKEST, arm] = max(real[CAP, arm], values[0])
        real[EVIDENCE, arm] = 0.0
        real[STEP, arm] = -FIRST_STEP * (values[-1] - values[0])


@numba.njit(**compiled.LEAN)
def leader_of(state):
    """Return the active arm with the largest mean, where its cap counts as one more reward."""
    active, caps = state.active, state.real[CAP]
    leader, best = -1, -math.inf
    for i in range(state.clock[N_ACTIVE]):
        arm = active[i]
        mean = (state.sums[arm] + caps[arm]) / (state.pulls[arm] + 1)
        if mean > best:
            leader, best = arm, mean
    return leader


@numba.njit(**compiled.LEAN)
def likely_best(state):
    """Return the active arm with the largest mean, or the leader if none of them was pulled."""
    best = rules.argmax(state.indices[STANDING])
    return best if state.indices[STANDING, best] > -math.inf else leader_of(state)


@numba.njit(**compiled.LEAN)
def challenger_of(leader, state):
    """Return the active arm, other than the leader, with the least evidence against its claim."""
    active, known = state.active, state.real[EVIDENCE]
    chosen, least = -1, math.inf
    for i in range(state.clock[N_ACTIVE]):
        arm = active[i]
        index = known[arm]
        if arm != leader and index < least:
            chosen, least = arm, index
    return chosen


@numba.njit(**compiled.LEAN)
def growth(counts, pulls, t, x, values, bounds):
    """Return about how much a pull wins, mean² / 2 variance, by the rewards of the arm so far."""
    first, second = claims.moments(counts, t, x, values, bounds, 1.0)
    mean = first / pulls
    if mean <= 0.0:
        return 0.0
    coarse = (0.25 * (values[-1] - values[0])) ** 2
    variance = max(second / pulls - mean * mean, 0.01 * coarse) + coarse / pulls
    return mean * mean / (2.0 * variance)


@numba.njit(**compiled.LEAN)
def next_arm(game, state):
    """Return the leader, and the arm to pull: the leader, its challenger, or a neglected arm.

    Between the first two it is the one whose rewards tell most at the challenger's weakest x. This
    is a rule of thumb: the choice of arms does not affect correctness.
    """
    leader = leader_of(state)
    values, pulls, table = game.values, state.pulls, game.pseudo_rewards
    if pulls[leader] == 0:
        return leader, leader
    least = EXPLORED * state.clock[SAMPLES] / state.clock[N_ACTIVE]
    for i in range(state.clock[N_ACTIVE]):
        if pulls[state.active[i]] + 1 <= least:
            return leader, state.active[i]
    rival = challenger_of(leader, state)
    if pulls[rival] < SHARE * pulls[leader]:
        return leader, rival
    if pulls[rival] >= pulls[leader]:
        return leader, leader
    x = state.real[WEAKEST, rival]
    by_leader = 0.0
    for t in claims.MIXES:
        by_leader = max(
            by_leader,
            growth(state.counts[leader], pulls[leader], t, x, values, table[leader, :, rival]),
        )
    n = pulls[rival]
    # The mean counts one reward at the cap: a rival with few rewards must not look hopeless.
    shift = (state.real[CAP, rival] - state.means[rival]) / (n + 1)
    by_rival = growth(state.counts[rival], n, 1.0, x - shift, values, values)
    return leader, rival if by_rival > by_leader else leader


@numba.njit(**compiled.LEAN)
def evidence_at(arm, x, n_leaders, game, state):
    """Return the log-wealth against "the arm is the best, with mean x"."""
    return claims.log_wealth(
        arm, x, x, state.counts, state.led, state.source, n_leaders, game.values,
        game.pseudo_rewards,
    )  # fmt: skip


@numba.njit(**compiled.LEAN)
def weaken(arm, n_leaders, game, state):
    """Move an arm's x to where there is less evidence, and note the evidence there."""
    real, values = state.real, game.values
    span = values[-1] - values[0]
    x, step = real[WEAKEST, arm], real[STEP, arm]
    moved = min(max(x + step, values[0]), max(real[CAP, arm], values[0]))
    here = evidence_at(arm, x, n_leaders, game, state)
    there = evidence_at(arm, moved, n_leaders, game, state)
    if there < here:
        real[WEAKEST, arm], real[EVIDENCE, arm] = moved, there
        step *= 2.0
    else:
        real[EVIDENCE, arm] = here
        step *= -0.5
    size = min(max(abs(step), claims.FINEST * span), 4.0 * FIRST_STEP * span)
    real[STEP, arm] = math.copysign(size, step)


@numba.njit(**compiled.LEAN)
def is_refuted(arm, n_leaders, needed, game, state):
    """Return whether the claim of an arm is refuted for every mean that it may have."""
    real = state.real
    if real[CAP, arm] < game.values[0]:
        return True
    weaken(arm, n_leaders, game, state)
    if real[EVIDENCE, arm] < needed + claims.MARGIN:
        return False
    proven, x = claims.surpasses(
        arm, needed, real[CAP, arm], state.counts, state.led, state.source, n_leaders,
        game.values, game.pseudo_rewards,
    )  # fmt: skip
    if not proven:
        real[WEAKEST, arm] = x
        real[STEP, arm] = -FIRST_STEP * (game.values[-1] - game.values[0])
    return proven


@numba.njit(**compiled.LEAN)
def note_led(arm, value, state):
    """Count a reward of the leader. An arm that leads for the first time joins the list."""
    first = True
    for count in state.led[arm]:
        first = first and count == 0
    if first:
        state.source[state.clock[KNOWN]] = arm
        state.clock[KNOWN] += 1
    state.led[arm, value] += 1


@numba.njit(**compiled.LEAN)
def look(leader, n_leaders, game, state):
    """Rule out every active arm whose claim is refuted, but not the leader."""
    clock, active = state.clock, state.active
    kept = 0
    for i in range(clock[N_ACTIVE]):
        arm = active[i]
        if arm != leader and is_refuted(arm, n_leaders, game.level_terms[ELIMINATION], game, state):
            state.eliminated_at[arm] = clock[ROUND]
            state.indices[:, arm] = -math.inf
        else:
            active[kept] = arm
            kept += 1
    clock[N_ACTIVE] = kept


@numba.njit(**compiled.LEAN)
def advance_claims(game, state, end):
    """Play rounds of one pull until the trial ends or round `end` is complete."""
    clock = state.clock
    if clock[ROUND] == 0 and end > 0:
        begin(game, state)
        clock[N_NEXT] = 1
    while clock[STATUS] == RUNNING and clock[ROUND] < end:
        leader, arm = next_arm(game, state)
        value = pull(arm, game, state)
        if value < 0:
            clock[STATUS], clock[ANSWER] = EXHAUSTED, arm
            break
        if arm == leader:
            note_led(arm, value, state)
        clock[ROUND] += 1
        clock[SAMPLES] += 1
        if clock[SAMPLES] >= clock[DUE]:
            clock[DUE] = clock[SAMPLES] + max(PATIENCE, clock[SAMPLES] // PACE)
            look(leader_of(state), clock[KNOWN], game, state)
            if clock[N_ACTIVE] == 1:
                clock[STATUS], clock[ANSWER] = IDENTIFIED, state.active[0]
                break
        if clock[SAMPLES] + 1 > game.max_samples:
            clock[STATUS], clock[ANSWER] = BUDGET, likely_best(state)
