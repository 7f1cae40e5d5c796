"""The sentences on whether a theorem covers the algorithm of the lab; no Streamlit here."""

from __future__ import annotations

from cbai.figures.base.style import percent
from cbai.simulation import Algorithm
from cbai.simulation.guarantee import Cover, may_never_stop

COVERED, ASSUMPTION_FAILS, UNCOVERED = "covered", "violated", "uncovered"


def verdict(algorithm: Algorithm, cover: Cover, *, violated: bool) -> str:
    """Return `COVERED`, `UNCOVERED`, or `ASSUMPTION_FAILS` if a theorem would cover it otherwise.

    Parameters
    ----------
    algorithm : Algorithm
    cover : Cover
        The result of `cbai.simulation.guarantee.cover`.
    violated : bool
        Whether a pseudo-reward that bounds a best arm is too low.
    """
    if not cover.covered:
        return UNCOVERED
    return ASSUMPTION_FAILS if violated and algorithm.trusts_pseudo_rewards else COVERED


def in_short(found: str, delta: float) -> str:
    """Say the verdict in one sentence, for the top of the page."""
    return {
        COVERED: "A theorem covers this algorithm: if it stops, its answer is right with "
        f"probability at least {percent(1.0 - delta)}.",
        ASSUMPTION_FAILS: "A theorem covers this algorithm, but its guarantee does not hold "
        "here: some pseudo-rewards it trusts are too low.",
        UNCOVERED: "No theorem covers this algorithm.",
    }[found]


def title(found: str) -> str:
    """Say the verdict in a few words, for the box."""
    return {
        COVERED: "Covered by a theorem.",
        ASSUMPTION_FAILS: "Covered by a theorem, but its assumption is violated here.",
        UNCOVERED: "Not covered by any theorem.",
    }[found]


def trust(algorithm: Algorithm) -> str:
    """Say whether the algorithm relies on pseudo-rewards, and for what."""
    if algorithm.trusts_pseudo_rewards:
        return "It relies on the pseudo-rewards: if they are too low, its answer can be wrong."
    if algorithm.uses_correlation:
        return (
            "It uses pseudo-rewards to choose pulls, not to decide. If they are too low, it can "
            "become slow, but not wrong."
        )
    return "It uses no pseudo-rewards."


def stopping(algorithm: Algorithm) -> str:
    """Warn if the algorithm may never stop; empty if not."""
    if not may_never_stop(algorithm):
        return ""
    return (
        "It makes one pull a round. It may never pull some arms again, so it **may never stop**. "
        "The theorem is only about its answer, if it gives one."
    )
