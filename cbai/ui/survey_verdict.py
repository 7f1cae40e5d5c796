"""The verdict on a survey, before any setting: who leads, how surely, and what it would take."""

from __future__ import annotations

import streamlit as st

from cbai.figures import survey_means
from cbai.figures.style import rounded_up
from cbai.figures.words import Words
from cbai.problem import Problem
from cbai.problem.lead import Lead, lead_of
from cbai.problem.splits import Split
from cbai.problem.survey import Survey
from cbai.problem.trust import Trust, trust_of
from cbai.results.survey_need import Needs, needs_of
from cbai.ui import cache, chart, sidebar, text
from cbai.ui import survey_sentences as say
from cbai.ui.plain import plain


@st.cache_resource(scope="session", max_entries=8, show_spinner=False)
def _lead(key: str, _survey: Survey) -> Lead:
    return lead_of(_survey)


@st.cache_resource(scope="session", max_entries=8, show_spinner=False)
def _trust(key: str, _problem: Problem, _survey: Survey, _halves: Split) -> Trust:
    return trust_of(_problem, _survey, _halves)


@st.cache_resource(scope="session", max_entries=16, show_spinner=False)
def _needs(fingerprint: str, delta: float, _problem: Problem) -> Needs | None:
    return needs_of(_problem, delta, executor=cache.executor())


def draw(key: str, problem: Problem, survey: Survey, halves: Split, words: Words) -> None:
    """Draw the verdict.

    Parameters
    ----------
    key : str
        Tells the survey, and how it becomes a problem, apart from every other.
    problem : Problem
    survey : Survey
        With the options that are compared.
    halves : Split
        Whose ratings make the problem.
    words : Words
    """
    lead = _lead(f"{key} {survey.arms}", survey)
    trust = _trust(f"{key} {problem.fingerprint}", problem, survey, halves)
    text.answer(say.headline(lead, words))
    chart.show(survey_means.draw(lead, words), "survey means", survey_means.alt_text(lead, words))
    text.how_to_read(say.how_to_read(lead, words))
    st.markdown(f"- {_safe(say.decides(lead, words))}\n- {_safe(say.trusts(trust, words))}")
    place = st.empty()
    with place, st.spinner("Playing runs to see what it would take ..."):
        delta = sidebar.current().delta
        found = _needs(problem.fingerprint, delta, problem)
    ratings = round(float(survey.ratings_per_arm.sum()))
    told = [say.needs(found, delta, ratings, words), say.helps(found, words)]
    place.markdown("\n".join(f"- {_safe(one)}" for one in told if one))
    if trust.held_out and not trust.safe and (q := float(rounded_up(trust.q_high))) > 0.0:
        st.caption(
            f"On the other pages the sidebar's safety buffer is yours to choose: q = {q:g} is on "
            "the safe side here."
        )


def _safe(sentence: str) -> str:
    """Return a sentence for Markdown: names show as they are, and what stands first is bold."""
    if not sentence.startswith("**"):
        return plain(sentence)
    first, _, rest = sentence[2:].partition("**")
    return f"**{plain(first)}**{_spaced(rest)}"


def _spaced(rest: str) -> str:
    return f" {plain(rest.strip())}" if rest.strip() else ""
