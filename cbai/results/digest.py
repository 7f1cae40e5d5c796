"""The results of a run in a few numbers, and whether another run has the same, sample by sample."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from cbai import checks
from cbai.results.strict import shape, text
from cbai.simulation import Trials
from cbai.simulation.outcomes import STATUS_NAMES

MOST = 2**53


@dataclass(frozen=True)
class Given:
    """The results of one algorithm's trials.

    Attributes
    ----------
    algorithm : str
    trials : int
    mean_samples : float
        Trials without an answer count with the samples that they took.
    wrong, without_answer : int
        How many trials named an arm that is not best, and how many ran out of samples.
    digest : str
        SHA-256 of the status, answer, samples, rounds, pulls and eliminations of every trial.
    """

    algorithm: str
    trials: int
    mean_samples: float
    wrong: int
    without_answer: int
    digest: str

    def to_dict(self) -> dict[str, Any]:
        """Return the form that JSON holds."""
        return asdict(self)

    @classmethod
    def from_dict(cls, content: Any) -> Given:
        """Check what was read from JSON.

        Raises
        ------
        ValueError
            If a key is missing or unknown, or a value is outside its range.
        """
        found = shape("results", content, [field.name for field in fields(cls)])
        trials = checks.whole("trials", found["trials"], 1, MOST)
        return cls(
            text("algorithm", found["algorithm"], 200),
            trials,
            checks.real("mean_samples", found["mean_samples"], 0.0, float(MOST)),
            checks.whole("wrong", found["wrong"], 0, trials),
            checks.whole("without_answer", found["without_answer"], 0, trials),
            text("digest", found["digest"], 64),
        )


def give(trials: Trials) -> tuple[Given, ...]:
    """Return the results of each algorithm of a run."""
    return tuple(
        Given(
            row.name,
            trials.samples.shape[1],
            float(trials.samples[a].mean()),
            int(trials.wrong[a].sum()),
            int((trials.status[a] == "budget").sum()),
            _digest(trials, a),
        )
        for a, row in enumerate(trials.algorithms)
    )


def _digest(trials: Trials, a: int) -> str:
    """Return a digest that is the same on every machine: whole numbers, lowest byte first."""
    status = np.searchsorted(np.sort(STATUS_NAMES), trials.status[a])
    digest = hashlib.sha256(repr(trials.pulls[a].shape).encode())
    for table in (status, trials.best_arm[a], trials.samples[a], trials.rounds[a]):
        digest.update(table.astype("<i8").tobytes())
    for table in (trials.pulls[a], trials.eliminated_at[a]):
        digest.update(table.astype("<i8").tobytes())
    return digest.hexdigest()


def differences(then: tuple[Given, ...], now: tuple[Given, ...]) -> list[str]:
    """Say what differs, for each algorithm with other results than before; empty if none."""
    return [
        f"{new.algorithm}: {_difference(old, new)}"
        for old, new in zip(then, now, strict=True)
        if old != new
    ]


def _difference(old: Given, new: Given) -> str:
    parts = [
        f"{what} {before:,} then, {after:,} now"
        for what, before, after in (
            ("mean samples", old.mean_samples, new.mean_samples),
            ("wrong", old.wrong, new.wrong),
            ("without an answer", old.without_answer, new.without_answer),
            ("runs", old.trials, new.trials),
        )
        if before != after
    ]
    return "; ".join(parts) or "the same on average, but single runs differ"
