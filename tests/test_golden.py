"""Reference and kernel reproduce independently computed trials to the sample.

The golden values (``golden/replays.json``) come from an independent implementation of the same
definitions, given here as recorded rewards and the trial each algorithm makes of them.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import cbai
from tests.reference import bandit

CASES = json.loads((Path(__file__).parent / "golden" / "replays.json").read_text())
CASE_ALGORITHM = [(i, name) for i, case in enumerate(CASES) for name in case["expected"]]


def rewards_of(case):
    return [[int(digit) for digit in row] for row in case["rewards"]]


def replay_reference(case, name):
    return bandit.play(
        case["values"], case["pseudo_rewards"], case["reward_max"], rewards_of(case),
        name, case["delta"], case["max_samples"],
    )  # fmt: skip


def replay_kernel(case, name):
    """The file rounds probabilities to six digits; a replay does not look at them anyway."""
    arms = [f"arm {k}" for k in range(len(case["rewards"]))]
    rounded = np.array(case["probs"])
    probabilities = rounded / rounded.sum(axis=1, keepdims=True)
    problem = cbai.Problem(
        arms, case["values"], probabilities, case["pseudo_rewards"], case["reward_max"]
    )
    return cbai.replay(
        problem, name, case["delta"], rewards_of(case), max_samples=case["max_samples"]
    )


def test_the_golden_file_covers_all_eight_algorithms():
    assert {name for _, name in CASE_ALGORITHM} == set(bandit.ALGORITHMS)


@pytest.mark.parametrize("replay", [replay_reference, replay_kernel])
@pytest.mark.parametrize(("index", "name"), CASE_ALGORITHM)
def test_recorded_rewards_give_the_recorded_trial(index, name, replay):
    expected = CASES[index]["expected"][name]
    trial = replay(CASES[index], name)
    assert {
        "status": trial.status,
        "best": trial.best_arm,
        "samples": trial.samples,
        "rounds": trial.rounds,
        "pulls": list(trial.pulls),
        "eliminated": [int(at) or None for at in trial.eliminated_at],
    } == expected
