"""Runs with a fixed budget, simulated when a page asks for them and kept for all visitors."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from cbai.simulation import BUDGET_ALGORITHMS, BudgetCurve, budget_curve
from cbai.ui.runs.cache import BY_KEY, as_key
from cbai.ui.runs.cost import budget_seconds
from cbai.ui.runs.fair_pool import executor
from cbai.ui.runs.on_demand import MOST_SECONDS, in_turn
from cbai.ui.runs.stopping import is_stopped, offer_stop
from cbai.ui.visit.setup import Setup

RUNS = 2000
"""Runs of each algorithm with each budget, whatever the sidebar says: a rate of errors needs more
runs than a mean."""
MOST_ANSWERS = 100_000
"""The largest budget that a page asks for."""
STEPS = (1, 2, 5)
LESS, MORE = 20, 5
"""A curve goes from a 20th of the budget that is asked for to 5 times as much."""
SLOTS = 1024
"""How many points of curves are kept. One with 18 arms takes 0.2 kB."""


@dataclass(eq=False)
class _Slot:
    """A place for one point of a curve; the session that holds the lock simulates it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    answers: NDArray[np.int64] | None = None


@st.cache_resource(max_entries=SLOTS, show_spinner=False, hash_funcs=BY_KEY)
def _slot(setup: Setup, algorithm: str, budget: int) -> _Slot:
    return _Slot()


def budgets_around(own: int) -> tuple[int, ...]:
    """Return the budgets of a curve: 1, 2 or 5 times a power of ten, and the one asked for."""
    powers = (step * 10**power for power in range(7) for step in STEPS)
    return tuple(sorted({own, *(n for n in powers if own <= LESS * n and n <= MORE * own)}))


def too_slow(setup: Setup, names: Sequence[str], budgets: Sequence[int]) -> list[str]:
    """Return the algorithms whose curve would take more than `MOST_SECONDS` of one core."""
    problem = setup.problem
    values = problem.n_values if problem.has_pseudo_rewards else 0

    def seconds(name: str) -> float:
        fits = (n for n in budgets if n >= BUDGET_ALGORITHMS[name].least(problem.n_arms))
        return RUNS * sum(
            budget_seconds(name, n, problem.n_arms, values, masked=setup.p > 0.0) for n in fits
        )

    return [name for name in names if seconds(name) > MOST_SECONDS]


def get_curve(setup: Setup, names: Sequence[str], budgets: Sequence[int]) -> BudgetCurve | None:
    """Return how often each arm is named; simulate what is not yet known.

    A progress bar is shown meanwhile. A change of any widget, or the Stop button, ends the work.

    Returns
    -------
    BudgetCurve or None
        None if the user stopped the runs.
    """
    key = as_key(setup, delta=0.0, trials=0, max_samples=0, epsilon=0.0)
    n_arms = setup.problem.n_arms
    points = {
        (a, i): _slot(key, name, n)
        for a, name in enumerate(names)
        for i, n in enumerate(budgets)
        if n >= BUDGET_ALGORITHMS[name].least(n_arms)
    }
    missing = [at for at, slot in points.items() if slot.answers is None]
    if missing:
        run = f"budget {key} {tuple(names)} {tuple(budgets)}"
        if is_stopped(run):
            return None
        _simulate(setup, names, budgets, points, missing, run)
        st.rerun()
    answers = np.zeros((len(names), len(budgets), n_arms), np.int64)
    for at, slot in points.items():
        if slot.answers is not None:
            answers[at] = slot.answers
    rows = tuple(BUDGET_ALGORITHMS[name] for name in names)
    return BudgetCurve(
        answers, tuple(budgets), setup.problem, rows, RUNS, setup.p, setup.q, setup.seed
    )


def _simulate(
    setup: Setup,
    names: Sequence[str],
    budgets: Sequence[int],
    points: dict[tuple[int, int], _Slot],
    missing: list[tuple[int, int]],
    run: str,
) -> None:
    """Simulate the missing points, small budgets first, with a bar that shows how far it is."""
    with st.empty().container(key="run"):
        bar = st.progress(0.0)
        offer_stop(run)
    total = sum(budgets[i] for _, i in missing)
    before = 0
    for a, i in sorted(missing, key=lambda at: at[1]):
        slot, budget = points[a, i], budgets[i]

        def progress(done: int, of: int, before: int = before, budget: int = budget) -> None:
            share = (before + budget * done / of) / total
            bar.progress(min(share, 1.0), text=f"{100.0 * share:.0f}\u202f% of the runs done")

        with in_turn(slot.lock, lambda show=progress: show(0, 1)):  # type: ignore[misc]
            if slot.answers is None:
                curve = budget_curve(
                    setup.problem,
                    [names[a]],
                    [budget],
                    trials=RUNS,
                    seed=setup.seed,
                    p=setup.p,
                    q=setup.q,
                    executor=executor(),
                    progress=progress,
                )
                slot.answers = curve.answers[0, 0]
        before += budget
