"""Home's second act: a survey that is wrong, and the buffer that mends it. All of it is stored."""

from __future__ import annotations

import streamlit as st

from cbai.ui.home import stored
from cbai.ui.home.draw import draw
from cbai.ui.markdown import plain
from cbai.ui.visit.link_names import in_link


def show() -> None:
    """Draw the second act."""
    st.subheader("What if the survey is wrong?", anchor=False)
    left, right = st.columns([12, 5], gap="small", vertical_alignment="bottom")
    with right:
        buffer = st.select_slider(
            "Safety buffer, in points",
            list(stored.BUFFERS),
            key=in_link("buffer"),
            bind="query-params",
            help="Added to all that the survey says. A larger buffer makes the answer safer but "
            "needs more samples. The other pages call it q.",
        )
    content = stored.read(stored.name_with(buffer))
    left.markdown(f"{plain(content['supposed'])} **{plain(content['outcome'])}**")
    draw(content["scene"], "home wrong")
    st.caption(plain(content["rate"]))
