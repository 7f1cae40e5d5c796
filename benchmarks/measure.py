"""What is measured, and how; each function returns plain numbers."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import cbai
from benchmarks import plain_numpy
from cbai.problem.pseudo_rewards import mask
from cbai.simulation import find
from cbai.simulation.plan import plan_for, pseudo_rewards_of

ROOT = Path(__file__).parents[1]
DATASET = "movielens-1m"
DELTA, P, Q = 0.01, 0.2, 0.0
KERNEL_TRIALS = 40
PLAIN_TRIALS = 2
NAMES = (*cbai.ALGORITHMS, "lucb@kl_lucb", "c_lucb@kl_lucb")
BETTING_Q = 0.2
REPEATS = 5


class Rates(NamedTuple):
    """Samples per second of processor time, best and median of the repeats."""

    best: float
    median: float

    @classmethod
    def of(cls, rates: list[float]) -> Rates:
        return cls(max(rates), statistics.median(rates))


def kernel_rate(problem: cbai.Problem, name: str) -> float:
    """Measure `simulate` on one thread, from rewards and masks to the table of results.

    Algorithms that bet take few samples, so they get the safe buffer and ten times the trials.
    """
    bets = find(name).bets or find(name).by_claim
    trials, q = (10 * KERNEL_TRIALS, BETTING_Q) if bets else (KERNEL_TRIALS, Q)
    with ThreadPoolExecutor(1) as one_thread:
        start = time.process_time()
        done = cbai.simulate(problem, [name], DELTA, trials=trials, p=P, q=q, executor=one_thread)
        return int(done.samples.sum()) / (time.process_time() - start)


def plain_rate(problem: cbai.Problem, name: str) -> float:
    """Measure plain NumPy on the same problem and masks; the masks are made beforehand."""
    plan = plan_for(problem, name, DELTA, P, Q, 0, 5_000_000)
    masked = [
        problem.with_pseudo_rewards(pseudo_rewards_of(plan, trial)) for trial in range(PLAIN_TRIALS)
    ]
    samples = 0
    start = time.process_time()
    for trial, one in enumerate(masked):
        draw = plain_numpy.in_blocks(one, trial)
        samples += plain_numpy.ALGORITHMS[name](one, draw, DELTA).samples
    return samples / (time.process_time() - start)


def rates() -> tuple[dict[str, Rates], dict[str, Rates]]:
    """Return the rates of the kernel and of plain NumPy, by algorithm.

    The repeats of both take turns, so other work of the machine affects both alike.
    """
    problem = cbai.load_problem(DATASET)
    for name in NAMES:
        cbai.simulate(problem, [name], DELTA, trials=1, p=P, q=Q)
    kernel: dict[str, list[float]] = {name: [] for name in NAMES}
    plain: dict[str, list[float]] = {name: [] for name in plain_numpy.ALGORITHMS}
    for _ in range(REPEATS):
        for name, measured in kernel.items():
            measured.append(kernel_rate(problem, name))
            if name in plain:
                plain[name].append(plain_rate(problem, name))
    return (
        {name: Rates.of(measured) for name, measured in kernel.items()},
        {name: Rates.of(measured) for name, measured in plain.items()},
    )


class Start(NamedTuple):
    """Seconds of a fresh process: by the clock, and of processor time."""

    wall: float
    processor: float


FIRST_RUN = f"""
import cbai
problem = cbai.load_problem({DATASET!r})
cbai.simulate(problem, ["c_lucb"], {DELTA}, trials=1, p={P}, q={Q})
"""


def starts() -> dict[str, Start]:
    """Measure fresh processes that share one compilation cache, empty for the first of them."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        return {
            "`python -m cbai warm-up`, nothing compiled yet": _start(
                ["-m", "cbai", "warm-up"], environment
            ),
            "`python -m cbai warm-up` again": _start(["-m", "cbai", "warm-up"], environment),
            "import, load MovieLens and play one trial": _start(["-c", FIRST_RUN], environment),
            "the same again": _start(["-c", FIRST_RUN], environment),
            "`import cbai` alone": _start(["-c", "import cbai"], environment),
        }


def _start(arguments: list[str], environment: dict[str, str]) -> Start:
    before, start = os.times(), time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, check=True, capture_output=True
    )
    wall, after = time.perf_counter() - start, os.times()
    processor = after.children_user + after.children_system
    return Start(wall, processor - before.children_user - before.children_system)


def costs() -> dict[str, float]:
    """Measure the work around a trial, in seconds: the median of many calls."""
    problem = cbai.load_problem(DATASET)
    size = (problem.n_arms, problem.n_values)
    return {
        f"the mask of one trial (p = {P})": _seconds(lambda: mask(*size, P, 0, 0), 200),
        "a trace of C-LUCB, up to 300 rounds recorded": _seconds(
            lambda: cbai.trace(problem, "c_lucb", DELTA, p=P, q=Q), 5
        ),
        "a trace of LUCB, up to 300 rounds recorded": _seconds(
            lambda: cbai.trace(problem, "lucb", DELTA, p=P, q=Q), 5
        ),
    }


def _seconds(call: Callable[[], object], repeats: int) -> float:
    call()
    measured = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        measured.append(time.process_time() - start)
    return statistics.median(measured)


def threads(numbers: tuple[int, ...] = (1, 2), trials: int = 200) -> dict[int, float]:
    """Return the seconds by the clock that `simulate` takes, by threads: the best of three.

    LUCB and C-LUCB together, `trials` trials each.
    """
    problem = cbai.load_problem(DATASET)
    best = dict.fromkeys(numbers, float("inf"))
    for _ in range(3):
        for number in numbers:
            with ThreadPoolExecutor(number) as pool:
                start = time.perf_counter()
                cbai.simulate(
                    problem, ["lucb", "c_lucb"], DELTA, trials=trials, p=P, q=Q, executor=pool
                )
                best[number] = min(best[number], time.perf_counter() - start)
    return best
