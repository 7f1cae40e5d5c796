"""The animated race: a figure that plays in the browser."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from cbai.figures.race import race_info
from cbai.figures.words import Words
from cbai.simulation import Trace

_HERE = Path(__file__).parent


@st.cache_resource(max_entries=64, show_spinner=False)
def _info(_traces: Sequence[Trace], words: Words, key: str) -> dict[str, object]:
    info = race_info(_traces, words)
    text = json.dumps(info)
    return {**info, "id": hashlib.sha256(text.encode()).hexdigest()[:16]}


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
    component = st.components.v2.component(
        "cbai_race",
        html='<div class="race"></div>',
        css=(_HERE / "race.css").read_text(encoding="utf-8"),
        js=(_HERE / "race.js").read_text(encoding="utf-8"),
    )
    component(data=_info(traces, words, key), key="race")
