"""Rounds of an algorithm that looks at each arm alone, with many arms, compiled.

A round changes one or two arms. So the highest index of all arms is kept in a tree: each node holds
the larger of the two numbers below it, and the arms are the leaves. To note a new index takes one
comparison a level, and so does finding the arm with the highest. The cost of a round grows with the
logarithm of the number of arms. The same arms are pulled as by `cbai.simulation.loops.decide`.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.loops import rules
from cbai.simulation.loops.state import (
    ANSWER,
    BUDGET,
    IDENTIFIED,
    LEADER_LOWER,
    LOWER,
    N_ACTIVE,
    N_NEXT,
    OWN_UCB,
    RIVAL_UPPER,
    ROUND,
    RUNNING,
    SAMPLES,
    STANDING,
    STATUS,
)

MANY_LEADERS = 512
"""Where a round pulls one arm only, following a few is quicker below this number of arms."""

LEAST_UPPER, PULLS = LEADER_LOWER, 5
"""The places in `State.tops` of the upper bounds with their sign changed, so that the lowest is the
highest, and of the pulls. The others are those of `State.indices`."""


@numba.njit(**compiled.LEAN)
def rows_of(game, state):
    """Return which rows of `State.tops` an algorithm needs, as bits; 0 if it does without."""
    leader, challenger, elimination, stopping = (
        game.rules[0],
        game.rules[1],
        game.rules[2],
        game.rules[3],
    )
    knows = (
        state.tops.size > 0
        and game.rules[4] == 0
        and (leader == rules.MEAN or leader == rules.OWN_LEADER)
        and (challenger == rules.NO_CHALLENGER or challenger == rules.OWN_CHALLENGER)
        and (elimination == rules.NO_ELIMINATION or elimination == rules.OWN_ELIMINATION)
        and (elimination == rules.NO_ELIMINATION or game.epsilon == 0.0)
    )
    if not knows or (challenger == rules.NO_CHALLENGER and state.pulls.size < MANY_LEADERS):
        return 0
    rows = 1 << (STANDING if leader == rules.MEAN else OWN_UCB)
    if challenger == rules.OWN_CHALLENGER:
        rows |= 1 << OWN_UCB
    if elimination != rules.NO_ELIMINATION:
        rows |= 1 << LOWER | 1 << LEAST_UPPER
    if stopping == rules.ABOVE_ALL:
        rows |= 1 << RIVAL_UPPER
    if stopping == rules.SHARE_OF_PULLS:
        rows |= 1 << PULLS
    return rows


@numba.njit(**compiled.LEAN)
def renew(tops, row, arm, index):
    """Note the new index of an arm."""
    node = (tops.shape[1] >> 1) + arm
    tops[row, node] = index
    while node > 1:
        higher = max(tops[row, node], tops[row, node ^ 1])
        node >>= 1
        if tops[row, node] == higher:
            return
        tops[row, node] = higher


@numba.njit(**compiled.LEAN)
def highest(tops, row):
    """Return the arm with the highest index, the first of several."""
    half, node = tops.shape[1] >> 1, 1
    while node < half:
        node <<= 1
        node += tops[row, node] < tops[row, node + 1]
    return node - half


@numba.njit(**compiled.LEAN)
def note(arm, rows, state):
    """Note the indices of an arm that was pulled or ruled out."""
    tops, indices = state.tops, state.indices
    for row in (STANDING, OWN_UCB, LOWER, RIVAL_UPPER):
        if rows >> row & 1:
            renew(tops, row, arm, indices[row, arm])
    if rows >> LEAST_UPPER & 1:
        renew(tops, LEAST_UPPER, arm, -state.upper[arm])
    if rows >> PULLS & 1:
        renew(tops, PULLS, arm, state.pulls[arm])


@numba.njit(**compiled.LEAN)
def take_out(arm, tops):
    """Leave an arm out of the trees."""
    for row in range(tops.shape[0]):
        renew(tops, row, arm, -math.inf)


@numba.njit(**compiled.LEAN)
def gather(rows, state):
    """Note the indices of all arms, when a loop begins or goes on."""
    tops = state.tops
    for row in range(tops.shape[0]):
        for node in range(1, tops.shape[1]):
            tops[row, node] = -math.inf
    for arm in range(state.pulls.size):
        note(arm, rows, state)


@numba.njit(**compiled.LEAN)
def _rule_out(rows, state):
    """Rule out every arm whose upper bound is strictly below the highest lower bound."""
    tops, clock, active = state.tops, state.clock, state.active
    leader = highest(tops, LOWER)
    bar = state.indices[LOWER, leader]
    take_out(leader, tops)
    while -tops[LEAST_UPPER, 1] < bar:
        arm = highest(tops, LEAST_UPPER)
        take_out(arm, tops)
        state.eliminated_at[arm] = clock[ROUND]
        state.indices[:, arm] = -math.inf
        state.upper[arm] = math.inf
        clock[N_ACTIVE] -= 1
        place, past = 0, clock[N_ACTIVE]
        while place < past:
            middle = (place + past) >> 1
            if active[middle] < arm:
                place = middle + 1
            else:
                past = middle
        for i in range(place, clock[N_ACTIVE]):
            active[i] = active[i + 1]
    note(leader, rows, state)


@numba.njit(**compiled.LEAN)
def _lead(rows, state, row, held):
    """Return the arm with the highest index, where `held` is out of the trees; take it out."""
    tops, index = state.tops, state.indices[row]
    if held >= 0 and index[held] > tops[row, 1]:
        return held
    leader = highest(tops, row)
    if held >= 0:
        if index[held] == index[leader] and held < leader:
            return held
        note(held, rows, state)
    take_out(leader, tops)
    return leader


@numba.njit(**compiled.LEAN)
def _stop(game, state, leader):
    clock, tops, pulls = state.clock, state.tops, state.pulls
    if game.rules[3] == rules.ABOVE_ALL:
        if state.indices[LEADER_LOWER, leader] + game.epsilon > tops[RIVAL_UPPER, 1]:
            clock[STATUS], clock[ANSWER] = IDENTIFIED, leader
    elif game.rules[3] == rules.SHARE_OF_PULLS:
        most = max(pulls[leader], tops[PULLS, 1])
        if most >= rules.PULL_SHARE * (clock[SAMPLES] - most):
            clock[STATUS], clock[ANSWER] = IDENTIFIED, rules.argmax(pulls)


@numba.njit(**compiled.LEAN)
def decide(game, state, rows, held):
    """Rule arms out, then end the trial or name the arms of the next round.

    The leader of the last round, `held`, is out of the trees, -1 if none is. It is pulled in every
    round in which it leads, so its indices need not be noted. Returns the new one.
    """
    clock, tops, next_arms = state.clock, state.tops, state.next_arms
    if rows >> LOWER & 1:
        bar, least = tops[LOWER, 1], -tops[LEAST_UPPER, 1]
        if held >= 0:
            bar = max(bar, state.indices[LOWER, held])
            least = min(least, state.upper[held])
        if least < bar:
            if held >= 0:
                note(held, rows, state)
            held = -1
            _rule_out(rows, state)
        if clock[N_ACTIVE] == 1:
            clock[STATUS], clock[ANSWER] = IDENTIFIED, state.active[0]
            return held
    leader = _lead(rows, state, STANDING if game.rules[0] == rules.MEAN else OWN_UCB, held)
    next_arms[0] = leader
    clock[N_NEXT] = 1
    if game.rules[1] == rules.OWN_CHALLENGER:
        clock[N_NEXT] = 2
        next_arms[1] = highest(tops, OWN_UCB)
    _stop(game, state, leader)
    if clock[STATUS] == RUNNING and clock[SAMPLES] + clock[N_NEXT] > game.max_samples:
        clock[STATUS], clock[ANSWER] = BUDGET, rules.argmax(state.indices[STANDING])
    return leader
