"""One trial of an algorithm composed of rules: the compiled loop over rounds.

A trial is advanced from one state to another, so it can be paused after any round. Traces are
recorded in this way, and long runs are stopped. No second version of the loop is needed.

Most rounds are settled by a few arms, which are followed; see `cbai.simulation.loops.follow` and
`cbai.simulation.loops.follow_pairs`. Only if these do not settle a round for certain are all arms
looked at: `cbai.simulation.loops.decide`. The same arms are pulled as if all were looked at in
every round.

The loop is one long function on single arrays. Numba counts the references to each array that is
handed to a function, which takes longer than a whole round.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds import mean_bounds
from cbai.simulation.loops import follow, follow_pairs, pseudo, rules
from cbai.simulation.loops.decide import decide
from cbai.simulation.loops.draw import place, refill
from cbai.simulation.loops.state import (
    ANSWER,
    BLOCK,
    CHALLENGER,
    ELIMINATION,
    EXHAUSTED,
    LEADER,
    LEADER_LOWER,
    LOWER,
    N_NEXT,
    OWN_UCB,
    RIVAL_UPPER,
    ROUND,
    ROWS,
    RUNNING,
    SAMPLES,
    SAMPLING,
    STANDING,
    STATUS,
)


@numba.njit(**compiled.LEAN)
def advance_composed(game, state, end):
    """Play rounds of an algorithm that is composed of rules, up to round `end`."""
    rule, shape, level_terms = game.rules, game.shape, game.level_terms
    by_sampling, by_elimination, by_leader, by_challenger, roots = game.widths
    values, epsilon, max_samples = game.values, game.epsilon, game.max_samples
    clock, next_arms, pulls, counts = state.clock, state.next_arms, state.pulls, state.counts
    sums, means, indices, upper = state.sums, state.means, state.indices, state.upper
    sampling_width, elimination_width = state.sampling_width, state.elimination_width
    root_inverse, drawn = state.root_inverse, state.drawn
    standing, own_ucb, lower = indices[STANDING], indices[OWN_UCB], indices[LOWER]
    leader_lower, rival_upper = indices[LEADER_LOWER], indices[RIVAL_UPPER]
    leader_rule, challenger_rule, elimination_rule, stopping_rule, correlated = (
        rule[0],
        rule[1],
        rule[2],
        rule[3],
        rule[4] != 0,
    )
    by_own_bounds = leader_rule != rules.ALL
    eliminates = elimination_rule != rules.NO_ELIMINATION
    cross = elimination_rule == rules.CROSS_ELIMINATION
    above_all = stopping_rule == rules.ABOVE_ALL
    same_share = by_own_bounds and level_terms[ELIMINATION] == level_terms[SAMPLING]
    top = game.reward_max if shape[mean_bounds.FORM] > 0.0 else 0.0

    # What is followed from round to round; see the modules of that name.
    follows = follow.knows(rule) and not (top > 0.0 and challenger_rule == rules.CROSS_CHALLENGER)
    if correlated:
        pseudo.note_extremes(game, state)
    arms, column, rest = state.followed.arms, state.followed.column, state.followed.rest
    s_rows, sum_rows, phi_rows = state.followed.values, state.followed.sums, state.followed.averages
    rough, fixed, lowest_of = state.followed.rough, state.followed.fixed, state.followed.lowest
    n_followed, n_contest, ahead, left = 0, 0, follow_pairs.FIRST_AHEAD, 0
    pseudo_leader = leader_rule == rules.PSEUDO_LEADER or leader_rule == rules.MIN_LEADER
    pseudo_challenger = challenger_rule == rules.OWN_AND_PSEUDO
    cross_challenger = challenger_rule == rules.CROSS_CHALLENGER
    slack = follow_pairs.SLACK * game.reward_max if correlated else 0.0

    while clock[STATUS] == RUNNING and clock[ROUND] < end:
        n_next = clock[N_NEXT]
        for i in range(n_next):
            arm = next_arms[i]
            n = pulls[arm]
            if n % BLOCK == 0:
                refill(arm, game, state)
            value = drawn[arm, place(n)]
            if value < 0:
                clock[STATUS], clock[ANSWER] = EXHAUSTED, arm
                break
            n += 1
            pulls[arm] = n
            counts[arm, value] += 1
            sums[arm] += values[value]
            mean = sums[arm] / n
            means[arm] = mean
            standing[arm] = mean
            width = 0.0
            if by_own_bounds:
                width = mean_bounds.width_at(n, by_sampling, shape, level_terms[SAMPLING])
                sampling_width[arm] = width
                own_ucb[arm] = mean_bounds.upper(mean, width, top)
            if eliminates:
                if not same_share:
                    width = mean_bounds.width_at(n, by_elimination, shape, level_terms[ELIMINATION])
                elimination_width[arm] = width
                lower[arm] = mean_bounds.lower(mean, width, top)
                if not cross:
                    upper[arm] = own_ucb[arm] if same_share else mean_bounds.upper(mean, width, top)
            if above_all:
                long = mean_bounds.width_at(n, by_leader, shape, level_terms[LEADER])
                leader_lower[arm] = mean_bounds.lower(mean, long, top)
                long = mean_bounds.width_at(n, by_challenger, shape, level_terms[CHALLENGER])
                rival_upper[arm] = mean_bounds.upper(mean, long, top)
            if correlated:
                root_inverse[arm] = roots[n] if n < roots.size else 1.0 / math.sqrt(n)
                if n_followed > 0:
                    c = column[arm]
                    per_pull = 1.0 / n
                    for j in range(ROWS):
                        sum_rows[c, j] += s_rows[c, value, j]
                        phi_rows[c, j] = sum_rows[c, j] * per_pull
                    if cross and top == 0.0:
                        for j in range(ROWS):
                            rough[j] = min(rough[j], phi_rows[c, j] + width)
                    elif cross:
                        follow_pairs.lower_rough(rough, phi_rows, c, n_followed, width, top)
        if clock[STATUS] == EXHAUSTED:
            break
        clock[ROUND] += 1
        clock[SAMPLES] += n_next

        settled = n_followed > 0 and clock[SAMPLES] + n_next <= max_samples
        if settled and not correlated:
            leader, challenger, best = -1, -1, rest[follow.FIRST]
            for i in range(n_followed):
                arm = arms[i]
                index = standing[arm] if leader_rule == rules.MEAN else own_ucb[arm]
                if index > best or (index == best and arm < leader):
                    leader, best = arm, index
            settled = leader >= 0
            if n_next == 2:
                best = rest[follow.SECOND]
                for i in range(n_followed):
                    arm = arms[i]
                    if arm == leader:
                        continue
                    if own_ucb[arm] > best or (own_ucb[arm] == best and arm < challenger):
                        challenger, best = arm, own_ucb[arm]
                settled = settled and challenger >= 0
            if eliminates:
                bar, lowest = rest[follow.LOWER], rest[follow.UPPER]
                for i in range(n_followed):
                    bar = max(bar, lower[arms[i]])
                    lowest = min(lowest, upper[arms[i]])
                settled = settled and lowest >= bar
                if epsilon > 0.0:  # of two above this, one is not the one with the lower bound
                    above = 0
                    for i in range(n_followed):
                        above += upper[arms[i]] > bar + epsilon
                    settled = settled and above >= 2
        elif settled:
            left -= 1
            contest, explored, widest = left >= 0, rest[follow_pairs.EXPLORED], 0.0
            for j in range(ROWS):
                lowest_of[0, j], lowest_of[1, j] = math.inf, math.inf
            for c in range(n_contest):
                arm = arms[c]
                widest = max(widest, root_inverse[arm])
                half = explored * root_inverse[arm]
                for j in range(ROWS):
                    lowest_of[0, j] = min(lowest_of[0, j], phi_rows[c, j] + half)
                if cross_challenger:
                    half = sampling_width[arm]
                    for j in range(ROWS):
                        lowest_of[1, j] = min(lowest_of[1, j], phi_rows[c, j] + half)
            spare = rest[follow_pairs.MORE_EXPLORED] * widest + slack
            leader, best, best_most, runner_up = -1, -math.inf, -math.inf, rest[follow.FIRST]
            for j in range(n_contest):
                arm = arms[j]
                if pseudo_leader:
                    index = min(lowest_of[0, j], fixed[0, j])
                    most = min(lowest_of[0, j] + spare, fixed[1, j] + slack)
                else:
                    index = standing[arm] if leader_rule == rules.MEAN else own_ucb[arm]
                    most = index
                if index > best:
                    runner_up = max(runner_up, best_most)
                    leader, best, best_most = arm, index, most
                else:
                    runner_up = max(runner_up, most)
            settled = contest and best > runner_up
            challenger = -1
            if n_next == 2:
                best, best_most, runner_up = -math.inf, -math.inf, rest[follow.SECOND]
                for j in range(n_contest):
                    arm = arms[j]
                    if arm == leader:
                        continue
                    if pseudo_challenger:
                        index = min(own_ucb[arm], min(lowest_of[0, j], fixed[0, j]))
                        most = min(own_ucb[arm], min(lowest_of[0, j] + spare, fixed[1, j] + slack))
                    elif cross_challenger:
                        index = min(lowest_of[1, j], fixed[2, j])
                        most = index + slack
                    else:
                        index, most = own_ucb[arm], own_ucb[arm]
                    if index > best:
                        runner_up = max(runner_up, best_most)
                        challenger, best, best_most = arm, index, most
                    else:
                        runner_up = max(runner_up, most)
                settled = settled and best > runner_up
            if eliminates:
                bar, lowest, above = rest[follow.LOWER], rest[follow.UPPER], 0
                for j in range(n_followed):
                    bar = max(bar, lower[arms[j]])
                for j in range(n_followed):
                    known = rough[j] - slack if cross else upper[arms[j]]
                    lowest = min(lowest, known)
                    above += known > bar + epsilon
                settled = settled and lowest >= bar and (epsilon == 0.0 or above >= 2)
        if settled and above_all:
            rival = rest[follow.RIVAL]
            for i in range(n_followed):
                if arms[i] != leader:
                    rival = max(rival, rival_upper[arms[i]])
            settled = leader_lower[leader] + epsilon <= rival
        elif settled and stopping_rule == rules.SHARE_OF_PULLS:
            most = rest[follow.PULLS]
            for i in range(n_followed):
                most = max(most, pulls[arms[i]])
            settled = most < rules.PULL_SHARE * (clock[SAMPLES] - most)
        if settled:
            next_arms[0] = leader
            if n_next == 2:
                next_arms[1] = challenger
            continue

        if correlated:
            pseudo.observe_pairs(game, state, cross, top)
        decide(game, state)
        if correlated:
            ahead = follow_pairs.adapted(ahead, left, n_followed)
        n_followed = 0
        if follows and clock[ROUND] + 1 < end and clock[STATUS] == RUNNING:
            if correlated:
                n_followed, n_contest = follow_pairs.choose(game, state, ahead, top)
                left = ahead
            else:
                n_followed = follow.choose(game, state)
