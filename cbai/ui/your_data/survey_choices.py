"""The choices on the way from a survey to a problem, folded away below the verdict."""

from __future__ import annotations

from typing import Any

import streamlit as st

from cbai.problem.methods import DEFAULT_MIN_PEOPLE, METHODS, Method
from cbai.problem.splits import SPLITS, usual_split
from cbai.ui.markdown import plain
from cbai.ui.visit.link_names import in_link, number_in_link
from cbai.ui.your_data.in_hand import InHand, Place, Recipe, choice_of

MOST_ARMS = 25
LEAST = {1: number_in_link("least_1"), 5: number_in_link("least_5")}
"""The key of the control for each default number of ratings that a pseudo-reward needs."""
AUTO, PAPERS, JOINT = "auto", "mean", "joint"
"""The way chosen by the data, the way of the paper, and the way with the strongest guarantee."""


def recipe_of(hand: InHand) -> Recipe | None:
    """Draw all choices and return them; None if there are too few options."""
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
        help="Sorted from the most to the least rated.",
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
        help="The ratings of the other people test the pseudo-rewards. Rewards are also drawn from "
        "them.",
    )
    options: dict[str, Any] = {}
    place = st.container(horizontal=True)  # always drawn; otherwise what is below would move
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
                help="Changes who is drawn; the same seed repeats the draw.",
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
                help="The ratings of this share of the people, drawn at random, make the "
                "pseudo-rewards. The others test them.",
            )
    elif how == "column":
        with place:
            column = st.selectbox(
                "Column",
                list(hand.survey.columns),
                width=220,
                help="Splits the people by their entries in this column.",
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
            "People needed for a pseudo-reward",
            1,
            10_000,
            DEFAULT_MIN_PEOPLE,
            key=number_in_link("least_people"),
            bind="query-params",
            width=260,
            help="With fewer people, the pseudo-reward is the largest reward, which says nothing. "
            "A few people say little about others.",
        )
        least = st.number_input(
            "Ratings needed for a pseudo-reward",
            1,
            10_000,
            hand.usual_least,
            key=LEAST[hand.usual_least],
            bind="query-params",
            width=260,
            help="With fewer ratings, the pseudo-reward is the largest reward, too. The paper "
            "needs 1 for film genres and 5 for books.",
        )
    chosen = st.selectbox(
        "How ratings become a pseudo-reward",
        [AUTO, *METHODS],
        format_func=_method_title,
        key=in_link("method"),
        bind="query-params",
        help="In the formulas, m, σ and n are the mean, standard deviation and number of the "
        "ratings of one option by the people who gave another option the rating r.",
    )
    if chosen == AUTO:
        found = choice_of(hand.key, hand.survey, *place, int(people), int(least))
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
        return "The tightest way that is valid for the people who test"
    return f"{METHODS[name].title} (as in the paper)" if name == PAPERS else METHODS[name].title


def _say_method(method: Method) -> None:
    st.caption(
        f"The pseudo-reward of a rating r: s(r) = {method.formula}. What is guaranteed: "
        f"{method.guarantee[0].lower()}{method.guarantee[1:]} ({method.source})"
    )
