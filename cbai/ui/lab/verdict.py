"""Whether a theorem covers the algorithm of the lab, in words; no Streamlit here."""

from __future__ import annotations

from cbai.figures.base.style import percent
from cbai.simulation import Algorithm
from cbai.simulation.guarantee import Cover, may_never_stop

COVERED, VOID, UNCOVERED = "covered", "void", "uncovered"


def verdict(algorithm: Algorithm, cover: Cover, *, violated: bool) -> str:
    """Return `COVERED`, `UNCOVERED`, or `VOID` if only the assumption of a theorem fails here.

    Parameters
    ----------
    algorithm : Algorithm
    cover : Cover
        What `cbai.simulation.guarantee.cover` says of it.
    violated : bool
        Whether a pseudo-reward on a best arm is too low.
    """
    if not cover.covered:
        return UNCOVERED
    return VOID if violated and algorithm.trusts_pseudo_rewards else COVERED


def in_short(found: str, delta: float) -> str:
    """Say the verdict in one sentence, for the top of the page."""
    return {
        COVERED: f"A theorem covers it: when it stops, it is right with probability at least "
        f"{percent(1.0 - delta)}.",
        VOID: "A theorem would cover it, but the pseudo-rewards that it trusts do not hold here.",
        UNCOVERED: "No theorem covers it.",
    }[found]


def title(found: str) -> str:
    """Say the verdict in a few words, for the box."""
    return {
        COVERED: "Covered by a theorem.",
        VOID: "Covered by a theorem, whose assumption fails here.",
        UNCOVERED: "Not covered by any theorem.",
    }[found]


def trust(algorithm: Algorithm) -> str:
    """Say whether the algorithm relies on pseudo-rewards, and for what."""
    if algorithm.trusts_pseudo_rewards:
        return "It relies on the pseudo-rewards: where they are too low, it can be wrong."
    if algorithm.uses_correlation:
        return (
            "It uses pseudo-rewards to choose what to pull, not to decide: false ones may make it "
            "slow, not wrong."
        )
    return "It uses no pseudo-rewards."


def stopping(algorithm: Algorithm) -> str:
    """Warn if the algorithm may never stop; empty if not."""
    if not may_never_stop(algorithm):
        return ""
    return (
        "It pulls one a round, so others may wait for good and it **may never stop**. The theorem "
        "is about its answer, should there be one."
    )
