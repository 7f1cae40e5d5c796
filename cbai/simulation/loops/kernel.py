"""One trial of an algorithm composed of rules: the compiled loop over rounds.

A trial is advanced from one state to another, so it can be paused after any round. Traces are
recorded in this way, and long runs are stopped. No second version of the loop is needed. A round
updates only what its pulls change.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds import mean_bounds
from cbai.simulation.loops import rules
from cbai.simulation.loops.draw import draw
from cbai.simulation.loops.state import (
    ANSWER,
    BUDGET,
    CHALLENGER,
    ELIMINATION,
    EXHAUSTED,
    IDENTIFIED,
    LEADER,
    LEADER_LOWER,
    LOWER,
    N_ACTIVE,
    N_NEXT,
    OWN_UCB,
    RIVAL_UPPER,
    ROUND,
    RUNNING,
    SAMPLES,
    SAMPLING,
    STANDING,
    STATUS,
)


@numba.njit(**compiled.OPTIONS)
def _observe_pseudo_rewards(
    arm, value, pulls, width, active, n_active, pseudo_rewards, pseudo_sums, phi, upper
):
    """Update the empirical pseudo-rewards of the active arms with respect to one arm."""
    for i in range(n_active):
        bounded = active[i]
        total = pseudo_sums[bounded, arm] + pseudo_rewards[arm, value, bounded]
        average = total / pulls
        pseudo_sums[bounded, arm] = total
        phi[bounded, arm] = average
        upper[bounded] = min(upper[bounded], average + width)


@numba.njit(**compiled.OPTIONS)
def _observe_by_divergence(
    arm, value, pulls, width, top, active, n_active, pseudo_rewards, pseudo_sums, phi, upper
):
    """Update them where upper bounds are Kullback-Leibler bounds."""
    for i in range(n_active):
        bounded = active[i]
        total = pseudo_sums[bounded, arm] + pseudo_rewards[arm, value, bounded]
        average = total / pulls
        pseudo_sums[bounded, arm] = total
        phi[bounded, arm] = average
        if mean_bounds.is_upper_below(average, width, top, upper[bounded], False):
            upper[bounded] = min(upper[bounded], mean_bounds.upper(average, width, top))


@numba.njit(**compiled.OPTIONS)
def advance_composed(game, state, end):
    """Play rounds of an algorithm that is composed of rules, up to round `end`."""
    rule, level_terms, shape, growths = game.rules, game.level_terms, game.shape, game.growths
    values, pseudo_rewards, reward_max = game.values, game.pseudo_rewards, game.reward_max
    epsilon, thresholds, rewards, seed = game.epsilon, game.thresholds, game.rewards, game.seed
    trial, max_samples = game.trial, game.max_samples
    clock, active, next_arms = state.clock, state.active, state.next_arms
    eliminated_at, pulls, counts, sums = state.eliminated_at, state.pulls, state.counts, state.sums
    means, indices, upper = state.means, state.indices, state.upper
    sampling_width, elimination_width = state.sampling_width, state.elimination_width
    no_caps, root_inverse, pseudo_sums = state.no_caps, state.root_inverse, state.pseudo_sums
    phi, source, words = state.phi, state.source, state.words
    leader_rule, challenger_rule, elimination_rule, stopping_rule = (
        rule[0],
        rule[1],
        rule[2],
        rule[3],
    )
    cross = elimination_rule == rules.CROSS_ELIMINATION
    correlated = rule[4] != 0
    explores = leader_rule == rules.PSEUDO_LEADER or challenger_rule == rules.OWN_AND_PSEUDO
    exploration = 0.0
    top = reward_max if shape[mean_bounds.FORM] > 0.0 else 0.0
    standing, own_ucb = indices[STANDING], indices[OWN_UCB]
    lower, leader_lower, rival_upper = indices[LOWER], indices[LEADER_LOWER], indices[RIVAL_UPPER]
    now, samples = clock[ROUND], clock[SAMPLES]
    n_active, n_next = clock[N_ACTIVE], clock[N_NEXT]
    status, named = clock[STATUS], clock[ANSWER]

    while status == RUNNING and now < end:
        for i in range(n_next):
            arm = next_arms[i]
            n = pulls[arm]
            value = draw(arm, n, thresholds, rewards, words, seed, trial)
            if value < 0:
                status, named = EXHAUSTED, arm
                break
            n += 1
            pulls[arm] = n
            counts[arm, value] += 1
            sums[arm] += values[value]
            mean = sums[arm] / n
            means[arm] = mean
            standing[arm] = mean
            growth = growths[n] if n < growths.size else mean_bounds.growth(n, shape)
            if leader_rule != rules.ALL:
                width = mean_bounds.width(n, growth, shape, level_terms[SAMPLING])
                sampling_width[arm] = width
                own_ucb[arm] = mean_bounds.upper(mean, width, top)
            if elimination_rule != rules.NO_ELIMINATION:
                same = (
                    leader_rule != rules.ALL and level_terms[ELIMINATION] == level_terms[SAMPLING]
                )
                if not same:
                    width = mean_bounds.width(n, growth, shape, level_terms[ELIMINATION])
                elimination_width[arm] = width
                lower[arm] = mean_bounds.lower(mean, width, top)
                if not cross:
                    upper[arm] = own_ucb[arm] if same else mean_bounds.upper(mean, width, top)
            if stopping_rule == rules.ABOVE_ALL:
                width = mean_bounds.width(n, growth, shape, level_terms[LEADER])
                leader_lower[arm] = mean_bounds.lower(mean, width, top)
                width = mean_bounds.width(n, growth, shape, level_terms[CHALLENGER])
                rival_upper[arm] = mean_bounds.upper(mean, width, top)
            if correlated:
                root_inverse[arm] = 1.0 / math.sqrt(n)
                cross_width = elimination_width[arm] if cross else math.inf
                if top == 0.0:
                    _observe_pseudo_rewards(
                        arm,
                        value,
                        n,
                        cross_width,
                        active,
                        n_active,
                        pseudo_rewards,
                        pseudo_sums,
                        phi,
                        upper,
                    )
                else:
                    _observe_by_divergence(
                        arm,
                        value,
                        n,
                        cross_width,
                        top,
                        active,
                        n_active,
                        pseudo_rewards,
                        pseudo_sums,
                        phi,
                        upper,
                    )
        if status == EXHAUSTED:
            break
        now += 1
        samples += n_next

        if elimination_rule != rules.NO_ELIMINATION:
            n_active = rules.eliminate(
                elimination_rule,
                active,
                n_active,
                indices,
                upper,
                lower,
                phi,
                elimination_width,
                top,
                source,
                eliminated_at,
                now,
            )
            if n_active == 1:
                status, named = IDENTIFIED, active[0]
                break
            if epsilon > 0.0:
                near = rules.near_best(
                    elimination_rule,
                    active,
                    n_active,
                    lower,
                    upper,
                    epsilon,
                    phi,
                    elimination_width,
                    top,
                    source,
                )
                if near >= 0:
                    status, named = IDENTIFIED, near
                    break

        if explores:
            exploration = reward_max * math.sqrt(2.0 * math.log(now + 1.0))
        n_next = 1 if challenger_rule == rules.NO_CHALLENGER else 2
        if leader_rule == rules.MEAN:
            leader = rules.argmax(standing)
        elif leader_rule == rules.OWN_LEADER:
            leader = rules.argmax(own_ucb)
        elif leader_rule == rules.ALL:
            leader = active[0]
            n_next = n_active
            next_arms[:n_next] = active[:n_next]
        else:
            last = next_arms[0] if eliminated_at[next_arms[0]] == 0 else active[0]
            scale = exploration if leader_rule == rules.PSEUDO_LEADER else 0.0
            leader = rules.argmax_min_bound(
                active, n_active, phi, scale, root_inverse, 0.0, source, no_caps, last, -1
            )
        next_arms[0] = leader
        if challenger_rule == rules.OWN_CHALLENGER:
            next_arms[1] = rules.argmax_except(own_ucb, leader)
        elif challenger_rule != rules.NO_CHALLENGER:
            last = next_arms[1] if eliminated_at[next_arms[1]] == 0 else active[0]
            if challenger_rule == rules.OWN_AND_PSEUDO:
                next_arms[1] = rules.argmax_min_bound(
                    active,
                    n_active,
                    phi,
                    exploration,
                    root_inverse,
                    0.0,
                    source,
                    own_ucb,
                    last,
                    leader,
                )
            else:
                next_arms[1] = rules.argmax_min_bound(
                    active, n_active, phi, 1.0, sampling_width, top, source, no_caps, last, leader
                )

        if stopping_rule == rules.ABOVE_ALL:
            rival = rules.argmax_except(rival_upper, leader)
            if leader_lower[leader] + epsilon > rival_upper[rival]:
                status, named = IDENTIFIED, leader
        elif stopping_rule == rules.SHARE_OF_PULLS:
            favourite = rules.argmax(pulls)
            if pulls[favourite] >= rules.PULL_SHARE * (samples - pulls[favourite]):
                status, named = IDENTIFIED, favourite
        if status == RUNNING and samples + n_next > max_samples:
            status, named = BUDGET, rules.argmax(standing)

    clock[ROUND], clock[SAMPLES] = now, samples
    clock[N_ACTIVE], clock[N_NEXT] = n_active, n_next
    clock[STATUS], clock[ANSWER] = status, named
