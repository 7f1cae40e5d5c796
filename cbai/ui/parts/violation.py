"""The warning where pseudo-rewards on the best arm are too low; no Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence

from cbai.checks import TOLERANCE
from cbai.figures.base.style import decimal, percent
from cbai.problem.validity import Validity

VIOLATION = "The assumption is violated."


def violation_text(validity: Validity, relying: Sequence[str], arm: str, safe: float) -> str:
    """Say what is violated, what that means for algorithms that rely on it, and which buffer helps.

    Parameters
    ----------
    validity : Validity
    relying : sequence of str
        The titles of the algorithms shown that trust the pseudo-rewards.
    arm : str
        What an arm is called.
    safe : float
        The smallest buffer q that is enough; the largest one if none is.
    """
    q = f"q\u00a0=\u00a0{decimal(safe)}"
    way_out = (
        f"A safety buffer of {q} is enough."
        if enough(validity, safe)
        else f"Even the largest safety buffer, {q}, is too small."
    )
    return (
        f"{percent(validity.violated_share)} of the pseudo-rewards are too low: on average they "
        f"are below the mean that they should bound. Some of them bound the best {arm}. "
        f"{', '.join(relying)} may therefore name a wrong {arm} more often than δ allows, even if "
        f"all runs look right. {way_out}"
    )


def violation_line(validity: Validity, relying: Sequence[str], arm: str, safe: float) -> str:
    """Say in a line what a violation means; the parameters are those of `violation_text`."""
    more = "" if enough(validity, safe) else " Even the largest safety buffer is too small."
    return (
        f"{percent(validity.violated_share)} of the pseudo-rewards are too low. "
        f"{', '.join(relying)} may name a wrong {arm} more often than δ allows.{more}"
    )


def enough(validity: Validity, q: float) -> bool:
    """Return whether every bound on the best arm holds with a buffer q."""
    return q >= validity.smallest_q_best - TOLERANCE
