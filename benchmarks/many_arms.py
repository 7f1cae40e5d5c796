"""How the time of a sample grows with the number of arms: ``python -m benchmarks.many_arms``."""

from __future__ import annotations

import time
from statistics import median

import numpy as np

import cbai
from benchmarks.__main__ import machine, table
from cbai.datasets.captions import FOLDER, captions_problem, read_captions
from cbai.problem import Problem
from cbai.simulation.families import advance
from cbai.simulation.loops.state import SAMPLES, begin
from cbai.simulation.plan import first_game, game_of, plan_for

ARMS = (10, 30, 100, 300, 1000, 3000, 10_000)
NAMES = ("lucb", "lucb_pp", "lil_ucb")
TRIALS = 7


def problem_of(n_arms: int) -> Problem:
    """Return arms of two rewards: one at 0.75, the others between 0.2 and 0.6."""
    means = np.r_[0.75, np.random.default_rng(1).uniform(0.2, 0.6, n_arms - 1)]
    arms = [f"arm {k}" for k in range(n_arms)]
    return Problem(arms, [0, 1], np.stack([1 - means, means], axis=1))


def nanoseconds(problem: Problem, name: str, delta: float = 0.01) -> tuple[float, float]:
    """Return the time of a sample, the median of some trials, and the mean number of samples."""
    plan = plan_for(problem, name, delta, 0.0, 0.0, 0, 10**9)
    first = first_game(plan)
    times, samples = [], []
    for trial in range(TRIALS):
        game = game_of(plan, trial, first)
        state = begin(game)
        start = time.thread_time()
        advance(game, state)
        samples.append(int(state.clock[SAMPLES]))
        times.append((time.thread_time() - start) / samples[-1] * 1e9)
    return median(times), float(np.mean(samples))


def main() -> None:
    """Print the time of a sample for each number of arms, and how it grows."""
    print(machine())
    nanoseconds(problem_of(10), "lucb")  # compiled before anything is timed
    rows = []
    for name in NAMES:
        times = [nanoseconds(problem_of(n_arms), name)[0] for n_arms in ARMS]
        power = np.polyfit(np.log(ARMS), np.log(times), 1)[0]
        title = cbai.ALGORITHMS[name].title
        rows.append([title, *(f"{one:.0f}" for one in times), f"{power:.2f}"])
    print(table(["ns a sample, arms:", *(f"{n_arms:,}" for n_arms in ARMS), "exponent"], rows))
    rows = []
    for contest in (683, 640):
        problem = captions_problem(read_captions(FOLDER / f"{contest}.csv.gz"))
        for name in NAMES if contest == 683 else NAMES[1:2]:
            spent, samples = nanoseconds(problem, name)
            rows.append(
                [
                    f"contest {contest}, {cbai.ALGORITHMS[name].title}",
                    f"{problem.n_arms:,}",
                    f"{samples:,.0f}",
                    f"{1e3 / spent:.1f}",
                ]
            )
    print(table(["captions", "arms", "ratings, mean", "million samples a second"], rows))


if __name__ == "__main__":
    main()
