"""From a survey to a problem: which arms, which split, which way of making pseudo-rewards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from cbai.datasets import Noun
from cbai.figures.base.words import Words
from cbai.problem import Problem
from cbai.problem.choose import Choice, choose_method
from cbai.problem.methods import DEFAULT_MIN_PEOPLE, METHODS, Method
from cbai.problem.splits import SPLITS, Split, evidence_of, make_problem, split, usual_split
from cbai.problem.survey import Survey, choose_arms
from cbai.ui.markdown import plain
from cbai.ui.runs import held
from cbai.ui.runs.streamlit_patches import DeltaGenerator
from cbai.ui.shell import sidebar
from cbai.ui.visit.link_names import in_link, number_in_link
from cbai.ui.visit.user_problem import OwnProblem
from cbai.ui.your_data import survey_tables, survey_verdict
from cbai.ui.your_data.survey_sentences import holds_together

MOST_ARMS = 25
LEAST = {1: number_in_link("least_1"), 5: number_in_link("least_5")}
"""The control of each usual number of ratings behind an entry."""
AUTO, PAPERS, JOINT = "auto", "mean", "joint"
"""The way that is chosen by the data, the one of the paper, and the one that promises most."""
OTHER_WAYS = {
    AUTO: "Tightest that holds",
    JOINT: "Bounds that hold together",
    PAPERS: "The paper's mean",
}

Place = tuple[tuple[str, ...], str, tuple[tuple[str, Any], ...]]
"""Options compared, kind of split, and its parameters."""


@dataclass(frozen=True, eq=False)
class InHand:
    """A survey that has been read.

    Attributes
    ----------
    key : str
        Tells it apart from every other: a digest of the file and how it was read.
    survey : Survey
    title : str
        What it is called.
    words : str
        Where it is from and how it was read, in a sentence or two.
    arm, sample : Noun
        What arms and samples are called.
    usual_split : str
        The split offered first, a key of `SPLITS`; empty for the one that fits the survey.
    usual_least : int
        How many ratings are asked for behind an entry at first.
    """

    key: str
    survey: Survey
    title: str
    words: str
    arm: Noun
    sample: Noun
    usual_split: str = ""
    usual_least: int = 1


@dataclass(frozen=True)
class Recipe:
    """Everything chosen on the way from a survey to a problem; a key for the cache as well."""

    arms: tuple[str, ...]
    how: str
    split_options: tuple[tuple[str, Any], ...]
    method: str
    parameters: tuple[tuple[str, float], ...]
    min_ratings: int
    min_people: int

    @property
    def place(self) -> Place:
        """Options compared, kind of split, and its parameters."""
        return self.arms, self.how, self.split_options


@held.per_session(max_entries=4)
def _halves(key: str, _survey: Survey, arms: tuple[str, ...], how: str, options: Any) -> Any:
    chosen = choose_arms(_survey, arms)
    halves = split(chosen, how, **dict(options))
    return chosen, halves, evidence_of(chosen, halves)


@held.per_session(max_entries=16)
def _problem(key: str, _survey: Survey, recipe: Recipe) -> tuple[Problem, Survey, Split]:
    chosen, halves, _ = _halves(key, _survey, *recipe.place)
    parameters: dict[str, Any] = dict(recipe.parameters)
    least = recipe.min_ratings, recipe.min_people
    problem = make_problem(chosen, halves, recipe.method, *least, **parameters)
    return problem, chosen, halves


@held.per_session(max_entries=16)
def _choice(
    key: str,
    _survey: Survey,
    arms: tuple[str, ...],
    how: str,
    options: Any,
    people: int,
    least: int,
) -> Choice:
    chosen, halves, _ = _halves(key, _survey, arms, how, options)
    return choose_method(chosen, halves, min_people=people, min_ratings=least)


def draw(hand: InHand, verdict: DeltaGenerator, settings: DeltaGenerator) -> OwnProblem | None:
    """Draw verdict and choices, and return the problem they make; None, and why, if none.

    Parameters
    ----------
    hand : InHand
    verdict : DeltaGenerator
        Where the verdict goes: above the settings.
    settings : DeltaGenerator
        Where the choices go, folded away.
    """
    try:
        with settings, st.expander("How the survey becomes pseudo-rewards"):
            recipe = _recipe(hand)
            if recipe is None:
                return None
            problem, chosen, halves = _problem(hand.key, hand.survey, recipe)
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
            evidence = _halves(hand.key, hand.survey, *recipe.place)[2]
            survey_tables.one_pair(problem, evidence, trust)
    method = METHODS[recipe.method]
    title = f"{method.title[0].lower()}{method.title[1:]}"
    provenance = f"{hand.words} {halves.words} How they are made: {title}."
    return OwnProblem(problem, hand.title, provenance, hand.arm, hand.sample, trust)


def _by_method(hand: InHand, recipe: Recipe) -> dict[str, Problem]:
    """Return the problem that each method makes, with its usual parameters."""
    return {
        name: _problem(hand.key, hand.survey, replace(recipe, method=name, parameters=()))[0]
        for name in METHODS
    }


def _promise(recipe: Recipe, halves: Split) -> str:
    """Say what is promised of the whole where the bounds hold together; else nothing."""
    if recipe.method != JOINT:
        return ""
    fails = dict(recipe.parameters)["delta_prime"]
    return holds_together(sidebar.current().delta, fails, halves.how == "random")


def _chosen(hand: InHand, recipe: Recipe) -> Choice:
    """Return the way that is chosen by the data."""
    return _choice(hand.key, hand.survey, *recipe.place, recipe.min_people, recipe.min_ratings)


def _other_ways(recipe: Recipe, chosen: Choice) -> None:
    """Draw buttons for three ways that one may want, with a mark at those that are in use."""
    by_data = (recipe.method, dict(recipe.parameters)) == (chosen.method, dict(chosen.parameters))
    in_use = {name for name in OTHER_WAYS if name == recipe.method or (name == AUTO and by_data)}
    title = METHODS[recipe.method].title
    said = f"Pseudo-rewards in use: {title[0].lower()}{title[1:]}."
    if by_data and chosen.method in OTHER_WAYS:
        same = OTHER_WAYS[chosen.method]
        said += f" The tightest way that holds is {same[0].lower()}{same[1:]} here."
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


def _recipe(hand: InHand) -> Recipe | None:
    survey = hand.survey
    counts = survey.ratings_per_arm
    ranked = sorted(survey.arms, key=lambda name: -counts[survey.arms.index(name)])
    if not set(st.session_state.get("arms") or ()) <= set(ranked):
        st.session_state.pop("arms", None)
    arms = st.multiselect(
        f"Which {hand.arm.many} to compare",
        ranked,
        default=ranked[:MOST_ARMS],
        key=in_link("arms"),
        bind="query-params",
        help="From the most to the least rated.",
    )
    if len(arms) < 2:
        st.info(f"Choose at least two {hand.arm.many}.")
        return None
    how, options = _split_choice(hand)
    kept = tuple(name for name in survey.arms if name in set(arms))
    place = kept, how, tuple(options.items())
    method, parameters, least, people = _method_choice(hand, place)
    return Recipe(*place, method, tuple(parameters.items()), least, people)


def _split_choice(hand: InHand) -> tuple[str, dict[str, Any]]:
    offered = [how for how in SPLITS if how != "column" or hand.survey.columns]
    if st.session_state.get("split") not in offered:
        st.session_state.pop("split", None)
    how = st.selectbox(
        "Whose ratings make the pseudo-rewards",
        offered,
        index=offered.index(hand.usual_split or usual_split(hand.survey)),
        format_func=SPLITS.__getitem__,
        key=in_link("split"),
        bind="query-params",
        help="The rewards are drawn from the ratings of the others. What one half says is tested "
        "on the other.",
    )
    options: dict[str, Any] = {}
    place = st.container(horizontal=True)  # always there, so that nothing below it moves
    if how == "random":
        with place:
            options["seed"] = st.number_input(
                "Seed of the split",
                0,
                10**9,
                0,
                key=number_in_link("split_seed"),
                bind="query-params",
                width=160,
                help="Another seed draws other people; the same one draws the same again.",
            )
            options["share"] = st.slider(
                "Share of the people",
                0.1,
                0.9,
                0.5,
                0.05,
                key=number_in_link("split_share"),
                bind="query-params",
                width=260,
                help="This share, drawn at random, makes the pseudo-rewards. The others test them.",
            )
    elif how == "column":
        with place:
            column = st.selectbox(
                "Column",
                list(hand.survey.columns),
                width=220,
                help="Splits the people by what is known of them.",
            )
            entries = sorted({str(entry) for entry in hand.survey.columns[column]})
            entry = st.selectbox(
                "Entry",
                entries,
                width=220,
                help="People with this entry make the pseudo-rewards. The others test them.",
            )
            options = {"column": column, "entry": entry}
    return how, options


def _method_choice(hand: InHand, place: Place) -> tuple[str, dict[str, float], int, int]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        people = st.number_input(
            "People needed behind an entry",
            1,
            10_000,
            DEFAULT_MIN_PEOPLE,
            key=number_in_link("least_people"),
            bind="query-params",
            width=260,
            help="An entry with fewer people behind it is the largest reward, which says nothing. "
            "A few people do not speak for others.",
        )
        least = st.number_input(
            "Ratings needed behind an entry",
            1,
            10_000,
            hand.usual_least,
            key=LEAST[hand.usual_least],
            bind="query-params",
            width=260,
            help="An entry with fewer ratings behind it is the largest reward, too. The paper "
            "needs 1 for film genres and 5 for books.",
        )
    chosen = st.selectbox(
        "How to make a pseudo-reward from them",
        [AUTO, *METHODS],
        format_func=_method_title,
        key=in_link("method"),
        bind="query-params",
        help="In the formulas, m, σ and n are the mean, standard deviation and number of the "
        "ratings of one option by the people who gave another option the rating r.",
    )
    if chosen == AUTO:
        found = _choice(hand.key, hand.survey, *place, int(people), int(least))
        st.caption(plain(found.words))
        _say_method(METHODS[found.method])
        return found.method, dict(found.parameters), int(least), int(people)
    method, parameters = METHODS[chosen], {}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for row in method.parameters:
            parameters[row.name] = st.number_input(
                row.title,
                row.low + (1e-6 if row.open_ends else 0.0),
                row.high - (1e-6 if row.open_ends else 0.0),
                row.default,
                format="%.3f",
                key=f"{method.name}_{row.name}",
                bind="query-params",
                width=260,
                help=row.meaning,
            )
    _say_method(method)
    return method.name, parameters, int(least), int(people)


def _method_title(name: str) -> str:
    if name == AUTO:
        return "The tightest that holds for the people who test"
    return f"{METHODS[name].title} (as in the paper)" if name == PAPERS else METHODS[name].title


def _say_method(method: Method) -> None:
    st.caption(
        f"The pseudo-reward of a rating r: s(r) = {method.formula}. What is guaranteed: "
        f"{method.guarantee[0].lower()}{method.guarantee[1:]} ({method.source})"
    )
