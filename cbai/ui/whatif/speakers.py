"""Of which algorithms a sweep speaks, and at which settings it may praise them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from cbai.problem.validity import Validity, check_validity
from cbai.results import error_rates
from cbai.results.praise import doubt
from cbai.results.sweep import Cell, cell_of
from cbai.simulation import Trials, find
from cbai.ui.parts.answers import rule_of_thumb
from cbai.ui.visit.setup import Setup
from cbai.ui.whatif.sweep_plan import KNOWN_ONLY, Found, Index, Plan

Verdict = Callable[[Setup], Validity]


@lru_cache(maxsize=256)
def worked_out(setup: Setup) -> Validity:
    """Return whether the pseudo-rewards are valid at a setting, for what is unknown in its runs."""
    return check_validity(setup.problem, setup.p, setup.q, setup.seed, setup.trials)


def doubt_at(setup: Setup, name: str, trials: Trials | None, verdict: Verdict) -> str:
    """Return why an algorithm may not be praised at a setting; see `cbai.results.praise.doubt`."""
    problem = setup.problem
    return doubt(
        find(name),
        problem.n_arms,
        setup.delta,
        verdict(setup),
        None if trials is None else error_rates(trials)[0],
        problem.ranking[: setup.top].tolist() if setup.top > 1 else [],
    )


def cells_of(plan: Plan, name: str, found: Found) -> dict[Index, Cell]:
    """Return the finished cells of one algorithm; at first its own one has a few runs only."""
    trials = {index: plan.trials(index, name, found) for index in plan.setups}
    return {index: cell_of(one) for index, one in trials.items() if one is not None}


def speakers(plan: Plan, found: Found, verdict: Verdict = worked_out) -> list[str]:
    """Return the algorithms that the sentences are about.

    These are the cheapest of each kind at the sidebar's setting: one of the paper's with
    correlation, one without, and one beyond the paper. An algorithm that may not be praised at
    that setting is not chosen. If p or q is swept, each setting decides for itself instead.
    Algorithms with a complete cell are preferred, then those with runs without an answer, then
    those without a finished cell.
    """

    def cost(name: str) -> tuple[bool, bool, float]:
        trials = found.get(plan.job(plan.own, name))
        if trials is None:
            return True, True, np.inf
        cell = cell_of(trials)
        return False, not cell.answered, cell.mean

    chosen: dict[tuple[bool, bool], str] = {}
    for name in sorted(candidates(plan, found, verdict), key=cost):
        chosen.setdefault(kind_of(name), name)
    return sorted(
        chosen.values(), key=lambda name: (find(name).beyond, plan.algorithms.index(name))
    )


def kind_of(name: str) -> tuple[bool, bool]:
    """Return whether an algorithm goes beyond the paper, and whether it uses the correlation."""
    row = find(name)
    return row.beyond, row.beyond or row.uses_correlation


def candidates(plan: Plan, found: Found, verdict: Verdict) -> list[str]:
    """Return the algorithms among which the cheapest are chosen."""
    swept, own = {axis.name for axis in plan.axes}, plan.setups[plan.own]
    names = [name for name in plan.algorithms if not rule_of_thumb(find(name))]
    if swept and swept <= set(KNOWN_ONLY):
        return [name for name in names if find(name).uses_correlation]
    if swept & set(KNOWN_ONLY):
        return names
    return [
        name
        for name in names
        if not doubt_at(own, name, found.get(plan.job(plan.own, name)), verdict)
    ]
