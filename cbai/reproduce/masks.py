"""Table 4 for one draw of the unknown pseudo-rewards at a time: how much depends on the draw?

The paper says which share p of the pseudo-rewards is unknown, but not whether its ten runs drew the
unknown ones anew. Here each draw is kept for many runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor

import pandas as pd

from cbai.figures.style import decimal, percent
from cbai.problem import Problem
from cbai.problem.pseudo_rewards import apply_mask, mask
from cbai.reproduce.experiments import (
    AS_IN_TABLES,
    BASELINE,
    EXPERIMENTS,
    MAX_SAMPLES,
    SEED,
    TRIALS,
)
from cbai.reproduce.run import Progress
from cbai.simulation import Trials, simulate

TABLE = EXPERIMENTS["table4"]
COUNT = 40
PAPER_TRIALS = 10


def masked_problem(problem: Problem, p: float, seed: int, number: int) -> Problem:
    """Return a problem whose unknown pseudo-rewards are those of one trial, for good.

    Parameters
    ----------
    problem : Problem
    p, seed : float, int
        As in `cbai.simulate`.
    number : int
        The trial that has them.
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
        How many draws of the unknown pseudo-rewards.
    trials : int
        Runs of each algorithm on each draw; the rewards of run t are the same on every draw.
    seed, executor, progress
        As in `cbai.reproduce.run`.

    Returns
    -------
    DataFrame
        One row per draw and variant, with all parameters: ``mask`` is the number of the draw,
        ``mean`` and ``two_sigma`` are samples and twice their standard deviation over runs,
        ``budget`` counts runs without an answer, and ``relative`` is the mean in proportion to
        LUCB's on the same rewards.
    """
    setting = AS_IN_TABLES
    problem = TABLE.problem(setting)
    base = _play(problem, [BASELINE], trials, seed, executor).samples[0]
    variants = [name for name in TABLE.algorithms if name != BASELINE]
    rows: list[dict[str, object]] = []
    for number in range(count):
        if progress is not None:
            progress(f"unknown pseudo-rewards, draw {number}", number, count)
        one = masked_problem(problem, setting.p, seed, number)
        played = _play(one, variants, trials, seed, executor)
        for name, samples, answered in zip(
            variants, played.samples, played.identified, strict=True
        ):
            printed, lucb = TABLE.printed(setting, name), TABLE.printed(setting, BASELINE)
            theirs = math.nan if not (printed and lucb) else printed.samples / lucb.samples
            rows.append(
                {
                    "experiment": TABLE.id,
                    "dataset": TABLE.dataset,
                    "delta": setting.delta,
                    "p": setting.p,
                    "q": setting.q,
                    "mask": number,
                    "algorithm": name,
                    "label": TABLE.label(name),
                    "trials": trials,
                    "seed": seed,
                    "max_samples": MAX_SAMPLES,
                    "mean": float(samples.mean()),
                    "two_sigma": 2.0 * float(samples.std(ddof=1)) if trials > 1 else math.nan,
                    "budget": int((~answered).sum()),
                    "printed_relative": theirs,
                    "relative": float(samples.mean() / base.mean()),
                }
            )
    return pd.DataFrame(rows)


def _play(
    problem: Problem, names: Sequence[str], trials: int, seed: int, executor: Executor | None
) -> Trials:
    """Play with all that is known known, as the draw is in the problem already."""
    return simulate(
        problem,
        names,
        AS_IN_TABLES.delta,
        trials=trials,
        seed=seed,
        max_samples=MAX_SAMPLES,
        executor=executor,
    )


def between_share(frame: pd.DataFrame) -> float:
    """Return the share of the variance of single runs that is between draws, in [0, 1].

    Parameters
    ----------
    frame : DataFrame
        Of `run_masks`, one variant only.

    Returns
    -------
    float
        By the analysis of variance: the variance of the means over draws, less what the runs within
        a draw add to it, over the whole.
    """
    within = float(((frame["two_sigma"] / 2.0) ** 2).mean())
    between = float(frame["mean"].var(ddof=1)) - within / float(frame["trials"].iloc[0])
    between = max(between, 0.0)
    return between / (between + within)


def masks_verdict(frame: pd.DataFrame, label: str = "C-LUCB") -> str:
    """Say how much the draw decides, and what that means for the paper's number.

    Parameters
    ----------
    frame : DataFrame
        Of `run_masks`.
    label : str
        The variant that it is said of.
    """
    rows = frame[frame["label"] == label]
    ours, paper = rows["relative"], float(rows["printed_relative"].iloc[0])
    below = int((ours < paper).sum())
    n, share = len(rows), between_share(rows)
    explains = (
        f" So if the paper kept one draw for all its {PAPER_TRIALS} runs, a number like its "
        f"{decimal(paper)} is no surprise."
        if 0.025 < below / n < 0.975
        else f" So the draw alone does not explain the paper's {decimal(paper)}."
    )
    apart = float(ours.std(ddof=1)) * math.sqrt(1.0 / PAPER_TRIALS)
    decides = (
        f"Which pseudo-rewards are unknown decides {percent(share)} of the variance of {label}'s "
        "runs. "
        if math.isfinite(share)
        else ""
    )
    return (
        f"{decides}Over {n} draws with {int(rows['trials'].iloc[0])} runs each it takes "
        f"{decimal(float(ours.mean()))} times LUCB's samples on average, with a standard deviation "
        f"of {decimal(float(ours.std(ddof=1)))} between draws. The paper's {decimal(paper)} is "
        f"above {below} of the {n}.{explains} With a new draw in each run, the mean of "
        f"{PAPER_TRIALS} runs would vary by {decimal(apart)} only."
    )
