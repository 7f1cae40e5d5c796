"""Race: how does an algorithm become sure?"""

import numpy as np
import pandas as pd
import streamlit as st

from cbai.figures.race.frames import outcomes
from cbai.simulation import find
from cbai.ui.parts import page
from cbai.ui.race import animation, why
from cbai.ui.race.why_sentences import habit_of, line
from cbai.ui.runs import cache
from cbai.ui.shell import sidebar
from cbai.ui.visit.link_names import in_link

setup = sidebar.current()
words = setup.words
page.question("How does an algorithm become sure?")
page.need_algorithms(setup)


def _pick() -> tuple[list[str], int]:
    names = list(setup.algorithms)
    correlated = [name for name in names if find(name).uses_correlation]
    classical = [name for name in names if not find(name).uses_correlation]
    usual = [*correlated[:1], *classical[:1], *names]
    chosen = []
    with st.container(horizontal=True, key="race choice", vertical_alignment="bottom"):
        for key, label, which in (
            (in_link("left"), "First algorithm", 0),
            (in_link("right"), "Second algorithm", 1),
        ):
            if len(names) > which:
                offered = [name for name in names if name not in chosen]
                if st.session_state.get(key) not in offered:
                    st.session_state.pop(key, None)
                chosen.append(
                    st.selectbox(
                        label,
                        offered,
                        index=offered.index(
                            next(name for name in usual[which:] if name in offered)
                        ),
                        format_func=lambda name: find(name).title,
                        key=key,
                        bind="query-params",
                        width=180,
                        help="One of the algorithms chosen in the sidebar.",
                    )
                )
        number = page.run_number()
    return chosen, number


st.html(why.style(setup.problem.n_arms))
answers = st.container()
with st.container(key="race-room"), st.container(key="race-and-reason"):
    figure, reason = st.container(key="race-figure"), st.container(key="race-reason")
with figure:
    picture, below = st.container(), st.container()
    pair, number = _pick()
    with below, st.spinner("Simulating the runs ...", show_time=True):
        traces = [cache.get_trace(setup, name, number) for name in pair]
with answers:
    page.answer(outcomes(traces, words))
    page.say_if_undecided(setup)
    page.shout_if_violated(setup, pair)
with picture:
    animation.draw(traces, words, cache.traces_key(setup, pair, number))
with reason:
    asked = why.explain(traces, words)
page.how_to_read(
    f"A row is {words.an_arm}: its mean so far, and from where to where the true mean may lie. "
    f"{line([trace.algorithm for trace in traces], words)} Click {words.an_arm} to read why it was "
    "ruled out."
)
with st.expander("All marks and keys"):
    st.markdown(
        f"- ★ marks the best {words.arm} in these data. A hollow dot is off the scale.\n"
        f"- A tall coloured end is an upper bound set by the {words.samples} of another "
        f"{words.arm}. Point at the row to see which.\n"
        f"- The bar on the right counts the {words.arm}'s own {words.samples}.\n"
        "- Coloured rows are being sampled.\n"
        f"- Time runs with the logarithm of the {words.samples}.\n"
        "- Keyboard: Tab reaches the rows; the arrow keys move; Enter explains a row."
    )
page.sound_alarms(traces)
why.details(asked, words)

table = st.expander(
    f"Which {words.arms} were ruled out, and when", key="falls open", on_change="rerun"
)
if table.open:
    with table:
        for trace in traces:
            st.markdown(f"**{trace.algorithm.title}**")
            if not trace.eliminations:
                habit = habit_of(trace.algorithm, words) or f"rules {words.arms} out one by one"
                st.caption(
                    f"In this run no {words.arm} was ruled out. {trace.algorithm.title} {habit}."
                )
                continue
            arms = trace.problem.arms
            st.dataframe(
                pd.DataFrame(
                    {
                        "Round": [out.round for out in trace.eliminations],
                        words.arm.capitalize(): [arms[out.arm] for out in trace.eliminations],
                        f"Own {words.samples} by then": [
                            int(trace.pulls[np.searchsorted(trace.rounds, out.round), out.arm])
                            for out in trace.eliminations
                        ],
                        "Ruled out by": [
                            f"its own {words.samples}" if out.by == out.arm else arms[out.by]
                            for out in trace.eliminations
                        ],
                    }
                ),
                hide_index=True,
            )
page.promise(setup, [trace.algorithm for trace in traces])
page.where_from(setup)
