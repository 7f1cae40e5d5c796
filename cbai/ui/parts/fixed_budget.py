"""The choice between sampling until sure and spending a fixed budget, and what the latter shows."""

from __future__ import annotations

import streamlit as st

from cbai.figures.base.style import THIN_SPACE
from cbai.figures.base.words import Words, listed
from cbai.figures.samples import budget_curves
from cbai.problem.validity import VIOLATED
from cbai.results import summarise_budget
from cbai.simulation import BUDGET_ALGORITHMS, BudgetCurve
from cbai.ui.markdown import plain
from cbai.ui.parts import chart, page
from cbai.ui.parts.budget_sentences import (
    NO_PROMISE,
    budget_answer,
    loss_answer,
    needed_answer,
    others_answer,
)
from cbai.ui.runs import cache, stopping
from cbai.ui.runs.budget_runs import (
    MOST_ANSWERS,
    RUNS,
    budgets_around,
    get_curve,
    too_slow,
)
from cbai.ui.runs.on_demand import MOST_SECONDS
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.shell import sidebar
from cbai.ui.visit.link_names import in_link, number_in_link
from cbai.ui.visit.setup import Setup

UNTIL_SURE, FIXED = "Until sure (δ)", "With a fixed budget"
ERRORS = "budget errors"
USUAL = ("uniform", "sequential_halving", "c_halving")
USUAL_ANSWERS = 2000
SAME = ("sequential_halving", "c_halving")
"""These do the same if there are no pseudo-rewards."""
HINTS = {
    "uniform": "Samples every option equally often.",
    "sequential_halving": "Rules out the worse half after each round, so the rest get more.",
    "sequential_halving_fresh": "The same, but each round forgets the rounds before it.",
    "sh_ada_var": "Samples options more often if their rewards vary more.",
    "bracketing_halving": "Compares random groups. For thousands of options.",
    "c_halving": "Sequential Halving that also uses the pseudo-rewards.",
}
HIDDEN = """
<style>
.st-key-part-sure, .st-key-part-algorithms { display: none; }
.stMainBlockContainer :is([data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"])
  :is(p, li) { max-width: 70ch; }
</style>
"""
"""Hides what the sidebar sets for sampling until sure."""


def is_asked() -> bool:
    """Draw the choice, the same on every page that has it; return whether a budget is fixed."""
    chosen = st.segmented_control(
        "When to stop",
        [UNTIL_SURE, FIXED],
        default=UNTIL_SURE,
        required=True,
        key=in_link("sampling"),
        bind="query-params",
        persist_state="session",
        label_visibility="collapsed",
        help="Sample until the answer is certain enough, or spend a number of samples and then "
        "name the best.",
    )
    return chosen == FIXED


def ask_answers(words: Words, *, label: bool = True) -> int:
    """Draw the number of samples that there are."""
    number = st.number_input(
        f"Number of {words.samples}",
        2,
        MOST_ANSWERS,
        value=USUAL_ANSWERS,
        key=number_in_link("answers"),
        bind="query-params",
        persist_state="session",
        width=150 if label else 110,
        help=f"How many {words.samples} may be spent in all. With more of them the answer is right "
        "more often.",
        label_visibility="visible" if label else "collapsed",
    )
    return int(number)


def ask_algorithms() -> list[str]:
    """Draw the choice of algorithms, and return their names in the order of the table."""
    chosen = st.pills(
        "Algorithms",
        list(BUDGET_ALGORITHMS),
        selection_mode="multi",
        default=list(USUAL),
        format_func=lambda name: BUDGET_ALGORITHMS[name].title,
        key=in_link("spend"),
        bind="query-params",
        persist_state="session",
        help=" ".join(f"{BUDGET_ALGORITHMS[name].title}: {hint}" for name, hint in HINTS.items()),
    )
    return [name for name in BUDGET_ALGORITHMS if name in chosen]


def doubted(setup: Setup, names: list[str]) -> list[str]:
    """Return the algorithms that rely on pseudo-rewards that are too low for the best arm."""
    relying = [name for name in names if BUDGET_ALGORITHMS[name].uses_correlation]
    if not relying or not setup.problem.has_pseudo_rewards:
        return []
    return relying if cache.get_validity(setup).verdict == VIOLATED else []


def curve_for(setup: Setup, names: list[str], own: int) -> BudgetCurve:
    """Return the curve around a budget; if there is none, say why and end the page."""
    if not names:
        st.info("Choose at least one algorithm.", icon=":material/tune:")
        st.stop()
    if not setup.problem.has_pseudo_rewards and {*SAME} <= {*names}:
        names = [name for name in names if name != SAME[1]]
        st.caption(
            f"Nothing is known here of one {setup.words.arm} by another. So C-Halving does the "
            "same as Sequential Halving, and is left out."
        )
    slow = too_slow(setup, names, budgets_around(own))
    if slow:
        st.warning(
            f"{listed([BUDGET_ALGORITHMS[name].title for name in slow])} would take more than "
            f"{MOST_SECONDS / 60.0:.0f} minutes of one processor here. That is the limit. Choose "
            f"fewer {setup.words.samples}.",
            icon=":material/hourglass_disabled:",
        )
    names = [name for name in names if name not in slow]
    if not names:
        st.stop()
    curve = get_curve(setup, names, budgets_around(own))
    if curve is None:
        stopping.say_stopped()
        st.stop()
    return curve


def answer(setup: Setup, curve: BudgetCurve, own: int) -> str:
    """Say the answer, and warn if an algorithm relies on bounds that are false; return it."""
    names = [row.name for row in curve.algorithms]
    out = doubted(setup, names)
    told = budget_answer(curve, own, setup.words, out)
    page.answer(told)
    if out:
        validity, safe = cache.get_validity(setup), sidebar.safe_buffer(setup)
        titles = ", ".join(BUDGET_ALGORITHMS[name].title for name in out)
        with st.container(horizontal=True, vertical_alignment="center", key="shout"):
            st.markdown(
                f":red[:material/warning:] **A bound on the best {setup.words.arm} is too low.** "
                f"{titles} may rule it out early, and a larger budget does not help then.",
                width="content",
            )
            page.offer_buffer(validity, setup.p, safe, key="use safe buffer for a budget")
    return told


def say_more(setup: Setup, curve: BudgetCurve, own: int) -> None:
    """Say how sure the others are, what a wrong answer costs, and what nobody knows."""
    words, out = setup.words, doubted(setup, [row.name for row in curve.algorithms])
    for told in (
        needed_answer(curve, own, words, out),
        others_answer(curve, own, words, out),
        loss_answer(curve, own, words, out),
        NO_PROMISE,
    ):
        if told:
            st.markdown(plain(told))


def draw_errors(setup: Setup, info: budget_curves.Info) -> None:
    """Draw the errors against the budget."""
    words = setup.words
    chart.show(budget_curves.draw(info, words), key=ERRORS, alt=budget_curves.alt_text(info, words))


def read_errors(setup: Setup, info: budget_curves.Info) -> None:
    """Say how to read the picture of the errors."""
    words = setup.words
    page.how_to_read(
        f"How often the answer is wrong, by the number of {words.samples}. Each point is the share "
        f"among {RUNS:,} runs. The band is its exact 95{THIN_SPACE}% interval. The dotted line is "
        f"your {info.own:,}. Solid lines use the correlation; dashed lines do not. All algorithms "
        "meet the same random rewards."
    )


def show(setup: Setup, title: DeltaGenerator) -> None:
    """Show the part of the page Samples that is about a fixed budget."""
    words = setup.words
    st.html(HIDDEN)
    own, names = ask_answers(words), ask_algorithms()
    with title:
        page.question(f"How sure can you be after {own:,} {words.samples}?")
    place = st.container()
    curve = curve_for(setup, names, own)
    info = budget_curves.gather(curve, own)
    with place:
        answer(setup, curve, own)
    draw_errors(setup, info)
    read_errors(setup, info)
    say_more(setup, curve, own)
    st.subheader(f"How far below the best {words.arm} is the answer?", anchor=False)
    chart.show(
        budget_curves.draw_loss(info, words),
        key="budget losses",
        alt=budget_curves.loss_alt_text(info, words),
    )
    page.how_to_read(
        f"How far the mean of the {words.arm} named is below the best one, on average, in units of "
        f"reward. It is 0 in runs with the right answer. The band is a 95{THIN_SPACE}% interval "
        "that holds whatever the distribution."
    )
    with st.expander("What the algorithms promise"):
        for row in curve.algorithms:
            st.markdown(f"**{row.title}** ({row.source}). {row.guarantee}")
    st.subheader("All numbers", anchor=False)
    _table(curve)
    page.where_from(setup)


def _table(curve: BudgetCurve) -> None:
    found = summarise_budget(curve)
    if found.empty:
        return
    number = st.column_config.NumberColumn
    st.dataframe(
        found.drop(columns=["algorithm", "trials"]).set_index("title"),
        height="content",
        column_config={
            "title": "Algorithm",
            "budget": number("Budget", format="%,.0f"),
            "errors": number("Wrong"),
            "error_rate": number("Error rate", format="percent"),
            "error_low": number("At least", format="percent"),
            "error_high": number("At most", format="percent"),
            "loss": number("Loss", format="%.4f"),
            "loss_low": number("Loss at least", format="%.4f"),
            "loss_high": number("Loss at most", format="%.4f"),
        },
    )
