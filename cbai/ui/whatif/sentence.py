"""The question as a sentence with blanks: arms, error, cost, samples a day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from cbai.figures.base.words import listed
from cbai.problem import Problem
from cbai.problem.changes import keep_arms, keep_best
from cbai.results.price import Price
from cbai.ui.markdown import plain
from cbai.ui.parts import fixed_budget
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.visit.link_names import in_link, number_in_link
from cbai.ui.visit.setup import DELTAS, Setup
from cbai.ui.whatif.amounts import share

LONGEST_UNIT = 12
FEWEST = 2
"""The fewest arms that there may be."""
ERROR = "error accepted"
"""The blank of the sidebar's δ: it has no value of its own."""
ASKED_OF = "what if asked of"
"""The arms that the blanks of the session were last drawn for."""

STYLE = """
<style>
.st-key-sentence { row-gap: 0.3rem; column-gap: 0.4rem; }
.st-key-sentence [data-testid="stMarkdownContainer"] { margin-bottom: 0; }
.st-key-sentence [data-testid="stMarkdownContainer"] p { font-size: 1.15rem; margin: 0; }
.st-key-sentence input, .st-key-sentence [data-baseweb="select"] {
  font-size: 1.15rem; font-weight: 600;
}
.st-key-sentence input { padding-inline: 0.6rem; }
/* Boxes grow with the type of the presenter view. */
.st-key-sentence .st-key-have { min-width: 5.25rem; }
.st-key-sentence [class*="st-key-"][class*="error"] { min-width: 6rem; }
.st-key-sentence :is(.st-key-cost, .st-key-per_day) { min-width: 5.25rem; }
@media (min-width: 641px) and (max-width: 1400px) {
  .st-key-sentence { column-gap: 0.3rem; }
  .st-key-sentence [data-testid="stMarkdownContainer"] p,
  .st-key-sentence input, .st-key-sentence [data-baseweb="select"] { font-size: 1.05rem; }
}
.st-key-sentence [data-testid="stNumberInput"] button { display: none; }
.st-key-sentence [data-testid="InputInstructions"] { display: none; }
.st-key-sentence [data-testid="stPopover"] button {
  min-height: 1.8rem; padding: 0 0.3rem 0 0;
}
.st-key-sentence [data-testid="stPopover"] button p { font-size: 0.9rem; }
</style>
"""


@dataclass(frozen=True)
class Question:
    """What the sentence asks.

    Attributes
    ----------
    setup : Setup
        The sidebar's, with the arms that there are.
    every : Problem
        With all arms that are not left out by name.
    missing : tuple of str
        The arms left out by name.
    price : Price
    unit : str
        Of the cost; may be empty.
    """

    setup: Setup
    every: Problem
    missing: tuple[str, ...]
    price: Price
    unit: str


def ask(setup: Setup) -> Question:
    """Draw the sentence, and return what it asks."""
    words, arms = setup.words, list(setup.problem.arms)
    _forget_if_of_others(setup)
    st.html(STYLE)
    with st.container(horizontal=True, vertical_alignment="center", key="sentence"):
        _text("I have")
        n, missing, which = _arms(setup, arms)
        _text("accept")
        _error(setup)
        _text(f"error, one {words.sample} costs")
        unit, cost = _cost(setup)
        _text("and I get")
        per_day = st.number_input(
            f"{words.capital_samples} per day",
            1,
            10**9,
            value=1000,
            key=number_in_link("per_day"),
            bind="query-params",
            persist_state="session",
            width=88,
            help=f"How many {words.samples} you can get in a day, one after the other.",
            label_visibility="collapsed",
        )
        _text("a day.")
    every = keep_arms(setup.problem, [i for i, name in enumerate(arms) if name not in missing])
    problem = keep_best(every, n)
    with which:
        st.caption(f"**Now:** {plain(listed(list(problem.arms)))}.")
    mine = setup if problem is setup.problem else replace(setup, problem=problem)
    return Question(mine, every, tuple(missing), Price(float(cost), float(per_day)), unit)


def ask_for_budget(setup: Setup) -> tuple[Setup, int]:
    """Draw the sentence of a fixed budget.

    Returns
    -------
    Setup
        The sidebar's, with the arms that there are.
    int
        How many samples there are.
    """
    words, arms = setup.words, list(setup.problem.arms)
    _forget_if_of_others(setup)
    st.html(STYLE)
    with st.container(horizontal=True, vertical_alignment="center", key="sentence"):
        _text("I have")
        n, missing, which = _arms(setup, arms)
        _text("and")
        own = fixed_budget.ask_answers(words, label=False)
        _text(f"{words.samples}.")
    every = keep_arms(setup.problem, [i for i, name in enumerate(arms) if name not in missing])
    problem = keep_best(every, n)
    with which:
        st.caption(f"**Now:** {plain(listed(list(problem.arms)))}.")
    return setup if problem is setup.problem else replace(setup, problem=problem), own


def _text(words: str) -> None:
    st.markdown(words, width="content")


def _forget_if_of_others(setup: Setup) -> None:
    """Fill the blanks about arms anew if the session's were about the arms of other data."""
    now = (setup.dataset_id, setup.problem.arms)
    before = st.session_state.get(ASKED_OF)
    if before is not None and before != now:
        st.session_state["have"] = len(setup.problem.arms)
        st.session_state["without"] = []
    st.session_state[ASKED_OF] = now


def _arms(setup: Setup, arms: Sequence[str]) -> tuple[int, list[str], DeltaGenerator]:
    """Draw the number of arms and the list of those left out.

    Returns
    -------
    int, list of str, DeltaGenerator
        How many arms there are, which are left out by name, and where to say which there are.
    """
    words, n = setup.words, len(arms)
    place = st.container(width="content")
    _text(f"{words.arms},")
    with (
        st.container(width="content"),
        st.popover("Which?", type="tertiary", help=f"Leave out {words.arms} by name"),
    ):
        missing = st.multiselect(
            f"{words.capital_arms} that I do not have",
            arms,
            max_selections=max(1, n - FEWEST),
            disabled=n <= FEWEST,
            key=in_link("without"),
            bind="query-params",
            persist_state="session",
            placeholder="None",
            on_change=_after_leaving_out,
            args=(n,),
            width=320,
            help=f"The question is then asked without these {words.arms}.",
        )[: n - FEWEST]
        st.caption(
            f"Of the others, the {words.arms} with the highest true means stay. The best "
            f"{words.arm} may be left out, too: then the next best is the right answer."
        )
        which = st.container()
    most = n - len(missing)
    if st.session_state.get("have", n) > most:
        st.session_state["have"] = most
    with place:
        have = st.selectbox(
            f"Number of {words.arms}",
            list(range(FEWEST, n + 1)),
            index=n - FEWEST,
            key=in_link("have"),
            bind="query-params",
            persist_state="session",
            on_change=_after_counting,
            args=(n,),
            width=84,
            help=f"With fewer {words.arms}, those with the lowest true means are left out first.",
            label_visibility="collapsed",
            filter_mode=None,  # a phone then shows no keyboard
        )
    return int(have), missing, which


def _after_leaving_out(n: int) -> None:
    """Count all arms that are left, as a callback."""
    st.session_state["have"] = max(FEWEST, n - len(st.session_state["without"]))


def _after_counting(n: int) -> None:
    """Take back as many arms as the number asks for, as a callback."""
    keep = max(0, n - st.session_state["have"])
    st.session_state["without"] = st.session_state.get("without", [])[:keep]


def _error(setup: Setup) -> None:
    """Draw the sidebar's allowed error once more."""
    if st.session_state.get(ERROR) != setup.delta:  # setting it closes an open list
        st.session_state[ERROR] = setup.delta
    st.selectbox(
        "Allowed error, δ",
        DELTAS,
        format_func=share,
        key=ERROR,
        on_change=_take_error,
        width=96,
        help="How often the answer may be wrong, if the guarantee holds. It is the sidebar's δ.",
        label_visibility="collapsed",
        filter_mode=None,  # a phone then shows no keyboard
    )


def _take_error() -> None:
    """Give the error to the sidebar, as a callback."""
    st.session_state["delta"] = st.session_state[ERROR]


def _cost(setup: Setup) -> tuple[str, float]:
    words = setup.words
    with st.container(horizontal=True, gap=None, width="content", key="price"):
        unit = st.text_input(
            "Currency or unit of the cost",
            "€",
            max_chars=LONGEST_UNIT,
            key=in_link("unit"),
            bind="query-params",
            persist_state="session",
            width=44,
            help="A currency, or any unit: minutes, patients' visits.",
            label_visibility="collapsed",
        )
        cost = st.number_input(
            f"Cost of one {words.sample}",
            0.0,
            1e6,
            value=1.0,
            key=number_in_link("cost"),
            bind="query-params",
            persist_state="session",
            width=84,
            help=f"With a cost of 0, the answer and the picture count {words.samples}.",
            label_visibility="collapsed",
        )
    return " ".join((unit or "").split()), cost
