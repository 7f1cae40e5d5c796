"""What the page on the paper needs: the stored run, and the same run here and now."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from cbai.datasets import DATASETS
from cbai.reproduce.experiments import MAX_SAMPLES, Experiment, Setting
from cbai.reproduce.run import RESULTS, frame
from cbai.reproduce.stored import stored
from cbai.ui import cache
from cbai.ui.setup import Setup


@st.cache_data(max_entries=16, show_spinner=False)
def get_stored(name: str) -> pd.DataFrame:
    """Return one table of the stored run."""
    return stored(name)


def setup_of(experiment: Experiment, setting: Setting, trials: int, seed: int) -> Setup:
    """Return a setting of an experiment as the sidebar would hold it."""
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


def run_here(experiment: Experiment, trials: int, seed: int) -> pd.DataFrame | None:
    """Return the results of an experiment, worked out here; None if the user stopped the run."""
    jobs = [
        (setup_of(experiment, setting, trials, seed), name) for setting, name in experiment.jobs()
    ]
    runs = cache.get_many(jobs)
    return None if runs is None else frame(experiment, runs)


def same(one: pd.DataFrame, other: pd.DataFrame) -> bool:
    """Return whether two runs of an experiment came to the same, to the sample."""
    return one[RESULTS].equals(other[RESULTS])
