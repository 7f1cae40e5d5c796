"""Work that is done only when asked for, by a button or by a link to a view that has it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cbai.ui.runs import stopping
from cbai.ui.visit.link_names import in_link

SHOW = in_link("show")
"""The query parameter that names the work that was asked for."""


def button(label: str, name: str, what: str, **options: Any) -> None:
    """Draw the button that asks for the work.

    Parameters
    ----------
    label : str
    name : str
        The name of the work, in the link.
    what : str
        Everything that its results depend on. If that changes, the work is no longer asked for.
    **options
        Of `streamlit.button`.
    """
    st.button(label, on_click=_ask, args=(name, what), **options)


def asked(name: str, what: str) -> bool:
    """Return whether the work was asked for, by the button or by the link of this visit."""
    linked = st.query_params.get(SHOW)
    if linked == name:
        st.session_state.setdefault(_key(name), what)
    wanted = bool(st.session_state.get(_key(name)) == what)
    if not wanted and linked is not None:
        del st.query_params[SHOW]
    elif wanted and linked != name:
        st.query_params[SHOW] = name
    return wanted


def _ask(name: str, what: str) -> None:
    stopping.resume()
    st.session_state[_key(name)] = what
    st.query_params[SHOW] = name  # in the callback, as the sidebar's link must have it at once


def _key(name: str) -> str:
    return f"asked for {name}"
