"""Bad input is met at the boundary with a ValueError that quotes the value and what is allowed."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import cbai

GOOD = {
    "arms": ["a", "b"],
    "values": [0.0, 0.5, 1.0],
    "probabilities": [[0.2, 0.3, 0.5], [0.5, 0.3, 0.2]],
    "pseudo_rewards": [
        [[0.0, 0.5, 1.0], [0.7, 0.8, 0.9]],
        [[0.6, 0.5, 0.4], [0.0, 0.5, 1.0]],
    ],
    "reward_max": 1.0,
}


def changed(field, index, value):
    """Return one field of `GOOD` as an array with one entry changed."""
    result = np.array(GOOD[field], dtype=float)
    result[index] = value
    return result


@pytest.fixture
def problem():
    return cbai.Problem(**GOOD)


def test_the_good_problem_is_good(problem):
    assert problem.n_arms == 2


BAD_PROBLEMS = {
    "one arm": ({"arms": ["a"]}, "arms.*at least 2.*got 1"),
    "no arm": ({"arms": []}, "arms.*at least 2.*got 0"),
    "twin names": ({"arms": ["a", "a"]}, "arms.*different.*'a'"),
    "three arms, two rows": (
        {"arms": ["a", "b", "c"]},
        r"probabilities.*\(3, 3\).*\(2, 3\)",
    ),
    "values not a vector": ({"values": [[0.0, 0.5, 1.0]]}, r"values.*\(any\).*\(1, 3\)"),
    "no values": ({"values": []}, "values.*at least 1.*none"),
    "too few columns": (
        {"probabilities": [[0.5, 0.5], [0.5, 0.5]]},
        r"probabilities.*\(2, 3\).*\(2, 2\)",
    ),
    "ragged": ({"probabilities": [[0.2, 0.3, 0.5], [1.0]]}, r"probabilities.*\(2, 3\)"),
    "not numbers": ({"values": ["low", "mid", "high"]}, "values.*numbers"),
    "pseudo-rewards of one pair": (
        {"pseudo_rewards": [[0.0, 0.5, 1.0]]},
        r"pseudo_rewards.*\(2, 2, 3\).*\(1, 3\)",
    ),
    "values falling": ({"values": [0.0, 1.0, 0.5]}, "values.*increasing.*1 followed by 0.5"),
    "values equal": ({"values": [0.0, 0.5, 0.5]}, "values.*increasing.*0.5 followed by 0.5"),
    "value below 0": ({"values": [-0.5, 0.5, 1.0]}, r"values.*\[0, 1\].*-0.5"),
    "value above b": ({"values": [0.0, 0.5, 1.5]}, r"values.*\[0, 1\].*1.5"),
    "b of 0": ({"reward_max": 0.0}, r"reward_max.*\(0, 1e\+100\).*0"),
    "b infinite": ({"reward_max": float("inf")}, r"reward_max.*\(0, 1e\+100\).*inf"),
    "b a string": ({"reward_max": "5"}, r"reward_max.*\(0, 1e\+100\).*'5'"),
    "NaN value": ({"values": changed("values", 1, np.nan)}, r"values.*finite.*nan.*\(1,\)"),
    "NaN probability": (
        {"probabilities": changed("probabilities", (1, 2), np.nan)},
        r"probabilities.*finite.*nan.*\(1, 2\)",
    ),
    "infinite pseudo-reward": (
        {"pseudo_rewards": changed("pseudo_rewards", (0, 1, 2), np.inf)},
        r"pseudo_rewards.*finite.*inf.*\(0, 1, 2\)",
    ),
    "sum below 1": (
        {"probabilities": changed("probabilities", (1, 2), 0.1)},
        "probabilities.*sum to 1.*0.9 in row 1",
    ),
    "negative probability": (
        {"probabilities": [[-0.2, 0.7, 0.5], [0.5, 0.3, 0.2]]},
        r"probabilities.*\[0, 1\].*-0.2.*\(0, 0\)",
    ),
    "pseudo-reward below 0": (
        {"pseudo_rewards": changed("pseudo_rewards", (1, 0, 0), -0.1)},
        r"pseudo_rewards.*\[0, 1\].*-0.1.*\(1, 0, 0\)",
    ),
    "pseudo-reward above b": (
        {"pseudo_rewards": changed("pseudo_rewards", (1, 0, 0), 1.1)},
        r"pseudo_rewards.*\[0, 1\].*1.1.*\(1, 0, 0\)",
    ),
    "own pseudo-reward not the reward": (
        {"pseudo_rewards": changed("pseudo_rewards", (1, 1, 1), 0.6)},
        r"pseudo_rewards\[l, l\].*0.6 instead of 0.5.*arm 1",
    ),
}


@pytest.mark.parametrize("case", BAD_PROBLEMS)
def test_a_bad_problem_is_refused(case):
    changes, message = BAD_PROBLEMS[case]
    with pytest.raises(ValueError, match=message):
        cbai.Problem(**(GOOD | changes))


ALL_NAMES = ".*".join(re.escape(name) for name in cbai.ALGORITHMS)
BOTH = {
    "delta 0": ({"delta": 0.0}, r"delta.*\[1e-100, 1\).*got 0"),
    "delta 1": ({"delta": 1.0}, r"delta.*\[1e-100, 1\).*got 1"),
    "delta 5": ({"delta": 5}, r"delta.*\[1e-100, 1\).*got 5"),
    "delta NaN": ({"delta": float("nan")}, r"delta.*\[1e-100, 1\).*nan"),
    "delta a string": ({"delta": "0.1"}, r"delta.*\[1e-100, 1\).*'0.1'"),
    "budget below K": ({"max_samples": 1}, r"max_samples.*from 2 to.*got 1"),
    "budget a float": ({"max_samples": 10.5}, r"max_samples.*from 2 to.*got 10.5"),
}
BAD_SIMULATIONS = BOTH | {
    "p below 0": ({"p": -0.1}, r"p .*\[0, 1\].*-0.1"),
    "p above 1": ({"p": 1.5}, r"p .*\[0, 1\].*1.5"),
    "q below 0": ({"q": -0.1}, r"q .*\[0, .*-0.1"),
    "q NaN": ({"q": float("nan")}, r"q .*\[0, .*nan"),
    "trials 0": ({"trials": 0}, "trials.*from 1 to.*got 0"),
    "trials half": ({"trials": 0.5}, "trials.*from 1 to.*got 0.5"),
    "seed below 0": ({"seed": -1}, "seed.*from 0.*got -1"),
    "seed beyond 63 bits": ({"seed": 2**63}, f"seed.*to {2**63 - 1}.*got {2**63}"),
    "seed a float": ({"seed": 1.5}, "seed.*from 0.*got 1.5"),
    "first trial below 0": ({"first_trial": -1}, "first_trial.*0.*got -1"),
    "unknown algorithm": ({"algorithms": ["lucb", "ucb"]}, f"{ALL_NAMES}.*'ucb'"),
    "no algorithm": ({"algorithms": []}, "algorithms.*at least"),
}
BAD_REPLAYS = BOTH | {
    "unknown algorithm": ({"algorithm": "ucb"}, f"algorithm.*{ALL_NAMES}.*'ucb'"),
    "too few rows": ({"rewards": [[0, 1, 2]]}, r"rewards.*\(2, .*\(1, 3\)"),
    "a vector": ({"rewards": [0, 1, 2]}, r"rewards.*\(2, .*\(3,?\)"),
    "ragged": ({"rewards": [[0, 1, 2], [0]]}, "rewards"),
    "index below 0": ({"rewards": [[0, 1], [-1, 0]]}, r"rewards.*\b0\b.*\b2\b.*-1"),
    "index V": ({"rewards": [[0, 1], [3, 0]]}, r"rewards.*\b0\b.*\b2\b.*3"),
    "fractions": ({"rewards": [[0.5, 1.0], [1.0, 0.0]]}, r"rewards.*(whole|integer).*"),
    "no rewards": ({"rewards": [[], []]}, "rewards"),
    "rewards end": ({"rewards": [[1, 1, 1], [1, 1, 1]]}, "rewards.*3"),
}


@pytest.mark.parametrize("case", BAD_SIMULATIONS)
def test_a_bad_simulation_is_refused(case, problem):
    changes, message = BAD_SIMULATIONS[case]
    arguments = {"algorithms": ["lucb"], "delta": 0.1, "trials": 2, "max_samples": 100}
    with pytest.raises(ValueError, match=message):
        cbai.simulate(problem, **(arguments | changes))


@pytest.mark.parametrize("case", BAD_REPLAYS)
def test_a_bad_replay_is_refused(case, problem):
    changes, message = BAD_REPLAYS[case]
    arguments = {"algorithm": "lucb", "delta": 0.1, "rewards": np.zeros((2, 100), int)}
    arguments |= {"max_samples": 100}
    with pytest.raises(ValueError, match=message):
        cbai.replay(problem, **(arguments | changes))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"delta": 0.0}, r"delta.*\[1e-100, 1\).*got 0"),
        ({"seed": -1}, "seed.*from 0.*got -1"),
        ({"trial": -1}, "trial.*0.*got -1"),
        ({"max_rounds": 0}, "max_rounds.*at least 2.*got 0"),
        ({"algorithm": "ucb"}, "algorithm.*'ucb'"),
    ],
)
def test_a_bad_trace_is_refused(changes, message, problem):
    with pytest.raises(ValueError, match=message):
        cbai.trace(problem, **({"algorithm": "lucb", "delta": 0.1} | changes))


HOSTILE = {
    "huge delta": {"delta": 10**400},
    "delta of endless digits": {"delta": 10**6000},
    "complex delta": {"delta": 0.1j},
    "missing delta": {"delta": pd.NA},
    "bytes as delta": {"delta": b"0.1"},
    "huge trials": {"trials": 10**30},
    "trials beyond memory": {"trials": 2**31},
    "trials of endless digits": {"trials": 10**6000},
    "missing trials": {"trials": pd.NA},
    "huge budget": {"max_samples": 10**6000},
    "huge seed": {"seed": -(10**6000)},
    "NaN total": {"total_samples": float("nan")},
    "negative total": {"total_samples": -1},
    "a name as list": {"algorithms": "lucb"},
    "a list as name": {"algorithms": [["lucb"]]},
    "a dict as name": {"algorithms": [{"lucb": 1}]},
    "a missing name": {"algorithms": [pd.NA]},
    "an array as name": {"algorithms": [np.array(["lucb", "racing"])]},
    "a long name": {"algorithms": ["x" * 10**6]},
    "a coloured name": {"algorithms": ["\x1b[31m\n"]},
    "a long recipe": {"algorithms": ["lab:" + "-" * 10**6]},
    "a long pair": {"algorithms": ["lucb@" + "x" * 10**6]},
    "no problem": {"problem": "x" * 10**6},
    "missing q": {"q": pd.NA},
    "huge epsilon": {"epsilon": 10**400},
    "a list as top": {"top": [1]},
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_values_are_refused_in_one_sentence(case, problem):
    arguments = {"problem": problem, "algorithms": ["lucb"], "delta": 0.1, "trials": 2}
    with pytest.raises(ValueError, match="must") as caught:
        cbai.simulate(**(arguments | {"max_samples": 100} | HOSTILE[case]))
    said = str(caught.value).replace(", ".join(cbai.ALGORITHMS), "")
    assert len(said) < 300
    assert said.isprintable()


@pytest.mark.parametrize(
    "changes",
    [
        {"arms": [["a"], ["a"]]},
        {"arms": 7},
        {"arms": ["a" * 10**6] * 2},
        {"arms": ["\n", "a"]},
        {"reward_max": 10**400},
        {"reward_max": pd.NA},
        {"reward_max": 1j},
        {"values": [0, 1j, 2]},
        {"values": [0, pd.NA, 10**400]},
        {"probabilities": b"abc"},
        {"pseudo_rewards": pd.NA},
    ],
    ids=str,
)
def test_a_hostile_problem_is_refused_in_one_sentence(changes):
    with pytest.raises(ValueError, match="must") as caught:
        cbai.Problem(**(GOOD | changes))
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


class CountedName(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other):
        CountedName.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__

    def __str__(self):
        return self


def test_the_work_for_many_names_grows_in_line_with_them():
    names = [CountedName(f"arm {i}") for i in range(3000)]
    with pytest.raises(ValueError, match="must have shape"):
        cbai.Problem(**(GOOD | {"arms": names}))
    assert CountedName.compared < 10 * len(names)


def test_an_unknown_data_set_is_refused():
    if not hasattr(cbai, "load_problem"):
        pytest.skip("no data sets yet")
    with pytest.raises(ValueError, match="'movielens-99'"):
        cbai.load_problem("movielens-99")
