"""The verdict on a survey: which option leads, how surely, and how many ratings are needed."""

from __future__ import annotations

import streamlit as st

from cbai.figures.base.words import Words
from cbai.figures.your_data import survey_means
from cbai.problem import Problem
from cbai.problem.lead import Lead, lead_of
from cbai.problem.methods import METHODS
from cbai.problem.splits import Split
from cbai.problem.survey import Survey
from cbai.problem.trust import Trust, says_something, trust_of
from cbai.results.survey_verdict import SurveyVerdict, verdict_of
from cbai.ui.markdown import plain
from cbai.ui.parts import chart, page
from cbai.ui.runs import fair_pool, held
from cbai.ui.shell import sidebar
from cbai.ui.visit.setup import largest_buffer
from cbai.ui.your_data import survey_sentences as say


@held.per_session(max_entries=8)
def _lead(key: str, _survey: Survey) -> Lead:
    return lead_of(_survey)


@held.per_session(max_entries=8)
def _trust(key: str, _problem: Problem, _survey: Survey, _halves: Split) -> Trust:
    # the page shows every way, and the people held out may have chosen this one
    return trust_of(_problem, _survey, _halves, ways=len(METHODS))


@held.per_session(max_entries=16)
def _verdict(
    key: str, delta: float, _problem: Problem, _lead: Lead, _survey: Survey, _trust: Trust
) -> SurveyVerdict:
    return verdict_of(
        _problem, _lead, _survey, delta=delta, trust=_trust, executor=fair_pool.executor()
    )


def draw(
    key: str, problem: Problem, survey: Survey, halves: Split, words: Words, promise: str
) -> Trust:
    """Draw the verdict, and return whether the bounds can be trusted.

    Parameters
    ----------
    key : str
        Different for every survey and for every way in which it becomes a problem.
    problem : Problem
    survey : Survey
        The survey of the options compared.
    halves : Split
        The people whose ratings make the pseudo-rewards, and those whose ratings test them.
    words : Words
    promise : str
        What is proven about the answer; may be empty.
    """
    lead = _lead(f"{key} {survey.arms}", survey)
    trust = _trust(f"{key} {problem.fingerprint}", problem, survey, halves)
    page.answer(say.headline(lead))
    chart.show(survey_means.draw(lead, words), "survey means", survey_means.alt_text(lead, words))
    page.how_to_read(say.how_to_read(words))
    place = st.empty()
    known = says_something(problem)
    trusted = say.trusts(trust, largest_buffer(problem)) if known else say.SAYS_NOTHING
    told = [say.decides(lead, words), say.sure(lead, words), trusted, promise]
    with place.container():
        _list(told)
        with st.spinner(f"Simulating how many {words.samples} it takes ..."):
            delta = sidebar.current().delta
            found = _verdict(f"{key} {problem.fingerprint}", delta, problem, lead, survey, trust)
    with place.container():
        helps = say.helps(found, words) if known else ""
        _list([*told[:2], say.needs(found, trust, words), helps, *told[2:]])
    st.caption(plain(f"{say.whose_ratings(lead)} {halves.words}"))
    return trust


def _list(sentences: list[str]) -> None:
    """Draw sentences as a list, with bold beginnings; names are shown literally."""
    st.markdown("\n".join(f"- {_bold_first(one)}" for one in sentences if one))


def _bold_first(sentence: str) -> str:
    first, _, rest = sentence.removeprefix("**").partition("**")
    return f"**{plain(first)}** {plain(rest.strip())}"
