"""The pinned setups as cards, and the choice of what to compare."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cbai.problem.validity import BEST_ARM_ONLY, VALID, VIOLATED
from cbai.simulation import find
from cbai.ui.markdown import plain
from cbai.ui.runs import cache
from cbai.ui.shell.validity_sign import BEST_ARM_VALID
from cbai.ui.visit import pins
from cbai.ui.visit.link_names import in_link
from cbai.ui.visit.pin_text import LETTERS
from cbai.ui.visit.pin_words import differing
from cbai.ui.visit.setup import Setup

KEYS = (
    in_link("compare_a"),
    in_link("compare_b"),
    in_link("compare_c"),
    in_link("compare_d"),
)
ONE, ALL = "One algorithm each", "All algorithms"
SIGNS = {
    VALID: ":green-badge[:material/check: Valid]",
    BEST_ARM_ONLY: f":orange-badge[:material/shield: {BEST_ARM_VALID}]",
    VIOLATED: ":red-badge[:material/warning: Violated]",
}


def key_of(at: int) -> str:
    """Return the widget key and query name of the algorithm of the setup at an index."""
    return KEYS[at]


def choose_sides(n: int) -> tuple[bool, int]:
    """Draw two choices, all algorithms or one each, and the reference; return both."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="compare choice"):
        which = st.segmented_control(
            "Algorithms",
            [ONE, ALL],
            default=ONE,
            required=True,
            key=in_link("compare_by"),
            bind="query-params",
            help="Compares one algorithm of each setup, chosen below, or all their algorithms.",
        )
        offered = list(LETTERS[:n])
        if st.session_state.get("compare_to") not in offered:
            st.session_state.pop("compare_to", None)
        reference = st.selectbox(
            "Compare with",
            offered,
            key=in_link("compare_to"),
            bind="query-params",
            width=130,
            help="All differences are relative to this setup.",
        )
    return which == ALL, offered.index(reference)


def cards(setups: Sequence[Setup], *, choose: bool) -> list[str]:
    """Draw a card for each setup; return the algorithm chosen on each card, if `choose`."""
    chosen = []
    usual = _usual(setups)
    row = st.container(horizontal=True, key="cards")
    for at, (setup, what) in enumerate(zip(setups, differing(setups), strict=True)):
        with row.container(border=True, key=f"card {LETTERS[at]}", gap="small"):
            sign = SIGNS[cache.get_validity(setup).verdict]
            st.markdown(f"**{LETTERS[at]}** · {plain(what)} {sign}")
            if choose:
                chosen.append(_algorithm(setup, at, usual[at]))
            with st.container(horizontal=True, gap="small"):
                st.button(
                    "Show",
                    key=f"load {LETTERS[at]}",
                    icon=":material/tune:",
                    on_click=pins.load,
                    args=(setup,),
                    help="Sets the sidebar to this setup. You can then see it on the other pages, "
                    "or change it.",
                )
                st.button(
                    "Remove",
                    key=f"remove {LETTERS[at]}",
                    icon=":material/keep_off:",
                    on_click=_remove,
                    args=(at,),
                    help="Removes this setup from the comparison. The setups after it move up one "
                    "letter.",
                )
    for _ in LETTERS[len(setups) :]:
        row.empty()  # else a removed card would stay on the page while trials run
    return chosen


def _usual(setups: Sequence[Setup]) -> list[str]:
    """Return the first choice on each card: the same for all, using correlations, if possible."""
    shared = [name for name in setups[0].algorithms if all(name in s.algorithms for s in setups)]
    found = []
    for setup in setups:
        names = shared or list(setup.algorithms)
        found.append(next((one for one in names if find(one).uses_correlation), names[0]))
    return found


def _algorithm(setup: Setup, at: int, usual: str) -> str:
    names, key = list(setup.algorithms), key_of(at)
    if st.session_state.get(key) not in names:
        st.session_state.pop(key, None)
    chosen: str = st.selectbox(
        "Algorithm",
        names,
        index=names.index(usual),
        format_func=lambda name: find(name).title,
        key=key,
        bind="query-params",
        label_visibility="collapsed",
    )
    return chosen


def _remove(at: int) -> None:
    """Remove a setup; the later ones move up, with the algorithms chosen for them."""
    n = len(pins.current().setups)
    chosen = [st.session_state.get(key_of(i)) for i in range(n)]
    del chosen[at]
    for i, name in enumerate([*chosen, None]):
        if name is None:
            st.session_state.pop(key_of(i), None)
        else:
            st.session_state[key_of(i)] = name
    reference = LETTERS.index(st.session_state.get("compare_to") or LETTERS[0])
    if reference >= at:
        st.session_state["compare_to"] = LETTERS[0 if reference == at else reference - 1]
    pins.remove(at)
