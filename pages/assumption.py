"""Assumption: are the pseudo-rewards valid?"""

from dataclasses import replace

import numpy as np
import streamlit as st

from cbai.figures.assumption import buffer_effect
from cbai.figures.base.style import THIN_SPACE, decimal, percent
from cbai.figures.competitive import cross_bounds, heatmap
from cbai.problem.buffers import shortfall
from cbai.problem.pseudo_rewards import add_buffer
from cbai.simulation import find
from cbai.ui.parts import chart, page
from cbai.ui.runs import ask, cache, on_demand
from cbai.ui.shell import sidebar
from cbai.ui.shell.validity_sign import sign_of
from cbai.ui.visit import user_problem
from cbai.ui.visit.link_names import in_link
from cbai.ui.visit.setup import largest_buffer, round_up
from cbai.ui.your_data.survey_sentences import only_estimated

GRID = 7

setup = sidebar.current()
words, problem = setup.words, setup.problem
validity = cache.get_validity(setup)
page.question("Are the pseudo-rewards valid?")
page.answer(sign_of(setup))
if not problem.has_pseudo_rewards:
    st.markdown(f"All {words.arms} must be sampled on their own.")
    st.stop()
trust = user_problem.trust(setup.dataset_id)


def _pair_by_pair() -> None:
    missing = shortfall(problem, setup.q)
    matrix = cross_bounds.gather(
        problem.with_pseudo_rewards(add_buffer(problem.pseudo_rewards, setup.q, problem.reward_max))
    )
    chart.show(heatmap.draw(matrix, words), "pairs", heatmap.alt_text(matrix, words))
    page.how_to_read(
        f"Each cell says how good the {words.arm} of its row is at most, on average, by the "
        f"{words.samples} of the {words.arm} of its column. A shaded cell rules out the "
        f"{words.arm} of its row: its bound is below the mean of the second best {words.arm}. The "
        "diagonal shows the means. A cross marks a bound that is too low."
    )
    if setup.p > 0.0:
        fewer = " Unknown ones cannot be too low, so fewer pairs are too low in a run."
        st.caption(
            "In this figure all pseudo-rewards are known, whatever p is."
            + (fewer if (missing > 0).any() else "")
        )
    if (missing > 0).any():
        bounded, pulled = (int(i) for i in np.unravel_index(missing.argmax(), missing.shape))
        st.markdown(
            f"The largest violation: the pseudo-reward from {page.plain(problem.arms[pulled])} for "
            f"{page.plain(problem.arms[bounded])} is too low by {decimal(float(missing.max()), 3)}."
        )


largest = largest_buffer(problem)
curve, suggestion = cache.get_buffers(setup)
some_too_low = trust is not None or bool(curve.violated_share.max() > 0.0)
if some_too_low:
    chart.show(
        buffer_effect.draw_violations(curve, setup.q, None if trust is None else trust.q_high),
        "violations",
        f"The share of pairs that are too low falls from {percent(curve.violated_share[0])} "
        f"without a buffer to {percent(curve.violated_share[-1])} at q = {largest:g}.",
    )
    page.how_to_read(
        f"A pair is too low if the pseudo-reward from one {words.arm} for another is, on average, "
        f"below the mean it bounds{'' if trust is None else ' in this survey'}. Only "
        f"pseudo-rewards that bound the best {words.arm} can make an answer wrong. "
        "If all of these are valid, the guarantee holds, whichever pseudo-rewards are unknown."
    )
else:  # a curve at 0 would show nothing
    _pair_by_pair()
if trust is None:
    st.markdown(page.plain(suggestion.words))
    offered = round_up(suggestion.q)
    if offered > largest:
        st.markdown(f"The largest buffer in the sidebar is q = {decimal(largest)}.")
else:
    st.markdown(page.plain(only_estimated(trust)))
    offered = round_up(trust.q_high) if trust.useful else 0.0
if setup.q < offered <= largest:
    st.button(
        f"Use q = {decimal(offered)}",
        key="use suggested buffer",
        help="Sets the safety buffer in the sidebar.",
        on_click=page.use_buffer,
        args=(setup.p, offered),
    )

relying = [name for name in setup.algorithms if find(name).trusts_pseudo_rewards]
st.subheader("Does this lead to wrong answers?", anchor=False)
if not relying:
    st.info(
        f"In the sidebar, choose an algorithm that rules out {words.arms} by their pseudo-rewards."
    )
else:
    if st.session_state.get("assumption_watched") not in relying:
        st.session_state.pop("assumption_watched", None)
    watched = st.selectbox(
        "Algorithm",
        relying,
        format_func=lambda name: find(name).title,
        key=in_link("assumption_watched"),
        help="Compares the rewards in a run of this algorithm with the pseudo-rewards.",
        bind="query-params",
        width=220,
    )
    traces = [cache.get_trace(setup, name) for name in dict.fromkeys([watched, "racing"])]
    for trace in traces:
        if cache.get_alarm(trace) is None:
            st.markdown(
                f"{trace.algorithm.title}, run 0: the rewards contradicted no pseudo-reward."
            )
    page.sound_alarms(traces)
    st.caption(
        f"An algorithm that trusts the pseudo-rewards rules out {words.an_arm} if their bound on "
        f"it is too low. The algorithm then never samples that {words.arm} again, so it cannot "
        f"notice. Racing samples every {words.arm} that is not ruled out, so it may notice."
    )
    grid = [round(float(q), 2) for q in np.linspace(0.0, largest, GRID)]
    sweep = f"{replace(setup, q=0.0)} {watched}"
    ask.button(
        f"Run {find(watched).title} at {GRID} buffers, {setup.trials:,} times each",
        "sweep",
        sweep,
        key="run sweep",
        help="Runs it with no buffer up to the largest. Shows how the buffer changes errors and "
        "cost.",
    )
    if ask.asked("sweep", sweep):
        runs = on_demand.get_many([(replace(setup, q=q), watched) for q in grid])
        if runs is None:
            st.info("Stopped before all runs were done.")
        else:
            info = buffer_effect.gather(runs)
            if missed := buffer_effect.without_answer(info, words):
                st.warning(missed)
            left, right = st.columns(2)
            with left:
                chart.show(
                    buffer_effect.draw_errors(info),
                    "errors by q",
                    buffer_effect.alt_text(info, words),
                )
            with right:
                chart.show(
                    buffer_effect.draw_samples(info, words),
                    "samples by q",
                    buffer_effect.alt_text(info, words),
                )
            page.how_to_read(
                f"Left: the share of wrong answers with its exact 95{THIN_SPACE}% interval; the "
                f"line is what δ allows. Right: the mean {words.samples} with two standard "
                "deviations over runs."
            )

if some_too_low:
    st.subheader("Pair by pair", anchor=False)
    _pair_by_pair()
page.where_from(setup)
