"""What if there is a number of answers instead of a δ: one sentence and one picture."""

from __future__ import annotations

import streamlit as st

from cbai.figures.samples import budget_curves
from cbai.ui.parts import fixed_budget, page
from cbai.ui.runs.budget_runs import RUNS
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.visit.setup import Setup
from cbai.ui.whatif import copies, said, sentence
from cbai.ui.whatif.verdict import Verdict


def _asked(setup: Setup) -> str:
    """Repeat what was asked, for those who only see the sentence."""
    return (
        f"To find the best of {setup.problem.n_arms} {setup.words.arms} "
        f"({setup.dataset.title}, mean of {RUNS:,} simulated runs):"
    )


def show(setup: Setup, title: DeltaGenerator) -> None:
    """Show the part of the page that is about a fixed budget."""
    with title:
        page.question("How sure can you be?")
    st.html(fixed_budget.HIDDEN + said.STYLE)
    asked, own = sentence.ask_for_budget(setup)
    answer = st.container(key="verdict")
    curve = fixed_budget.curve_for(asked, list(fixed_budget.USUAL), own)
    with answer:
        told = fixed_budget.answer(asked, curve, own)
    info = budget_curves.gather(curve, own)
    fixed_budget.draw_errors(asked, info)
    copies.offer(Verdict(told, (), f"{_asked(asked)} {told}"), setup, fixed_budget.ERRORS)
    fixed_budget.read_errors(asked, info)
    fixed_budget.say_more(asked, curve, own)
    st.page_link("pages/samples.py", label="More algorithms, and the loss")
    page.where_from(setup)
