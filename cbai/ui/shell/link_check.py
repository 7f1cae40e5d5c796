"""Say which parts of a link were not understood, as Streamlit drops them silently."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from cbai.simulation import ALGORITHMS, CONFIDENCE
from cbai.ui.markdown import plain
from cbai.ui.runs.streamlit_patches import drop_from_link
from cbai.ui.shell.sidebar import current
from cbai.ui.visit.link_names import is_strange, known_numbers, meant
from cbai.ui.visit.link_values import is_number, short
from cbai.ui.visit.setup import DEFAULT, parameters

_ASKED, _SAID = "asked by the link", "said of the link"
MOST = 3
TITLES = {name: row.title for name, row in ALGORITHMS.items()} | {
    name: row.title for name, row in CONFIDENCE.items()
}
OWN_TITLE = "Your own data"


def remember() -> None:
    """Keep what the link asks for before any of it is dropped; then drop wrong numbers.

    Wrong numbers are looked for in every run, as the browser's Back button restores an address.
    """
    if _ASKED not in st.session_state:
        st.session_state[_ASKED] = {name: st.query_params.get_all(name) for name in st.query_params}
    numbers = {name: st.query_params.get_all(name) for name in known_numbers() & {*st.query_params}}
    wrong = {
        name: texts
        for name, texts in numbers.items()
        if not all(is_number(text) for text in texts if text)
    }
    if wrong:
        st.session_state[_ASKED] = st.session_state[_ASKED] | wrong
        drop_from_link(wrong)


def report_sidebar() -> None:
    """Name what the sidebar did not understand: before the page runs, as the page may end early.

    It is named again if the page starts over before it is complete, which removes messages.
    """
    said = _due(lambda name, usual: name in usual) or st.session_state.get(_SAID, "")
    st.session_state[_SAID] = said
    _say(said)


def report_page() -> None:
    """Name what the page did not understand, after the page is complete."""
    _say(_due(lambda name, usual: True))
    st.session_state[_SAID] = ""


def _say(said: str) -> None:
    if said:
        st.toast(said, icon=":material/link_off:", duration="long")


def _due(due: Callable[[str, Mapping[str, object]], bool]) -> str:
    """Return the complaint about those parameters that are already decided."""
    waiting: dict[str, list[str]] = st.session_state[_ASKED]
    if not waiting:
        return ""
    usual = _usual()
    asked = {name: values for name, values in waiting.items() if due(name, usual)}
    st.session_state[_ASKED] = {name: waiting[name] for name in waiting if name not in asked}
    known = [name for name in asked if not is_strange(name)]  # Streamlit fails on some names
    left = {name: st.query_params.get_all(name) for name in known}
    now = {name: _texts(st.session_state.get(name)) for name in known}
    return complaint(asked, left, now | usual)


def _usual() -> dict[str, object]:
    """Return the sidebar's defaults, as a link would write them."""
    options = {name: rows[next(iter(rows))] for name, rows in current().dataset.options.items()}
    return parameters(DEFAULT) | {"data": current().dataset.title} | options


def _texts(value: object) -> list[str]:
    """Return all ways in which a link may write the value of a control."""
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    texts = [str(value)]
    if isinstance(value, int):
        texts.append(f"{value:,}")
    elif isinstance(value, str) and value in TITLES:
        texts.append(TITLES[value])
    return texts


def complaint(
    asked: Mapping[str, Sequence[str]],
    left: Mapping[str, Sequence[str]],
    usual: Mapping[str, object],
) -> str:
    """Say in a sentence which parts of a link were dropped; empty if none.

    Parameters
    ----------
    asked, left : mapping of str to sequence of str
        The query parameters before and after the page took what it understood.
    usual : mapping of str to object
        Default values, which a page drops from the link without harm.
    """
    if list(asked.get("data", ())) == [OWN_TITLE] and not left.get("data"):
        return (
            "This link is about someone's own data. They are kept only until the page is "
            f"reloaded, so {usual['data']} is shown. If the data are yours, add them again."
        )
    dropped = [
        f"{plain(short(name))} = {plain(short(value))}{_hint(name)}"
        for name, values in asked.items()
        for value in values
        if is_strange(name) or not _understood(value, left.get(name, ()), usual.get(name, []))
    ]
    if not dropped:
        return ""
    more = f" and {len(dropped) - MOST} more" if len(dropped) > MOST else ""
    told = ", ".join(dropped[:MOST]) + more
    return f"Some settings in this link are not valid; the defaults are used: {told}."


def _hint(name: str) -> str:
    like = meant(name) if is_strange(name) else ""
    return f" (did you mean {plain(like)}?)" if like else ""


def _understood(value: str, left: Sequence[str], usual: object) -> bool:
    allowed = [*left, *(usual if isinstance(usual, list) else [usual])]
    return any(_same(value, str(one)) for one in allowed)


def _same(one: str, other: str) -> bool:
    try:
        return one == other or float(one) == float(other)
    except ValueError:
        return False
