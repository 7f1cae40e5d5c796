"""How many arms an algorithm never samples, in words; no Streamlit here."""

from __future__ import annotations

from cbai.figures.base.style import decimal
from cbai.figures.base.words import Words
from cbai.simulation import Trials


def never_sampled(trials: Trials, words: Words) -> str:
    """Say how many arms are ruled out without a sample; empty if all are sampled in all trials."""
    parts = []
    for a, row in enumerate(trials.algorithms):
        unasked = float((trials.pulls[a] == 0).sum(axis=1).mean())
        if unasked > 0.0:
            parts.append(
                f"On average {row.title} never samples {decimal(unasked, 1)} of the "
                f"{trials.problem.n_arms} {words.arms}."
            )
    return " ".join(parts)
