"""Why was this arm ruled out? The panel beside the race, and the figures below it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from cbai.figures.base.digits import apart
from cbai.figures.base.words import Words
from cbai.figures.race import eliminations, why_sources
from cbai.results.why import Why, why
from cbai.simulation import Trace
from cbai.ui.parts import chart
from cbai.ui.parts import page as text
from cbai.ui.race import why_sentences as said
from cbai.ui.shell import present
from cbai.ui.visit.link_names import in_link

STYLE = """
<style>
.st-key-race-room { container-type: inline-size; }
.st-key-race-reason { gap: 0.6rem; scroll-margin-top: 4rem; max-width: 44rem; }
.st-key-race-reason h3 { font-size: 1.15rem; padding: 0 0 0.3rem; }
@media (min-width: 641px) { .stMainBlockContainer { padding-left: 2rem; padding-right: 2rem; } }
[data-testid="stMain"] .st-key-race-reason [data-testid="stExpander"] { display: block !important; }
.stMainBlockContainer [data-testid="stCaptionContainer"] p { max-width: 70ch; }
.race-bounds { display: flex; gap: 0.6rem; align-items: end; line-height: 1.25; }
.race-bounds b { display: block; font-size: 1.45rem; font-variant-numeric: tabular-nums; }
.race-bounds span { font-size: 0.9rem; }
.race-bounds .long { font-size: 1.05rem; }
@container (min-width: LEAST) {
  .st-key-race-and-reason { display: grid; align-items: start; gap: 1.2rem;
    grid-template-columns: minmax(0, 1fr) 20rem; }
  .st-key-race-reason { position: sticky; top: 4rem; max-width: none; padding: 0.8rem;
    border: 1px solid #8884; border-radius: 0.5rem; }
}
</style>
"""
FEW = 9
"""With at most so many arms, two races have room one above the other, beside the panel."""
LEAST_WIDTHS = {(True, False): "64rem", (True, True): "72rem"}
"""How wide the page must be for the panel to stand beside the race: with few arms, on a page and in
the presenter view, where type is larger."""
WIDE = "80rem"
"""The same with many arms."""
SHORT = 7
"""Numbers with more characters than this are written smaller."""


def style(n_arms: int) -> str:
    """Return the style that puts the panel beside the race where there is room."""
    return STYLE.replace("LEAST", LEAST_WIDTHS.get((n_arms <= FEW, present.on()), WIDE))


def explain(traces: Sequence[Trace], words: Words) -> Why:
    """Draw the choice of an arm and of an algorithm, and explain what decided."""
    problem = traces[0].problem
    ranked = [problem.arms[arm] for arm in problem.ranking]
    usual = problem.arms[usual_arm(traces)]
    if st.session_state.get("why", ranked[0]) not in ranked:  # else the link would keep it
        st.session_state["why"] = usual
    title = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom", key="why choice"):
        name = st.selectbox(
            "Explain",
            ranked,
            index=ranked.index(usual),
            key=in_link("why"),
            bind="query-params",
            help=f"All {words.arms}, from the best true mean to the worst.",
            width=200,
        )
        which = 0
        if len(traces) > 1:
            titles = [trace.algorithm.title for trace in traces]
            chosen = st.segmented_control(
                "in the run of",
                titles,
                default=titles[0],
                required=True,
                key=in_link("why_by"),
                bind="query-params",
                help="Both runs meet the same random rewards.",
            )
            which = titles.index(chosen) if chosen in titles else 0
    info = why(traces[which], problem.arms.index(name))
    title.subheader(text.plain(said.heading(info)), anchor=False)
    if info.out is not None and not (info.bets or info.trace.algorithm.by_claim):
        st.html(_bounds(info))
    st.markdown(text.plain(said.story(info, words)))
    false = said.warning(info, words)
    if false:
        st.markdown(f":red[:material/warning:] {text.plain(false)}")
    folded = st.expander("Do the sum yourself", key="sum open", on_change="rerun")
    if folded.open:
        with folded:
            st.dataframe(said.table(info, words), hide_index=True, height="content")
            st.markdown("The average of the last column, weighted by the column “Seen”:")
            st.latex(said.arithmetic(info, words))
            st.caption(text.plain(said.after_the_sum(info, words)))
    return info


def usual_arm(traces: Sequence[Trace]) -> int:
    """Return the arm that is explained first: the one that falls where the race begins."""
    falls = [
        (out.by == out.arm, int(trace.samples[trace.rounds.searchsorted(out.round)]), out.arm)
        for trace in traces
        for out in trace.eliminations
    ]
    return min(falls)[2] if falls else int(traces[0].problem.ranking[0])


def _bounds(info: Why) -> str:
    """Write the two bounds that decided, large; the arm's upper bound is the lower one."""
    names = info.trace.problem.arms
    numbers = apart(info.upper, info.bar)
    size = ' class="long"' if len(numbers[0]) > SHORT else ""
    cells = [
        f"<div><span>{escape(names[arm])} is at {end}</span><b{size}>{number}</b></div>"
        for number, arm, end in zip(
            numbers, (info.arm, info.leader), ("most", "least"), strict=True
        )
    ]
    return f'<div class="race-bounds">{cells[0]}<b{size}>&lt;</b>{cells[1]}</div>'


def details(info: Why, words: Words) -> None:
    """Draw, folded away, what each arm's samples say, and which arm ruled out which."""
    name, trace = info.trace.problem.arms[info.arm], info.trace
    if why_sources.rows_of(info):
        about = st.expander(
            f"What the {words.samples} of each {words.arm} say about {text.plain(name)}",
            key="why sources open",
            on_change="rerun",
        )
        if about.open:
            with about:
                chart.show(
                    why_sources.draw(info, words),
                    "why by source",
                    why_sources.alt_text(info, words),
                )
                text.how_to_read(text.plain(said.reading(info, words)))
    which = st.expander(
        f"Which {words.arm} ruled out which", key="knockouts open", on_change="rerun"
    )
    if which.open:
        with which:
            chart.show(
                eliminations.draw(trace, words), "knockouts", eliminations.alt_text(trace, words)
            )
            text.how_to_read(
                f"Each line is one {words.arm}, the best at the top. The line ends where the "
                f"{words.arm} was ruled out. A cross means that its own {words.samples} decided. "
                f"A diamond means that those of another {words.arm} did; an arrow comes from there."
            )
