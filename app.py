"""The explorer: page config, navigation and the shared sidebar."""

import streamlit as st

from cbai.ui.runs import startup
from cbai.ui.shell import legible, link_check, menu, present, sidebar
from cbai.ui.story import frame

st.set_page_config(page_title="cbai: best-arm identification", page_icon="🎯", layout="wide")

story_page = st.Page("pages/story.py", title="Story", icon=":material/auto_stories:")
page = st.navigation(
    {
        "See": [
            st.Page("pages/home.py", title="Home", icon=":material/home:", default=True),
            st.Page("pages/race.py", title="Race", icon=":material/play_circle:"),
            st.Page("pages/competitive.py", title="Competitive arms", icon=":material/filter_alt:"),
            st.Page("pages/samples.py", title="Samples", icon=":material/bar_chart:"),
        ],
        "Ask": [
            st.Page("pages/whatif.py", title="What if", icon=":material/tune:"),
            st.Page("pages/compare.py", title="Compare", icon=":material/compare_arrows:"),
        ],
        "Yours": [
            st.Page("pages/data.py", title="Your data", icon=":material/upload_file:"),
            st.Page("pages/assumption.py", title="Assumption", icon=":material/rule:"),
        ],
        "Study": [
            story_page,
            st.Page("pages/bounds.py", title="Bounds", icon=":material/unfold_more:"),
            st.Page("pages/lab.py", title="Algorithm lab", icon=":material/experiment:"),
            st.Page("pages/theory.py", title="Theory", icon=":material/function:"),
            st.Page("pages/paper.py", title="Paper", icon=":material/menu_book:"),
            st.Page("pages/glossary.py", title="Glossary", icon=":material/dictionary:"),
        ],
    },
    expanded=menu.pages_shown(),
)
startup.prepare()
if page.url_path:  # Home shows its picture first
    startup.compile_core()
link_check.remember()
sidebar.draw(page.url_path)
present.draw(page.url_path, frame.turned(), sidebar.current())
legible.draw()
link_check.report_sidebar()
if page is not story_page:
    frame.leave()
page.run()
link_check.report_page()
startup.compile_core()
