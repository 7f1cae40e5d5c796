"""Why one of our numbers differs from the paper's, in a few sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from cbai.figures.base.style import decimal
from cbai.reproduce.experiments import BASELINE
from cbai.simulation import find

CLOSE = 0.15
"""A row is in proportion if its ratio to LUCB is within this share of the paper's ratio."""

FORMULAS = {
    "racing@even_dar": "The formula is used as printed, so the paper probably ran another one",
    "racing@kl_racing": "The printed factor 2 is kept, although its source proves the bound "
    "without it",
    "lucb@kk_lucb": "The formula is used as printed, with the arm's own pulls for t, so the paper "
    "probably ran another one",
    "lucb@kl_lucb": "The printed factor 2 is left out, because its source does not have it",
    "lucb_pp@lil_kl_lucb": "The paper does not give κ and prints δ inside the log₂. Here κ = 2.6, "
    "and δ is outside",
}
"""How the formula of a row of Table 3 was read, where the reading is not plain."""


def explain(row: Mapping[Any, Any]) -> str:
    """Compare one of our numbers with the paper's, and say why they differ.

    Parameters
    ----------
    row : mapping
        A row of `cbai.reproduce.run.frame`, before this text is added.
    """
    if row["budget"]:
        return (
            f"{row['budget']} of {row['trials']} runs had no answer within "
            f"{row['max_samples']:,} samples, so our number is a lower bound."
        )
    if math.isnan(row["printed"]):
        return _not_printed(row)
    if row["algorithm"] == BASELINE:
        return _by_gap(row)
    pair = (
        f"{_times(row['relative'])} LUCB's samples, {_times(row['printed_relative'])} in the paper"
    )
    formula = FORMULAS.get(row["algorithm"], "")
    if in_proportion(row):
        return f"In proportion: {pair}.{f' {formula}.' if formula else ''}"
    return f"Out of proportion: {pair}. {formula or _reason(row)}."


def in_proportion(row: Mapping[Any, Any]) -> bool:
    """Return whether a row's proportion to LUCB is close to the paper's."""
    return abs(off_by(row)) <= CLOSE


def off_by(row: Mapping[Any, Any]) -> float:
    """Return how far a row's ratio to LUCB is above the paper's, as a share; nan if unknown."""
    return float(row["relative"] / row["printed_relative"] - 1.0)


def _times(ratio: float) -> str:
    return f"{decimal(ratio)} times" if ratio < 10 else f"{ratio:.1f} times"


def _not_printed(row: Mapping[Any, Any]) -> str:
    if row["experiment"] == "table1":
        return "The paper runs no algorithm on this example."
    text = "The paper draws this point but prints no number"
    return f"{text}. Our joint ratings are modelled." if row["q"] else f"{text}."


def _by_gap(row: Mapping[Any, Any]) -> str:
    implied = row["gap"] * math.sqrt(row["ratio"])
    return (
        f"Our number is {decimal(row['ratio'])} times the paper's. The factor is about the same in "
        "all rows that are in proportion. Samples grow as 1/gap², so a lead of "
        f"{decimal(implied, 3)} stars instead of our {decimal(row['gap'], 3)} would explain it."
    )


def _reason(row: Mapping[Any, Any]) -> str:
    if not find(row["algorithm"]).uses_correlation:
        return "We do not know why"
    more = "more" if row["relative"] < row["printed_relative"] else "less"
    return (
        f"Here pseudo-rewards rule out {more}. Most of the cost depends on which of them are "
        "unknown. If the paper kept one draw for all its runs, that would explain the difference"
    )
