"""Setups that are pinned for comparison: kept in the link, up to four."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from cbai.datasets import Dataset
from cbai.simulation import ALGORITHMS
from cbai.ui.markdown import plain
from cbai.ui.visit import pin_text, user_algorithm, user_problem
from cbai.ui.visit.link_names import in_link
from cbai.ui.visit.pin_text import LETTERS, MOST, Pins
from cbai.ui.visit.setup import Setup

KEY = in_link("pins")
"""The widget and query parameter that hold the text of the pins."""
MOST_OWN = 2 * MOST
"""How many of the user's own problems a session keeps, the pinned ones included."""
_READ, _OWN, _REFUSED = "pins read", "own problems pinned", "pin refused"
HIDDEN = "<style>.st-key-pins-text { display: none; }</style>"
FULL = f"{MOST} setups are pinned already. Remove one on the page Compare first."
OWN_STAYS = (
    "A pin of your own data works in this session only. The link holds the settings, but not the "
    "data."
)


def draw(setup: Setup) -> None:
    """Draw the button that pins a setup. It is on every page, as the link must keep the pins."""
    with st.container(key="pins text"):
        st.html(HIDDEN)
        text = st.text_input("Pinned setups", key=KEY, bind="query-params")
    pins = pin_text.read(text, _own_rows())
    st.session_state[_READ] = pins
    n, at = len(pins.setups), _place(setup, pins)
    st.button(
        "Pin this setup" if at is None else f"Pinned as {LETTERS[at]}",
        key="pin",
        icon=":material/keep:",
        width="stretch",
        disabled=at is not None,
        on_click=_pin,
        args=(setup,),
        help="Keeps these settings for a comparison. You can pin up to four setups. The link holds "
        "them.",
    )
    with st.container(horizontal=True, vertical_alignment="center", key="pins count"):
        st.caption(f"{n} of {MOST} pinned")
        st.page_link("pages/compare.py", label="Compare", icon=":material/compare_arrows:")
    with st.container():  # always there: nothing below it moves
        if st.session_state.get(_REFUSED) == (text, setup):
            st.warning(FULL if setup.algorithms else "Choose at least one algorithm first.")
        if pins.complaint:
            st.warning(plain(pins.complaint))
        if any(one.dataset_id == user_problem.OWN for one in pins.setups):
            st.caption(OWN_STAYS)


def current() -> Pins:
    """Return the pins in this run of the page."""
    pins: Pins = st.session_state[_READ]
    return pins


def add(setups: Iterable[Setup]) -> None:
    """Pin setups that are not pinned yet, while there is room, as a callback."""
    kept = list(current().setups)
    for setup in map(pin_text.as_pinned, setups):
        if setup not in kept and len(kept) < MOST:
            _keep_own(setup)
            kept.append(setup)
    st.session_state[KEY] = pin_text.write(kept)


def remove(at: int) -> None:
    """Remove the pin at a place, counted from 0, as a callback."""
    kept = list(current().setups)
    del kept[at]
    st.session_state[KEY] = pin_text.write(kept)


def _pin(setup: Setup) -> None:
    if not setup.algorithms or len(current().setups) == MOST:
        st.session_state[_REFUSED] = (st.session_state[KEY], setup)
    else:
        add([setup])


def _place(setup: Setup, pins: Pins) -> int | None:
    """Return where a setup is pinned, if it is."""
    this = pin_text.as_pinned(setup)
    return pins.setups.index(this) if this in pins.setups else None


def _keep_own(setup: Setup) -> None:
    """Keep a user's own problem for the whole session, whatever is uploaded later."""
    kept = user_problem.kept()
    if setup.dataset_id == user_problem.OWN and kept is not None:
        pinned = st.session_state.setdefault(_OWN, {})
        pinned.setdefault(pin_text.own_key(setup.problem), kept)
        in_use = {pin_text.own_key(one.problem) for one in (setup, *current().setups)}
        while len(pinned) > MOST_OWN:
            del pinned[next(key for key in pinned if key not in in_use)]


def _own_rows() -> dict[str, Dataset]:
    """Return the user's own problems that are pinned, each with its title."""
    return {
        key: replace(user_problem.row_of(kept), title=f"Your own data: {kept.title}")
        for key, kept in st.session_state.get(_OWN, {}).items()
    }


def load(setup: Setup) -> None:
    """Set the sidebar to a pinned setup, as a callback."""
    mine = st.session_state.get(_OWN, {}).get(pin_text.own_key(setup.problem))
    if setup.dataset_id == user_problem.OWN and mine is not None:
        user_problem.keep(mine)
    beyond = [name for name in setup.algorithms if name in ALGORITHMS and ALGORITHMS[name].beyond]
    paper = [name for name in setup.algorithms if name in ALGORITHMS and name not in beyond]
    yours_too = [user_algorithm.PILL] if setup.lab in setup.algorithms else []
    st.session_state.update(
        {
            "data": setup.dataset_id,
            **dict(setup.options),
            "algorithms": [*paper, *yours_too],
            "beyond": beyond,
            "delta": setup.delta,
            "p": setup.p,
            "q": setup.q,
            "trials": setup.trials,
            "seed": setup.seed,
            "budget": setup.max_samples,
        }
    )
    if yours_too:
        user_algorithm.compose(setup.lab)
