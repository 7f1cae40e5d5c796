"""The figure of each experiment, the same on the page and in the report."""

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
    """A figure with its title, its text alternative, and how to read it."""

    title: str
    figure: go.Figure
    alt: str
    reading: str


def words_of(frame: pd.DataFrame) -> Words:
    """Return the nouns for arms and samples in a table of results."""
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
            "Each bar ends at a pseudo-reward: the most that one arm may pay on average, given "
            "what the other arm paid. The circle and the square are the paper's two truths. Both "
            "are within every bar.",
        )
    if experiment.varies:
        lines = paper_lines.gather(frame, experiment.varies)
        diamonds = " Open diamonds: the paper's numbers." if frame["printed"].notna().any() else ""
        return Chart(
            title,
            paper_lines.draw(lines, words),
            paper_lines.alt_text(lines, words),
            f"Lines: means over {trials} runs, with two standard deviations. Solid: algorithms "
            "that use correlations. Dotted: algorithms that ignore them. The unknown "
            f"pseudo-rewards are drawn again for each run.{diamonds}",
        )
    dots = paper_dots.gather(frame)
    scale = " Equal distances are equal factors." if dots.logarithmic else ""
    return Chart(
        title,
        paper_dots.draw(dots, words),
        paper_dots.alt_text(dots, words),
        f"Dots: our means over {trials} runs, with two standard deviations. Open diamonds: the "
        f"paper's means over 10 runs.{scale}",
    )


def spread_chart(frame: pd.DataFrame, *, relative: bool) -> Chart:
    """Return the figure of one table over many genre assignments.

    Parameters
    ----------
    frame : DataFrame
        See `cbai.reproduce.assignments.run_assignments`; one experiment only.
    relative : bool
        Whether to show proportions to LUCB instead of samples.
    """
    info = paper_spread.gather(frame, relative)
    name = EXPERIMENTS[str(frame["experiment"].iloc[0])].name
    return Chart(
        f"{name}, {'relative to LUCB' if relative else words_of(frame).samples}",
        paper_spread.draw(info, words_of(frame), SHIPPED_GENRE_SEED),
        paper_spread.alt_text(info),
        "Each dot is one random draw of a genre for every film. The ring marks the draw used "
        "above. The thick line is the paper's number. Triangles: some runs had no answer, so the "
        "number is a lower bound. Crosses: some runs named a wrong genre.",
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
        "Each dot is one draw of the unknown pseudo-rewards. All its "
        f"{int(frame['trials'].iloc[0])} runs use that draw. Point at a dot for its number.",
    )
