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

SAFE = "Estimated safe q"
"""A column: the smallest buffer with which no pseudo-reward that bounds the best is too low."""


def side_by_side(problems: Mapping[str, Problem]) -> None:
    """Draw one row for each method, from the problem that it makes."""
    rows = [_method_row(name, problem) for name, problem in problems.items()]
    digits = st.column_config.NumberColumn(format="%.3f")
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={SAFE: digits, "Mean pseudo-reward": digits},
    )
    st.caption(
        "All numbers are estimated from the people who test. Each way has its usual parameters. A "
        "safer way makes fewer pairs too low, but its mean pseudo-reward is larger and rules out "
        "less. This table treats all pseudo-rewards as known, for any p in the sidebar."
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
    """Draw the pseudo-rewards of one option for another, and say whether they are valid."""
    with st.container(horizontal=True):
        bounded = _arm("Option bounded", in_link("pair_bounded"), problem, 1)
        pulled = _arm("Option rated", in_link("pair_pulled"), problem, 0)
    if bounded == pulled:
        st.info("Choose two different options.")
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
    st.caption("If too few people gave a rating, its pseudo-reward is the largest reward.")
    st.markdown(plain(_pair_words(trust, low, k)))


def _pair_words(trust: Trust, low: int, k: int) -> str:
    """Say how far a pair's bound is above the mean that it bounds, with the interval."""
    if not np.isfinite((trust.low[low, k], trust.high[low, k])).all():
        if trust.holds[low, k]:
            return "The bound is the largest reward, so it is valid."
        return "It is open whether the bound is valid: too few people test it."
    ends = f"{decimal(trust.low[low, k])} to {decimal(trust.high[low, k])}"
    if trust.violated[low, k]:
        verdict = "The bound is clearly too low."
    elif trust.holds[low, k]:
        verdict = "The bound is clearly valid."
    else:
        verdict = "It is open whether the bound is valid: too few people test it."
    pairs = trust.slack.size - len(trust.slack)
    return (
        f"On average the bound is {decimal(trust.slack[low, k])} above the mean that it bounds "
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
            help="The pair to show. The ratings of one option bound the mean of the other.",
        )
    )
