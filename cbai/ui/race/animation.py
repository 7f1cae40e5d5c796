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
from cbai.ui.parts.chart import name_of
from cbai.ui.visit.link_names import in_link, number_in_link

_HERE = Path(__file__).parent
_SHOWN = "race shown"
ASKED = "asked"
"""Which panel's arm was clicked last: both numbers, and when, so that the same can be again."""
VIEW = {
    number_in_link("at"): re.compile("0*[1-9][0-9]*"),
    in_link("order"): re.compile("mean|name"),
}
"""What the browser alone knows of a race, as query parameters, and what they may say: after how
many samples it stands, and how the rows are ordered."""


@st.cache_data(max_entries=64, max_size="64MB", show_spinner=False)
def _info(_traces: Sequence[Trace], words: Words, key: str) -> dict[str, str]:
    """Return the race as one text, which is far quicker to send again and again than its lists."""
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
        What the traces depend on, so that the same race is prepared only once.
    """
    other = st.session_state.get(_SHOWN, key) != key  # what was seen of the last one is over
    for name, allowed in VIEW.items():
        if other or not allowed.fullmatch(st.query_params.get(name, "")):
            st.query_params.pop(name, None)
    st.session_state[_SHOWN] = key
    component = st.components.v2.component(
        "cbai_race",
        html='<div class="race"></div>',
        css=(_HERE / "race.css").read_text(encoding="utf-8"),
        js="".join(
            (_HERE / name).read_text(encoding="utf-8") for name in ("race_save.js", "race.js")
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
    """Explain the arm that was clicked, in the run in which it was."""
    which, arm = (int(number) for number in st.session_state["race"][ASKED].split()[:2])
    st.session_state["why"] = traces[which].problem.arms[arm]
    if len(traces) > 1:
        st.session_state["why_by"] = traces[which].algorithm.title


def _note(name: str) -> None:
    """Put into the link what the browser shows: a callback, so that the sidebar has it at once."""
    value = st.session_state["race"].get(name)
    if value is not None:
        st.query_params[name] = str(value).split()[0]
