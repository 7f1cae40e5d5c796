"""The controls of the algorithm lab: one list for each choice, in the order of a round.

The algorithm is stored only in the sidebar's recipe. The lists are set from the recipe before they
are drawn, and a choice writes the recipe again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from cbai.figures.base.words import Words
from cbai.simulation import Algorithm, find
from cbai.simulation.rules.choices import Elimination, Leader, Share, Stopping
from cbai.simulation.rules.names import code
from cbai.ui.lab import recipe
from cbai.ui.lab.recipe import Option
from cbai.ui.visit import user_algorithm
from cbai.ui.visit.link_names import in_link

START = in_link("start")
SHARE = "share of δ"


def start(row: Algorithm) -> str:
    """Draw the choice of the algorithm to start from, and say how the recipe differs from it.

    Return the name of the algorithm to start from.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", key="lab row start"):
        name: str = st.selectbox(
            "Start from",
            list(recipe.STARTS),
            index=list(recipe.STARTS).index("c_lucb"),
            format_func=recipe.STARTS.__getitem__,
            key=START,
            bind="query-params",
            on_change=_begin_again,
            help="Sets every choice below to the choice of this algorithm. You can then change any "
            "of them. The run compares your algorithm with this one.",
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
        f"Your algorithm differs from it in {differences}."
        if differences
        else "Your algorithm is still the same. Change any choice below."
    )
    return name


def _begin_again() -> None:
    user_algorithm.compose(code(find(st.session_state[START])))


def draw(row: Algorithm, words: Words) -> None:
    """Draw the choices of an algorithm; changing one changes the recipe."""
    everyone = row.leader is Leader.ALL
    _choose(row, "leader", "First pull of a round", recipe.leaders(words))
    if everyone:
        st.caption("There is no second pull, and the algorithm stops when one is left.")
    else:
        share = "sampling_share" if recipe.samples_by_bounds(row) else None
        _choose(row, "challenger", "Second pull", recipe.challengers(words), share)
    ways = recipe.eliminations(words)
    if everyone:
        del ways[Elimination.NONE]
    rules_out = row.elimination is not Elimination.NONE
    _choose(row, "elimination", "Rules out", ways, "elimination_share" if rules_out else None)
    if not everyone:
        ends = recipe.stoppings(words)
        if not rules_out:
            del ends[Stopping.NONE]
        _choose(row, "stopping", "Stops", ends)
        if row.stopping is Stopping.LEADER_ABOVE_ALL:
            with st.container(horizontal=True, key="lab stop shares"):
                _share(row, "leader_share", "leader's lower bound at")
                _share(row, "challenger_share", "others' upper bounds at")
    _choose(row, "confidence", "Confidence bounds", recipe.sequences())


def _choose(
    row: Algorithm, field: str, label: str, options: Mapping[Any, Option], share: str | None = None
) -> None:
    """Draw one choice: a list, the share of delta beside it, and the meaning below it."""
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
            _share(row, share, SHARE)
    st.caption(options[getattr(row, field)].meaning)


def _share(row: Algorithm, field: str, label: str) -> None:
    now: Share = getattr(row, field)
    st.session_state[f"lab_{field}"] = now
    decides = "only what is pulled" if field == "sampling_share" else "what is decided"
    st.selectbox(
        label,
        list(dict.fromkeys([*recipe.SHARES, now])),
        format_func=str,
        key=f"lab_{field}",
        on_change=_write,
        args=(row, field),
        width=110 if label == SHARE else 190,
        help="The error probability of each of these bounds, as a share of δ. K is the number of "
        f"arms. A larger share makes the bounds narrower. The share affects {decides}.",
    )


def _write(row: Algorithm, field: str) -> None:
    user_algorithm.compose(code(recipe.changed(row, field, st.session_state[f"lab_{field}"])))
