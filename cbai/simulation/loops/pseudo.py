"""The empirical pseudo-rewards of all pairs of arms, compiled."""

# mypy: disallow-untyped-defs=False
from __future__ import annotations

import numba

from cbai import compiled
from cbai.simulation.bounds import mean_bounds, pairs
from cbai.simulation.loops.state import N_ACTIVE, ROUND

SEEN = 0
"""The row of `State.whole` with each arm's pulls when its rewards were last averaged."""

LEAST, MOST = range(2)
"""The layers of `State.lowest`: the smallest and the largest s_{l,k} over the rewards of arm k."""


@numba.njit(**compiled.LEAN)
def note_extremes(game, state):
    """Note the smallest and the largest pseudo-reward of each pair, before round 1."""
    if state.clock[ROUND] > 0:
        return
    pairs.extremes_of(game.pseudo_rewards, state.lowest[LEAST], state.lowest[MOST])


@numba.njit(**compiled.LEAN)
def observe_pairs(game, state, cross, top):
    """Average the pseudo-rewards of the active arms over the rewards of all arms pulled meanwhile.

    The average is over the counts of values, so it does not matter how often this is done. Under
    the cross rule, the number that is at most the CrossUCB is lowered, too.
    """
    pulls, seen, active = state.pulls, state.whole[SEEN], state.active
    counts, pseudo_rewards = state.counts, game.pseudo_rewards
    sums, phi, upper = state.pseudo_sums, state.phi, state.upper
    n_active = state.clock[N_ACTIVE]
    for k in range(pulls.size):
        n = pulls[k]
        if seen[k] == n:
            continue
        seen[k] = n
        width = state.elimination_width[k]
        for i in range(n_active):
            arm = active[i]
            total = 0.0
            for v in range(counts.shape[1]):
                total += counts[k, v] * pseudo_rewards[k, v, arm]
            sums[arm, k] = total
            average = total / n if arm != k else state.means[k]
            phi[arm, k] = average
            if cross:
                upper[arm] = mean_bounds.lowered(upper[arm], average, width, top)
