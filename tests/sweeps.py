"""Sweeps for the tests: planned, played by the library, and spoiled."""

from __future__ import annotations

from dataclasses import replace

from cbai.problem.validity import check_validity
from cbai.ui.whatif.sweep_plan import PARAMETERS, plan_for
from tests.visit import at, simulated

NAMES = list(PARAMETERS.values())
SMALL = at("paper-two-arms", algorithms=("lucb", "c_lucb"), trials=10, delta=0.1)


def planned(setup, *names, all_runs=False):
    validity = check_validity(setup.problem, setup.p, setup.q, setup.seed)
    return plan_for(setup, names, validity, all_runs=all_runs)


def played(plan, which=None):
    """Return the trials of the cells, or of some of them, as the page finds them."""
    jobs = plan.jobs
    wanted = jobs if which is None else [plan.job(index, name) for index, name in which]
    return {
        job: simulated(replace(job[0], algorithms=(job[1],))) if job in wanted else None
        for job in jobs
    }


def spoiled(trials, out):
    status = trials.status.copy()
    status[0, :out] = "budget"
    return replace(trials, status=status)
