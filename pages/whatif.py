"""What if: what would change the cost?"""

import streamlit as st

from cbai.ui import cache, money, on_demand, sidebar, sweep, text
from cbai.ui.sweep_sentences import answer, warnings

setup = sidebar.current()
words = setup.words
text.question("What would change the cost?")
text.need_algorithms(setup)

top = st.container()
plan = sweep.choose(setup)
run = st.container()
found = dict(zip(plan.jobs, on_demand.known(plan.jobs), strict=True))

with top:
    text.answer(answer(plan, found, words, cache.get_validity))
    for warning in warnings(plan, found, words):
        st.markdown(f":red[:material/warning:] {text.plain(warning)}")
    text.shout_if_violated(setup, setup.algorithms)
    sweep.blank(plan, found)
sweep.figures(plan, found, words)
text.how_to_read(sweep.how_to_read(plan, found, words))

st.subheader("In money and days", anchor=False)
money.draw(plan, setup, found)

sweep.numbers(plan, found)
text.where_from(setup)
sweep.blank(plan, found)
with run:
    sweep.status(plan, found)
