"""What follows from a complete round of an algorithm that is composed of rules, compiled.

Here all arms are looked at. `cbai.simulation.loops.kernel` does without in most rounds.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import numba

from cbai import compiled
from cbai.simulation.bounds import mean_bounds
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


@numba.njit(**compiled.LEAN, inline="always")
def _rule_out(game, state, top):
    elimination_rule, clock, active = game.rules[2], state.clock, state.active
    indices, upper, phi = state.indices, state.upper, state.phi
    if elimination_rule == rules.NO_ELIMINATION:
        return
    clock[N_ACTIVE] = rules.eliminate(
        elimination_rule,
        active,
        clock[N_ACTIVE],
        indices,
        upper,
        indices[LOWER],
        phi,
        state.elimination_width,
        top,
        state.source,
        state.eliminated_at,
        clock[ROUND],
    )
    if clock[N_ACTIVE] == 1:
        clock[STATUS], clock[ANSWER] = IDENTIFIED, active[0]
    elif game.epsilon > 0.0:
        near = rules.near_best(
            elimination_rule,
            active,
            clock[N_ACTIVE],
            indices[LOWER],
            upper,
            game.epsilon,
            phi,
            state.elimination_width,
            top,
            state.source,
        )
        if near >= 0:
            clock[STATUS], clock[ANSWER] = IDENTIFIED, near


@numba.njit(**compiled.LEAN, inline="always")
def _name_next(game, state, top):
    leader_rule, challenger_rule = game.rules[0], game.rules[1]
    clock, active, next_arms, phi = state.clock, state.active, state.next_arms, state.phi
    eliminated_at, source, root_inverse = state.eliminated_at, state.source, state.root_inverse
    own_ucb, no_caps, n_active = state.indices[OWN_UCB], state.no_caps, clock[N_ACTIVE]
    exploration = rules.exploration(game.reward_max, clock[ROUND])
    clock[N_NEXT] = 1 if challenger_rule == rules.NO_CHALLENGER else 2
    if leader_rule == rules.MEAN:
        leader = rules.argmax(state.indices[STANDING])
    elif leader_rule == rules.OWN_LEADER:
        leader = rules.argmax(own_ucb)
    elif leader_rule == rules.ALL:
        leader = active[0]
        clock[N_NEXT] = n_active
        for i in range(n_active):
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
    elif challenger_rule != rules.NO_CHALLENGER:
        last = next_arms[1] if eliminated_at[next_arms[1]] == 0 else active[0]
        if challenger_rule == rules.OWN_AND_PSEUDO:
            next_arms[1] = rules.argmax_min_bound(
                active, n_active, phi, exploration, root_inverse, 0.0, source, own_ucb, last, leader
            )
        else:
            width = state.sampling_width
            next_arms[1] = rules.argmax_min_bound(
                active, n_active, phi, 1.0, width, top, source, no_caps, last, leader
            )


@numba.njit(**compiled.LEAN, inline="always")
def _stop(game, state):
    clock, pulls, leader = state.clock, state.pulls, state.next_arms[0]
    if game.rules[3] == rules.ABOVE_ALL:
        rival_upper = state.indices[RIVAL_UPPER]
        rival = rules.argmax_except(rival_upper, leader)
        if state.indices[LEADER_LOWER, leader] + game.epsilon > rival_upper[rival]:
            clock[STATUS], clock[ANSWER] = IDENTIFIED, leader
    elif game.rules[3] == rules.SHARE_OF_PULLS:
        favourite = rules.argmax(pulls)
        if pulls[favourite] >= rules.PULL_SHARE * (clock[SAMPLES] - pulls[favourite]):
            clock[STATUS], clock[ANSWER] = IDENTIFIED, favourite


@numba.njit(**compiled.LEAN)
def decide(game, state):
    """Rule arms out, then end the trial or name the arms of the next round."""
    clock = state.clock
    top = game.reward_max if game.shape[mean_bounds.FORM] > 0.0 else 0.0
    _rule_out(game, state, top)
    if clock[STATUS] == RUNNING:
        _name_next(game, state, top)
        _stop(game, state)
    if clock[STATUS] == RUNNING and clock[SAMPLES] + clock[N_NEXT] > game.max_samples:
        clock[STATUS], clock[ANSWER] = BUDGET, rules.argmax(state.indices[STANDING])
