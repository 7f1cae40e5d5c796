"""Samples: what does each algorithm cost?"""

import numpy as np
import streamlit as st

from cbai.figures.base.style import THIN_SPACE
from cbai.figures.samples import costs, sample_counts, sample_rows
from cbai.problem.validity import VIOLATED
from cbai.results import summarise
from cbai.results.praise import doubts
from cbai.simulation import Trials
from cbai.ui.parts import chart, fixed_budget, page
from cbai.ui.parts.answers import (
    cost_answer,
    cost_headline,
    error_answer,
    hardly_pulled,
    savings,
)
from cbai.ui.runs import cache, known_limit, on_demand, stopping
from cbai.ui.samples import keep
from cbai.ui.samples.lower_bound_sentences import (
    LOWER_BOUND_EXPLAINED,
    known_limit_answer,
    lower_bound_answer,
    split_answer,
)
from cbai.ui.samples.unasked import never_sampled
from cbai.ui.shell import link_check, sidebar

# If the largest reward is below this, the paper's bounds are wider for the first 100 pulls or more.
SMALL_UNIT = 0.2
STYLE = """
<style>
.stMainBlockContainer :is([data-testid="stMarkdownContainer"], [data-testid="stCaptionContainer"])
  :is(p, li) { max-width: 70ch; }
</style>
"""

setup = sidebar.current()
words = setup.words
title = st.container()
if fixed_budget.is_asked():
    fixed_budget.show(setup, title)
    link_check.report_page()
    st.stop()
with title:
    page.question("What does each algorithm cost?")
st.html(STYLE)
page.need_algorithms(setup)

limit, (known, why_not) = cache.get_limit(setup), known_limit.get_known_limit(setup)
validity = cache.get_validity(setup)
violated = validity.verdict == VIOLATED
answer, place = st.empty(), st.empty()


def _show(trials: Trials) -> None:
    """Draw the runs so far: the dots of each algorithm, and the bars of their means."""
    n, so_far = trials.samples.shape[1], trials.samples.shape[1] < setup.trials
    with answer.container():
        page.answer(
            f"{n:,} of {setup.trials:,} runs so far."
            if so_far
            else cost_headline(trials, words, validity)
        )
        if not so_far:
            page.say_if_undecided(setup)
            page.shout_if_violated(setup, setup.algorithms)
    later = why_not == known_limit.PENDING
    info = sample_rows.gather(trials, limit, doubts(trials, validity), known, known_later=later)
    with place.container():
        key = f"samples {n}" if so_far else "samples"
        chart.show(
            sample_counts.draw(info, words), key=key, alt=sample_counts.alt_text(info, words)
        )


trials = on_demand.stream(setup, _show)
if trials is None:
    stopping.say_stopped()
    st.stop()

runs: Trials = trials
_show(runs)
page.how_to_read(
    f"Means of {setup.trials:,} runs. Filled bars use the correlation; hatched bars do not. A "
    "percentage has its 95 % interval in brackets."
    + (
        ""
        if limit.tied
        else " Dashed line: no algorithm that ignores the correlation and errs at most δ of the "
        f"time on every problem needs fewer {words.samples} on average."
    )
    + (
        ""
        if known is None
        else " Dotted line: the same for those that trust the pseudo-rewards, if these are valid."
    )
)
if setup.problem.reward_max < SMALL_UNIT:
    st.caption(
        f"The largest reward here is {setup.problem.reward_max:g}. In units this small, the "
        f"paper's bounds need more {words.samples} than in larger units. If you can, choose units "
        "in which the largest reward is at least 2."
    )
page.explain_betting(setup)
st.markdown(page.plain(cost_answer(runs, words, validity)))
if saved := savings(runs, words, validity):
    st.markdown(page.plain(saved))
st.markdown(page.plain(lower_bound_answer(runs, limit, words, violated=violated)))
if of_those := known_limit_answer(runs, known, words, why_not):
    st.markdown(page.plain(of_those))
st.markdown(page.plain(hardly_pulled(trials, words)))
st.markdown(error_answer(trials, words))
page.promise(setup, trials.algorithms)
with st.expander("What the lower bounds say, and what they do not say"):
    st.markdown(LOWER_BOUND_EXPLAINED)

st.subheader(f"How many {words.samples} each {words.arm} costs", anchor=False)
cost_info = costs.gather(trials, limit)
chart.show(costs.draw(cost_info, words), key="costs", alt=costs.alt_text(cost_info, words))
page.how_to_read(
    f"The figure shows the mean number of {words.samples} of each {words.arm}, from the best "
    f"{words.arm} to the worst. The scale is logarithmic."
    + (
        ""
        if limit.tied
        else " Grey ticks show how an algorithm at the lower bound without correlation would split "
        f"its {words.samples}. If ticks and dots make the same shape, the algorithm samples the "
        f"right {words.arms}, just too often."
    )
)

if unasked := never_sampled(trials, words):
    st.markdown(page.plain(unasked))
st.markdown(page.plain(split_answer(trials, limit, words)))

st.subheader("All numbers", anchor=False)
numbers = summarise(trials)
unanswered = numbers["budget"] == numbers["trials"]
numbers.loc[unanswered, ["two_sigma", "error_rate", "error_low", "error_high"]] = np.nan
st.dataframe(
    numbers.drop(columns=["algorithm", "q25", "q75"]).set_index("title"),
    height="content",
    placeholder="–",
    column_config={
        "title": "Algorithm",
        "trials": st.column_config.NumberColumn("Runs"),
        "mean": st.column_config.NumberColumn("Mean", format="%,.0f"),
        "two_sigma": st.column_config.NumberColumn("2 σ", format="%,.0f"),
        "q05": st.column_config.NumberColumn(f"5{THIN_SPACE}%", format="%,.0f"),
        "q50": st.column_config.NumberColumn("Median", format="%,.0f"),
        "q95": st.column_config.NumberColumn(f"95{THIN_SPACE}%", format="%,.0f"),
        "errors": st.column_config.NumberColumn("Wrong"),
        "error_rate": st.column_config.NumberColumn("Error rate", format="percent"),
        "error_low": st.column_config.NumberColumn("At least", format="percent"),
        "error_high": st.column_config.NumberColumn("At most", format="percent"),
        "budget": st.column_config.NumberColumn("No answer"),
    },
)
st.caption(
    f"2 σ is twice the standard deviation over runs. Nine of ten runs lie between 5{THIN_SPACE}% "
    f"and 95{THIN_SPACE}%. “At least” and “At most” are the ends of the exact 95{THIN_SPACE}% "
    "interval of the error rate. A run without an answer is neither right nor wrong. It counts "
    f"with the {words.samples} that it had, so a mean over these runs is too low."
)
keep.draw(setup, runs, limit)
page.where_from(setup)
known_limit.compute_meanwhile(setup)
