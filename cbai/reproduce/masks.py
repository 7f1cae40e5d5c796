"""Table 4 for one draw of the unknown pseudo-rewards at a time, to see how much the draw matters.

The paper says which share p of the pseudo-rewards is unknown. It does not say whether its ten runs
used one draw or ten. Here each draw is kept for many runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial

import pandas as pd

from cbai.figures.base.style import decimal, percent
from cbai.problem import Problem
from cbai.problem.pseudo_rewards import apply_mask, mask
from cbai.reproduce.draws import over_draws
from cbai.reproduce.experiments import (
    AS_IN_TABLES,
    BASELINE,
    EXPERIMENTS,
    MAX_SAMPLES,
    SEED,
    TRIALS,
)
from cbai.reproduce.run import Progress, frame
from cbai.simulation import Trials, simulate

TABLE = EXPERIMENTS["table4"]
COUNT = 40
PAPER_TRIALS = 10
COLUMNS = [
    "experiment", "dataset", "delta", "p", "q", "mask", "algorithm", "label", "trials", "seed",
    "max_samples", "mean", "two_sigma", "budget", "printed_relative", "relative",
]  # fmt: skip


def masked_problem(problem: Problem, p: float, seed: int, number: int) -> Problem:
    """Return a problem in which the pseudo-rewards that one trial does not know stay unknown.

    Parameters
    ----------
    problem : Problem
    p, seed : float, int
        As in `cbai.simulate`.
    number : int
        The number of that trial.
    """
    unknown = mask(problem.n_arms, problem.n_values, p, seed, number)
    return problem.with_pseudo_rewards(
        apply_mask(problem.pseudo_rewards, unknown, problem.reward_max)
    )


def run_masks(
    count: int = COUNT,
    trials: int = TRIALS,
    seed: int = SEED,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Run the variants of Table 4 on the draws 0, 1, ..., `count` - 1, none left out.

    Parameters
    ----------
    count : int
        Number of draws of the unknown pseudo-rewards.
    trials : int
        Runs of each algorithm on each draw; the rewards of run t are the same on every draw.
    seed, executor, progress
        As in `cbai.reproduce.run`.

    Returns
    -------
    DataFrame
        One row per draw and variant, with all parameters. ``mask`` is the number of the draw.
        ``mean`` and ``two_sigma`` are the mean samples and twice their standard deviation over
        runs. ``budget`` counts runs without an answer. ``relative`` is the mean divided by LUCB's
        mean on the same rewards.
    """
    problem = TABLE.problem(AS_IN_TABLES)
    play = partial(_play, trials=trials, seed=seed, executor=executor)
    base = play(problem, BASELINE)

    def play_draw(number: int, tell: Progress) -> pd.DataFrame:
        one = masked_problem(problem, AS_IN_TABLES.p, seed, number)
        runs = [
            base if name == BASELINE else play(one, name, tell=partial(tell, TABLE.label(name)))
            for _, name in TABLE.jobs()
        ]
        rows = frame(TABLE, runs)
        rows = rows[rows["algorithm"] != BASELINE]
        return rows.assign(relative=rows["mean"] / base.samples.mean())

    return over_draws("mask", "unknown pseudo-rewards, draw", count, play_draw, progress)[COLUMNS]


def _play(
    problem: Problem,
    name: str,
    *,
    trials: int,
    seed: int,
    executor: Executor | None,
    tell: Callable[[int, int], object] | None = None,
) -> Trials:
    """Play with p = 0, because the problem already contains the draw."""
    return simulate(
        problem,
        [name],
        AS_IN_TABLES.delta,
        trials=trials,
        seed=seed,
        max_samples=MAX_SAMPLES,
        executor=executor,
        progress=tell,
    )


def between_share(found: pd.DataFrame) -> float:
    """Return the share of the variance of single runs that is between draws, in [0, 1].

    Parameters
    ----------
    found : DataFrame
        From `run_masks`, one variant only.

    Returns
    -------
    float
        By analysis of variance: the variance of the means over draws, minus the part that is due
        to the runs within a draw, divided by the total variance.
    """
    within = float(((found["two_sigma"] / 2.0) ** 2).mean())
    between = float(found["mean"].var(ddof=1)) - within / float(found["trials"].iloc[0])
    between = max(between, 0.0)
    return between / (between + within)


def masks_verdict(found: pd.DataFrame, label: str = "C-LUCB") -> str:
    """Say how much the draw matters, and what that means for the paper's number.

    Parameters
    ----------
    found : DataFrame
        From `run_masks`.
    label : str
        The variant that the sentences are about.
    """
    rows = found[found["label"] == label]
    ours, paper = rows["relative"], float(rows["printed_relative"].iloc[0])
    below = int((ours < paper).sum())
    n, share = len(rows), between_share(rows)
    explains = (
        f" If the paper kept one draw for all its {PAPER_TRIALS} runs, a number like its "
        f"{decimal(paper)} is no surprise."
        if 0.025 < below / n < 0.975
        else f" The draw alone does not explain the paper's {decimal(paper)}."
    )
    apart = float(ours.std(ddof=1)) * math.sqrt(1.0 / PAPER_TRIALS)
    decides = (
        f"{percent(share)} of the variance of {label}'s runs comes from the draw of the unknown "
        "pseudo-rewards. "
        if math.isfinite(share)
        else ""
    )
    return (
        f"{decides}Over {n} draws with {int(rows['trials'].iloc[0])} runs each, {label} takes "
        f"{decimal(float(ours.mean()))} times LUCB's samples on average, with a standard deviation "
        f"of {decimal(float(ours.std(ddof=1)))} between draws. The paper's {decimal(paper)} is "
        f"above {below} of the {n} draws.{explains} With a new draw for each run, the mean of "
        f"{PAPER_TRIALS} runs would have a standard deviation of only {decimal(apart)}."
    )
