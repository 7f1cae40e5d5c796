"""All cells of a sweep as a table, each with its parameters; no Streamlit here."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from cbai.problem.changes import gap_of
from cbai.problem.validity import Validity
from cbai.results.sweep import cell_of
from cbai.simulation import find
from cbai.ui.visit.setup import Setup
from cbai.ui.whatif.sweep_plan import Found, Plan

Verdict = Callable[[Setup], Validity]
LimitOf = Callable[[Setup, str], float | None]


def frame(plan: Plan, found: Found, validity_of: Verdict, limit_of: LimitOf) -> pd.DataFrame:
    """Return one row per finished cell and algorithm, in the order of the values.

    Parameters
    ----------
    plan : Plan
    found : mapping of (Setup, str) to Trials or None
    validity_of : callable
        Returns the `Validity` of a setting.
    limit_of : callable
        Returns the lower bound in samples for a setting and an algorithm, None where it does not
        apply.

    Returns
    -------
    DataFrame
        Parameters come first. If runs ran out of budget, ``mean`` is a lower bound on the true
        mean, ``complete`` is False, and there is no interval. If no run has an answer, there is
        no error rate.
    """
    rows = []
    for index, setup in plan.setups.items():
        for name in plan.algorithms:
            trials = found.get(plan.job(index, name))
            if trials is None:
                continue
            cell, limit = cell_of(trials), limit_of(*plan.job(index, name))
            rate = None if cell.silent else cell.errors
            rows.append(
                {
                    "data": setup.dataset_id,
                    **{f"option {option}": value for option, value in setup.options},
                    "algorithm": find(name).title,
                    "name": name,
                    "delta": setup.delta,
                    "p": setup.p,
                    "q": setup.q,
                    "arms": setup.problem.n_arms,
                    "gap": gap_of(setup.problem),
                    "runs": cell.trials,
                    "seed": setup.seed,
                    "budget": setup.max_samples,
                    "epsilon": setup.epsilon,
                    "top": setup.top,
                    "own": index == plan.own,
                    "complete": cell.answered,
                    "mean": cell.mean,
                    "mean_low": cell.low,
                    "mean_high": cell.high,
                    "two_sigma": cell.two_sigma if cell.answered else np.nan,
                    "wrong": cell.errors.count,
                    "error_rate": np.nan if rate is None else rate.estimate,
                    "error_low": np.nan if rate is None else rate.low,
                    "error_high": np.nan if rate is None else rate.high,
                    "ran_out": cell.ran_out,
                    "assumption": validity_of(setup).verdict,
                    "limit": np.nan if limit is None else limit,
                    "problem": setup.fingerprint,
                }
            )
    return pd.DataFrame(rows)
