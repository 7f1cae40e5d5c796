"""A latent source: bounds on every reward in each hidden state (the paper's equation 2)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from cbai.checks import quoted
from cbai.datasets import Noun
from cbai.problem import Problem
from cbai.problem.latent import soft_pseudo_rewards, unexplained_rewards
from cbai.ui.markdown import plain
from cbai.ui.visit.user_problem import OwnProblem

START = pd.DataFrame(
    {
        "state": ["likes tennis", "likes soccer", "likes neither"],
        "share": [0.3, 0.5, 0.2],
        "Ad A low": [3.0, 0.0, 1.0],
        "Ad A high": [4.0, 1.0, 2.0],
        "Ad B low": [1.0, 3.0, 1.0],
        "Ad B high": [2.0, 4.0, 2.0],
        "Ad C low": [1.0, 1.0, 2.0],
        "Ad C high": [2.0, 2.0, 3.0],
    }
)
MOST_STATES = 20


def draw() -> OwnProblem | None:
    """Draw the editor and return the problem entered."""
    st.caption(
        "A hidden state decides the rewards: for example, the interests of the person asked. Enter "
        "a row for each state: its share, and the bounds of every option's reward in this state. "
        "No algorithm sees the shares. Rewards are whole numbers up to the largest one. They are "
        "drawn evenly between their bounds."
    )
    names = st.text_input(
        "Options",
        "Ad A, Ad B, Ad C",
        max_chars=400,
        key="latent options",
        help="The names of the options, separated by commas.",
    )
    with st.container(horizontal=True):
        largest = st.number_input(
            "Largest reward",
            1,
            10,
            4,
            key="latent largest",
            width=180,
            help="Rewards are whole numbers from 0 to this.",
        )
        kappa = st.number_input(
            "Share outside bounds, κ",
            0.0,
            0.99,
            0.0,
            0.01,
            key="latent kappa",
            width=180,
            help="How often a reward is outside its bounds. A larger share makes the "
            "pseudo-rewards higher.",
        )
    arms = [name.strip() for name in names.split(",") if name.strip()]
    try:
        table = st.data_editor(
            _blank(arms), num_rows="dynamic", hide_index=True, key=f"latent {arms}"
        )
        problem = _problem(table, arms, float(largest), float(kappa))
    except ValueError as error:
        st.error(plain(str(error)))
        return None
    words = f"A latent source with {len(table)} states and κ = {kappa:g}, typed in."
    return OwnProblem(
        problem, "latent source", words, Noun("option", "options"), Noun("sample", "samples")
    )


def _blank(arms: list[str]) -> pd.DataFrame:
    if not 2 <= len(arms) <= 12 or len(set(arms)) < len(arms):
        raise ValueError(f"Options must be 2 to 12 different names, got {quoted(', '.join(arms))}.")
    columns = [f"{arm} {end}" for arm in arms for end in ("low", "high")]
    usual = [0.0, 1.0] * len(arms)
    rows = {
        name: START[name] if name in START else [value] * len(START)
        for name, value in zip(columns, usual, strict=True)
    }
    return pd.DataFrame({"state": START["state"], "share": START["share"], **rows})


def _check_bounds(
    low: NDArray[np.float64], high: NDArray[np.float64], arms: list[str], largest: float
) -> None:
    """Name the cell that is wrong."""
    for end, cells in (("low", low), ("high", high)):
        for x, k in np.argwhere((cells < 0.0) | (cells > largest)).tolist():
            raise ValueError(
                f"Bounds must be from 0 to the largest reward, {largest:g}, got {cells[x, k]:g} in "
                f"row {x + 1}, column {quoted(f'{arms[k]} {end}')}."
            )
    for x, k in np.argwhere(low > high).tolist():
        raise ValueError(
            f"A low bound must be at most the high one, got {low[x, k]:g} and {high[x, k]:g} for "
            f"{quoted(arms[k])} in row {x + 1}."
        )


def _problem(table: pd.DataFrame, arms: list[str], largest: float, kappa: float) -> Problem:
    if not 1 <= len(table) <= MOST_STATES or table.drop(columns="state").isna().any().any():
        raise ValueError(
            f"There must be 1 to {MOST_STATES} states with every cell filled, got {len(table)}."
        )
    shares = table["share"].to_numpy(dtype=np.float64)
    if (shares < 0).any() or shares.sum() <= 0:
        raise ValueError(f"Shares must be at least 0 and not all 0, got {shares.tolist()}.")
    low, high = (
        table[[f"{arm} {end}" for arm in arms]].to_numpy(dtype=np.float64)
        for end in ("low", "high")
    )
    _check_bounds(low, high, arms, largest)
    values = np.arange(largest + 1.0)
    pseudo = soft_pseudo_rewards(low, high, values, kappa, largest)
    fits = (low[:, :, None] <= values) & (values <= high[:, :, None])
    if not fits.any(axis=2).all():
        x, k = (int(i) for i in np.argwhere(~fits.any(axis=2))[0])
        raise ValueError(
            f"There must be a whole number between the bounds, got none from {low[x, k]:g} to "
            f"{high[x, k]:g} for {arms[k]} at state {x + 1}."
        )
    inside = fits / fits.sum(axis=2, keepdims=True)
    drawn = (1.0 - kappa) * inside + kappa / values.size
    probabilities = np.einsum("x,xkv->kv", shares / shares.sum(), drawn)
    odd = unexplained_rewards(low, high, values, largest) & (probabilities > 0)
    if odd.any():
        st.caption(
            "Some rewards are outside the bounds of every state. They say nothing about the other "
            "options."
        )
    return Problem(arms, values, probabilities, pseudo, largest)
