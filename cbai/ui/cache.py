"""Results kept by their parameters, and long runs that show how far they are and can be stopped."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import streamlit as st

from cbai.problem.buffers import BufferCurve, Suggestion, buffer_curve, suggest_q
from cbai.problem.validity import Validity, check_validity
from cbai.results.alarm import Alarm, find_alarm
from cbai.results.limit import Limit, class_of, limit_of
from cbai.results.theory import Theory, theory_of
from cbai.simulation import Trace, Trials, find, simulate, trace
from cbai.simulation.guarantee import may_never_stop
from cbai.simulation.trials import CHUNK_SECONDS, TooManySamples
from cbai.simulation.warm_up import warm_up
from cbai.ui import held, state_lock
from cbai.ui.cost import speed
from cbai.ui.setup import Setup, largest_buffer
from cbai.ui.turns import Turns

STOPPED, HELD = "stopped run", "slots held"
STARVING_BUDGET = 500_000
PATIENCE_SECONDS, SWITCH_SECONDS = 5.0, 0.001
_tracing = threading.Lock()
BUFFERS = 41
ANY_DELTA = 0.1
"""The limit is in proportion to how much evidence delta asks for; all else about it is the same."""
MOST_SAMPLES = 2_000_000_000
"""What one run of a page may take in all, whatever a link asks for.

A limit in samples, not in seconds, is the same for everybody and at all times. It is for runs that
would hardly end, such as a thousand that all spend their budgets: each of the sidebar's controls
may be at its largest, but not all of them at once if the answers are hard to find.
"""
MOST_SECONDS = 240.0
"""The same in seconds of one core, by the table of speeds in `cbai.ui.cost`: of slow algorithms a
run may take fewer samples."""
TRACE_SECONDS = 20.0
"""What one recorded trial may take at most, by the same table: it shows no progress."""
TRACES, SLOTS = 64, 256
"""How many are kept: a trace of 18 arms takes 0.5 MB, one of 100 arms some 5 MB; the trials of one
algorithm with 18 arms 0.3 kB a trial."""
NOTHING_SHOWN = "Stopped before all runs were done. Nothing is shown, as half a sample may mislead."
BY_KEY: dict[str | type, Any] = {Setup: lambda setup: repr(setup)}
"""A setup's text holds all that results depend on: the problem by its fingerprint."""


@st.cache_resource(show_spinner=False)
def executor() -> Turns:
    """Return the one pool of threads that all sessions share and that serves them in turn."""
    return Turns(os.cpu_count() or 1)


@st.cache_resource(show_spinner=False)
def compile_core() -> None:
    """Compile everything that a page needs, if this has not been done on this machine before.

    Threads that wait for the interpreter's lock ask for it five times sooner than usual, as
    compiled code gives it up and takes it again all the time.
    """
    sys.setswitchinterval(SWITCH_SECONDS)
    state_lock.share()
    held.bound_uploads()
    warm_up()


@contextmanager
def _one_by_one() -> Iterator[None]:
    """Record one trace at a time, but wait for no other one for long.

    Those of algorithms without a confidence sequence give up the interpreter's lock and take it
    again hundreds of times, and wait each time behind every thread that wants it too: many at once
    take far longer than one by one.
    """
    held = _tracing.acquire(timeout=PATIENCE_SECONDS)
    try:
        yield
    finally:
        if held:
            _tracing.release()


@st.cache_resource(max_entries=TRACES, show_spinner=False, hash_funcs=BY_KEY)
def _trace(setup: Setup, algorithm: str, number: int) -> Trace:
    with _one_by_one():
        return trace(
            setup.problem,
            algorithm,
            setup.delta,
            seed=setup.seed,
            trial=number,
            p=setup.p,
            q=setup.q,
            max_samples=setup.max_samples,
        )


def get_trace(setup: Setup, algorithm: str, number: int = 0) -> Trace:
    """Return one recorded trial.

    An algorithm that may never stop gets `STARVING_BUDGET` samples at most: a trial in one piece
    shows no progress, and one that starves will not get anywhere. For the same reason no trial gets
    more samples than take `TRACE_SECONDS`.
    """
    if may_never_stop(find(algorithm)):
        setup = replace(setup, max_samples=min(setup.max_samples, STARVING_BUDGET))
    most = max(int(TRACE_SECONDS * speed(algorithm, setup.problem.n_arms)), setup.problem.n_arms)
    setup = replace(setup, max_samples=min(setup.max_samples, most))
    return _trace(_only(setup, trials=0), algorithm, number)


def traces_key(setup: Setup, algorithms: Sequence[str], number: int = 0) -> str:
    """Return all that recorded trials depend on, as a text."""
    return f"{_only(setup, trials=0)} {tuple(algorithms)} {number}"


_ALARMS: WeakKeyDictionary[Trace, Alarm | None] = WeakKeyDictionary()


def get_alarm(trace: Trace) -> Alarm | None:
    """Return the first contradiction that a trace shows; kept for as long as the trace is."""
    if trace not in _ALARMS:
        _ALARMS[trace] = find_alarm(trace)
    return _ALARMS[trace]


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_KEY)
def _buffers(setup: Setup) -> tuple[BufferCurve, Suggestion]:
    grid = np.linspace(0.0, largest_buffer(setup.problem), BUFFERS)
    return (
        buffer_curve(setup.problem, grid, setup.p, setup.seed, setup.trials),
        suggest_q(setup.problem, setup.p, setup.seed, setup.trials),
    )


def get_buffers(setup: Setup) -> tuple[BufferCurve, Suggestion]:
    """Return what each buffer on the slider would do to validity, and which one is enough."""
    return _buffers(_only(setup, max_samples=0, delta=0.0, q=0.0))


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_KEY)
def _validity(setup: Setup) -> Validity:
    return check_validity(setup.problem, setup.p, setup.q, setup.seed, setup.trials)


def get_validity(setup: Setup) -> Validity:
    """Return whether the pseudo-rewards hold at this p and q, in all of the setup's runs."""
    return _validity(_only(setup, max_samples=0, delta=0.0))


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_KEY)
def _theory(setup: Setup) -> Theory:
    return theory_of(setup.problem, setup.delta, setup.p, setup.q, setup.seed, trials=setup.trials)


def get_theory(setup: Setup) -> Theory:
    """Return what the theorems promise, with the competitive set of each of the setup's runs."""
    return _theory(_only(setup, max_samples=0))


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_KEY)
def _limit(setup: Setup, rewards: str) -> Limit:
    return limit_of(setup.problem, ANY_DELTA, rewards)


def get_limit(setup: Setup) -> Limit:
    """Return what no algorithm can do better than that knows nothing of the correlation.

    On the smallest class of rewards that an algorithm chosen promises to be right on.
    """
    small = any(class_of(find(name)) == "values" for name in setup.algorithms)
    rewards = "values" if small else "scale"
    key = _only(setup, trials=0, max_samples=0, seed=0, delta=0.0, p=0.0, q=0.0)
    limit = _limit(key, rewards)
    return replace(limit, delta=setup.delta)


def _only(setup: Setup, **fixed: object) -> Setup:
    """Return a setup as a key: what a result does not depend on is set to one value."""
    return replace(setup, algorithms=(), **fixed)  # type: ignore[arg-type]


@dataclass(eq=False)
class _Slot:
    """A place for the trials of one algorithm: whoever holds the lock works them out.

    They are known to take more samples than `more_than`.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    trials: Trials | None = None
    more_than: int = -1


@st.cache_resource(max_entries=SLOTS, show_spinner=False, hash_funcs=BY_KEY)
def _slot(setup: Setup, algorithm: str) -> _Slot:
    return _Slot()


def get_trials(setup: Setup) -> Trials | None:
    """Return the trials of all chosen algorithms, working out those not yet known.

    Returns
    -------
    Trials or None
        None if the user stopped the run.
    """
    parts = get_many([(setup, name) for name in setup.algorithms])
    return None if parts is None else _joined(parts)


def get_many(jobs: Sequence[tuple[Setup, str]]) -> list[Trials] | None:
    """Return the trials of one algorithm each for several setups, in that order.

    Shows how far it is; a change of any widget, or the stop button, ends it within a fraction of a
    second. Sessions that want the same trials wait for one computation.

    Returns
    -------
    list of Trials or None
        None if the user stopped the run.
    """
    if not work_on(jobs):
        return None
    return [trials for trials in known(jobs) if trials is not None]


def known(jobs: Sequence[tuple[Setup, str]]) -> list[Trials | None]:
    """Return the trials of one algorithm each for several setups, None where not yet worked out."""
    return [slot.trials for slot in _slots(jobs)]


def work_on(jobs: Sequence[tuple[Setup, str]], seconds: float = math.inf) -> bool:
    """Work out what is missing among jobs, one after the other, and then run the page again.

    Parameters
    ----------
    jobs : sequence of (Setup, str)
    seconds : float
        The page runs again once a job is done after so long, with more to do: a page that shows
        what is `known` of its jobs and ends with this fills as they are done. A job that was begun
        is not left halfway, unless a widget changes.

    Returns
    -------
    bool
        True if all is known; False if the user stopped the run, and has not resumed it. If it
        takes more than `MOST_SAMPLES` or `MOST_SECONDS`, the page says so and ends here.
    """
    slots, run = _slots(jobs), name_of(jobs)
    if all(slot.trials is not None for slot in slots):
        return True
    if st.session_state.get(STOPPED) == run:
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
        if not _fill(slots[i], setup, name, _Progress(bar, before, total), _left(jobs, i)):
            if i != missing[0]:
                break  # first show what was done by now
            place.warning(too_much(setup, name), icon=":material/hourglass_disabled:")
            st.stop()
        before += setup.trials
        if time.monotonic() > end:
            break
    st.rerun()
    return True


def _left(jobs: Sequence[tuple[Setup, str]], at: int) -> int:
    """Return how many samples a job may take after what is done: fewer of a slow algorithm."""
    slots = dict(zip(_slots(jobs), jobs, strict=True))
    taken, seconds = 0, 0.0
    for slot, (setup, name) in slots.items():
        if slot.trials is not None:
            samples = int(slot.trials.samples.sum())
            taken += samples
            seconds += samples / speed(name, setup.problem.n_arms)
    setup, name = jobs[at]
    in_time = int((MOST_SECONDS - seconds) * speed(name, setup.problem.n_arms))
    return max(0, min(MOST_SAMPLES - taken, in_time))


def too_much(setup: Setup, algorithm: str) -> str:
    """Say that a run takes more than is allowed, and what can be done."""
    return (
        f"This takes more than {MOST_SAMPLES:,} {setup.words.samples} in all, or more than about "
        f"{MOST_SECONDS / 60.0:.0f} minutes of one processor, the most that is worked out here at "
        f"a time. It was ended at {setup.trials:,} runs of {find(algorithm).title}, and nothing "
        "unfinished is shown. Choose fewer runs or algorithms, or a smaller budget of one run."
    )


def _slots(jobs: Sequence[tuple[Setup, str]]) -> list[_Slot]:
    """Return the slots of jobs: those of the session's last jobs stay, however many others ask."""
    run, held = name_of(jobs), st.session_state.get(HELD)
    if held is None or held[0] != run:
        held = run, [_slot(_only(setup), name) for setup, name in jobs]
        st.session_state[HELD] = held
    slots: list[_Slot] = held[1]
    return slots


def name_of(jobs: Sequence[tuple[Setup, str]]) -> str:
    """Return what tells a run apart from every other."""
    return repr(list(jobs))


def resume() -> None:
    """Allow a stopped run to start again."""
    st.session_state.pop(STOPPED, None)


def stop(run: str) -> None:
    """Keep a run from starting again until it is resumed."""
    st.session_state[STOPPED] = run


def say_stopped(words: str = NOTHING_SHOWN, label: str = "Run again") -> None:
    """Say that a run was stopped, and draw the button that goes on with it.

    Both are in one place, that of the run, which takes it back: else the button would stay on the
    page, and could be pressed, while the run is at work again.
    """
    with st.container():
        st.info(words)
        st.button(
            label,
            key="again",
            on_click=resume,
            help="Goes on with what is missing. What was complete is kept; what was halfway begins "
            "anew.",
        )


def offer_stop(run: str) -> None:
    """Draw the button that ends a run at work."""
    st.button(
        "Stop",
        key="stop",
        on_click=stop,
        args=(run,),
        help="Ends the runs at work. What is complete by then is kept; what is halfway is not.",
    )


@dataclass
class _Progress:
    """Shows how many runs are done, with those `before`; interrupts on a rerun."""

    bar: st.delta_generator.DeltaGenerator
    before: int
    total: int

    def __call__(self, done: int, _: int) -> None:
        now = self.before + done
        text = f"{now:,} of {self.total:,} runs done"
        self.bar.progress(min(now / self.total, 1.0), text=text)


@contextmanager
def in_turn(lock: threading.Lock, waiting: Callable[[], object]) -> Iterator[None]:
    """Hold a lock once it is free; until then call `waiting` a few times a second."""
    while not lock.acquire(timeout=CHUNK_SECONDS):
        waiting()
    try:
        yield
    finally:
        lock.release()


def _fill(slot: _Slot, setup: Setup, algorithm: str, progress: _Progress, most: int) -> bool:
    """Work out what belongs in a slot; False if that takes more than `most` samples."""
    with in_turn(slot.lock, lambda: progress(0, setup.trials)):
        if slot.trials is None and slot.more_than < most:
            try:
                slot.trials = simulate(
                    setup.problem,
                    [algorithm],
                    setup.delta,
                    trials=setup.trials,
                    seed=setup.seed,
                    p=setup.p,
                    q=setup.q,
                    max_samples=setup.max_samples,
                    epsilon=setup.epsilon,
                    top=setup.top,
                    executor=executor(),
                    progress=progress,
                    total_samples=most,
                )
            except TooManySamples:
                slot.more_than = most
    return slot.trials is not None


def _joined(parts: list[Trials]) -> Trials:
    tables = ("status", "best_arm", "samples", "rounds", "pulls", "eliminated_at")
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in tables
    }
    algorithms = tuple(row for part in parts for row in part.algorithms)
    return replace(parts[0], algorithms=algorithms, **joined)
