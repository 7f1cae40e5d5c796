"""The tables for readers: few digits, plain headings, sortable numbers."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from cbai.datasets.paper import TWO_ARM_BOUNDS, TWO_ARM_JOINTS
from cbai.figures.paper.paper_lines import setting_text
from cbai.reproduce.experiments import EXPERIMENTS

RATIOS = ("Ours / paper", "Ours / LUCB", "Paper / LUCB")
"""The columns with two decimals; the other numbers are counts of samples."""


def setting_name(row: pd.Series) -> str:
    """Write the setting of a row of results as it differs from the others; may be empty."""
    varies = EXPERIMENTS[str(row["experiment"])].varies
    if varies in ("delta", "p"):
        return setting_text(varies, float(row[varies]))
    return f"({str(row['options']).split('=')[1]})" if varies else ""


def numbers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table of an experiment for readers.

    Parameters
    ----------
    frame : DataFrame
        See `cbai.reproduce.run.frame`.
    """
    varies = EXPERIMENTS[str(frame["experiment"].iloc[0])].varies
    return _by_setting(frame) if varies else _beside(frame)


def _beside(frame: pd.DataFrame) -> pd.DataFrame:
    """Return our numbers and the paper's, one row per algorithm, for a table of the paper."""
    ordered = frame.sort_values("printed", kind="stable")
    paper, ours = ordered["printed"].map(three_digits), ordered["mean"].map(three_digits)
    columns = {
        "Algorithm": ordered["label"],
        "Paper": paper,
        "Ours": ours,
        "Ours / paper": ordered["ratio"].round(2),
    }
    return pd.DataFrame(columns).reset_index(drop=True)


def _by_setting(frame: pd.DataFrame) -> pd.DataFrame:
    """Return mean samples, one row per algorithm and one column per setting, for a figure."""
    marked = frame.assign(
        setting=frame.apply(setting_name, axis=1), mean=frame["mean"].map(three_digits)
    )
    wide = marked.pivot(index="label", columns="setting", values="mean")
    wide = wide.loc[marked["label"].unique(), marked["setting"].unique()]
    printed = marked.dropna(subset=["printed"])
    if len(printed):
        name = f"Paper, {printed['setting'].iloc[0]}"
        wide[name] = printed.set_index("label")["printed"].map(three_digits)
    return wide.rename_axis("Algorithm").rename_axis(None, axis=1).reset_index()


def two_arm_tables() -> dict[str, pd.DataFrame]:
    """Return the parts of the paper's Table 1 by their headings: what is known, and two truths."""
    bounds = {
        f"arm {of + 1}, if arm {by + 1} paid this": [f"≤ {bound:g}" for bound in row]
        for (of, by), row in TWO_ARM_BOUNDS.items()
    }
    tables = {"Known: pseudo-rewards": pd.DataFrame({"reward": ["0", "1"], **bounds})}
    for name, joint in TWO_ARM_JOINTS.items():
        columns = {
            f"arm 1 pays {first}": [f"{joint[first, second]:g}" for second in (0, 1)]
            for first in (0, 1)
        }
        sides = {" ": ["arm 2 pays 0", "arm 2 pays 1"]}
        tables[f"Unknown: truth ({name})"] = pd.DataFrame(sides | columns)
    return tables


def three_digits(number: float) -> float:
    """Round to three significant digits."""
    if not math.isfinite(number) or number == 0.0:
        return number
    return float(np.round(number, 2 - math.floor(math.log10(abs(number)))))


def reasons(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a comparison of each row with the paper; empty if the paper prints no numbers."""
    printed = frame.dropna(subset=["printed"]).sort_values("printed", kind="stable")
    columns = {
        "Algorithm": printed["label"],
        "Ours / LUCB": printed["relative"].round(2),
        "Paper / LUCB": printed["printed_relative"].round(2),
        "Compared with the paper": printed["explanation"],
    }
    return pd.DataFrame(columns).reset_index(drop=True)
