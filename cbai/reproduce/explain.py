"""Why a number of ours differs from the paper's, in one line."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from cbai.figures.base.style import decimal
from cbai.reproduce.experiments import BASELINE
from cbai.simulation import find

CLOSE = 0.15
"""Within this much of the paper's proportion to LUCB, a row counts as in proportion."""

FORMULAS = {
    "racing@even_dar": "the formula is as printed, so the paper probably ran another",
    "racing@kl_racing": "the printed factor 2 is kept, though its source proves it without",
    "lucb@kk_lucb": "the formula is as printed, with the arm's own pulls for t, so the paper "
    "probably ran another",
    "lucb@kl_lucb": "without the printed factor 2, which its source does not have",
    "lucb_pp@lil_kl_lucb": "the paper leaves κ open and prints δ inside the log₂; κ = 2.6 and δ "
    "outside here",
}
"""What is particular about a row of Table 3: how its formula was read."""


def explain(row: Mapping[Any, Any]) -> str:
    """Say in one line how a number of ours stands to the paper's, and why.

    Parameters
    ----------
    row : mapping
        A row of `cbai.reproduce.run.frame`, before this text is added.
    """
    if row["budget"]:
        return (
            f"{row['budget']} of {row['trials']} runs ran out at {row['max_samples']:,} samples, "
            "so ours is a lower bound."
        )
    if math.isnan(row["printed"]):
        return _not_printed(row)
    if row["algorithm"] == BASELINE:
        return _by_gap(row)
    pair = f"{_times(row['relative'])} LUCB's, in the paper {_times(row['printed_relative'])}"
    formula = FORMULAS.get(row["algorithm"], "")
    if in_proportion(row):
        return f"In proportion: {pair}{f'; {formula}' if formula else ''}."
    return f"Out of proportion: {pair}; {formula or _reason(row)}."


def in_proportion(row: Mapping[Any, Any]) -> bool:
    """Return whether a row's proportion to LUCB is close to the paper's."""
    return abs(off_by(row)) <= CLOSE


def off_by(row: Mapping[Any, Any]) -> float:
    """Return by which share a row's proportion to LUCB is above the paper's; nan if unknown."""
    return float(row["relative"] / row["printed_relative"] - 1.0)


def _times(ratio: float) -> str:
    return f"{decimal(ratio)} times" if ratio < 10 else f"{ratio:.1f} times"


def _not_printed(row: Mapping[Any, Any]) -> str:
    if row["experiment"] == "table1":
        return "The paper runs nothing on this example."
    text = "The paper draws this point but prints no number"
    return f"{text}; our joint ratings are modelled." if row["q"] else f"{text}."


def _by_gap(row: Mapping[Any, Any]) -> str:
    implied = row["gap"] * math.sqrt(row["ratio"])
    return (
        f"Ours is {decimal(row['ratio'])} times the paper's, and about that for all in proportion: "
        f"samples go as 1/gap², so a lead of {decimal(implied, 3)} stars instead of our "
        f"{decimal(row['gap'], 3)} would explain it."
    )


def _reason(row: Mapping[Any, Any]) -> str:
    if not find(row["algorithm"]).uses_correlation:
        return "we do not know why"
    more = "more" if row["relative"] < row["printed_relative"] else "less"
    return (
        f"pseudo-rewards rule out {more} here: which of them are unknown decides most of the cost, "
        "and one draw kept for all of the paper's runs would explain the difference"
    )
