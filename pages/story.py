"""Story: how do you find the best of many, soon and surely?"""

import streamlit as st

from cbai.ui.parts import page as text
from cbai.ui.shell import present, sidebar
from cbai.ui.story import frame
from cbai.ui.story.classical_steps import FIRST
from cbai.ui.story.correlated_steps import LAST
from cbai.ui.story.notes import NOTES

STEPS = (*FIRST, *LAST)

sidebar.current()
here = frame.current(len(STEPS))
step = STEPS[here - 1]
with st.container(key="story page"):
    text.question("How do you find the best of many, soon and surely?")
    frame.moves(here, [one.title for one in STEPS])
    slide = present.on()
    shares = ([2, 5] if slide else [1, 1]) if step.wide else [2, 3]
    left, right = st.columns(shares, gap="medium" if slide else "large")
    with left:
        st.header(f"{here}. {step.title}", anchor=False)
        with st.container(key="story words"):
            if not (slide and step.wide):  # the figure needs the room
                st.markdown(step.words)
        place, finding = st.container(), st.container(key="story finding")
        below = st.container()
    beside, remarks = right.container(), right.container(key="story below")
    with remarks if slide and step.many_controls else place:
        controls = st.container(key="story controls")
    figure = st.container() if step.wide and not slide else beside
    said = step.show(frame.Places(controls, figure, finding if slide else remarks))
    finding.markdown(f"**{said.finding}**")
    with below if slide else right:
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
    with st.expander("Speaker notes for this step"):
        st.markdown(NOTES[here - 1])
    st.caption("The story uses its own numbers and seeds. The sidebar does not change them.")
