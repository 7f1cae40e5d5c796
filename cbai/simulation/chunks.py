"""Trials of several plans, played in chunks on any executor. A run can be stopped at any time."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol, TypeVar

from cbai.simulation.families import advance
from cbai.simulation.loops.state import ANSWER, ROUND, RUNNING, SAMPLES, STATUS, State, begin
from cbai.simulation.outcomes import STATUS_NAMES, Outcome
from cbai.simulation.plan import Plan, first_game, game_of

CHUNK_SECONDS = 0.3
CHUNK_TRIALS = 32
SLICE_ROUNDS = 20_000
"""After this many rounds a trial checks whether it is still wanted and whether its time is over."""


class HasSamples(Protocol):
    """The outcome of a trial, of whichever kind."""

    @property
    def samples(self) -> int:
        """How many samples the trial took."""


SomePlan = TypeVar("SomePlan")
SomeOutcome = TypeVar("SomeOutcome", bound=HasSamples)


class TooManySamples(RuntimeError):
    """A run takes more samples in all than it may."""


class Chunk(NamedTuple):
    """Trials `start` to `stop` of one plan. The first of them may have begun already."""

    which: int
    start: int
    stop: int
    state: State | None = None


def outcome_of(state: State) -> Outcome:
    """Return the outcome of a trial that has ended."""
    clock = state.clock
    return Outcome(
        STATUS_NAMES[clock[STATUS]],
        int(clock[ANSWER]),
        int(clock[SAMPLES]),
        int(clock[ROUND]),
        state.pulls,
        state.eliminated_at,
    )


def play_chunk(
    plan: Plan, chunk: Chunk, cancelled: threading.Event | None
) -> tuple[list[Outcome], Chunk]:
    """Play trials until all are done or until the time of a chunk is over.

    Returns
    -------
    list of Outcome
        The outcomes of the trials that are finished.
    Chunk
        The trials that are left. A trial that has begun continues where it stopped.
    """
    outcomes: list[Outcome] = []
    deadline = time.monotonic() + CHUNK_SECONDS
    first = first_game(plan)
    state = chunk.state
    for trial in range(chunk.start, chunk.stop):
        game = game_of(plan, trial, first)
        state = state or begin(game)
        while state.clock[STATUS] == RUNNING:
            if cancelled is not None and cancelled.is_set():
                return outcomes, chunk._replace(start=trial, state=state)
            advance(game, state, int(state.clock[ROUND]) + SLICE_ROUNDS)
            if time.monotonic() > deadline and state.clock[STATUS] == RUNNING:
                return outcomes, chunk._replace(start=trial, state=state)
        outcomes.append(outcome_of(state))
        state = None
        if time.monotonic() > deadline:
            return outcomes, chunk._replace(start=trial + 1, state=None)
    return outcomes, chunk._replace(start=chunk.stop, state=None)


@contextmanager
def pool_or_own(executor: Executor | None) -> Iterator[Executor]:
    """Give the executor, or a new thread pool that ends with the block."""
    if executor is not None:
        yield executor
    else:
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            yield pool


def run_chunks(
    plans: Sequence[SomePlan],
    trials: range,
    executor: Executor,
    record: Callable[[int, int, list[SomeOutcome]], None],
    progress: Callable[[int, int], object] | None,
    total_samples: int | None,
    play: Callable[[SomePlan, Chunk, Any], tuple[list[SomeOutcome], Chunk]],
) -> None:
    """Play every trial of every plan in chunks, and hand each chunk's outcomes to `record`.

    `play` is `play_chunk`, or another function of this form for plans of another kind. Only a few
    chunks wait in the pool, so runs that share it take turns. No chunk takes much longer than
    `CHUNK_SECONDS`, however long a trial is, so the turns are short.
    """
    threads = isinstance(executor, ThreadPoolExecutor)
    cancelled = threading.Event() if threads else None
    ahead = 2 * (os.cpu_count() or 1) if threads else sys.maxsize
    waiting = deque(
        Chunk(which, start, min(start + CHUNK_TRIALS, trials.stop))
        for start in range(trials.start, trials.stop, CHUNK_TRIALS)
        for which in range(len(plans))
    )
    pending: dict[Future[tuple[list[SomeOutcome], Chunk]], Chunk] = {}
    done, total, spent = 0, len(plans) * len(trials), 0
    try:
        while waiting or pending:
            while waiting and len(pending) < ahead:
                chunk = waiting.popleft()
                future = executor.submit(play, plans[chunk.which], chunk, cancelled)
                pending[future] = chunk
            finished, _ = wait(pending, timeout=CHUNK_SECONDS, return_when=FIRST_COMPLETED)
            for future in finished:
                chunk = pending.pop(future)
                outcomes, left = future.result()
                record(chunk.which, chunk.start, outcomes)
                done += len(outcomes)
                spent += sum(outcome.samples for outcome in outcomes)
                if total_samples is not None and spent > total_samples:
                    raise TooManySamples(
                        f"The trials must take at most {total_samples:,} samples in all; "
                        f"{done:,} of {total:,} took {spent:,}."
                    )
                if left.start < left.stop:
                    waiting.appendleft(left)
            if progress is not None:
                progress(done, total)
    finally:
        if cancelled is not None:
            cancelled.set()
        for future in pending:
            future.cancel()
