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


def sign_text(validity: Validity, arm: str = "arm") -> str:
    """Say what the sign means; `arm` is what an arm is called."""
    if validity.verdict == VALID:
        return "All pseudo-rewards are valid: on average none is below the mean that it bounds."
    share = percent(validity.violated_share)
    if validity.verdict == BEST_ARM_ONLY:
        return (
            f"{share} of the pairs are too low, but none of them bounds the best {arm}. The "
            "guarantee therefore holds."
        )
    return (
        f"{share} of the pairs are too low, and some of them bound the best {arm}. The guarantee "
        "of C-LUCB and its variants therefore does not hold."
    )


def sign_of(setup: Setup) -> str:
    """Say whether the assumption is true; for a survey, that this is an estimate."""
    if not setup.problem.has_pseudo_rewards:
        return f"{setup.words.no_survey} So p and q change nothing."
    trust = user_problem.trust(setup.dataset_id)
    if trust is None or setup.p == 1.0:
        return sign_text(cache.get_validity(setup), setup.words.arm)
    if not says_something(setup.problem):
        return "No pseudo-reward says anything here, so none is too low."
    return assumption(trust, setup.q)


def is_open(setup: Setup) -> bool:
    """Return whether the people of a survey are too few to tell if its pseudo-rewards are valid."""
    trust = user_problem.trust(setup.dataset_id)
    if trust is None or setup.p == 1.0:
        return False
    return says_something(setup.problem) and trust.is_open(setup.q)


def draw_sign(setup: Setup) -> None:
    """Draw the sign as a badge, with its sentence as help or below."""
    if not setup.problem.has_pseudo_rewards:
        st.caption(sign_of(setup))
        return
    validity = cache.get_validity(setup)
    if is_open(setup):
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
        return "No people test these pseudo-rewards, so it is open whether they are valid."
    sure = f"with {percent(found.level)} certainty"
    given = f" with q = {q:g}" if q > 0.0 else ""
    if found.is_open(q):
        return (
            f"It is open whether the pseudo-rewards are valid{given}. The ratings of "
            f"{counted(found.testing)} are too few to tell."
        )
    if q >= found.q_high:
        return f"No pseudo-reward that matters is too low{given}, {sure}."
    return f"Some pseudo-rewards that matter are too low{given}, {sure}."
