"""Story: how do you find the best of many, soon and surely?"""

import streamlit as st

from cbai.ui.parts import page as text
from cbai.ui.shell import sidebar
from cbai.ui.story import frame
from cbai.ui.story.classical_steps import FIRST
from cbai.ui.story.correlated_steps import LAST

STEPS = (*FIRST, *LAST)

sidebar.current()
here = frame.current(len(STEPS))
step = STEPS[here - 1]
with st.container(key="story page"):
    text.question("How do you find the best of many, soon and surely?")
    frame.moves(here, [one.title for one in STEPS])
    left, right = st.columns([1, 1] if step.wide else [2, 3], gap="large")
    with left:
        st.header(f"{here}. {step.title}", anchor=False)
        st.markdown(step.words)
        controls, finding = st.container(key="story controls"), st.container()
    beside, remarks, question = right.container(), right.container(), right.container()
    figure = st.container() if step.wide else beside
    said = step.show(frame.Places(controls, figure, remarks))
    finding.markdown(f"**{said.finding}**")
    with question:
        frame.ask(here, said)
    if here == len(STEPS):
        with st.container(horizontal=True, vertical_alignment="center", key="story links"):
            st.markdown("**Now try it:**", width="content")
            for page, title, icon, what in (
                ("race", "Race", "play_circle", "Two algorithms, round by round."),
                ("samples", "Samples", "bar_chart", "What each algorithm costs."),
                ("data", "Your data", "upload_file", "The same with your own ratings."),
            ):
                st.page_link(f"pages/{page}.py", label=title, icon=f":material/{icon}:", help=what)
with st.container(key="story note"):
    st.caption("The story uses its own numbers and seeds. The sidebar does not change them.")
