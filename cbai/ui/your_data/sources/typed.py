"""A problem typed in: what experts know about each pair, and how often each reward comes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from cbai import checks
from cbai.checks import quoted
from cbai.datasets import Noun, load_problem
from cbai.datasets.table.guess import check_name
from cbai.problem import Problem
from cbai.problem.entry import Entry, build
from cbai.ui.markdown import plain
from cbai.ui.visit.user_problem import OwnProblem

MOST_ARMS = 12
BOUNDED, PULLED = "at most how good is", "when this one gave"


def draw() -> OwnProblem | None:
    """Draw the editors and return the problem entered."""
    st.caption(
        "Name the options and the rewards. Enter how often each option gives each reward. Then "
        "enter what you know: how good is one option at most, on average, when another option gave "
        "a certain reward? Leave a cell empty if you don't know it: it then counts as the largest "
        "reward. The example is Table 2 of the paper."
    )
    with st.container(horizontal=True):
        arms_text = st.text_input(
            "Options",
            "Arm 1, Arm 2, Arm 3",
            width=380,
            max_chars=400,
            help="The names of the options, separated by commas.",
        )
        values_text = st.text_input(
            "Rewards, increasing",
            "0, 1, 2",
            width=260,
            max_chars=200,
            help="Every reward that one sample can give, in increasing order, separated by commas.",
        )
    try:
        arms, values = _names(arms_text), _numbers(values_text)
        start = _start(arms, values)
        entry = _edited(arms, values, start)
    except ValueError as error:
        st.error(plain(str(error)))
        return None
    unknown = int(entry.padded.sum())
    st.caption(
        f"{unknown} of {entry.padded.size - len(arms) * len(values)} pseudo-rewards are unknown "
        f"and count as {entry.problem.reward_max:g}."
    )
    words = f"Typed in; {unknown} pseudo-rewards left empty and padded with the largest reward."
    return OwnProblem(
        entry.problem, "typed in", words, Noun("option", "options"), Noun("sample", "samples")
    )


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not 2 <= len(names) <= MOST_ARMS or len(set(names)) < len(names):
        raise ValueError(
            f"Options must be 2 to {MOST_ARMS} different names separated by commas, got "
            f"{quoted(text)}."
        )
    for name in names:
        check_name("option", name)
    return names


def _numbers(text: str) -> list[float]:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) < 2 or not np.isfinite(numbers).all():
        raise ValueError(
            f"Rewards must be 2 or more finite numbers separated by commas, got {quoted(text)}."
        )
    return numbers


def _start(arms: list[str], values: list[float]) -> Problem | None:
    example = load_problem("paper-three-arms")
    same = len(arms) == example.n_arms and values == example.values.tolist()
    return example if same else None


def _edited(arms: list[str], values: list[float], start: Problem | None) -> Entry:
    checks.strictly_increasing("Rewards", np.array(values))
    columns = [f"{value:g}" for value in values]
    if len(set(columns)) < len(columns):
        columns = [repr(value) for value in values]
    key = f"{arms} {values}"
    counts = st.radio(
        "The first table contains",
        ["probabilities", "counts"],
        horizontal=True,
        key=f"kind {key}",
        help="How likely each reward is, or how often a survey saw it.",
    )
    even = 1.0 / len(values) if counts == "probabilities" else 10.0
    rows = start.probabilities if start is not None else [[even] * len(values) for _ in arms]
    rewards = st.data_editor(
        pd.DataFrame(rows, index=pd.Index(arms, name="option"), columns=columns),
        key=f"rewards {counts} {key}",
    )
    st.caption("How often each option gives each reward. No algorithm sees this.")
    pairs = [(bounded, pulled) for pulled in arms for bounded in arms if bounded != pulled]
    known = [_known(start, arms.index(bounded), arms.index(pulled)) for bounded, pulled in pairs]
    table = pd.DataFrame(pairs, columns=[BOUNDED, PULLED])
    for v, column in enumerate(columns):
        table[column] = pd.Series([row[v] if row else None for row in known], dtype="float64")
    edited = st.data_editor(table, disabled=[BOUNDED, PULLED], hide_index=True, key=f"known {key}")
    st.caption("The pseudo-rewards. You can paste from a spreadsheet. An empty cell is unknown.")
    entered = dict(zip(pairs, edited[columns].to_numpy(dtype=float).tolist(), strict=True))
    empty = [None] * len(values)
    cells = [[entered.get((bounded, pulled), empty) for pulled in arms] for bounded in arms]
    return build(arms, values, rewards.to_numpy().tolist(), cells, counts=counts == "counts")


def _known(start: Problem | None, bounded: int, pulled: int) -> list[float | None]:
    """Return the example's pseudo-rewards of a pair, with None for unknown ones."""
    if start is None:
        return []
    row = start.pseudo_rewards[bounded, pulled]
    return [None if value == start.reward_max else float(value) for value in row]
