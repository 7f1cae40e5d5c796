"""First misses of many streams, cached by their parameters; a long run can be stopped."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from cbai.problem import Problem
from cbai.simulation import CONFIDENCE
from cbai.simulation.coverage import first_misses
from cbai.ui.runs import fair_pool, on_demand, stopping
from cbai.ui.runs.streamlit_patches import DeltaGenerator

SHOW_AFTER_SECONDS = 0.5
COIN = -1
"""Stands for the coin among the indices of arms."""


@dataclass(frozen=True)
class Lab:
    """The parameters of `first_misses`."""

    distribution: tuple[float, ...]
    values: tuple[float, ...]
    reward_max: float
    d: float
    n_max: int
    n_streams: int
    seed: int

    @property
    def mean(self) -> float:
        """The true mean."""
        return min(float(np.dot(self.distribution, self.values)), self.reward_max)

    @property
    def spread(self) -> float:
        """The standard deviation of a reward, as a share of the largest possible, b / 2."""
        variance = np.dot(self.distribution, (np.array(self.values) - self.mean) ** 2)
        return float(np.sqrt(variance) / (self.reward_max / 2.0))


def lab_of(
    problem: Problem, arm: int, coin_mean: float, d: float, n_max: int, n_streams: int, seed: int
) -> Lab:
    """Return the streams of an arm, or of a coin that gives 1 or 0."""
    if arm == COIN:
        return Lab((1.0 - coin_mean, coin_mean), (0.0, 1.0), 1.0, d, n_max, n_streams, seed)
    chances = tuple(problem.probabilities[arm].tolist())
    values = tuple(problem.values.tolist())
    return Lab(chances, values, problem.reward_max, d, n_max, n_streams, seed)


@dataclass
class _Slot:
    """A place for the first misses of one lab; the thread that holds the lock computes them."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    misses: NDArray[np.int64] | None = None


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs={Lab: repr})
def _slot(lab: Lab) -> _Slot:
    return _Slot()


class _Progress:
    """Shows progress if a run takes long; raises on a rerun, which ends the run."""

    def __init__(self, run: str) -> None:
        self.run = run
        self.place = st.empty()
        self.since = time.monotonic()
        self.bar: DeltaGenerator | None = None

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() - self.since < SHOW_AFTER_SECONDS:
            return
        if self.bar is None:
            with self.place.container(key="run"):
                self.bar = st.progress(0.0)
                stopping.offer_stop(self.run)
        self.bar.progress(done / total, text=f"{done:,} of {total:,} streams done")


def get_misses(lab: Lab) -> NDArray[np.int64] | None:
    """Return the first misses of all sequences in the order of `CONFIDENCE`, shape (S, streams).

    Returns
    -------
    ndarray of int64 or None
        None if the user stopped the run.
    """
    slot, run = _slot(lab), repr(lab)
    if slot.misses is None:
        if stopping.is_stopped(run):
            return None
        progress = _Progress(run)
        _fill(slot, lab, progress)
        progress.place.empty()
    return slot.misses


def _fill(slot: _Slot, lab: Lab, progress: _Progress) -> None:
    with on_demand.in_turn(slot.lock, lambda: progress(0, lab.n_streams)):
        if slot.misses is None:
            slot.misses = first_misses(
                lab.distribution,
                lab.values,
                lab.reward_max,
                list(CONFIDENCE),
                lab.d,
                lab.n_max,
                lab.n_streams,
                lab.seed,
                executor=fair_pool.executor(),
                progress=progress,
            )
