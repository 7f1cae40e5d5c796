"""The algorithm lab's controls: one list per choice, in the order in which one thinks.

The recipe in the sidebar is the only place that holds the algorithm. These lists are set from it
before they are drawn, and whoever chooses from one writes the recipe anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from cbai.figures.base.words import Words
from cbai.simulation import Algorithm, find
from cbai.simulation.rules.algorithms import Elimination, Leader, Share, Stopping
from cbai.simulation.rules.names import code
from cbai.ui.lab import recipe
from cbai.ui.lab.recipe import Option
from cbai.ui.visit import user_algorithm
from cbai.ui.visit.link_names import in_link

START = in_link("start")


def start(row: Algorithm) -> str:
    """Draw the choice of what to start from, how far from it one is, and return its name."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="lab row start"):
        name: str = st.selectbox(
            "Start from",
            list(recipe.STARTS),
            index=list(recipe.STARTS).index("c_lucb"),
            format_func=recipe.STARTS.__getitem__,
            key=START,
            bind="query-params",
            on_change=_begin_again,
            help="Choosing one sets every choice below as this algorithm has it; then change what "
            "you like. The run shows yours beside it.",
        )
        differences = recipe.differences(row, find(name))
        st.button(
            "Start over",
            key="start over",
            disabled=not differences,
            on_click=_begin_again,
            help="Sets every choice below back to the algorithm you started from.",
        )
    st.caption(
        f"Yours differs from it in {differences}."
        if differences
        else "Yours is still the same: change any choice below."
    )
    return name


def _begin_again() -> None:
    user_algorithm.compose(code(find(st.session_state[START])))


def draw(row: Algorithm, words: Words) -> None:
    """Draw the choices of an algorithm; changing one changes the recipe."""
    everyone = row.leader is Leader.ALL
    _choose(row, "leader", "A round pulls first", recipe.leaders(words))
    if everyone:
        st.caption("So there is no second pull, and it stops when one is left.")
    else:
        share = "sampling_share" if recipe.samples_by_bounds(row) else None
        _choose(row, "challenger", "and second", recipe.challengers(words), share)
    dropped = recipe.eliminations(words)
    if everyone:
        del dropped[Elimination.NONE]
    rules_out = row.elimination is not Elimination.NONE
    _choose(row, "elimination", "Ruled out is", dropped, "elimination_share" if rules_out else None)
    if not everyone:
        ends = recipe.stoppings(words)
        if not rules_out:
            del ends[Stopping.NONE]
        _choose(row, "stopping", "It stops", ends)
        if row.stopping is Stopping.LEADER_ABOVE_ALL:
            with st.container(horizontal=True, key="lab stop shares"):
                _share(row, "leader_share", "its lower bound at")
                _share(row, "challenger_share", "the others' upper bounds at")
    _choose(row, "confidence", "All bounds are those of", recipe.sequences())


def _choose(
    row: Algorithm, field: str, label: str, options: Mapping[Any, Option], share: str | None = None
) -> None:
    """Draw one choice: a list, the share of delta beside it, what the choice means beneath it."""
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"lab row {field}"):
        st.session_state[f"lab_{field}"] = getattr(row, field)
        st.selectbox(
            label,
            list(options),
            format_func=lambda option: options[option].label,
            key=f"lab_{field}",
            on_change=_write,
            args=(row, field),
            help="\n".join(f"- **{one.label}**: {one.meaning}" for one in options.values()),
        )
        if share is not None:
            _share(row, share, "at")
    st.caption(options[getattr(row, field)].meaning)


def _share(row: Algorithm, field: str, label: str) -> None:
    now: Share = getattr(row, field)
    st.session_state[f"lab_{field}"] = now
    decides = "only where it samples" if field == "sampling_share" else "when it decides"
    st.selectbox(
        label,
        list(dict.fromkeys([*recipe.SHARES, now])),
        format_func=str,
        key=f"lab_{field}",
        on_change=_write,
        args=(row, field),
        width=110 if label == "at" else 190,
        help="The error probability that each of these bounds may have, as a share of δ; K is the "
        f"number of arms. Larger makes the bounds narrower. It matters {decides}.",
    )


def _write(row: Algorithm, field: str) -> None:
    user_algorithm.compose(code(recipe.changed(row, field, st.session_state[f"lab_{field}"])))
