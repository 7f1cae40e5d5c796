"""Why was this arm ruled out? A section of the race's page."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from cbai.figures.base.words import Words
from cbai.figures.race import eliminations, why_sources
from cbai.results.why import why
from cbai.simulation import Trace
from cbai.ui.parts import chart
from cbai.ui.parts import page as text
from cbai.ui.race import why_sentences as said
from cbai.ui.visit.link_names import in_link


def explain(traces: Sequence[Trace], words: Words) -> None:
    """Draw the choice of an arm and of an algorithm, and explain what decided."""
    st.subheader(f"Why was this {words.arm} ruled out?", anchor=False)
    problem = traces[0].problem
    ranked = [problem.arms[arm] for arm in problem.ranking]
    ruled_out = {out.arm for trace in traces for out in trace.eliminations}
    usual = next((arm for arm in problem.ranking[1:] if arm in ruled_out), problem.ranking[0])
    if st.session_state.get("why", ranked[0]) not in ranked:  # else the link would keep it
        st.session_state["why"] = problem.arms[usual]
    with st.container(horizontal=True, vertical_alignment="bottom", key="why choice"):
        name = st.selectbox(
            "Explain",
            ranked,
            index=ranked.index(problem.arms[usual]),
            key=in_link("why"),
            bind="query-params",
            help=f"All {words.arms}, from the best true mean to the worst.",
            width=260,
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
    st.markdown(text.plain(said.story(info, words)))
    false = said.warning(info, words)
    if false:
        st.markdown(f":red[:material/warning:] {text.plain(false)}")
    if why_sources.rows_of(info):
        chart.show(
            why_sources.draw(info, words), "why by source", why_sources.alt_text(info, words)
        )
        text.how_to_read(text.plain(said.reading(info, words)))
    with st.expander("Check the calculation"):
        st.dataframe(said.table(info, words), hide_index=True, height="content")
        st.markdown("The average of the last column, weighted by the column “Seen”:")
        st.latex(said.arithmetic(info, words))
        st.caption(text.plain(said.after_the_sum(info, words)))
    with st.expander(f"Which {words.arm} ruled out which"):
        trace = traces[which]
        chart.show(
            eliminations.draw(trace, words), "knockouts", eliminations.alt_text(trace, words)
        )
        text.how_to_read(
            f"Each line is one {words.arm}, the best at the top. The line ends where the "
            f"{words.arm} was ruled out. A cross means that its own {words.samples} decided. A "
            f"diamond means that those of another {words.arm} did; an arrow comes from there."
        )
