"""The stored run of the paper's experiments, and the same run repeated on this machine."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from cbai.datasets import DATASETS
from cbai.reproduce.experiments import MAX_SAMPLES, Experiment, Setting
from cbai.reproduce.run import RESULTS, frame
from cbai.reproduce.stored import stored
from cbai.ui.runs import on_demand
from cbai.ui.visit.setup import Setup


@st.cache_data(max_entries=16, show_spinner=False)
def get_stored(name: str) -> pd.DataFrame:
    """Return one table of the stored run."""
    return stored(name)


def setup_of(experiment: Experiment, setting: Setting, trials: int, seed: int) -> Setup:
    """Return a setting of an experiment as a setup of the sidebar."""
    return Setup(
        dataset_id=experiment.dataset,
        options=setting.options,
        algorithms=experiment.algorithms,
        delta=setting.delta,
        p=setting.p,
        q=setting.q,
        trials=trials,
        seed=seed,
        max_samples=MAX_SAMPLES,
        dataset=DATASETS[experiment.dataset],
        problem=experiment.problem(setting),
    )


def jobs_of(experiment: Experiment, trials: int, seed: int) -> list[tuple[Setup, str]]:
    """Return the jobs that give the results of an experiment on this machine."""
    return [
        (setup_of(experiment, setting, trials, seed), name) for setting, name in experiment.jobs()
    ]


def known_here(experiment: Experiment, jobs: Sequence[tuple[Setup, str]]) -> pd.DataFrame | None:
    """Return the results of an experiment if all its jobs are done on this machine, else None."""
    runs = [trials for trials in on_demand.known(jobs) if trials is not None]
    return frame(experiment, runs) if len(runs) == len(jobs) else None


def same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Return whether two runs of an experiment gave exactly the same results."""
    return one[RESULTS].equals(other[RESULTS])
