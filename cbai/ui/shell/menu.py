"""How much of the navigation is shown: the pages for exploring, or all."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

FIRST = ("", "race", "competitive", "samples", "whatif", "compare")
"""The paths of the pages for exploring."""


def pages_shown() -> int | bool:
    """Return how many pages are shown, True for all: the page that is open must be among them."""
    address = st.context.url
    path = urlsplit(address).path.rsplit("/", 1)[-1] if address else ""
    return len(FIRST) if path in FIRST else True
