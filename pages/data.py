"""Your data: what can a survey decide?"""

from collections.abc import Callable
from functools import partial

import streamlit as st

from cbai.ui.parts import page
from cbai.ui.shell import sidebar
from cbai.ui.visit import user_problem
from cbai.ui.visit.link_names import in_link
from cbai.ui.your_data import survey
from cbai.ui.your_data.in_hand import InHand
from cbai.ui.your_data.sources import goodreads, latent, movielens, typed, upload

setup = sidebar.current()
page.question("What can your survey decide?")
bring, verdict, settings = st.container(), st.container(), st.container()
SOURCES: dict[str, Callable[[], InHand | user_problem.OwnProblem | None]] = {
    "A table of yours": partial(upload.draw, settings),
    "MovieLens": movielens.draw,
    "Goodreads": goodreads.draw,
    "Type it in": typed.draw,
    "Latent source": latent.draw,
}
with bring:
    source = st.segmented_control(
        "Source",
        list(SOURCES),
        default="A table of yours",
        required=True,
        key=in_link("source"),
        bind="query-params",
        help="Where the survey comes from. Nothing you upload is stored.",
    )
    found = SOURCES[source]()
if isinstance(found, InHand):
    found = survey.draw(found, verdict, settings)
with verdict:
    if found is None and setup.dataset_id == user_problem.OWN:
        st.info(
            "Your data are in use. To change how they are read, choose or upload them again here."
        )
    if found is not None:
        user_problem.offer(found, setup)
