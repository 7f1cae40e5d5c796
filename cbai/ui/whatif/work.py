"""What stands behind the sentence and the picture, folded away."""

from __future__ import annotations

import streamlit as st

from cbai.ui.parts import page
from cbai.ui.runs import cache
from cbai.ui.whatif import money, sweep
from cbai.ui.whatif.sentence import Question
from cbai.ui.whatif.sweep_plan import Found, Plan
from cbai.ui.whatif.sweep_sentences import answer, warnings


def show(question: Question, plan: Plan, found: Found) -> None:
    """Show the sweep of every algorithm, money and days, and all numbers."""
    words = question.setup.words
    st.markdown(page.plain(answer(plan, found, words, cache.get_validity)))
    for warning in warnings(plan, found, words):
        st.markdown(f":red[:material/warning:] {page.plain(warning)}")
    sweep.blank(plan, found)
    sweep.figures(plan, found, words)
    page.how_to_read(sweep.how_to_read(plan, found, words))
    st.subheader("In money and days", anchor=False)
    money.draw(plan, question.setup, found, question.price, question.unit)
    sweep.numbers(plan, found)
    sweep.blank(plan, found)
