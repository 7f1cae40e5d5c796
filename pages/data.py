"""Your data: any survey in, honest pseudo-rewards out."""

from collections.abc import Callable

import streamlit as st

from cbai.ui import own, sidebar, survey, text
from cbai.ui.sources import goodreads, latent, movielens, typed, upload

SOURCES: dict[str, Callable[[], survey.InHand | own.OwnProblem | None]] = {
    "A table of yours": upload.draw,
    "MovieLens": movielens.draw,
    "Goodreads": goodreads.draw,
    "Type it in": typed.draw,
    "Latent source": latent.draw,
}

setup = sidebar.current()
text.question("What does your own survey say?")
text.answer("Bring who rated what; the survey becomes pseudo-rewards, and the options race.")
source = st.segmented_control(
    "Source",
    list(SOURCES),
    default="A table of yours",
    required=True,
    key="source",
    bind="query-params",
    help="Where the survey comes from. Nothing you upload is stored.",
)
found = SOURCES[source]()
if isinstance(found, survey.InHand):
    st.subheader("From the survey to a problem", anchor=False)
    found = survey.draw(found)
if found is None and setup.dataset_id == own.OWN:
    st.info("Your data are in use. To change how they are read, choose or upload them here again.")
if found is not None:
    with st.container(border=True, horizontal=True, key="use", vertical_alignment="center"):
        if setup.dataset_id != own.OWN:
            st.button(
                "Use it on every page",
                key="use it",
                on_click=own.use,
                args=(found,),
                help="Makes this the data set of the sidebar, in this session only.",
            )
        elif setup.fingerprint != found.problem.fingerprint:
            own.keep(found)
            st.rerun()  # the sidebar was drawn with the problem as it was before the last change
        else:
            st.markdown("**In use on every page,** until this page is loaded anew.")
            st.page_link("pages/race.py", label="Race it", icon=":material/play_circle:")
            st.page_link("pages/samples.py", label="Count samples", icon=":material/bar_chart:")
            st.page_link("pages/assumption.py", label="Check it", icon=":material/rule:")
