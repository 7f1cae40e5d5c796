"""One trial with bounds that adapt: another compiled loop over rounds, on the same game and state.

All bounds hold at all times at once, so the best of each so far holds too. Upper bounds are kept as
running minima and lower bounds as running maxima, so CrossUCB is never computed again. See
docs/beyond.md, also for the guard against invalid pseudo-rewards.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds import adaptive_bounds, pairs
from cbai.simulation.bounds.adaptive_bounds import BY_VARIANCE, TOLERANCE
from cbai.simulation.loops import rules
from cbai.simulation.loops.draw import pull
from cbai.simulation.loops.state import (
    ANSWER,
    BUDGET,
    CHALLENGER,
    CROSS_UCB,
    ELIMINATION,
    EXHAUSTED,
    GUARDED,
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

DECIDING, NAMING = range(2)
"""The layers of `State.lowest`: at the shares of delta for elimination and for sampling. Without
elimination both are for sampling, and only a trace uses the first."""

OWN_LOWER = 0
"""The row of `State.real` with each arm's LCB in the first layer, also of arms ruled out."""


@numba.njit(**compiled.LEAN)
def tighten(
    arm, k, n, growth, crosswise, levels, shape, phi, squares, span, lowest, upper, indices, kept
):
    """Tighten the bounds of the pair (arm, k) in both layers, and the least over all k."""
    half = 0.0
    for layer in range(2):
        if arm != k and not crosswise[layer]:
            continue
        level = levels[layer]
        known = layer == NAMING and (arm == k or crosswise[DECIDING]) and level == levels[DECIDING]
        if not known:
            half = adaptive_bounds.radius(
                n, growth, squares[arm, k], span[arm, k], level, shape[BY_VARIANCE] > 0.0
            )
        bound = min(lowest[layer, arm, k], phi[arm, k] + half)
        lowest[layer, arm, k] = bound
        if layer == DECIDING:
            upper[arm] = min(upper[arm], bound)
            if arm == k:
                indices[LOWER, arm] = max(indices[LOWER, arm], phi[arm, k] - half)
                kept[OWN_LOWER, arm] = indices[LOWER, arm]
        else:
            indices[CROSS_UCB, arm] = min(indices[CROSS_UCB, arm], bound)
            if arm == k:
                indices[OWN_UCB, arm] = bound


@numba.njit(**compiled.LEAN)
def tighten_stopping(arm, n, growth, level_terms, shape, phi, squares, span, indices):
    """Tighten the bounds of an arm that the stopping rule compares."""
    mean, v, c = phi[arm, arm], squares[arm, arm], span[arm, arm]
    by_variance = shape[BY_VARIANCE] > 0.0
    half = adaptive_bounds.radius(n, growth, v, c, level_terms[LEADER], by_variance)
    indices[LEADER_LOWER, arm] = max(indices[LEADER_LOWER, arm], mean - half)
    half = adaptive_bounds.radius(n, growth, v, c, level_terms[CHALLENGER], by_variance)
    indices[RIVAL_UPPER, arm] = min(indices[RIVAL_UPPER, arm], mean + half)


@numba.njit(**compiled.LEAN)
def guard(active, n_active, lowest, upper, indices, tolerance):
    """Replace the upper bounds by the guarded ones."""
    for i in range(n_active):
        arm = active[i]
        low = indices[LOWER, arm]
        upper[arm] = pairs.guarded_upper(arm, lowest[DECIDING], low, tolerance)
        indices[CROSS_UCB, arm] = pairs.guarded_upper(arm, lowest[NAMING], low, tolerance)


@numba.njit(**compiled.LEAN)
def _play(game, state, end, span, middle):
    rule, level_terms, shape, growths = game.rules, game.level_terms, game.shape, game.growths
    pseudo_rewards, reward_max = game.pseudo_rewards, game.reward_max
    epsilon = game.epsilon
    max_samples = game.max_samples
    clock, active, next_arms = state.clock, state.active, state.next_arms
    eliminated_at, pulls = state.eliminated_at, state.pulls
    indices, upper = state.indices, state.upper
    elimination_width, no_caps = state.elimination_width, state.no_caps
    root_inverse, pseudo_sums, phi = state.root_inverse, state.pseudo_sums, state.phi
    variance, source, real = state.variance, state.source, state.real
    lowest = state.lowest
    leader_rule, challenger_rule, elimination_rule, stopping_rule = (
        rule[0],
        rule[1],
        rule[2],
        rule[3],
    )
    correlated, guarded = rule[4] != 0, rule[GUARDED] != 0
    crosswise = (
        elimination_rule == rules.CROSS_ELIMINATION,
        challenger_rule == rules.CROSS_CHALLENGER,
    )
    eliminates = elimination_rule != rules.NO_ELIMINATION
    levels = (level_terms[ELIMINATION if eliminates else SAMPLING], level_terms[SAMPLING])
    bounds_cross = crosswise[DECIDING] or crosswise[NAMING]
    explores = leader_rule == rules.PSEUDO_LEADER or challenger_rule == rules.OWN_AND_PSEUDO
    exploration = 0.0
    standing, own_ucb, cross_ucb = indices[STANDING], indices[OWN_UCB], indices[CROSS_UCB]
    leader_lower, rival_upper = indices[LEADER_LOWER], indices[RIVAL_UPPER]
    now, samples = clock[ROUND], clock[SAMPLES]
    n_active, n_next = clock[N_ACTIVE], clock[N_NEXT]
    status, named = clock[STATUS], clock[ANSWER]
    if now == 0:
        own_ucb[:] = math.inf
        cross_ucb[:] = math.inf
        rival_upper[:] = math.inf

    while status == RUNNING and now < end:
        for i in range(n_next):
            arm = next_arms[i]
            value = pull(arm, game, state)
            if value < 0:
                status, named = EXHAUSTED, arm
                break
            n = pulls[arm]
            root_inverse[arm] = 1.0 / math.sqrt(n)
            for j in range(n_active):
                bounded = active[j]
                if bounded != arm and not correlated:
                    continue
                reward = pseudo_rewards[arm, value, bounded]
                growth = pairs.observe(
                    bounded,
                    arm,
                    reward,
                    n,
                    shape,
                    growths,
                    span,
                    middle,
                    pseudo_sums,
                    phi,
                    variance,
                )
                if bounded == arm or bounds_cross:
                    tighten(
                        bounded,
                        arm,
                        n,
                        growth,
                        crosswise,
                        levels,
                        shape,
                        phi,
                        variance,
                        span,
                        lowest,
                        upper,
                        indices,
                        real,
                    )
                if bounded == arm and stopping_rule == rules.ABOVE_ALL:
                    tighten_stopping(
                        arm, n, growth, level_terms, shape, phi, variance, span, indices
                    )
        if status == EXHAUSTED:
            break
        now += 1
        samples += n_next

        if guarded:
            guard(active, n_active, lowest, upper, indices, shape[TOLERANCE])
        if eliminates:
            # `upper` is exact under every rule, so it is compared as an own bound is.
            n_active = rules.eliminate(
                rules.OWN_ELIMINATION,
                active,
                n_active,
                indices,
                upper,
                indices[LOWER],
                phi,
                elimination_width,
                0.0,
                source,
                eliminated_at,
                now,
            )
            if n_active == 1:
                status, named = IDENTIFIED, active[0]
                break
            if epsilon > 0.0:
                near = rules.near_best(
                    rules.OWN_ELIMINATION,
                    active,
                    n_active,
                    indices[LOWER],
                    upper,
                    epsilon,
                    phi,
                    elimination_width,
                    0.0,
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
            for i in range(n_next):
                next_arms[i] = active[i]
        else:
            last = next_arms[0] if eliminated_at[next_arms[0]] == 0 else active[0]
            scale = exploration if leader_rule == rules.PSEUDO_LEADER else 0.0
            leader = rules.argmax_min_bound(
                active, n_active, phi, scale, root_inverse, 0.0, source, no_caps, last, -1
            )
        next_arms[0] = leader
        if challenger_rule == rules.OWN_CHALLENGER:
            next_arms[1] = rules.argmax_except(own_ucb, leader)
        elif challenger_rule == rules.CROSS_CHALLENGER:
            next_arms[1] = rules.argmax_except(cross_ucb, leader)
        elif challenger_rule != rules.NO_CHALLENGER:
            last = next_arms[1] if eliminated_at[next_arms[1]] == 0 else active[0]
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


@numba.njit(**compiled.OPTIONS)
def advance_adaptive(game, state, end):
    """Play rounds until the trial ends or round `end` is complete."""
    span, middle = pairs.spans_of(game.pseudo_rewards)
    _play(game, state, end, span, middle)
