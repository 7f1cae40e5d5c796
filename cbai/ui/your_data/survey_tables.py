"""Tables below a survey's verdict: all ways of making pseudo-rewards, and one pair in detail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from cbai.figures.base.style import decimal, percent
from cbai.problem import Problem
from cbai.problem.methods import METHODS, Evidence
from cbai.problem.trust import Trust
from cbai.problem.validity import VIOLATED, check_validity
from cbai.ui.markdown import plain
from cbai.ui.visit.link_names import in_link

SAFE = "Safe q, estimated"
"""A column: the smallest buffer with which no bound on the best option is too low."""


def side_by_side(problems: Mapping[str, Problem]) -> None:
    """Draw one row a method, by its name, with the problem that it makes."""
    rows = [_method_row(name, problem) for name, problem in problems.items()]
    digits = st.column_config.NumberColumn(format="%.3f")
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={SAFE: digits, "Mean pseudo-reward": digits},
    )
    st.caption(
        "All of this is estimated from the people who test, each way with its usual parameters. A "
        "safer way makes fewer pairs too low. Its mean pseudo-reward is larger, which rules out "
        "less. All pseudo-rewards are known here, whatever the sidebar's p says."
    )


def _method_row(name: str, problem: Problem) -> dict[str, Any]:
    validity = check_validity(problem)
    return {
        "Way": METHODS[name].title,
        "Pairs too low": percent(validity.violated_share),
        "Too low on the best": "yes" if validity.verdict == VIOLATED else "no",
        SAFE: validity.smallest_q_best,
        "Mean pseudo-reward": float(problem.pseudo_rewards.mean()),
    }


def one_pair(problem: Problem, evidence: Evidence, trust: Trust) -> None:
    """Draw what ratings of one option say of another, and whether that holds."""
    with st.container(horizontal=True):
        bounded = _arm("What is bounded", in_link("pair_bounded"), problem, 1)
        pulled = _arm("What was rated", in_link("pair_pulled"), problem, 0)
    if bounded == pulled:
        st.info("Choose two different ones.")
        return
    low, k = problem.arms.index(bounded), problem.arms.index(pulled)
    found = evidence.moments
    st.dataframe(
        pd.DataFrame(
            {
                f"Rating of {pulled}": problem.values,
                f"Pseudo-reward of {bounded}": problem.pseudo_rewards[low, k],
                "Mean in the survey": found.mean[low, k],
                "Standard deviation": found.deviation[low, k],
                "Ratings behind it": found.ratings[low, k],
                "People behind it": found.people[low, k],
            }
        ),
        hide_index=True,
    )
    st.caption("Where too few people are behind an entry, it is the largest reward.")
    st.markdown(plain(_pair_words(trust, low, k)))


def _pair_words(trust: Trust, low: int, k: int) -> str:
    """Say by how much a pair's bound is above what it bounds, with its interval."""
    if not np.isfinite((trust.low[low, k], trust.high[low, k])).all():
        if trust.holds[low, k]:
            return "The bound is the largest reward, so it holds."
        return "Whether the bound holds is open: too few people test it."
    ends = f"{decimal(trust.low[low, k])} to {decimal(trust.high[low, k])}"
    if trust.violated[low, k]:
        verdict = "The bound is clearly too low."
    elif trust.holds[low, k]:
        verdict = "The bound clearly holds."
    else:
        verdict = "Whether the bound holds is open: too few people test it."
    pairs = trust.slack.size - len(trust.slack)
    return (
        f"On average the bound is {decimal(trust.slack[low, k])} above what it bounds "
        f"({percent(trust.level)} interval: {ends}). {verdict} The verdict allows for "
        f"{'both' if pairs == 2 else f'all {pairs}'} pairs at once."
    )


def _arm(label: str, key: str, problem: Problem, usual: int) -> str:
    if st.session_state.get(key) not in problem.arms:
        st.session_state.pop(key, None)
    return str(
        st.selectbox(
            label,
            problem.arms,
            index=usual,
            key=key,
            bind="query-params",
            width=260,
            help="Which pair to look at: what ratings of one say of the other, at most.",
        )
    )
