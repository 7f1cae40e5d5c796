"""The address that restores the view."""

from __future__ import annotations

import streamlit as st

from cbai.ui.visit.setup import Setup, link


def address(setup: Setup) -> str:
    """Return the address that restores the sidebar and the page, with all entries of each list."""
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    return (st.context.url or "").split("?")[0] + link(setup, query)
