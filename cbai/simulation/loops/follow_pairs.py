"""Rounds that a few arms settle, where an arm's index depends on the rewards of other arms, too.

A few arms are in the *contest*: only they may be pulled. They are chosen anew every few rounds.
Until then, all that changes are the averages of pseudo-rewards over the rewards of these arms. In m
pulls, an average phi over n pulls rises at most to (n phi + m s) / (n + m), where s is the largest
pseudo-reward, and falls at most to the same with the smallest. Widths only become smaller, and the
exploration only grows. So the index of any other arm has an upper bound for the next m rounds, and
its CrossUCB has a lower bound. As long as the contest stays above the one, and all lower bounds
stay below the other, nobody else matters.

The arms in the contest, and some that are nearly ruled out, are *followed*: each pull updates their
averages. These are running sums, whose last digits may differ from those of
`cbai.simulation.loops.pseudo`. A comparison that is closer than that is left to all arms.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds import mean_bounds
from cbai.simulation.loops import follow, rules
from cbai.simulation.loops.pseudo import LEAST, MOST
from cbai.simulation.loops.state import (
    ELIMINATION,
    LOWER,
    N_ACTIVE,
    N_NEXT,
    OWN_UCB,
    ROUND,
    ROWS,
    STANDING,
)

FIRST_AHEAD, LEAST_AHEAD, MOST_AHEAD = 8, 4, 4096
"""For how many rounds the other arms are judged ahead."""

SLACK = 1e-9
"""How far, as a part of b, two indices must be apart to be compared by running sums. These are off
by less than 1e-11 b after `MOST_AHEAD` rounds."""

EXPLORED, MORE_EXPLORED = 6, 7
"""The places in `rest` of the exploration in the next round, and how much it grows until the last
round ahead."""


@numba.njit(**compiled.LEAN)
def adapted(ahead, left, n_followed):
    """Return for how many rounds to judge ahead, given how many were left of the last ones."""
    if n_followed == 0:
        return ahead
    if left < 0:
        return min(2 * ahead, MOST_AHEAD)
    return max(ahead // 2, LEAST_AHEAD) if 2 * left > ahead else ahead


@numba.njit(**compiled.LEAN, inline="always")
def observe(arm, value, n, width, top, cross, n_followed, followed):
    """Update what an arm's reward says of the arms that are followed.

    Loops over all rows, used or not, have a fixed length and become vector code.
    """
    sums, averages, rough = followed.sums, followed.averages, followed.rough
    c, per_pull = followed.column[arm], 1.0 / n
    for j in range(ROWS):
        sums[c, j] += followed.values[c, value, j]
        averages[c, j] = sums[c, j] * per_pull
    if cross and top == 0.0:
        for j in range(ROWS):
            rough[j] = min(rough[j], averages[c, j] + width)
    elif cross:
        for j in range(n_followed):
            rough[j] = mean_bounds.lowered(rough[j], averages[c, j], width, top)


@numba.njit(**compiled.LEAN, inline="always")
def _first(rule, mean, own, plain, explored):
    """Return an arm's index as a leader, which is one of these."""
    if rule[0] == rules.PSEUDO_LEADER:
        return explored
    if rule[0] == rules.MIN_LEADER:
        return plain
    return own if rule[0] == rules.OWN_LEADER else mean


@numba.njit(**compiled.LEAN, inline="always")
def _second(rule, own, explored, crossed):
    """Return an arm's index as a challenger."""
    if rule[1] == rules.OWN_AND_PSEUDO:
        return min(own, explored)
    return crossed if rule[1] == rules.CROSS_CHALLENGER else own


@numba.njit(**compiled.LEAN, inline="always")
def _rough_indices(game, state, exploration, first, second):
    """Fill in upper bounds on the indices now, from two sources each; -inf if ruled out."""
    indices, phi, source = state.indices, state.phi, state.source
    root_inverse, sampling_width = state.root_inverse, state.sampling_width
    first[:], second[:] = -math.inf, -math.inf
    for i in range(state.clock[N_ACTIVE]):
        arm = state.active[i]
        k = source[arm]
        own, mean = indices[OWN_UCB, arm], indices[STANDING, arm]
        explored = min(
            mean + exploration * root_inverse[arm], phi[arm, k] + exploration * root_inverse[k]
        )
        first[arm] = _first(game.rules, mean, own, min(mean, phi[arm, k]), explored)
        crossed = min(own, phi[arm, k] + sampling_width[k])
        second[arm] = _second(game.rules, own, explored, crossed)


@numba.njit(**compiled.LEAN, inline="always")
def _judge(arm, n_contest, arms, column, ahead, exploration, top, game, state):
    """Return what an arm outside the contest can reach in the next rounds.

    Returns
    -------
    float, float
        Upper bounds on its index as a leader and as a challenger.
    float
        A lower bound on its upper bound for elimination.
    """
    phi, pulls, root_inverse, lowest = state.phi, state.pulls, state.root_inverse, state.lowest
    sampling_width = state.sampling_width
    own, mean = state.indices[OWN_UCB, arm], state.indices[STANDING, arm]
    cross = game.rules[2] == rules.CROSS_ELIMINATION
    explored, plain, crossed = mean + exploration * root_inverse[arm], mean, own
    least = state.upper[arm]
    k = state.source[arm]
    if column[k] < 0:
        explored = min(explored, phi[arm, k] + exploration * root_inverse[k])
        plain = min(plain, phi[arm, k])
        crossed = min(crossed, phi[arm, k] + sampling_width[k])
    for c in range(n_contest):
        k = arms[c]
        n = pulls[k]
        share = ahead / (n + ahead)
        now = phi[arm, k]
        high = now + share * max(lowest[MOST, arm, k] - now, 0.0)
        explored = min(explored, high + exploration * root_inverse[k])
        plain = min(plain, high)
        crossed = min(crossed, high + sampling_width[k])
        if cross:
            width = mean_bounds.width_at(
                n + ahead, game.widths[ELIMINATION], game.shape, game.level_terms[ELIMINATION]
            )
            low = now - share * max(now - lowest[LEAST, arm, k], 0.0)
            least = mean_bounds.lowered(least, low, width, top)
    first = _first(game.rules, mean, own, plain, explored)
    second = _second(game.rules, own, explored, crossed)
    return first, second, least


@numba.njit(**compiled.LEAN, inline="always")
def _fill(game, state, n_contest, size):
    """Fill in what is followed from round to round."""
    phi, arms, column = state.phi, state.followed.arms, state.followed.column
    values, sums, averages = state.followed.values, state.followed.sums, state.followed.averages
    fixed, rest = state.followed.fixed, state.followed.rest
    for j in range(size):
        arm = arms[j]
        state.followed.rough[j] = state.upper[arm]
        for c in range(n_contest):
            k = arms[c]
            sums[c, j], averages[c, j] = state.pseudo_sums[arm, k], phi[arm, k]
            for v in range(values.shape[1]):
                values[c, v, j] = game.pseudo_rewards[k, v, arm]
    soon, late = rest[EXPLORED], rest[EXPLORED] + rest[MORE_EXPLORED]
    for j in range(n_contest):
        arm = arms[j]
        low, high, crossed = math.inf, math.inf, math.inf
        for k in range(phi.shape[1]):
            if column[k] < 0:
                average = phi[arm, k]
                low = min(low, average + soon * state.root_inverse[k])
                high = min(high, average + late * state.root_inverse[k])
                crossed = min(crossed, average + state.sampling_width[k])
        fixed[0, j], fixed[1, j], fixed[2, j] = low, high, crossed


@numba.njit(**compiled.LEAN)
def choose(game, state, ahead, top):
    """Choose the contest and the other followed arms, judge all others, and fill in the tables.

    Returns
    -------
    int, int
        How many arms are followed, and how many of these are in the contest.
    """
    clock, indices, pulls, active = state.clock, state.indices, state.pulls, state.active
    arms, column = state.followed.arms, state.followed.column
    rest, rough = state.followed.rest, state.followed.rough
    soon = rules.exploration(game.reward_max, clock[ROUND] + 1)
    late = rules.exploration(game.reward_max, clock[ROUND] + ahead)
    first, second = state.real[0], state.real[1]
    _rough_indices(game, state, soon, first, second)
    n_contest = clock[N_NEXT]
    for j in range(n_contest):
        arms[j] = state.next_arms[j]
    n_contest = follow.add_highest(first, follow.LEADERS - 1, arms, n_contest)
    if clock[N_NEXT] == 2:
        n_contest = follow.add_highest(second, follow.RIVALS - 1, arms, n_contest)
    column[:] = -1
    for j in range(n_contest):
        column[arms[j]] = j

    follow.clear(rest)
    explores = game.rules[0] != rules.MIN_LEADER
    rest[EXPLORED] = soon if explores else 0.0
    rest[MORE_EXPLORED] = late - soon if explores else 0.0
    slack = SLACK * game.reward_max
    size = n_contest
    for i in range(clock[N_ACTIVE]):
        arm = active[i]
        if column[arm] >= 0:
            continue
        highest, highest_second, least = _judge(
            arm, n_contest, arms, column, ahead, late, top, game, state
        )
        rest[follow.FIRST] = max(rest[follow.FIRST], highest + slack)
        rest[follow.SECOND] = max(rest[follow.SECOND], highest_second + slack)
        follow.add_to_rest(arm, indices, pulls, rest)
        # The arms that are nearest to being ruled out are followed, as far as there is room.
        at = size
        if size == arms.size:
            for j in range(n_contest, size):
                if at == size or rough[j] > rough[at]:
                    at = j
            rest[follow.UPPER] = min(rest[follow.UPPER], max(least, rough[at]) - slack)
            if rough[at] <= least:
                continue
        else:
            size += 1
        arms[at], rough[at] = arm, least
    _fill(game, state, n_contest, size)
    return size, n_contest


@numba.njit(**compiled.LEAN, inline="always")
def settles(game, state, n_followed, n_contest, n_next, in_time):
    """Return whether the contest settles a round, and who is pulled next: leader and challenger.

    `in_time` says that the rounds for which the others are judged are not over.
    """
    rule, followed, indices = game.rules, state.followed, state.indices
    arms, rest, averages = followed.arms, followed.rest, followed.averages
    fixed, lowest, rough = followed.fixed, followed.lowest, followed.rough
    root_inverse, sampling_width = state.root_inverse, state.sampling_width
    slack, widest = SLACK * game.reward_max, 0.0
    crossed = rule[1] == rules.CROSS_CHALLENGER
    for j in range(ROWS):
        lowest[0, j], lowest[1, j] = math.inf, math.inf
    for c in range(n_contest):
        widest = max(widest, root_inverse[arms[c]])
        half = rest[EXPLORED] * root_inverse[arms[c]]
        for j in range(ROWS):
            lowest[0, j] = min(lowest[0, j], averages[c, j] + half)
        if crossed:
            half = sampling_width[arms[c]]
            for j in range(ROWS):
                lowest[1, j] = min(lowest[1, j], averages[c, j] + half)
    spare = rest[MORE_EXPLORED] * widest + slack

    sure, leader, challenger = in_time, -1, -1
    for turn in range(n_next):
        chosen, best, best_most = -1, -math.inf, -math.inf
        runner_up = rest[follow.FIRST if turn == 0 else follow.SECOND]
        for j in range(n_contest):
            arm = arms[j]
            if arm == leader:
                continue
            mean, own = indices[STANDING, arm], indices[OWN_UCB, arm]
            explored = min(lowest[0, j], fixed[0, j])
            at_most = min(lowest[0, j] + spare, fixed[1, j] + slack)
            if turn == 0:
                index = _first(rule, mean, own, explored, explored)
                most = _first(rule, mean, own, at_most, at_most)
            else:
                cross = min(lowest[1, j], fixed[2, j])
                index = _second(rule, own, explored, cross)
                most = _second(rule, own, at_most, cross + slack)
            if index > best:
                runner_up = max(runner_up, best_most)
                chosen, best, best_most = arm, index, most
            else:
                runner_up = max(runner_up, most)
        sure = sure and best > runner_up
        if turn == 0:
            leader = chosen
        else:
            challenger = chosen
    if rule[2] != rules.NO_ELIMINATION:
        bar, least, above = rest[follow.LOWER], rest[follow.UPPER], 0
        for j in range(n_followed):
            bar = max(bar, indices[LOWER, arms[j]])
        for j in range(n_followed):
            own_bound = rule[2] == rules.OWN_ELIMINATION
            known = state.upper[arms[j]] if own_bound else rough[j] - slack
            least = min(least, known)
            above += known > bar + game.epsilon
        sure = sure and least >= bar and (game.epsilon == 0.0 or above >= 2)
    return sure, leader, challenger
