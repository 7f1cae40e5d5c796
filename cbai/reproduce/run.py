"""Run an experiment of the paper, and compare the results with the paper's numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
import pandas as pd

from cbai.problem import Problem
from cbai.reproduce.experiments import (
    BASELINE,
    EXPERIMENTS,
    MAX_SAMPLES,
    PRINTED,
    SEED,
    TRIALS,
    Experiment,
    Setting,
)
from cbai.reproduce.explain import explain
from cbai.results import sample_ratio, summarise
from cbai.simulation import Trials, simulate

RESULTS = ["mean", "two_sigma", "errors", "budget"]
"""The columns that come from the simulation alone: two runs are the same if these are."""

Progress = Callable[[str, int, int], object]


def run(
    experiment: str | Experiment,
    trials: int = TRIALS,
    seed: int = SEED,
    problem: Problem | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Run one experiment.

    Parameters
    ----------
    experiment : str or Experiment
        An id in `EXPERIMENTS`, or another experiment.
    trials, seed : int
        As in `cbai.simulate`.
    problem : Problem, optional
        Replaces the problem of the experiment's data set, for example by another genre assignment.
    executor : concurrent.futures.Executor, optional
        Plays the trials.
    progress : callable, optional
        Called as ``progress(what, done, total)``; counts the trials of the whole experiment.

    Returns
    -------
    DataFrame
        See `frame`.

    Examples
    --------
    >>> from cbai.reproduce import run
    >>> table = run("table1", trials=3)
    >>> table.groupby("algorithm")["errors"].sum().to_dict()
    {'c_lucb': 0, 'lucb': 0}
    """
    row = EXPERIMENTS[experiment] if isinstance(experiment, str) else experiment
    jobs = row.jobs()
    runs = []
    for number, (setting, name) in enumerate(jobs):
        what, before = f"{row.id}: {row.label(name)}", number * trials

        def tell(done: int, _: int, what: str = what, before: int = before) -> None:
            if progress is not None:
                progress(what, before + done, len(jobs) * trials)

        runs.append(
            simulate(
                problem or row.problem(setting),
                [name],
                setting.delta,
                trials=trials,
                seed=seed,
                p=setting.p,
                q=setting.q,
                max_samples=MAX_SAMPLES,
                executor=executor,
                progress=tell,
            )
        )
    return frame(row, runs)


def frame(experiment: Experiment, runs: Sequence[Trials]) -> pd.DataFrame:
    """Compare trials with the paper's numbers.

    Parameters
    ----------
    experiment : Experiment
    runs : sequence of Trials
        One algorithm each, in the order of ``experiment.jobs()``.

    Returns
    -------
    DataFrame
        One row per setting and algorithm, with all parameters. ``mean`` samples and ``two_sigma``
        (twice the standard deviation over trials), ``errors`` with the ends of their exact 95 %
        interval, ``budget`` (trials without an answer), the paper's number ``printed`` and its
        table ``printed_in``, ``ratio`` (ours divided by the paper's), ``relative`` (mean divided by
        LUCB's on the same rewards, with its 95 % interval), the paper's ``printed_relative``, and
        ``explanation``.
    """
    jobs = experiment.jobs()
    base = {
        setting: trials
        for (setting, name), trials in zip(jobs, runs, strict=True)
        if name == BASELINE
    }
    rows = [
        _row(experiment, setting, name, trials, base[setting])
        for (setting, name), trials in zip(jobs, runs, strict=True)
    ]
    for row in rows:
        row["explanation"] = explain(row)
    return pd.DataFrame(rows)


def _row(
    experiment: Experiment, setting: Setting, name: str, trials: Trials, base: Trials
) -> dict[str, Any]:
    summary = summarise(trials).iloc[0]
    best, second = trials.problem.means[trials.problem.ranking[:2]]
    return {
        "experiment": experiment.id,
        "dataset": experiment.dataset,
        "options": setting.option_text,
        "delta": setting.delta,
        "p": setting.p,
        "q": setting.q,
        "algorithm": name,
        "label": experiment.label(name),
        "trials": int(summary["trials"]),
        "seed": trials.seed,
        "max_samples": trials.max_samples,
        "best": trials.problem.arms[trials.problem.best_arm],
        "gap": float(best - second),
        "mean": float(summary["mean"]),
        "two_sigma": float(summary["two_sigma"]),
        "errors": int(summary["errors"]),
        "error_low": float(summary["error_low"]),
        "error_high": float(summary["error_high"]),
        "budget": int(summary["budget"]),
        **_beside(experiment, setting, name, float(summary["mean"])),
        **_proportion(trials, base),
    }


def _beside(experiment: Experiment, setting: Setting, name: str, mean: float) -> dict[str, Any]:
    """Return the paper's number, ours divided by it, and its ratio to LUCB in the same table."""
    printed = experiment.printed(setting, name)
    if printed is None:
        return {"printed": np.nan, "printed_in": "", "ratio": np.nan, "printed_relative": np.nan}
    (lucb,) = (
        row.samples for row in PRINTED if (row.source, row.algorithm) == (printed.source, BASELINE)
    )
    return {
        "printed": printed.samples,
        "printed_in": printed.source,
        "ratio": mean / printed.samples,
        "printed_relative": printed.samples / lucb,
    }


def _proportion(trials: Trials, base: Trials) -> dict[str, float]:
    """Return the ratio to LUCB with its interval; nan if a trial had no answer."""
    ratio = sample_ratio(trials.samples[0], base.samples[0])
    if ratio is None or not (trials.identified.all() and base.identified.all()):
        return dict.fromkeys(("relative", "relative_low", "relative_high"), np.nan)
    return {
        "relative": ratio.estimate,
        "relative_low": ratio.low,
        "relative_high": ratio.high,
    }
