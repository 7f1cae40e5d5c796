"""How much of the navigation is shown: the pages of the first three groups, or all."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

FIRST = ("", "race", "competitive", "samples", "whatif", "compare", "data", "assumption")
"""The paths of the pages of the groups See, Ask and Yours."""


def pages_shown() -> int | bool:
    """Return how many pages are shown, True for all; the open page must be among them."""
    address = st.context.url
    path = urlsplit(address).path.rsplit("/", 1)[-1] if address else ""
    return len(FIRST) if path in FIRST else True
