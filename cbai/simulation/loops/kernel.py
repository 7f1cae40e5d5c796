"""One trial of an algorithm composed of rules: the compiled loop over rounds.

A trial is advanced from one state to another, so it can be paused after any round. Traces are
recorded in this way, and long runs are stopped. No second version of the loop is needed.

Most rounds are settled by a few arms, which are followed; see `cbai.simulation.loops.follow` and
`cbai.simulation.loops.follow_pairs`. Only if these do not settle a round for certain are all arms
looked at: `cbai.simulation.loops.decide`. If there are many arms, and each is looked at alone, a
tree settles all rounds: `cbai.simulation.loops.many`. The same arms are pulled as if all were
looked at in every round.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds import mean_bounds
from cbai.simulation.loops import follow, follow_pairs, many, pseudo, rules
from cbai.simulation.loops.decide import decide
from cbai.simulation.loops.draw import pull
from cbai.simulation.loops.state import (
    ANSWER,
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
    RUNNING,
    SAMPLES,
    SAMPLING,
    STATUS,
)


@numba.njit(**compiled.LEAN)
def advance_composed(game, state, end):
    """Play rounds of an algorithm that is composed of rules, up to round `end`."""
    rule, shape, level_terms = game.rules, game.shape, game.level_terms
    by_sampling, by_elimination, by_leader, by_challenger, roots = game.widths
    clock, next_arms, pulls = state.clock, state.next_arms, state.pulls
    means, indices, upper = state.means, state.indices, state.upper
    sampling_width, elimination_width = state.sampling_width, state.elimination_width
    root_inverse = state.root_inverse
    own_ucb, lower = indices[OWN_UCB], indices[LOWER]
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
    if follows and correlated:
        pseudo.note_extremes(game, state)
    n_followed, n_contest, ahead, left = 0, 0, follow_pairs.FIRST_AHEAD, 0
    tree_rows, held = many.rows_of(game, state), -1
    if tree_rows != 0:
        many.gather(tree_rows, state)

    while clock[STATUS] == RUNNING and clock[ROUND] < end:
        n_next = clock[N_NEXT]
        for i in range(n_next):
            arm = next_arms[i]
            value = pull(arm, game, state)
            if value < 0:
                clock[STATUS], clock[ANSWER] = EXHAUSTED, arm
                break
            n, mean = pulls[arm], means[arm]
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
            if tree_rows != 0:
                if arm != held:
                    many.note(arm, tree_rows, state)
            elif correlated:
                root_inverse[arm] = roots[n] if n < roots.size else 1.0 / math.sqrt(n)
                if n_followed > 0:
                    follow_pairs.observe(
                        arm, value, n, width, top, cross, n_followed, state.followed
                    )
        if clock[STATUS] == EXHAUSTED:
            break
        clock[ROUND] += 1
        clock[SAMPLES] += n_next

        if tree_rows != 0:
            held = many.decide(game, state, tree_rows, held)
            continue

        settled, leader, challenger = False, -1, -1
        if n_followed > 0 and clock[SAMPLES] + n_next <= game.max_samples:
            if correlated:
                left -= 1
                settled, leader, challenger = follow_pairs.settles(
                    game, state, n_followed, n_contest, n_next, left >= 0
                )
            else:
                settled, leader, challenger = follow.settles(game, state, n_followed, n_next)
        if settled and follow.goes_on(game, state, n_followed, leader):
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
