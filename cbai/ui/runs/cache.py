"""Results kept by their parameters, as pages ask for them again at every move of a control."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import streamlit as st

from cbai.problem.buffers import BufferCurve, Suggestion, buffer_curve, suggest_q
from cbai.problem.validity import Validity, check_validity
from cbai.results.alarm import Alarm, find_alarm
from cbai.results.limit import Limit, class_of, limit_of
from cbai.results.theory import Theory, theory_of
from cbai.simulation import Trace, find, trace
from cbai.simulation.guarantee import may_never_stop
from cbai.ui.runs.cost import speed
from cbai.ui.visit.setup import Setup, largest_buffer

STARVING_BUDGET = 500_000
PATIENCE_SECONDS = 5.0
BUFFERS = 41
ANY_DELTA = 0.1
"""The lower bound is proportional to the evidence that delta asks for. Nothing else changes."""
TRACE_SECONDS = 20.0
"""The longest time for one recorded trial, by the table in `cbai.ui.runs.cost`, as a trace shows no
progress."""
TRACES = 64
"""How many traces are kept. One of 18 arms takes 0.5 MB, one of 100 arms about 5 MB."""
BY_KEY: dict[str | type, Any] = {Setup: lambda setup: repr(setup)}
"""A setup's text holds everything that results depend on, the problem by its fingerprint."""
_tracing = threading.Lock()


def as_key(setup: Setup, **fixed: object) -> Setup:
    """Return a setup as a key, with one value for everything that a result does not depend on."""
    return replace(setup, algorithms=(), **fixed)  # type: ignore[arg-type]


@contextmanager
def _one_by_one() -> Iterator[None]:
    """Record one trace at a time, but do not wait long for another one.

    Some algorithms release the interpreter's lock and take it again hundreds of times. Each time
    they wait behind every other thread that wants it. Many traces at once therefore take far longer
    than one after the other.
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

    A trace shows no progress, so it must not take long. An algorithm that may never stop gets at
    most `STARVING_BUDGET` samples. No trial gets more samples than take `TRACE_SECONDS`.
    """
    if may_never_stop(find(algorithm)):
        setup = replace(setup, max_samples=min(setup.max_samples, STARVING_BUDGET))
    most = max(int(TRACE_SECONDS * speed(algorithm, setup.problem.n_arms)), setup.problem.n_arms)
    setup = replace(setup, max_samples=min(setup.max_samples, most))
    return _trace(as_key(setup, trials=0), algorithm, number)


def traces_key(setup: Setup, algorithms: Sequence[str], number: int = 0) -> str:
    """Return everything that recorded trials depend on, as a text."""
    return f"{as_key(setup, trials=0)} {tuple(algorithms)} {number}"


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
    """Return the validity with each buffer on the slider, and which buffer is enough."""
    return _buffers(as_key(setup, max_samples=0, delta=0.0, q=0.0))


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_KEY)
def _validity(setup: Setup) -> Validity:
    return check_validity(setup.problem, setup.p, setup.q, setup.seed, setup.trials)


def get_validity(setup: Setup) -> Validity:
    """Return whether the pseudo-rewards are valid at this p and q, in all of the setup's runs."""
    return _validity(as_key(setup, max_samples=0, delta=0.0))


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_KEY)
def _theory(setup: Setup) -> Theory:
    return theory_of(setup.problem, setup.delta, setup.p, setup.q, setup.seed, trials=setup.trials)


def get_theory(setup: Setup) -> Theory:
    """Return what the theorems promise, with the competitive set of each of the setup's runs."""
    return _theory(as_key(setup, max_samples=0))


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_KEY)
def _limit(setup: Setup, rewards: str) -> Limit:
    return limit_of(setup.problem, ANY_DELTA, rewards)


def get_limit(setup: Setup) -> Limit:
    """Return the lower bound for algorithms that ignore the correlation.

    It is for the smallest class of rewards on which one of the chosen algorithms promises to be
    right.
    """
    small = any(class_of(find(name)) == "values" for name in setup.algorithms)
    rewards = "values" if small else "scale"
    key = as_key(setup, trials=0, max_samples=0, seed=0, delta=0.0, p=0.0, q=0.0)
    limit = _limit(key, rewards)
    return replace(limit, delta=setup.delta)
