"""What every page says in the same way: question, answer, warnings, where the data come from."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from cbai.figures.base.style import decimal
from cbai.figures.base.words import listed
from cbai.problem.validity import VIOLATED, Validity
from cbai.results.alarm import words as alarm_words
from cbai.simulation import Algorithm, Trace, find
from cbai.simulation.guarantee import cover
from cbai.ui.markdown import plain
from cbai.ui.parts import figure_file
from cbai.ui.parts.violation import VIOLATION, enough, violation_line
from cbai.ui.runs import cache
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.shell import sidebar
from cbai.ui.visit import user_problem
from cbai.ui.visit.link_names import number_in_link
from cbai.ui.visit.setup import Setup

__all__ = [
    "answer",
    "how_to_read",
    "need_algorithms",
    "offer_buffer",
    "plain",
    "promise",
    "question",
    "run_number",
    "shout_if_violated",
    "sound_alarms",
    "violation",
    "where_from",
]

MOST_NAMED = 4
"""More arms that cannot be told apart are counted instead of named."""

STYLE = """
<style>
.stMainBlockContainer { padding-top: 4.2rem; padding-bottom: 3rem; }
.stMainBlockContainer :is(
  [data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"]
) > :is(p, ul, ol) { max-width: 70ch; }
.stMainBlockContainer h1 { font-size: 2.1rem; padding: 0 0 0.3rem; }
.stMainBlockContainer h2 { font-size: 1.25rem; line-height: 1.2; padding: 0.375rem 0 1rem; }
[data-testid="stStatusWidget"] button { display: none; }
.st-key-shout, .st-key-shout-lower { border-left: 3px solid #D55E00; padding-left: 0.8rem; }
button[kind="primary"] p { color: var(--st-background-color, #fff); }
@media (max-width: 640px) {
  .stMainBlockContainer { padding: 4.4rem 1rem 2rem; }
  .stMainBlockContainer h1 { font-size: 1.6rem; }
  .st-key-cards > * { flex-basis: 100%; }
}
</style>
"""


def question(text: str) -> None:
    """Show the page's question as its title."""
    st.html(STYLE + figure_file.STYLE)
    st.title(text, anchor=False)


def answer(text: str) -> None:
    """Show the answer, computed from the run, in one sentence or two.

    It is small, but screen readers announce it as the second heading of the page.
    """
    st.markdown(f"## {plain(text)}")


def how_to_read(text: str) -> None:
    """Show the line on how to read the figure."""
    st.caption(f"**How to read it.** {text}")


def say_if_undecided(setup: Setup) -> None:
    """Say in a line if the people of a survey cannot tell which arm is best."""
    trust = user_problem.trust(setup.dataset_id)
    if trust is not None and len(trust.perhaps_best) > 1:
        names = [setup.problem.arms[arm] for arm in trust.perhaps_best]
        many = f"{len(names)} of the {setup.words.arms}"
        which = listed(names) if len(names) <= MOST_NAMED else many
        st.caption(
            plain(
                f"Your data cannot tell {which} apart. The runs take the means that were observed "
                "for the truth."
            )
        )


def shout_if_violated(
    setup: Setup, algorithms: Iterable[str], *, settings_apply: bool = True
) -> None:
    """Warn in a line if an algorithm shown relies on pseudo-rewards that are too low.

    The warning offers a large enough buffer if the sidebar's settings apply to what is shown.
    """
    validity = cache.get_validity(setup)
    rows = [find(name) for name in algorithms]
    _shout_if_too_high(setup, [row.title for row in rows if row.two_sided])
    relying = [row.title for row in rows if row.trusts_pseudo_rewards]
    if validity.verdict != VIOLATED or not relying:
        return
    safe = sidebar.safe_buffer(setup)
    with violation(validity, relying, setup.words.arm, safe, key="shout"):
        if settings_apply:
            offer_buffer(validity, setup.p, safe, key="use safe buffer")


def violation(
    validity: Validity, relying: list[str], arm: str, safe: float, *, key: str
) -> DeltaGenerator:
    """Draw the line on a violation, and return the place for its button."""
    place = st.container(horizontal=True, vertical_alignment="center", key=key)
    line = violation_line(validity, relying, arm, safe)
    place.markdown(f":red[:material/warning:] **{VIOLATION}** {line}", width="content")
    return place


def offer_buffer(validity: Validity, p: float, safe: float, *, key: str) -> None:
    """Draw the button that sets a buffer, if it is large enough."""
    if enough(validity, safe):
        st.button(
            f"Use q = {decimal(safe)}",
            on_click=use_buffer,
            args=(p, safe),
            key=key,
            help="Sets the safety buffer in the sidebar. The guarantee then holds.",
        )


def use_buffer(p: float, q: float) -> None:
    """Set the buffer and say so in a toast, as the sidebar may be closed."""
    sidebar.set_known(p, q)
    st.toast(f"The safety buffer q is now {decimal(q)}.", icon=":material/check:")


def _shout_if_too_high(setup: Setup, relying: list[str]) -> None:
    """Warn if an algorithm shown relies on lower bounds that are too high."""
    if relying and not cache.get_validity(setup).lower_holds:
        words = setup.words
        with st.container(key="shout lower"):
            st.markdown(
                ":red[:material/warning:] **A lower bound from the survey is too high.** On "
                f"average it is above the true mean of the {words.arm} that it should bound. "
                f"{', '.join(relying)} may name a wrong {words.arm} more often than δ allows. A "
                "larger safety buffer q lowers these bounds."
            )


def explain_betting(setup: Setup) -> None:
    """Say what is different in the algorithms that bet, if one is chosen."""
    if any(find(name).bets for name in setup.algorithms):
        st.caption(
            "**Algorithms that bet** go beyond the paper. They have no confidence radius. Each "
            f"{setup.words.sample} is a fair bet that {setup.words.an_arm} is worse than the "
            f"leader. The {setup.words.arm} is ruled out once the bets have multiplied the stake "
            f"by 2/δ. That happens to the best {setup.words.arm} with probability δ/2 at most. "
            "C-LUCB-bet uses the bets of all pseudo-rewards together. It is proven right if the "
            "pseudo-rewards are valid. LUCB++-bet uses only bets on the "
            f"{setup.words.arm}'s own {setup.words.samples}. The two-sided version also uses lower "
            "bounds from the survey. The proofs are in docs/beyond.md."
        )
    if any(find(name).by_claim for name in setup.algorithms):
        st.caption(
            "**C-LUCB-claim** goes beyond the paper. It compares no bounds. For each "
            f"{setup.words.arm} it bets against the claim that this {setup.words.arm} is the best. "
            f"The {setup.words.arm} is ruled out once these bets have multiplied the stake by 1/δ. "
            f"That happens to the best {setup.words.arm} with probability δ at most, if the "
            f"pseudo-rewards are valid. It may rule out {setup.words.an_arm} before its first "
            f"{setup.words.sample}. Any ε has no effect on it. The proof is in docs/beyond.md."
        )


def promise(setup: Setup, rows: Iterable[Algorithm]) -> None:
    """Say, folded away, what is proven of each algorithm, and what breaks it."""
    with st.expander("What the algorithms promise"):
        for row in rows:
            proven = row.guarantee
            if row.name == setup.lab:
                proven = cover(row, setup.problem.n_arms, setup.delta).reason
            st.markdown(f"**{row.title}** ({row.source}). {proven}")


def run_number() -> int:
    """Draw the choice of a single run, the same on every page, and return its number."""
    number = st.number_input(
        "Run",
        0,
        10_000,
        key=number_in_link("run_number"),
        bind="query-params",
        width=130,
        help="Each run has its own random rewards and its own unknown pseudo-rewards. They are the "
        "same for every algorithm.",
    )
    return int(number)


def sound_alarms(traces: Iterable[Trace]) -> None:
    """Say where the rewards of a run contradict a pseudo-reward, with both numbers."""
    for trace in traces:
        alarm = cache.get_alarm(trace)
        if alarm is not None:
            st.markdown(
                f":red[:material/warning:] **{trace.algorithm.title}.** "
                f"{plain(alarm_words(alarm, trace))}"
            )


def where_from(setup: Setup) -> None:
    """Say, folded away, where the numbers come from."""
    with st.expander("Where these numbers come from"):
        st.markdown(f"{setup.dataset.provenance}\n\nLicence: {setup.dataset.licence}")


def need_algorithms(setup: Setup) -> None:
    """Stop the page with a hint if no algorithm is chosen."""
    if not setup.algorithms:
        st.info("Choose at least one algorithm in the sidebar.", icon=":material/tune:")
        st.stop()
