"""What is said aloud where pseudo-rewards on the best arm are too low; no Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence

from cbai.figures.style import decimal, percent
from cbai.problem.validity import Validity

VIOLATION = "The assumption is violated."


def violation_text(validity: Validity, relying: Sequence[str], arm: str, safe: float) -> str:
    """Say what is violated, what that means for the algorithms that rely on it, and a way out.

    Parameters
    ----------
    validity : Validity
    relying : sequence of str
        The titles of the algorithms shown that trust the pseudo-rewards.
    arm : str
        What an arm is called.
    safe : float
        A buffer q that is enough.
    """
    return (
        f"{percent(validity.violated_share)} of the pseudo-rewards are, on average, below the mean "
        f"they should bound, some of them on the best {arm}. {', '.join(relying)} may name a wrong "
        f"{arm} more often than δ allows, however right the runs look. A safety buffer of "
        f"q\u00a0=\u00a0{decimal(safe)} is enough."
    )
