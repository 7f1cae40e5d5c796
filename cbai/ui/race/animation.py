"""The animated race: a figure that plays in the browser."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import orjson
import streamlit as st

from cbai.figures.base.words import Words
from cbai.figures.race.frames import race_info
from cbai.simulation import Trace
from cbai.ui.parts import drawing
from cbai.ui.parts.chart import name_of
from cbai.ui.visit.link_names import in_link, number_in_link

_HERE = Path(__file__).parent
_SHOWN = "race shown"
ASKED = "asked"
"""The last click: panel, arm and time. The time lets the same row be clicked again."""
VIEW = {
    number_in_link("at"): re.compile("0*[1-9][0-9]*"),
    in_link("order"): re.compile("mean|name"),
}
"""What only the browser knows of a race, as query parameters with their valid values: the number of
samples at which it stands, and the order of the rows."""


@st.cache_data(max_entries=64, max_size="64MB", show_spinner=False)
def _info(_traces: Sequence[Trace], words: Words, key: str) -> dict[str, str]:
    """Return the race as one text: its lists would take far longer to send again and again."""
    text = orjson.dumps(race_info(_traces, words))
    return {"race": text.decode(), "id": hashlib.sha256(text).hexdigest()[:16]}


def draw(traces: Sequence[Trace], words: Words, key: str) -> None:
    """Show one or two trials side by side, with their controls.

    Parameters
    ----------
    traces : sequence of Trace
        Of the same problem and rewards.
    words : Words
    key : str
        What the traces depend on. A race is prepared only once for each key.
    """
    other = st.session_state.get(_SHOWN, key) != key  # the view of the last race does not apply
    for name, allowed in VIEW.items():
        if other or not allowed.fullmatch(st.query_params.get(name, "")):
            st.query_params.pop(name, None)
    st.session_state[_SHOWN] = key
    component = st.components.v2.component(
        "cbai_race",
        html='<div class="race"></div>',
        css=(_HERE / "race.css").read_text(encoding="utf-8"),
        js=drawing.SCRIPT
        + "".join(
            (_HERE / name).read_text(encoding="utf-8")
            for name in ("race_save.js", "race_panel.js", "race.js")
        ),
    )
    seen = {name: st.query_params.get(name) for name in VIEW}
    heard = [value for value in (st.session_state.get("race") or {}).values() if value]
    info = _info(traces, words, key)
    component(
        data={**info, "seen": seen, "heard": heard, "name": name_of("race")},
        key="race",
        default=dict.fromkeys((*VIEW, ASKED)),
        on_at_change=partial(_note, "at"),
        on_order_change=partial(_note, "order"),
        on_asked_change=lambda: _ask(traces),
    )


def _ask(traces: Sequence[Trace]) -> None:
    """Explain the arm that was clicked, in the run of the panel that was clicked."""
    which, arm = (int(number) for number in st.session_state["race"][ASKED].split()[:2])
    st.session_state["why"] = traces[which].problem.arms[arm]
    if len(traces) > 1:
        st.session_state["why_by"] = traces[which].algorithm.title


def _note(name: str) -> None:
    """Write the view into the link; a callback, so the sidebar has the new link at once."""
    value = st.session_state["race"].get(name)
    if value is not None:
        st.query_params[name] = str(value).split()[0]
