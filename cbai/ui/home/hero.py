"""Which picture Home begins with: a stored one on a first visit, else one of the visitor's setup.

What computes is imported where it is needed, so a first visit does not wait for it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from cbai.ui.home import stored
from cbai.ui.visit.link_names import in_link
from cbai.ui.visit.setup import DEFAULT, Setup

EVERYTHING = "everything"


def how_much_is_known(*, disabled: bool) -> str:
    """Draw the slider, and return its stop."""
    stop: str = st.select_slider(
        "How much the survey knows",
        list(stored.KNOWS),
        value=EVERYTHING,
        key=in_link("knows"),
        bind="query-params",
        disabled=disabled,
        help="The less the survey knows, the more C-LUCB must sample every option. With nothing "
        "known it is like LUCB. The other pages call the unknown share p.",
    )
    return stop


def is_stored(setup: Setup) -> bool:
    """Return whether the picture of a setup is stored at each stop of the slider."""
    return (
        setup.dataset_id == stored.DATA_SET
        and setup.delta == stored.DELTA
        and (setup.q, setup.seed) == (0.0, 0)
        and setup.max_samples == DEFAULT.max_samples
    )


def as_shown(setup: Setup, knows: str) -> Setup:
    """Return the setup of the picture: the slider decides how much is unknown."""
    return replace(setup, p=stored.KNOWS[knows])


def content(setup: Setup, knows: str) -> dict[str, Any]:
    """Return the headline, the lead, a note and the picture, stored or computed now."""
    if is_stored(setup):
        return stored.read(stored.name_of(knows))
    return _computed(as_shown(setup, knows))


def _computed(setup: Setup) -> dict[str, Any]:
    from cbai.ui.runs import cache, startup

    startup.compile_core()
    with st.spinner("Simulating two runs ...", show_time=True):
        traces = [cache.get_trace(setup, name) for name in stored.PAIR]
        names = (setup.dataset.title, setup.words, setup.trials)
        return _picture(traces, setup, f"{cache.traces_key(setup, stored.PAIR)} {names}")


@st.cache_data(max_entries=64, max_size="16MB", show_spinner=False)
def _picture(_traces: list[Any], _setup: Setup, key: str) -> dict[str, Any]:
    """Return the picture of two trials; prepared only once for each key."""
    from cbai.ui.home import picture
    from cbai.ui.runs import cache

    validity = cache.get_validity(_setup)
    return picture.hero(_setup.dataset.title, _traces, _setup.words, validity)
