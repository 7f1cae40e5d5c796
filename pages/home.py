"""Home: one picture that shows what a survey buys, and what happens if it is wrong."""

import streamlit as st

from cbai.figures.base.style import percent
from cbai.ui.home import hero, wrong_survey
from cbai.ui.home.draw import draw
from cbai.ui.home.frame import begin, three_ways, warn
from cbai.ui.markdown import plain
from cbai.ui.parts import page as text
from cbai.ui.shell import sidebar

setup = sidebar.current()
title = st.container()
left, right = st.columns([12, 5], gap="small", vertical_alignment="bottom")
with right:
    knows = hero.how_much_is_known(disabled=not setup.problem.has_pseudo_rewards)
content = hero.content(setup, knows)
begin(title, content["headline"])
left.markdown(plain(content["lead"]))
warn(setup, knows)
draw(content["scene"], "home", in_links=True)
text.how_to_read(plain(f"{content['reading']} {content['note']}".strip()))
same = setup.p == hero.as_shown(setup, knows).p
unknown = "" if same else f", with {percent(setup.p)} of the survey unknown"
st.page_link(
    "pages/samples.py",
    label=f"That was one run. See the average of many{unknown}.",
    icon=":material/arrow_forward:",
)
wrong_survey.show()
three_ways()
text.where_from(setup)
