"""From a survey to a problem: the verdict, the ways of making pseudo-rewards, and the problem."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from cbai.figures.base.words import Words
from cbai.problem import Problem
from cbai.problem.choose import Choice
from cbai.problem.methods import METHODS
from cbai.problem.splits import Split
from cbai.ui.markdown import plain
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.shell import sidebar
from cbai.ui.visit.user_problem import OwnProblem
from cbai.ui.your_data import survey_tables, survey_verdict
from cbai.ui.your_data.in_hand import InHand, Recipe, choice_of, halves_of, problem_of
from cbai.ui.your_data.survey_choices import AUTO, JOINT, PAPERS, recipe_of
from cbai.ui.your_data.survey_sentences import holds_together

OTHER_WAYS = {
    AUTO: "Tightest valid way",
    JOINT: "Bounds that hold together",
    PAPERS: "The paper's mean",
}


def draw(hand: InHand, verdict: DeltaGenerator, settings: DeltaGenerator) -> OwnProblem | None:
    """Draw verdict and choices, and return the problem they make; None and a message if none.

    Parameters
    ----------
    hand : InHand
    verdict : DeltaGenerator
        The place for the verdict, above the settings.
    settings : DeltaGenerator
        The place for the choices, folded away.
    """
    try:
        with settings, st.expander("How the survey becomes pseudo-rewards"):
            recipe = recipe_of(hand)
            if recipe is None:
                return None
            problem, chosen, halves = problem_of(hand.key, hand.survey, recipe)
    except ValueError as error:
        verdict.error(plain(str(error)))
        return None
    words = Words(hand.arm.one, hand.arm.many, hand.sample.one, hand.sample.many)
    with verdict:
        promise = _promise(recipe, halves)
        trust = survey_verdict.draw(f"{hand.key} {recipe}", problem, chosen, halves, words, promise)
        _other_ways(recipe, _chosen(hand, recipe))
    with settings:
        with st.expander("All ways of making pseudo-rewards, side by side"):
            survey_tables.side_by_side(_by_method(hand, recipe))
        with st.expander("One pair in detail"):
            evidence = halves_of(hand.key, hand.survey, *recipe.place)[2]
            survey_tables.one_pair(problem, evidence, trust)
    method = METHODS[recipe.method]
    title = f"{method.title[0].lower()}{method.title[1:]}"
    provenance = f"{hand.words} {halves.words} Way of making pseudo-rewards: {title}."
    return OwnProblem(problem, hand.title, provenance, hand.arm, hand.sample, trust)


def _by_method(hand: InHand, recipe: Recipe) -> dict[str, Problem]:
    """Return the problem that each method makes, with its usual parameters."""
    return {
        name: problem_of(hand.key, hand.survey, replace(recipe, method=name, parameters=()))[0]
        for name in METHODS
    }


def _promise(recipe: Recipe, halves: Split) -> str:
    """Say what is proven about the answer if the bounds hold together; else nothing."""
    if recipe.method != JOINT:
        return ""
    fails = dict(recipe.parameters)["delta_prime"]
    return holds_together(sidebar.current().delta, fails, halves.how == "random")


def _chosen(hand: InHand, recipe: Recipe) -> Choice:
    """Return the way that the data choose."""
    return choice_of(hand.key, hand.survey, *recipe.place, recipe.min_people, recipe.min_ratings)


def _other_ways(recipe: Recipe, chosen: Choice) -> None:
    """Draw buttons for three common ways, with a mark at those in use."""
    by_data = (recipe.method, dict(recipe.parameters)) == (chosen.method, dict(chosen.parameters))
    in_use = {name for name in OTHER_WAYS if name == recipe.method or (name == AUTO and by_data)}
    title = METHODS[recipe.method].title
    said = f"Pseudo-rewards in use: {title[0].lower()}{title[1:]}."
    if by_data and chosen.method in OTHER_WAYS:
        same = OTHER_WAYS[chosen.method]
        said += f" Here the tightest valid way is {same[0].lower()}{same[1:]}."
    st.caption(said)
    with st.container(horizontal=True):
        for name, label in OTHER_WAYS.items():
            st.button(
                label,
                key=f"way {name}",
                icon=":material/check:" if name in in_use else None,
                on_click=_use_method,
                args=(name,),
                help="In use." if name in in_use else "Makes the pseudo-rewards this way.",
            )


def _use_method(name: str) -> None:
    st.session_state["method"] = name
