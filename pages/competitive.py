"""Competitive arms: which need real work?"""

import streamlit as st

from cbai.figures.base.style import percent, rounded_up
from cbai.figures.competitive import caps, cross_bounds, heatmap, pseudo_gaps
from cbai.figures.competitive.pseudo_gaps_at import alt_text_at, draw_at
from cbai.problem.pseudo_rewards import add_buffer
from cbai.results import true_competitive
from cbai.simulation import find
from cbai.ui.parts import chart, page
from cbai.ui.parts.answers import competitive_answer
from cbai.ui.runs import cache
from cbai.ui.shell import sidebar
from cbai.ui.shell.validity_sign import sign_of
from cbai.ui.visit import user_problem
from cbai.ui.visit.link_names import in_link
from cbai.ui.your_data.survey_sentences import only_estimated

STYLE = """
<style>
.stMainBlockContainer :is([data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"])
  :is(p, li) {
  max-width: 70ch;
}
</style>
"""

setup = sidebar.current()
words = setup.words
st.html(STYLE)
page.question(f"Which {words.arms} need real work?")
page.need_algorithms(setup)

names = sorted(setup.algorithms, key=lambda name: not find(name).uses_correlation)
if st.session_state.get("watched") not in names:
    st.session_state.pop("watched", None)
answers, figure, figure_controls = st.container(), st.container(), st.container()
with figure_controls, st.container(horizontal=True, key="watch"):
    watched = st.selectbox(
        "Algorithm",
        names,
        format_func=lambda name: find(name).title,
        key=in_link("watched"),
        bind="query-params",
        width=220,
        help="The estimates are made from the samples of this algorithm.",
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
        help="Moves through the run. The figure shows the estimates at that moment beside the "
        "truth.",
    )
    index = int((trace.samples <= at).sum()) - 1
    chart.show(draw_at(gaps, index, words), key="gaps at", alt=alt_text_at(gaps, index, words))


with answers:
    known = problem.pseudo_rewards
    if setup.p > 0.0:
        known = add_buffer(setup.problem.pseudo_rewards, setup.q, problem.reward_max)
    all_known = true_competitive(problem.with_pseudo_rewards(known))
    n = int(truth.competitive.sum())
    page.answer(
        f"All {problem.n_arms} {words.arms} are competitive. {words.no_survey}"
        if not setup.problem.has_pseudo_rewards
        else competitive_answer(n, int(all_known.competitive.sum()), problem.n_arms, setup.p, words)
    )
    if truth.contradicted:
        second = page.plain(problem.arms[problem.second_arm])
        st.markdown(
            f":red[:material/warning:] By the formula even {second}, the second best in these "
            "data, is non-competitive. The pseudo-rewards violate the assumption here. The line "
            "between competitive and non-competitive is therefore drawn too low."
        )
with figure:
    shown = caps.gather(problem)
    chart.show(caps.draw(shown, words), key="caps", alt=caps.alt_text(shown, words))
    page.how_to_read(
        f"A dot is how high the mean of {words.an_arm} can be at most, by the {words.samples} of "
        f"the best {words.arm}. Left of the dashed line, which is the mean of the second best, the "
        f"{words.arm} is non-competitive: those {words.samples} alone show that it cannot win. The "
        f"two best {words.arms} are competitive by definition. The number is the pseudo-gap: how "
        "far the dot is left of the dashed line; negative if it is right of it."
    )
    if n < problem.n_arms:
        out = ~truth.competitive
        share = trace.pulls[-1][out].sum() / trace.samples[-1]
        rest = problem.n_arms - n
        st.markdown(
            f"The {rest} non-competitive {words.arm if rest == 1 else words.arms} took "
            f"{percent(share)} of all {words.samples} of {trace.algorithm.title} in this run."
        )
st.subheader("How a run finds out", anchor=False)
_round_by_round()
page.how_to_read(
    f"The pseudo-gap is the distance from {words.an_arm}'s dot above to the dashed line. Right of "
    f"zero, {words.an_arm} is non-competitive. Filled marks are estimates after that many "
    f"{words.samples}. Open marks are the truth, given the pseudo-rewards that are known in this "
    "run."
)
chart.show(pseudo_gaps.draw_history(gaps, words), key="gaps", alt=pseudo_gaps.alt_text(gaps, words))

st.subheader(f"What one {words.arm} says about another", anchor=False)
matrix = cross_bounds.gather(problem)
chart.show(heatmap.draw(matrix, words), key="matrix", alt=heatmap.alt_text(matrix, words))

st.subheader("Is the assumption true?", anchor=False)
validity, trust = cache.get_validity(setup), user_problem.trust(setup.dataset_id)
n_pairs = problem.n_arms * (problem.n_arms - 1)
if setup.p == 1.0:
    st.markdown("No pseudo-reward is known here, so none can be too low.")
else:
    too_low = int(validity.violated_pairs.sum())
    counts = (
        f" There are {n_pairs:,} pairs of {words.arms}. When all pseudo-rewards are known, "
        f"{too_low:,} pairs are too low{'' if trust is None else ' in this survey'}. When "
        f"{percent(setup.p)} are unknown, {percent(validity.violated_share)} of the pairs are too "
        "low on average."
    )
    st.markdown(f"{sign_of(setup)}{counts if too_low else ''}")
    st.markdown(
        page.plain(only_estimated(trust))
        if trust is not None
        else f"- **q = {rounded_up(validity.smallest_q_best)}** is the smallest safety buffer that "
        f"makes all bounds on the best {words.arm} valid. The guarantee needs no more.\n"
        f"- **q = {rounded_up(validity.smallest_q_all)}** is the smallest safety buffer that makes "
        "every pair valid."
    )
page.where_from(setup)
