"""From a survey to a problem: which arms, which split, which way of making pseudo-rewards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cbai.datasets import Noun
from cbai.figures.style import percent
from cbai.figures.words import Words
from cbai.problem import Problem
from cbai.problem.choose import Choice, choose_method
from cbai.problem.methods import DEFAULT_MIN_PEOPLE, METHODS, Method
from cbai.problem.splits import SPLITS, Split, evidence_of, make_problem, split, usual_split
from cbai.problem.survey import Survey, choose_arms
from cbai.problem.validity import check_validity
from cbai.ui import survey_verdict
from cbai.ui.own import OwnProblem
from cbai.ui.plain import plain

MOST_ARMS = 25
AUTO, PAPERS = "auto", "mean"
"""The way that is chosen by the data, and the one of the paper's experiments."""

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


@st.cache_resource(scope="session", max_entries=4, show_spinner=False)
def _halves(key: str, _survey: Survey, arms: tuple[str, ...], how: str, options: Any) -> Any:
    chosen = choose_arms(_survey, arms)
    halves = split(chosen, how, **dict(options))
    return chosen, halves, evidence_of(chosen, halves)


@st.cache_resource(scope="session", max_entries=16, show_spinner=False)
def _problem(key: str, _survey: Survey, recipe: Recipe) -> tuple[Problem, Survey, Split]:
    chosen, halves, _ = _halves(key, _survey, recipe.arms, recipe.how, recipe.split_options)
    parameters: dict[str, Any] = dict(recipe.parameters)
    least = recipe.min_ratings, recipe.min_people
    problem = make_problem(chosen, halves, recipe.method, *least, **parameters)
    return problem, chosen, halves


@st.cache_resource(scope="session", max_entries=16, show_spinner=False)
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
        survey_verdict.draw(f"{hand.key} {recipe}", problem, chosen, halves, words)
    with settings:
        _side_by_side(hand, recipe)
        _one_pair(hand, recipe, problem)
    method = METHODS[recipe.method]
    provenance = f"{hand.words} {halves.words} Pseudo-rewards: {method.title.lower()}."
    return OwnProblem(problem, hand.title, provenance, hand.arm, hand.sample)


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
        key="arms",
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
        key="split",
        bind="query-params",
        help="The rewards are drawn from the ratings of the others, so that what one half says can "
        "be checked on the other.",
    )
    options: dict[str, Any] = {}
    if how == "random":
        with st.container(horizontal=True):
            options["seed"] = st.number_input(
                "Seed of the split",
                0,
                10**9,
                0,
                key="split_seed",
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
                key="split_share",
                bind="query-params",
                width=260,
                help="So many of them, drawn at random, make the pseudo-rewards.",
            )
    elif how == "column":
        with st.container(horizontal=True):
            column = st.selectbox(
                "Column",
                list(hand.survey.columns),
                width=220,
                help="What is known of the people, by which they are split.",
            )
            entries = sorted({str(entry) for entry in hand.survey.columns[column]})
            entry = st.selectbox(
                "Entry",
                entries,
                width=220,
                help="Whoever has this entry makes the pseudo-rewards; rewards are the others'.",
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
            key="least_people",
            bind="query-params",
            width=260,
            help="With fewer the entry is the largest reward, which says nothing: a few people do "
            "not speak for others.",
        )
        least = st.number_input(
            "Ratings needed behind an entry",
            1,
            10_000,
            hand.usual_least,
            key=f"least_{hand.usual_least}",
            bind="query-params",
            width=260,
            help="The same for ratings. The paper needs 1 for film genres and 5 for books.",
        )
    chosen = st.selectbox(
        "How to make a pseudo-reward from them",
        [AUTO, *METHODS],
        format_func=_method_title,
        key="method",
        bind="query-params",
        help="m, σ and n: mean, standard deviation and number behind the ratings of one option "
        "by the people who gave another one the reward r.",
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
        return "The tightest that holds on the held-out people"
    return f"{METHODS[name].title} (as in the paper)" if name == PAPERS else METHODS[name].title


def _say_method(method: Method) -> None:
    st.caption(
        f"The pseudo-reward of a reward r: s(r) = {method.formula}. What is guaranteed: "
        f"{method.guarantee[0].lower()}{method.guarantee[1:]} ({method.source})"
    )


def method_row(method: Method, problem: Problem) -> dict[str, Any]:
    """Return what the table of methods shows for one of them."""
    validity = check_validity(problem)
    return {
        "Method": method.title,
        "Pairs too low": percent(validity.violated_share),
        "Verdict": validity.verdict,
        "Safe q": validity.smallest_q_best,
        "Mean pseudo-reward": float(problem.pseudo_rewards.mean()),
    }


def _side_by_side(hand: InHand, recipe: Recipe) -> None:
    with st.expander("All ways of making pseudo-rewards, side by side"):
        rows = []
        for name, method in METHODS.items():
            other = Recipe(
                recipe.arms, recipe.how, recipe.split_options, name, (), recipe.min_ratings,
                recipe.min_people,
            )  # fmt: skip
            rows.append(method_row(method, _problem(hand.key, hand.survey, other)[0]))
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            column_config={
                "Safe q": st.column_config.NumberColumn(format="%.3f"),
                "Mean pseudo-reward": st.column_config.NumberColumn(format="%.3f"),
            },
        )
        st.caption(
            "Each with its usual parameters. A safer way has fewer pairs too low; the price is a "
            "larger mean pseudo-reward, which rules out less. All pseudo-rewards are known here, "
            "whatever the sidebar's p says."
        )


def _arm(label: str, key: str, problem: Problem, usual: int) -> str:
    if st.session_state.get(key) not in problem.arms:
        st.session_state.pop(key, None)
    return str(
        st.selectbox(
            label,
            problem.arms,
            index=usual,
            key=key,
            bind="query-params",
            width=260,
            help="Which pair to look at: what ratings of one say of the other, at most.",
        )
    )


def _one_pair(hand: InHand, recipe: Recipe, problem: Problem) -> None:
    with st.expander("One pair in detail"):
        with st.container(horizontal=True):
            bounded = _arm("What is bounded", "pair_bounded", problem, 1)
            pulled = _arm("What was rated", "pair_pulled", problem, 0)
        if bounded == pulled:
            st.info("Choose two different ones.")
            return
        low, k = problem.arms.index(bounded), problem.arms.index(pulled)
        _, _, evidence = _halves(
            hand.key, hand.survey, recipe.arms, recipe.how, recipe.split_options
        )
        found = evidence.moments
        st.dataframe(
            pd.DataFrame(
                {
                    f"Rating of {pulled}": problem.values,
                    f"Pseudo-reward of {bounded}": problem.pseudo_rewards[low, k],
                    "Mean in the survey": found.mean[low, k],
                    "Standard deviation": found.deviation[low, k],
                    "Ratings behind it": found.ratings[low, k],
                    "People behind it": found.people[low, k],
                }
            ),
            hide_index=True,
        )
