"""The user's own problem: kept in the session, and offered in the sidebar as a data set."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from cbai.datasets import DATASETS, Dataset, Noun
from cbai.problem import Problem
from cbai.problem.trust import Trust
from cbai.ui.markdown import plain
from cbai.ui.visit.setup import Setup

OWN = "own"
"""The id of the user's own problem in the sidebar."""

_KEPT = "own problem"


@dataclass(frozen=True, eq=False)
class OwnProblem:
    """A problem that the user has made.

    Attributes
    ----------
    problem : Problem
    title, provenance : str
        Its name, and how it was made: plain texts, not Markdown.
    arm, sample : Noun
        What arms and samples are called.
    trust : Trust or None
        How sure its pseudo-rewards are, if people of the survey test them; None if the problem is
        taken as the truth.
    """

    problem: Problem
    title: str
    provenance: str
    arm: Noun
    sample: Noun
    trust: Trust | None = None


def keep(own: OwnProblem) -> None:
    """Keep a problem. The sidebar then offers it."""
    st.session_state[_KEPT] = own


def use(own: OwnProblem) -> None:
    """Keep a problem and choose it in the sidebar, as a button's callback."""
    keep(own)
    st.session_state["data"] = OWN


def offer(own: OwnProblem, setup: Setup) -> None:
    """Draw the button that makes a problem the data set of every page, or links once it is."""
    with st.container(border=True, horizontal=True, key="use", vertical_alignment="center"):
        if setup.dataset_id != OWN:
            st.button(
                "Use it on every page",
                key="use it",
                on_click=use,
                args=(own,),
                help="Makes this the data set of the sidebar, in this session only.",
            )
        elif setup.fingerprint != own.problem.fingerprint:
            keep(own)
            st.rerun()  # the sidebar was drawn with the problem as it was before the last change
        else:
            st.markdown("**In use on every page** until you reload the page.")
            st.page_link("pages/race.py", label="Race it", icon=":material/play_circle:")
            st.page_link("pages/samples.py", label="Count samples", icon=":material/bar_chart:")
            st.page_link("pages/assumption.py", label="Check it", icon=":material/rule:")


def kept() -> OwnProblem | None:
    """Return the user's own problem, if there is one."""
    own: OwnProblem | None = st.session_state.get(_KEPT)
    return own


def trust(dataset_id: str) -> Trust | None:
    """Return how sure a data set's pseudo-rewards are; None if it is taken as the truth."""
    own = kept()
    return own.trust if own is not None and dataset_id == OWN else None


def rows() -> dict[str, Dataset]:
    """Return all data sets to choose from: the built-in ones, and the user's own."""
    own = kept()
    if own is None:
        return dict(DATASETS)
    return {**DATASETS, OWN: row_of(own)}


def row_of(own: OwnProblem) -> Dataset:
    """Return the user's own problem as a data set."""
    return Dataset(
        id=OWN,
        title="Your own data",
        story=f"{plain(own.title)}: which {own.arm.one} is best?",
        arm=own.arm,
        sample=own.sample,
        provenance=plain(own.provenance),
        licence="Yours. It stays in this session and is never stored.",
        build=lambda: own.problem,
    )
