"""Competitive arms: which need real work?"""

import streamlit as st

from cbai.figures.base.style import percent, rounded_up
from cbai.figures.competitive import cross_bounds, heatmap, pseudo_gaps
from cbai.figures.competitive.pseudo_gaps_at import alt_text_at, draw_at
from cbai.results import true_competitive
from cbai.simulation import find
from cbai.ui.parts import chart, page
from cbai.ui.parts.answers import effort_answer
from cbai.ui.runs import cache
from cbai.ui.shell import sidebar
from cbai.ui.shell.validity_sign import sign_text
from cbai.ui.visit.link_names import in_link

setup = sidebar.current()
words = setup.words
page.question(f"Which {words.arms} need real work?")
page.need_algorithms(setup)

names = sorted(setup.algorithms, key=lambda name: not find(name).uses_correlation)
if st.session_state.get("watched") not in names:
    st.session_state.pop("watched", None)
answers, figure = st.container(), st.container()
with st.container(horizontal=True, key="watch"):
    watched = st.selectbox(
        "Watch",
        names,
        format_func=lambda name: find(name).title,
        key=in_link("watched"),
        bind="query-params",
        width=220,
        help="Whose samples the estimates are made from.",
    )
    number = page.run_number()
trace = cache.get_trace(setup, watched, number)
truth = true_competitive(trace.problem)
problem = trace.problem
gaps = pseudo_gaps.gather(trace)
round_of = dict(zip(trace.samples.tolist(), trace.rounds.tolist(), strict=True))


def _round_by_round() -> None:
    moments = trace.samples.tolist()
    if st.session_state.get("after") not in moments:
        st.session_state.pop("after", None)
    at = st.select_slider(
        f"After how many {words.samples}",
        moments,
        value=moments[-1],
        format_func=lambda n: f"{n:,} (round {round_of[n]:,})",
        key=in_link("after"),
        bind="query-params",
        help="Moves through the run: what it then believed of each, beside the truth.",
    )
    index = int((trace.samples <= at).sum()) - 1
    chart.show(draw_at(gaps, index, words), key="gaps at", alt=alt_text_at(gaps, index, words))


with answers:
    out = ~truth.competitive
    share = trace.pulls[-1][out].sum() / trace.samples[-1]
    page.answer(effort_answer(int(truth.competitive.sum()), problem.n_arms, share, words))
    if truth.contradicted:
        second = page.plain(problem.arms[problem.second_arm])
        st.markdown(
            f":red[:material/warning:] By the formula even {second}, second best in these data, "
            "could not compete: these pseudo-rewards break their own assumption, so the line "
            "between competitive and not is drawn too low."
        )
with figure:
    _round_by_round()
    page.how_to_read(
        "The pseudo-gap: by how much the second best beats what the best one's "
        f"{words.samples} say of {words.an_arm}. Right of zero it is non-competitive, as those "
        "alone show that it cannot win; the two best are competitive by definition. Filled marks "
        f"are estimates after that many {words.samples}, open ones the truth, with what is unknown "
        "in this run."
    )
    chart.show(
        pseudo_gaps.draw_history(gaps, words), key="gaps", alt=pseudo_gaps.alt_text(gaps, words)
    )

st.subheader(f"What one {words.arm} says of another", anchor=False)
matrix = cross_bounds.gather(problem)
chart.show(heatmap.draw(matrix, words), key="matrix", alt=heatmap.alt_text(matrix, words))

st.subheader("Is the assumption true?", anchor=False)
validity = cache.get_validity(setup)
n_pairs = problem.n_arms * (problem.n_arms - 1)
if setup.p == 1.0:
    st.markdown("Nothing is known here, so nothing can be too low.")
else:
    st.markdown(
        f"{sign_text(validity)} Of {n_pairs:,} pairs of two {words.arms}, "
        f"{int(validity.violated_pairs.sum()):,} are too low when all pseudo-rewards are known, "
        f"{percent(validity.violated_share)} on average when {percent(setup.p)} are unknown."
    )
    st.markdown(
        f"- Smallest safety buffer for the best {words.arm}, all that the guarantee needs: "
        f"**q = {rounded_up(validity.smallest_q_best)}**\n"
        f"- Smallest safety buffer for every pair: **q = {rounded_up(validity.smallest_q_all)}**"
    )
page.where_from(setup)
