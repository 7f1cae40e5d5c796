"""Rounds that a few arms settle, where each arm's index depends on its own rewards alone.

Only pulled arms change. So the highest index of all the others stands still. It is enough to look
at the few arms with the highest indices, as long as these stay above all others.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.loops import rules
from cbai.simulation.loops.state import (
    LEADER_LOWER,
    N_NEXT,
    OWN_UCB,
    RIVAL_UPPER,
    SAMPLES,
    STANDING,
)
from cbai.simulation.loops.state import LOWER as LOWER_BOUND

LEADERS, RIVALS = 2, 4
"""How many arms are followed because of their index as a leader, and as a challenger."""

FIRST, SECOND, LOWER, UPPER, RIVAL, PULLS = range(6)
"""The places in `Followed.rest` of what is kept of the other arms: the highest index as a leader
and as a challenger, the highest lower and the lowest upper bound, the highest upper bound that the
stopping rule compares with, and the most pulls."""


@numba.njit(**compiled.LEAN)
def knows(rule):
    """Return whether a few arms can settle a round under these rules; in doubt, none can."""
    leader, challenger, elimination, stopping = rule[0], rule[1], rule[2], rule[3]
    own = leader in (rules.MEAN, rules.OWN_LEADER)
    pseudo = leader in (rules.PSEUDO_LEADER, rules.MIN_LEADER)
    apart = leader == rules.MIN_LEADER and challenger == rules.OWN_AND_PSEUDO
    challengers = (
        rules.NO_CHALLENGER,
        rules.OWN_CHALLENGER,
        rules.OWN_AND_PSEUDO,
        rules.CROSS_CHALLENGER,
    )
    eliminations = (rules.NO_ELIMINATION, rules.OWN_ELIMINATION, rules.CROSS_ELIMINATION)
    stoppings = (rules.NO_STOPPING, rules.ABOVE_ALL, rules.SHARE_OF_PULLS)
    return (
        (own or pseudo)
        and not apart
        and challenger in challengers
        and elimination in eliminations
        and stopping in stoppings
    )


@numba.njit(**compiled.LEAN)
def add_highest(index, most, followed, size):
    """Add the arms with the highest indices to those that are followed; return how many there are.

    No arm is added twice. An index of -inf is that of an arm that is ruled out.
    """
    begin = size
    for arm in range(index.size):
        if index[arm] == -math.inf:
            continue
        full = size - begin == most
        if full and index[arm] <= index[followed[size - 1]]:
            continue
        known = False
        for i in range(begin):
            known |= followed[i] == arm
        if known:
            continue
        if not full:
            size += 1
        place = size - 1
        while place > begin and index[arm] > index[followed[place - 1]]:
            followed[place] = followed[place - 1]
            place -= 1
        followed[place] = arm
    return size


@numba.njit(**compiled.LEAN)
def choose(game, state):
    """Choose the arms to follow, note what the others can do at most, and return how many."""
    indices, arms, column = state.indices, state.followed.arms, state.followed.column
    rest = state.followed.rest
    first = indices[STANDING if game.rules[0] == rules.MEAN else OWN_UCB]
    size = add_highest(first, LEADERS, arms, 0)
    if state.clock[N_NEXT] == 2:
        size = add_highest(indices[OWN_UCB], RIVALS, arms, size)
    for i in range(size):
        column[arms[i]] = i
    clear(rest)
    for arm in range(first.size):
        if column[arm] < 0:
            rest[FIRST] = max(rest[FIRST], first[arm])
            rest[SECOND] = max(rest[SECOND], indices[OWN_UCB, arm])
            rest[UPPER] = min(rest[UPPER], state.upper[arm])
            add_to_rest(arm, indices, state.pulls, rest)
    for i in range(size):
        column[arms[i]] = -1
    return size


@numba.njit(**compiled.LEAN)
def clear(rest):
    """Forget what is kept of the other arms."""
    rest[:] = -math.inf
    rest[UPPER] = math.inf


@numba.njit(**compiled.LEAN)
def add_to_rest(arm, indices, pulls, rest):
    """Note of an arm that is not followed what does not depend on pseudo-rewards."""
    rest[LOWER] = max(rest[LOWER], indices[LOWER_BOUND, arm])
    rest[RIVAL] = max(rest[RIVAL], indices[RIVAL_UPPER, arm])
    rest[PULLS] = max(rest[PULLS], pulls[arm])


@numba.njit(**compiled.LEAN, inline="always")
def settles(game, state, size, n_next):
    """Return whether the followed arms settle a round, and who is pulled next."""
    rule, indices, arms, rest = game.rules, state.indices, state.followed.arms, state.followed.rest
    sure, leader, challenger = True, -1, -1
    for turn in range(n_next):
        row = STANDING if turn == 0 and rule[0] == rules.MEAN else OWN_UCB
        chosen, best = -1, rest[FIRST if turn == 0 else SECOND]
        for i in range(size):
            arm, index = arms[i], indices[row, arms[i]]
            if arm != leader and (index > best or (index == best and arm < chosen)):
                chosen, best = arm, index
        sure = sure and chosen >= 0
        if turn == 0:
            leader = chosen
        else:
            challenger = chosen
    if rule[2] != rules.NO_ELIMINATION:
        bar, least, above = rest[LOWER], rest[UPPER], 0
        for i in range(size):
            bar = max(bar, indices[LOWER_BOUND, arms[i]])
        for i in range(size):
            least = min(least, state.upper[arms[i]])
            above += state.upper[arms[i]] > bar + game.epsilon
        # of two arms above this, one is not the one with the highest lower bound
        sure = sure and least >= bar and (game.epsilon == 0.0 or above >= 2)
    return sure, leader, challenger


@numba.njit(**compiled.LEAN, inline="always")
def goes_on(game, state, size, leader):
    """Return whether the stopping rule lets a trial with this leader go on."""
    rule, indices, arms, rest = game.rules, state.indices, state.followed.arms, state.followed.rest
    if rule[3] == rules.ABOVE_ALL:
        rival = rest[RIVAL]
        for i in range(size):
            if arms[i] != leader:
                rival = max(rival, indices[RIVAL_UPPER, arms[i]])
        return indices[LEADER_LOWER, leader] + game.epsilon <= rival
    if rule[3] == rules.SHARE_OF_PULLS:
        most = rest[PULLS]
        for i in range(size):
            most = max(most, state.pulls[arms[i]])
        return most < rules.PULL_SHARE * (state.clock[SAMPLES] - most)
    return True
