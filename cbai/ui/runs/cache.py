"""Results kept by their parameters: what the pages ask for again at every move of a control."""

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
"""The limit is in proportion to how much evidence delta asks for; all else about it is the same."""
TRACE_SECONDS = 20.0
"""What one recorded trial may take at most, by the table in `cbai.ui.runs.cost`: it shows no
progress."""
TRACES = 64
"""How many are kept: a trace of 18 arms takes 0.5 MB, one of 100 arms some 5 MB."""
BY_KEY: dict[str | type, Any] = {Setup: lambda setup: repr(setup)}
"""A setup's text holds all that results depend on: the problem by its fingerprint."""
_tracing = threading.Lock()


def as_key(setup: Setup, **fixed: object) -> Setup:
    """Return a setup as a key: what a result does not depend on is set to one value."""
    return replace(setup, algorithms=(), **fixed)  # type: ignore[arg-type]


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
    return _trace(as_key(setup, trials=0), algorithm, number)


def traces_key(setup: Setup, algorithms: Sequence[str], number: int = 0) -> str:
    """Return all that recorded trials depend on, as a text."""
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
    """Return what each buffer on the slider would do to validity, and which one is enough."""
    return _buffers(as_key(setup, max_samples=0, delta=0.0, q=0.0))


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=BY_KEY)
def _validity(setup: Setup) -> Validity:
    return check_validity(setup.problem, setup.p, setup.q, setup.seed, setup.trials)


def get_validity(setup: Setup) -> Validity:
    """Return whether the pseudo-rewards hold at this p and q, in all of the setup's runs."""
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
    """Return what no algorithm can do better than that knows nothing of the correlation.

    On the smallest class of rewards that an algorithm chosen promises to be right on.
    """
    small = any(class_of(find(name)) == "values" for name in setup.algorithms)
    rewards = "values" if small else "scale"
    key = as_key(setup, trials=0, max_samples=0, seed=0, delta=0.0, p=0.0, q=0.0)
    limit = _limit(key, rewards)
    return replace(limit, delta=setup.delta)
