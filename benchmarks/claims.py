"""How many samples C-LUCB-claim needs: ``python -m benchmarks.claims``.

It prints a table for `benchmarks/README.md`: the mean number of samples with its 95 % interval,
beside C-LUCB-bet and the lower bound for algorithms that know the pseudo-rewards. The buffers are
4 % of b (0.2 stars), the smallest that is valid, and none at p = 1. That takes some
minutes; ``--data`` asks for one data set.
"""

from __future__ import annotations

import argparse

import numpy as np

import cbai
from benchmarks.__main__ import table
from cbai.problem import Problem
from cbai.problem import pseudo_rewards as pr
from cbai.problem.validity import check_validity
from cbai.results.limit import correlated_limit_of, limit_of
from cbai.simulation import Trials

ALGORITHMS = ("c_lucb_bet", "c_lucb_claim")
DELTA = 0.01
MASKS = 5
"""The lower bound is the mean over this many masks."""


def known(problem: Problem, p: float, q: float, seed: int, trial: int) -> Problem:
    """Return a problem as an algorithm sees it in one trial."""
    b = problem.reward_max
    unknown = pr.mask(problem.n_arms, problem.n_values, p, seed, trial)
    upper = pr.add_buffer(problem.pseudo_rewards, q, b)
    return problem.with_pseudo_rewards(pr.apply_mask(upper, unknown, b))


def bound(problem: Problem, p: float, q: float, seed: int) -> float:
    """Return the lower bound, a mean over masks; at p = 1 that of algorithms without knowledge."""
    if p == 1.0:
        return limit_of(problem, DELTA, rewards="values").samples
    masks = MASKS if p > 0.0 else 1
    seen = [known(problem, p, q, seed, i) for i in range(masks)]
    return float(np.mean([correlated_limit_of(one, DELTA).samples for one in seen]))


def written(trials: Trials, a: int) -> str:
    """Write the mean with its interval, and wrong and missing answers if there are any."""
    samples = trials.samples[a]
    half = 1.96 * samples.std(ddof=1) / np.sqrt(samples.size)
    wrong, missing = int(trials.wrong[a].sum()), int((~trials.identified[a]).sum())
    extra = f", {wrong} wrong" if wrong else ""
    extra += f", {missing} without an answer" if missing else ""
    return f"{samples.mean():,.0f} ± {half:,.0f}{extra}"


def rows(name: str, trials: int, seed: int) -> list[list[str]]:
    """Return one line for each setting of a data set."""
    problem = cbai.load_problem(name)
    usual = round(0.04 * problem.reward_max, 4)
    least = check_validity(problem).smallest_safe_q
    lines = []
    for p, q in ((0.2, usual), (0.2, least), (1.0, 0.0)):
        if p < 1.0 and q < least:
            lines.append([name, f"{p:g}", f"{q:g}", "bounds too low", "", ""])
            continue
        run = cbai.simulate(
            problem, ALGORITHMS, DELTA, trials=trials, seed=seed, p=p, q=q, max_samples=3_000_000
        )
        lines.append(
            [name, f"{p:g}", f"{q:g}", f"{bound(problem, p, q, seed):,.0f}"]
            + [written(run, a) for a in range(len(ALGORITHMS))]
        )
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=2000)
    parser.add_argument("--data", nargs="*", default=list(cbai.DATASETS))
    asked = parser.parse_args()
    head = ["data set", "p", "q", "lower bound", "C-LUCB-bet", "C-LUCB-claim"]
    print(
        table(head, [line for name in asked.data for line in rows(name, asked.trials, asked.seed)])
    )


if __name__ == "__main__":
    main()
