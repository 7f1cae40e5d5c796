"""The sidebar's sign: whether the pseudo-rewards are valid, or that this is open."""

from __future__ import annotations

import streamlit as st

from cbai.figures.base.style import percent
from cbai.problem.counted import counted
from cbai.problem.trust import Trust, says_something
from cbai.problem.validity import BEST_ARM_ONLY, VALID, Validity
from cbai.ui.runs import cache
from cbai.ui.visit import user_problem
from cbai.ui.visit.setup import Setup

BEST_ARM_VALID = "Valid for the best arm"


def sign_text(validity: Validity) -> str:
    """Say what the sign means, in a sentence."""
    if validity.verdict == VALID:
        return "Every pseudo-reward is, on average, as high as what it bounds."
    share = percent(validity.violated_share)
    if validity.verdict == BEST_ARM_ONLY:
        return (
            f"The guarantee stands: {share} of the pairs are too low, but none that bounds the "
            "best arm."
        )
    return (
        f"{share} of the pairs are too low, some on the best arm: the guarantee of C-LUCB and its "
        "kin is void."
    )


def sign_of(setup: Setup) -> str:
    """Say whether the assumption is true: of a survey this is an estimate, and said to be one."""
    trust = user_problem.trust(setup.dataset_id)
    if trust is None or setup.p == 1.0:
        return sign_text(cache.get_validity(setup))
    if not says_something(setup.problem):
        return "The pseudo-rewards say nothing, so none of them is too low."
    return assumption(trust, setup.q)


def _is_open(setup: Setup, trust: Trust) -> bool:
    return says_something(setup.problem) and trust.is_open(setup.q)


def draw_sign(setup: Setup) -> None:
    """Draw the sign as a badge, with its sentence as help or below."""
    validity, trust = cache.get_validity(setup), user_problem.trust(setup.dataset_id)
    if trust is not None and setup.p < 1.0 and _is_open(setup, trust):
        st.badge("Open", icon=":material/help:", color="orange")
    elif validity.verdict == VALID:
        st.badge("Valid", icon=":material/check:", color="green")
    elif validity.verdict == BEST_ARM_ONLY:
        st.badge(BEST_ARM_VALID, icon=":material/shield:", color="orange")
    else:
        st.badge("Violated", icon=":material/warning:", color="red")
    st.caption(sign_of(setup))


def assumption(found: Trust, q: float) -> str:
    """Say in one sentence whether the pseudo-rewards of a survey are valid, as far as is known.

    Parameters
    ----------
    found : Trust
    q : float
        The buffer in use.
    """
    if not found.held_out:
        return "Nobody tests these pseudo-rewards, so it is open whether they are valid."
    sure = f"with {percent(found.level)} certainty"
    given = f" with q = {q:g}" if q > 0.0 else ""
    if found.is_open(q):
        return (
            f"It is open whether the pseudo-rewards are valid{given}: {counted(found.testing)} "
            "cannot tell."
        )
    if q >= found.q_high:
        return f"No pseudo-reward that matters is too low{given}, {sure}."
    return f"Some pseudo-rewards that matter are too low{given}, {sure}."
