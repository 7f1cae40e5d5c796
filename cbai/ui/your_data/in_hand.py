"""A survey that has been read, what is chosen about it, and the problem that follows; cached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from cbai.datasets import Noun
from cbai.problem import Problem
from cbai.problem.choose import Choice, choose_method
from cbai.problem.splits import Split, evidence_of, make_problem, split
from cbai.problem.survey import Survey, choose_arms
from cbai.ui.runs import held

Place = tuple[tuple[str, ...], str, tuple[tuple[str, Any], ...]]
"""Options compared, kind of split, and its parameters."""


@dataclass(frozen=True, eq=False)
class InHand:
    """A survey that has been read.

    Attributes
    ----------
    key : str
        A digest of the file and of how it was read; different for every survey.
    survey : Survey
    title : str
        The name of the survey.
    words : str
        One or two sentences on where the survey is from and how it was read.
    arm, sample : Noun
        The nouns for arms and samples.
    usual_split : str
        The default split, a key of `SPLITS`; empty for the split that fits the survey.
    usual_least : int
        The default number of ratings that a pseudo-reward needs.
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
    """All choices on the way from a survey to a problem; also a key for the cache."""

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
def halves_of(key: str, _survey: Survey, arms: tuple[str, ...], how: str, options: Any) -> Any:
    """Return the survey of the options compared, its split, and the evidence of one half."""
    chosen = choose_arms(_survey, arms)
    halves = split(chosen, how, **dict(options))
    return chosen, halves, evidence_of(chosen, halves)


@held.per_session(max_entries=16)
def problem_of(key: str, _survey: Survey, recipe: Recipe) -> tuple[Problem, Survey, Split]:
    """Return the problem of a recipe, the survey of the options compared, and its split."""
    chosen, halves, _ = halves_of(key, _survey, *recipe.place)
    parameters: dict[str, Any] = dict(recipe.parameters)
    least = recipe.min_ratings, recipe.min_people
    problem = make_problem(chosen, halves, recipe.method, *least, **parameters)
    return problem, chosen, halves


@held.per_session(max_entries=16)
def choice_of(
    key: str,
    _survey: Survey,
    arms: tuple[str, ...],
    how: str,
    options: Any,
    people: int,
    least: int,
) -> Choice:
    """Return the way of making pseudo-rewards that the data choose."""
    chosen, halves, _ = halves_of(key, _survey, arms, how, options)
    return choose_method(chosen, halves, min_people=people, min_ratings=least)
