"""One heavy user does not starve the others: threads serve those who ask in turn."""

from __future__ import annotations

import threading
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from functools import partial

import numpy as np
import pytest

import cbai
from cbai.simulation import chunks
from cbai.ui.runs.fair_pool import FairThreadPool

SECONDS = 60


class Gate:
    """Keeps the only thread of a pool busy until it is opened."""

    def __init__(self, pool):
        self.opened, self.reached = threading.Event(), threading.Event()
        self.task = pool.submit(self.wait)
        assert self.reached.wait(SECONDS)

    def wait(self):
        self.reached.set()
        assert self.opened.wait(SECONDS)


@pytest.fixture
def pool():
    with FairThreadPool(1) as pool:
        yield pool


@pytest.fixture
def ask():
    """Submit tasks in a thread of their own, as a session does; they note that they ran."""
    with ExitStack() as sessions:

        def submit(pool, done, name, n):
            session = sessions.enter_context(ThreadPoolExecutor(1))
            tasks = [partial(done.append, f"{name}{i}") for i in range(n)]
            return session.submit(lambda: [pool.submit(task) for task in tasks]).result(SECONDS)

        yield submit


def test_the_pool_serves_those_who_ask_in_turn(pool, ask):
    done = []
    gate = Gate(pool)
    asked = [ask(pool, done, *one) for one in [("heavy", 5), ("a", 1), ("b", 2)]]
    gate.opened.set()
    wait([task for tasks in asked for task in tasks], SECONDS)
    assert done == ["heavy0", "a0", "b0", "heavy1", "b1", "heavy2", "heavy3", "heavy4"]


def test_a_plain_pool_would_let_the_heavy_one_go_first(ask):
    """What the test above rules out does happen without turns."""
    done = []
    with ThreadPoolExecutor(1) as pool:
        gate = Gate(pool)
        asked = [ask(pool, done, *one) for one in [("heavy", 3), ("a", 1)]]
        gate.opened.set()
        wait([task for tasks in asked for task in tasks], SECONDS)
    assert done == ["heavy0", "heavy1", "heavy2", "a0"]


def test_tasks_that_were_called_off_take_nobodys_turn(pool, ask):
    done = []
    gate = Gate(pool)
    heavy = ask(pool, done, "heavy", 3)
    light = ask(pool, done, "light", 2)
    assert heavy[0].cancel()
    assert heavy[1].cancel()
    gate.opened.set()
    wait([heavy[2], *light], SECONDS)
    assert sorted(done) == ["heavy2", "light0", "light1"]
    with pytest.raises(CancelledError):
        heavy[0].result(SECONDS)


def test_results_and_errors_reach_who_asked(pool):
    def fail():
        raise ValueError("no")

    assert pool.submit(divmod, 7, 2).result(SECONDS) == (3, 1)
    with pytest.raises(ValueError, match="no"):
        pool.submit(fail).result(SECONDS)
    assert pool.submit(len, "still here").result(SECONDS) == 10


def test_no_more_threads_than_allowed():
    busy, most, lock, full = [], [], threading.Lock(), threading.Event()

    def work():
        with lock:
            busy.append(1)
            most.append(len(busy))
        if len(most) >= 2:
            full.set()
        assert full.wait(SECONDS)
        with lock:
            busy.pop()

    with FairThreadPool(2) as pool:
        wait([pool.submit(work) for _ in range(10)], SECONDS)
    assert max(most) == 2


@pytest.mark.parametrize("threads", [1, 3])
def test_turns_change_no_result(threads):
    problem = cbai.load_problem("paper-three-arms")
    setup = {"delta": 0.1, "trials": 40, "seed": 3, "p": 0.3}
    with FairThreadPool(threads) as pool:
        ours = cbai.simulate(problem, ["lucb", "c_lucb"], executor=pool, **setup)
    plain = cbai.simulate(problem, ["lucb", "c_lucb"], **setup)
    assert np.array_equal(ours.pulls, plain.pulls)


class Recorder(FairThreadPool):
    """Keeps what each chunk handed back."""

    def __init__(self):
        super().__init__(1)
        self.handed_back: list[Future] = []

    def submit(self, fn, /, *args, **kwargs):
        future = super().submit(fn, *args, **kwargs)
        self.handed_back.append(future)
        return future


def test_a_long_trial_gives_up_its_thread_and_goes_on_where_it_stood(monkeypatch):
    problem = cbai.load_problem("movielens-1m")
    setup = {"delta": 0.01, "trials": 2, "seed": 3, "p": 0.3}
    plain = cbai.simulate(problem, ["lucb", "c_lucb"], **setup)
    monkeypatch.setattr(chunks, "SLICE_ROUNDS", 1_000)
    monkeypatch.setattr(chunks, "CHUNK_SECONDS", 0.0)
    with Recorder() as pool:
        sliced = cbai.simulate(problem, ["lucb", "c_lucb"], executor=pool, **setup)
    for name in ("samples", "rounds", "pulls", "eliminated_at", "best_arm", "status"):
        assert np.array_equal(getattr(sliced, name), getattr(plain, name)), name
    assert len(pool.handed_back) >= plain.rounds.sum() // 1_000
