"""What if: what would change the cost?"""

import streamlit as st

from cbai.ui.parts import page
from cbai.ui.runs import cache, on_demand
from cbai.ui.shell import sidebar
from cbai.ui.whatif import money, sweep
from cbai.ui.whatif.sweep_sentences import answer, warnings

setup = sidebar.current()
words = setup.words
page.question("What would change the cost?")
page.need_algorithms(setup)

top = st.container()
plan = sweep.choose(setup)
run = st.container()
found = dict(zip(plan.jobs, on_demand.known(plan.jobs), strict=True))

with top:
    page.answer(answer(plan, found, words, cache.get_validity))
    for warning in warnings(plan, found, words):
        st.markdown(f":red[:material/warning:] {page.plain(warning)}")
    page.shout_if_violated(setup, setup.algorithms)
    sweep.blank(plan, found)
sweep.figures(plan, found, words)
page.how_to_read(sweep.how_to_read(plan, found, words))

st.subheader("In money and days", anchor=False)
money.draw(plan, setup, found)

sweep.numbers(plan, found)
page.where_from(setup)
sweep.blank(plan, found)
with run:
    sweep.status(plan, found)
