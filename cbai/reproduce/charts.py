"""Which figure shows which experiment, the same on the page and in the report."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd
import plotly.graph_objects as go

from cbai.datasets import DATASETS
from cbai.figures.base.words import Words
from cbai.figures.paper import paper_dots, paper_lines, paper_masks, paper_spread, paper_truths
from cbai.reproduce.experiments import EXPERIMENTS

SHIPPED_GENRE_SEED = 12
"""The genre assignment of the tables in ``data/movielens-1m``."""


class Chart(NamedTuple):
    """A figure, its title, what it shows for those who cannot see it, and how to read it."""

    title: str
    figure: go.Figure
    alt: str
    reading: str


def words_of(frame: pd.DataFrame) -> Words:
    """Return what arms and samples are called in a table of results."""
    return Words.of(DATASETS[str(frame["dataset"].iloc[0])])


def chart(frame: pd.DataFrame) -> Chart:
    """Return the figure of one experiment.

    Parameters
    ----------
    frame : DataFrame
        See `cbai.reproduce.run.frame`.
    """
    experiment, words = EXPERIMENTS[str(frame["experiment"].iloc[0])], words_of(frame)
    title, trials = f"{experiment.name}: {experiment.title}", int(frame["trials"].iloc[0])
    if experiment.id == "table1":
        truths = paper_truths.gather()
        return Chart(
            title,
            paper_truths.draw(truths),
            paper_truths.alt_text(truths),
            "A bar ends at the pseudo-reward: how much one arm may pay on average, given what the "
            "other paid. Circle and square are the two truths of the paper; both stay inside.",
        )
    if experiment.varies:
        lines = paper_lines.gather(frame, experiment.varies)
        diamonds = " Open diamonds: the paper's numbers." if frame["printed"].notna().any() else ""
        return Chart(
            title,
            paper_lines.draw(lines, words),
            paper_lines.alt_text(lines, words),
            f"Means over {trials} runs with two standard deviations. Solid lines use the "
            "correlation, dotted ones do not. Each run draws anew which pseudo-rewards are "
            f"unknown.{diamonds}",
        )
    dots = paper_dots.gather(frame)
    scale = " Equal distances are equal factors." if dots.logarithmic else ""
    return Chart(
        title,
        paper_dots.draw(dots, words),
        paper_dots.alt_text(dots, words),
        f"Dots: means of ours over {trials} runs, with two standard deviations. Open diamonds: the "
        f"paper's means of 10.{scale}",
    )


def spread_chart(frame: pd.DataFrame, *, relative: bool) -> Chart:
    """Return the figure of one table over many genre assignments.

    Parameters
    ----------
    frame : DataFrame
        See `cbai.reproduce.assignments.run_assignments`; one experiment only.
    relative : bool
        Whether to show proportions to LUCB rather than samples.
    """
    info = paper_spread.gather(frame, relative)
    name = EXPERIMENTS[str(frame["experiment"].iloc[0])].name
    return Chart(
        f"{name}, {'relative to LUCB' if relative else words_of(frame).samples}",
        paper_spread.draw(info, words_of(frame), SHIPPED_GENRE_SEED),
        paper_spread.alt_text(info),
        "Each dot is one draw of a genre for every film; the ring is the one used above. The thick "
        "line is the paper's number. Triangles: some runs had no answer, so it is a lower bound. "
        "Crosses: some runs named a wrong one.",
    )


def masks_chart(frame: pd.DataFrame) -> Chart:
    """Return the figure of Table 4 over many draws of the unknown pseudo-rewards.

    Parameters
    ----------
    frame : DataFrame
        See `cbai.reproduce.masks.run_masks`.
    """
    info, words = paper_masks.gather(frame), words_of(frame)
    return Chart(
        f"{info.label} over {len(info.ours)} draws",
        paper_masks.draw(info, words),
        paper_masks.alt_text(info, words),
        "Each dot is one draw of the unknown pseudo-rewards. Its "
        f"{int(frame['trials'].iloc[0])} runs all use that draw. Hover over a dot for its number.",
    )
