"""How pinned setups are described, and how they differ; no Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence

from cbai.figures.base.style import THIN_SPACE, percent
from cbai.figures.base.words import listed
from cbai.simulation import find
from cbai.simulation.rules.names import LAB
from cbai.ui.visit.setup import Setup

SHORT = 34
"""The longest description, in characters, that fits beside a name."""


def facts(setup: Setup) -> dict[str, str]:
    """Return everything in which two setups can differ, in words, in the order of the sidebar."""
    options = [setup.dataset.options[name][value] for name, value in setup.options]
    yours = setup.lab in setup.algorithms
    return {
        "data": ", ".join([setup.dataset.title, *options]),
        "p": f"p = {percent(setup.p)}",
        "q": f"q = {setup.q:g}",
        "delta": f"δ = {percent(setup.delta)}",
        "algorithms": listed([find(name).title for name in setup.algorithms]),
        "lab": f"recipe {setup.lab.removeprefix(LAB)}" if yours else "",
        "trials": f"{setup.trials:,} runs",
        "seed": f"seed {setup.seed}",
        "budget": f"budget {setup.max_samples:,}",
    }


def differing(setups: Sequence[Setup]) -> list[str]:
    """Describe setups only by what differs between them; a single one by its data set.

    If two of the user's own problems have the same name, a part of their digest is added.
    """
    every = [facts(setup) for setup in setups]
    prints = {setup.fingerprint for setup in setups}
    if len(prints) > len({one["data"] for one in every}):
        for one, setup in zip(every, setups, strict=True):
            one["data"] += f" {setup.fingerprint[:6]}"
    differ = [name for name in every[0] if len({one[name] for one in every}) > 1] or ["data"]
    return [", ".join(one[name] for name in differ if one[name]) for one in every]


def named(letter: str, algorithm: str, description: str, *, all_alike: bool) -> str:
    """Return the name of one side of a comparison in a sentence: "B (C-LUCB, q = 0.13)".

    Parameters
    ----------
    letter : str
    algorithm : str
        The title of its algorithm.
    description : str
        One of `differing`; left out if it is long.
    all_alike : bool
        Whether all sides show the same algorithm. Its title is then left out.
    """
    parts = ["" if all_alike else algorithm, description if len(description) <= SHORT else ""]
    inside = ", ".join(part for part in parts if part)
    return f"{letter} ({inside})" if inside else letter


def interval(low: str, high: str) -> str:
    """Write a 95 % interval."""
    return f"95{THIN_SPACE}% interval {low} to {high}"
