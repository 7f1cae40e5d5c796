"""Trials simulated when a page asks for them, with a progress bar and a Stop button."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import streamlit as st

from cbai.simulation import Trials, find, simulate
from cbai.simulation.chunks import CHUNK_SECONDS, TooManySamples
from cbai.ui.runs.cache import BY_KEY, as_key
from cbai.ui.runs.cost import speed
from cbai.ui.runs.fair_pool import executor
from cbai.ui.runs.stopping import is_stopped, offer_stop
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.visit.setup import Setup

HELD = "slots held"
MOST_SAMPLES = 2_000_000_000
"""The most samples that one run of a page may take, whatever a link asks for.

A limit in samples, not in seconds, is the same for everybody at all times. It stops work that would
take very long, for example a thousand runs that all use up their budgets. Each control of the
sidebar may be at its maximum, but not all of them at once if answers are hard to find.
"""
MOST_SECONDS = 240.0
"""The same limit in seconds of one core, by the table of speeds in `cbai.ui.runs.cost`. For a slow
algorithm it allows fewer samples."""
TABLES = ("status", "best_arm", "samples", "rounds", "pulls", "eliminated_at")
"""The arrays of trials whose first two axes are algorithms and trials."""
STEPS = (10, 25, 50, 100, 250, 500)
"""A page that fills while its runs are simulated shows the first so many runs of each algorithm."""
SLOTS = 256
"""How many slots are kept. One algorithm with 18 arms takes 0.3 kB a trial."""


@dataclass(eq=False)
class _Slot:
    """A place for the trials of one algorithm; the session that holds the lock simulates them.

    The trials are known to need more samples than `more_than`.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    trials: Trials | None = None
    more_than: int = -1


@st.cache_resource(max_entries=SLOTS, show_spinner=False, hash_funcs=BY_KEY)
def _slot(setup: Setup, algorithm: str) -> _Slot:
    return _Slot()


def get_trials(setup: Setup) -> Trials | None:
    """Return the trials of all chosen algorithms; simulate those not yet known.

    Returns
    -------
    Trials or None
        None if the user stopped the run.
    """
    parts = get_many([(setup, name) for name in setup.algorithms])
    return None if parts is None else _joined(parts)


def stream(setup: Setup, show: Callable[[Trials], object]) -> Trials | None:
    """Return what `get_trials` does, and meanwhile show the first runs of all algorithms.

    Parameters
    ----------
    setup : Setup
    show : callable
        Called with the first runs of all algorithms, whenever there are more. These are the first
        by number, not those that ended first, so they are a fair sample.

    Returns
    -------
    Trials or None
        None if the user stopped the run.
    """
    jobs = [(setup, name) for name in setup.algorithms]
    run = name_of(jobs)
    if all(trials is not None for trials in known(jobs)) or is_stopped(run):
        return get_trials(setup)
    place = st.empty()
    with place.container(key="run"):
        bar = st.progress(0.0)
        offer_stop(run)
    final, done = _slots(jobs), [0] * len(jobs)
    before = final
    total = len(jobs) * setup.trials
    for n in [*(n for n in STEPS if n < setup.trials), setup.trials]:
        step = [(replace(setup, trials=n), name) for name in setup.algorithms]
        slots = final if n == setup.trials else [_slot(as_key(one), name) for one, name in step]
        for i, (one, name) in enumerate(step):
            known_all = final[i].trials
            if known_all is not None:
                slots[i].trials = _first(known_all, n)
            base = None if not done[i] else before[i].trials
            progress = _Progress(bar, sum(done), total)
            if not _fill(slots[i], one, name, progress, _left(step, slots, i), base):
                place.warning(too_much(setup, name), icon=":material/hourglass_disabled:")
                st.stop()
            done[i] = n
        before = slots
        if n < setup.trials:
            show(_joined([slot.trials for slot in slots if slot.trials is not None]))
    st.rerun()
    return get_trials(setup)


def get_many(jobs: Sequence[tuple[Setup, str]]) -> list[Trials] | None:
    """Return the trials of one algorithm each for several setups, in that order.

    A progress bar is shown. A change of any widget, or the Stop button, ends the work within a
    fraction of a second. Sessions that want the same trials wait for one simulation.

    Returns
    -------
    list of Trials or None
        None if the user stopped the run.
    """
    if not work_on(jobs):
        return None
    return [trials for trials in known(jobs) if trials is not None]


def known(jobs: Sequence[tuple[Setup, str]]) -> list[Trials | None]:
    """Return the trials of one algorithm each for several setups, None where not yet simulated."""
    return [slot.trials for slot in _slots(jobs)]


def work_on(jobs: Sequence[tuple[Setup, str]], seconds: float = math.inf) -> bool:
    """Simulate the missing jobs, one after the other, and then run the page again.

    Parameters
    ----------
    jobs : sequence of (Setup, str)
    seconds : float
        After this time the page runs again as soon as a job is done, even if more is to do. So a
        page can fill step by step: it shows what is `known` of its jobs, and ends with this call. A
        job that was begun is finished, unless a widget changes.

    Returns
    -------
    bool
        True if all is known; False if the user stopped the work and has not resumed it. If the
        work takes more than `MOST_SAMPLES` or `MOST_SECONDS`, the page says so and ends here.
    """
    slots, run = _slots(jobs), name_of(jobs)
    if all(slot.trials is not None for slot in slots):
        return True
    if is_stopped(run):
        return False
    missing = [i for i, slot in enumerate(slots) if slot.trials is None]
    total = sum(setup.trials for setup, _ in jobs)
    before = total - sum(jobs[i][0].trials for i in missing)
    place = st.empty()
    with place.container(key="run"):
        bar = st.progress(before / total)
        offer_stop(run)
    end = time.monotonic() + seconds
    for i in missing:
        setup, name = jobs[i]
        if not _fill(slots[i], setup, name, _Progress(bar, before, total), _left(jobs, slots, i)):
            if i != missing[0]:
                break  # show first what is done
            place.warning(too_much(setup, name), icon=":material/hourglass_disabled:")
            st.stop()
        before += setup.trials
        if time.monotonic() > end:
            break
    st.rerun()
    return True


def _left(jobs: Sequence[tuple[Setup, str]], slots: Sequence[_Slot], at: int) -> int:
    """Return how many samples a job may still take; a slow algorithm may take fewer."""
    taken, seconds = 0, 0.0
    for slot, (setup, name) in dict(zip(slots, jobs, strict=True)).items():
        if slot.trials is not None:
            samples = int(slot.trials.samples.sum())
            taken += samples
            seconds += samples / speed(name, setup.problem.n_arms)
    setup, name = jobs[at]
    in_time = int((MOST_SECONDS - seconds) * speed(name, setup.problem.n_arms))
    return max(0, min(MOST_SAMPLES - taken, in_time))


def too_much(setup: Setup, algorithm: str) -> str:
    """Say that the work takes more than is allowed, and what the user can do."""
    return (
        f"These runs take more than {MOST_SAMPLES:,} {setup.words.samples} in all, or more than "
        f"about {MOST_SECONDS / 60.0:.0f} minutes of one processor. That is the limit here. The "
        f"page stopped at {setup.trials:,} runs of {find(algorithm).title}. Unfinished runs are "
        "not shown. Choose fewer runs or algorithms, or a lower limit of one run."
    )


def _slots(jobs: Sequence[tuple[Setup, str]]) -> list[_Slot]:
    """Return the slots of jobs; a session keeps those of its last jobs, whatever others ask for."""
    run, held = name_of(jobs), st.session_state.get(HELD)
    if held is None or held[0] != run:
        held = run, [_slot(as_key(setup), name) for setup, name in jobs]
        st.session_state[HELD] = held
    slots: list[_Slot] = held[1]
    return slots


def name_of(jobs: Sequence[tuple[Setup, str]]) -> str:
    """Return a text that differs for different jobs."""
    return repr(list(jobs))


@dataclass
class _Progress:
    """Shows how many runs are done, including those `before`; a rerun interrupts it."""

    bar: DeltaGenerator
    before: int
    total: int

    def __call__(self, done: int, _: int) -> None:
        now = self.before + done
        text = f"{now:,} of {self.total:,} runs done, of all algorithms together"
        self.bar.progress(min(now / self.total, 1.0), text=text)


@contextmanager
def in_turn(lock: threading.Lock, waiting: Callable[[], object]) -> Iterator[None]:
    """Wait for a lock and hold it; meanwhile call `waiting` a few times a second."""
    while not lock.acquire(timeout=CHUNK_SECONDS):
        waiting()
    try:
        yield
    finally:
        lock.release()


def _fill(
    slot: _Slot,
    setup: Setup,
    algorithm: str,
    progress: _Progress,
    most: int,
    base: Trials | None = None,
) -> bool:
    """Simulate the trials of a slot; False if that takes more than `most` samples.

    With `base`, the first trials are known.
    """
    first, spent = (0, 0) if base is None else (base.samples.size, int(base.samples.sum()))
    with in_turn(slot.lock, lambda: progress(0, setup.trials)):
        if slot.trials is None and slot.more_than < most:
            try:
                new = simulate(
                    setup.problem,
                    [algorithm],
                    setup.delta,
                    trials=setup.trials - first,
                    first_trial=first,
                    seed=setup.seed,
                    p=setup.p,
                    q=setup.q,
                    max_samples=setup.max_samples,
                    epsilon=setup.epsilon,
                    top=setup.top,
                    executor=executor(),
                    progress=progress,
                    total_samples=max(most - spent, 0),
                )
                slot.trials = new if base is None else _joined([base, new], axis=1)
            except TooManySamples:
                slot.more_than = most
    return slot.trials is not None


def _first(trials: Trials, n: int) -> Trials:
    """Return the first n trials of each algorithm."""
    return replace(trials, **{name: getattr(trials, name)[:, :n] for name in TABLES})


def _joined(parts: list[Trials], axis: int = 0) -> Trials:
    """Join trials of several algorithms, or with axis 1 further trials of the same one."""
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts], axis) for name in TABLES
    }
    if axis == 1:
        return replace(parts[0], **joined)
    algorithms = tuple(row for part in parts for row in part.algorithms)
    return replace(parts[0], algorithms=algorithms, **joined)
