"""What the guard costs, and what it achieves: ``python -m benchmarks.guard``.

It prints the two tables of *A guard against invalid pseudo-rewards* in ``docs/beyond.md``. That
takes some minutes.
"""

from __future__ import annotations

import argparse

import numpy as np

import cbai
from benchmarks.__main__ import table
from cbai.problem import Problem
from cbai.simulation import Trials

ALGORITHMS = ("c_lucb_eb", "c_lucb_guard")
BUFFERS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4)
LOWERED = (0.2, 0.3, 0.5, 1.0)


def play(problem: Problem, q: float, trials: int) -> Trials:
    return cbai.simulate(problem, ALGORITHMS, delta=0.01, trials=trials, p=0.2, q=q)


def lowered(problem: Problem, stars: float) -> Problem:
    """Return a problem with false bounds on its best arm: lower by so many stars."""
    bounds = problem.pseudo_rewards.copy()
    best, others = problem.best_arm, np.arange(problem.n_arms) != problem.best_arm
    bounds[best, others] = np.maximum(bounds[best, others] - stars, 0.0)
    return problem.with_pseudo_rewards(bounds)


def rows(runs: list[Trials]) -> list[list[str]]:
    """Return the mean samples, to three digits, and the wrong answers of each algorithm."""
    lines = []
    for i, name in enumerate(ALGORITHMS):
        lines.append([name, *(f"{float(f'{run.samples[i].mean():.3g}'):,.0f}" for run in runs)])
        lines.append(
            [
                f"{name}, wrong of {runs[0].samples.shape[1]}",
                *(str(run.wrong[i].sum()) for run in runs),
            ]
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=200)
    trials = parser.parse_args().trials
    problem = cbai.load_problem("movielens-1m")

    runs = [play(problem, q, trials) for q in BUFFERS]
    print(table(["q", *map(str, BUFFERS)], rows(runs)), end="\n\n")
    runs = [play(lowered(problem, stars), 0.0, trials) for stars in LOWERED]
    print(table(["lowered by, in stars", *map(str, LOWERED)], rows(runs)))


if __name__ == "__main__":
    main()
