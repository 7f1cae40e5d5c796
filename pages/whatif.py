"""What if: what would change the cost?"""

import streamlit as st

from cbai.ui.parts import fixed_budget, page
from cbai.ui.runs import cache, on_demand
from cbai.ui.shell import link_check, sidebar
from cbai.ui.visit.link_names import in_link
from cbai.ui.whatif import budget, copies, picture, said, sentence, sweep, work
from cbai.ui.whatif.verdict import own_trials, verdict

setup = sidebar.current()
title = st.container()
if fixed_budget.is_asked():
    budget.show(setup, title)
    link_check.report_page()
    st.stop()
with title:
    page.question("What would change the cost?")
page.need_algorithms(setup)

question = sentence.ask(setup)
places = said.lay_out()
unfolded = st.expander("Show the work", key=in_link("work"), bind="query-params")
with unfolded:
    plan = sweep.choose(question.setup, question.every, places.vary)
found = dict(zip(plan.jobs, on_demand.known(plan.jobs), strict=True))

told = verdict(
    question.setup,
    own_trials(plan, found),
    question.price,
    question.unit,
    cache.get_validity(question.setup),
    question.missing,
)
said.say(places, told, question.setup)
info = picture.info_of(plan, found, question.price, question.unit)
with places.picture:
    picture.draw(info)
with places.copies:
    copies.offer(told, setup, picture.KEY)
with places.reading:
    page.how_to_read(picture.how_to_read(plan, info))
with unfolded:
    if unfolded.open:
        work.show(question, plan, found)
page.where_from(setup)
with places.progress:
    sweep.status(plan, found)
