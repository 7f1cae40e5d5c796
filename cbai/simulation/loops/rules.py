"""Sampling, elimination and stopping rules, compiled.

Every rule reads the state after a complete round. The arrays are those of
`cbai.simulation.loops.state.State`. Indices of arms that are ruled out are -inf, so a plain scan
passes them over. Ties always go to the lowest index.
"""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import math

import numba

from cbai import compiled
from cbai.simulation.bounds import mean_bounds
from cbai.simulation.rules.choices import Challenger, Elimination, Leader, Stopping

PULL_SHARE = 9
"""lil'UCB stops once an arm has this many times the pulls of all the others together."""

# Plain integers, since compiled code compares them with array entries.
ALL = int(Leader.ALL)
MEAN = int(Leader.MEAN)
OWN_LEADER = int(Leader.OWN_UCB)
PSEUDO_LEADER = int(Leader.PSEUDO_UCB)
MIN_LEADER = int(Leader.MIN_PSEUDO_REWARD)

NO_CHALLENGER = int(Challenger.NONE)
OWN_CHALLENGER = int(Challenger.OWN_UCB)
OWN_AND_PSEUDO = int(Challenger.OWN_AND_PSEUDO_UCB)
CROSS_CHALLENGER = int(Challenger.CROSS_UCB)

NO_ELIMINATION = int(Elimination.NONE)
OWN_ELIMINATION = int(Elimination.OWN_UCB)
CROSS_ELIMINATION = int(Elimination.CROSS_UCB)
OWN_WEALTH = int(Elimination.OWN_WEALTH)
POOLED_WEALTH = int(Elimination.POOLED_WEALTH)

NO_STOPPING = int(Stopping.NONE)
ABOVE_ALL = int(Stopping.LEADER_ABOVE_ALL)
SHARE_OF_PULLS = int(Stopping.PULL_SHARE)


@numba.njit(**compiled.LEAN)
def exploration(reward_max, now):
    """Return b sqrt(2 log(t + 1)) after t rounds: the exploration of PseudoUCB at one pull."""
    return reward_max * math.sqrt(2.0 * math.log(now + 1.0))


@numba.njit(**compiled.LEAN)
def argmax(index):
    """Return where a vector is largest."""
    winner = 0
    best = index[0]
    for arm in range(1, index.size):
        if index[arm] > best:
            best = index[arm]
            winner = arm
    return winner


@numba.njit(**compiled.LEAN)
def argmax_except(index, excluded):
    """Return where a vector is largest, leaving out one place."""
    kept = index[excluded]
    index[excluded] = -math.inf
    winner = argmax(index)
    index[excluded] = kept
    return winner


@numba.njit(**compiled.LEAN)
def min_upper_bound(arm, phi, scale, width, top, source):
    """Return the minimum over all arms k of the upper bound around phi[arm, k].

    The bound's width is scale * width[k], with scale = 1 where `top` is not 0; see
    `cbai.simulation.bounds.mean_bounds`. Remembers in `source` the arm that attains the minimum.
    That arm seldom changes. Looking there first saves most of the work.
    """
    if top > 0.0:
        return _tightest_divergence(arm, phi, width, top, source)
    nearest = source[arm]
    best = phi[arm, nearest] + scale * width[nearest]
    for k in range(width.size):
        bound = phi[arm, k] + scale * width[k]
        if bound < best:
            best = bound
            nearest = k
    source[arm] = nearest
    return best


@numba.njit(**compiled.LEAN)
def _tightest_divergence(arm, phi, width, top, source):
    nearest = source[arm]
    best = mean_bounds.upper(phi[arm, nearest], width[nearest], top)
    for k in range(width.size):
        if mean_bounds.is_upper_below(phi[arm, k], width[k], top, best, False):
            bound = mean_bounds.upper(phi[arm, k], width[k], top)
            if bound < best:
                best = bound
                nearest = k
    source[arm] = nearest
    return best


@numba.njit(**compiled.LEAN)
def argmax_min_bound(active, n_active, phi, scale, width, top, source, caps, first, excluded):
    """Return the active arm with the largest min(upper bound, caps[arm]), leaving out one arm.

    The upper bound is `min_upper_bound`. Any one source bounds it from above. So an arm is passed
    over if its bound by its usual source is below the best index so far. The search begins with
    `first`, the last winner.
    """
    winner = -1
    best = -math.inf
    for i in range(-1, n_active):
        arm = first if i < 0 else active[i]
        if arm == excluded or caps[arm] < best:
            continue
        nearest = source[arm]
        if top > 0.0:
            cannot_win = mean_bounds.is_upper_below(
                phi[arm, nearest], width[nearest], top, best, True
            )
        else:
            cannot_win = phi[arm, nearest] + scale * width[nearest] < best
        if cannot_win:
            continue
        index = min(min_upper_bound(arm, phi, scale, width, top, source), caps[arm])
        if index > best or (index == best and arm < winner):
            best = index
            winner = arm
    return winner


@numba.njit(**compiled.LEAN)
def any_below_bar(upper, bar):
    """Return whether any entry is below the bar."""
    below = False
    for arm in range(upper.size):
        below |= upper[arm] < bar
    return below


@numba.njit(**compiled.LEAN)
def eliminate(
    rule, active, n_active, indices, upper, lower, phi, width, top, source, eliminated_at, now
):
    """Rule out every active arm whose upper bound is strictly below the best lower bound.

    Returns the number of arms left at the front of `active`. Under the cross rule `upper` is at
    most the CrossUCB. The CrossUCB is computed only if `upper` is too low to settle the comparison.
    """
    leader = argmax(lower)
    bar = lower[leader]
    if not any_below_bar(upper, bar):
        return n_active
    kept = 0
    for i in range(n_active):
        arm = active[i]
        if rule == CROSS_ELIMINATION and upper[arm] < bar:
            upper[arm] = min_upper_bound(arm, phi, 1.0, width, top, source)
        if upper[arm] < bar and arm != leader:
            eliminated_at[arm] = now
            indices[:, arm] = -math.inf
            upper[arm] = math.inf
        else:
            active[kept] = arm
            kept += 1
    return kept


@numba.njit(**compiled.LEAN)
def near_best(rule, active, n_active, lower, upper, epsilon, phi, width, top, source):
    """Return the arm that is best or at most epsilon below it by these bounds, -1 if none is.

    That is the one with the highest lower bound, if no other upper bound exceeds it by more.
    """
    leader = argmax(lower)
    bar = lower[leader] + epsilon
    for i in range(n_active):
        arm = active[i]
        if arm == leader:
            continue
        if upper[arm] > bar:
            return -1
        if rule == CROSS_ELIMINATION:
            upper[arm] = min_upper_bound(arm, phi, 1.0, width, top, source)
            if upper[arm] > bar:
                return -1
    return leader
