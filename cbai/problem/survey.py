"""Surveys: ratings of arms by people, and a choice of arms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cbai import checks
from cbai.checks import quoted
from cbai.problem.estimate import Tally, sparse_tally


@dataclass(frozen=True, eq=False)
class Survey:
    """Ratings of arms by people.

    Parameters
    ----------
    arms : sequence of str
        The K arm names.
    values : array_like, shape (V,)
        The ratings that can be given, strictly increasing, in [0, `reward_max`].
    person, arm, value : array_like of int, shape (N,)
        One entry for each rating: the indices of the person, the arm and the value. People are
        numbered from 0 in the order of their ids. A person may rate an arm several times.
    weight : array_like, shape (N,), optional
        How many times each rating counts, finite and not negative; default 1.
    columns : mapping of str to array_like of shape (P,), optional
        Other information about each person, such as a country.
    n_people : int, optional
        P; by default the length of the columns, or the largest code plus 1.
    reward_max : float, optional
        The largest possible reward b; default the largest of `values`.

    Raises
    ------
    ValueError
        If a shape or a code is wrong, a weight is negative or not finite, or there are fewer than
        2 arms.
    """

    arms: tuple[str, ...]
    values: NDArray[np.float64]
    person: NDArray[np.integer[Any]]
    arm: NDArray[np.integer[Any]]
    value: NDArray[np.integer[Any]]
    weight: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    n_people: int = 0
    reward_max: float = 0.0

    def __post_init__(self) -> None:
        """Check every field and make the arrays read-only."""
        arms = tuple(str(arm) for arm in self.arms)
        if len(arms) < 2 or len(set(arms)) < len(arms):
            raise ValueError(f"arms must be at least 2 different names, got {_shown(arms)}.")
        values = checks.array("values", self.values, (None,))
        checks.strictly_increasing("values", values)
        top = self.reward_max if self.reward_max else (values[-1] if values.size else 0.0)
        b = checks.real("reward_max", float(top), 0.0, np.inf, open_ends=True)
        checks.entries_between("values", values, 0.0, b)
        columns = {str(name): np.asarray(column) for name, column in self.columns.items()}
        n_ratings = np.size(self.person)
        n_people = self.n_people or _number_of_people(self.person, columns)
        _check_columns(columns, n_people)
        fields = {
            "arms": arms,
            "values": values,
            "person": _codes("person", self.person, n_ratings, n_people),
            "arm": _codes("arm", self.arm, n_ratings, len(arms)),
            "value": _codes("value", self.value, n_ratings, values.size),
            "weight": _weights(self.weight, n_ratings),
            "columns": columns,
            "n_people": n_people,
            "reward_max": b,
        }
        for name, content in fields.items():
            if isinstance(content, np.ndarray):
                content.setflags(write=False)
            object.__setattr__(self, name, content)

    @property
    def n_arms(self) -> int:
        """The number of arms K."""
        return len(self.arms)

    @property
    def ratings_per_arm(self) -> NDArray[np.float64]:
        """The ratings of each arm, with their weights, shape (K,)."""
        return np.bincount(self.arm, self.weight, minlength=self.n_arms).astype(np.float64)

    @property
    def ratings_per_person(self) -> NDArray[np.float64]:
        """The ratings by each person, with their weights, shape (P,)."""
        return np.bincount(self.person, self.weight, minlength=self.n_people).astype(np.float64)


def choose_arms(survey: Survey, arms: Sequence[str]) -> Survey:
    """Return the survey with some of its arms, in the order given; people keep their codes.

    Raises
    ------
    ValueError
        If a name is unknown or given twice, or fewer than 2 are given.
    """
    number = {name: code for code, name in enumerate(survey.arms)}
    new_code = np.full(survey.n_arms, -1)
    for code, name in enumerate(arms):
        if not isinstance(name, str) or name not in number:
            raise ValueError(f"arms must be arms of the survey, got {quoted(name)}.")
        new_code[number[name]] = code
    kept = new_code[survey.arm] >= 0
    return replace(
        survey,
        arms=tuple(arms),
        person=survey.person[kept],
        arm=new_code[survey.arm[kept]],
        value=survey.value[kept],
        weight=survey.weight[kept],
    )


def top_arms(survey: Survey, n: int) -> Survey:
    """Return the survey with its `n` most rated arms, most rated first, earlier arms in a tie."""
    n = checks.whole("n", n, 2, survey.n_arms)
    order = np.argsort(-survey.ratings_per_arm, kind="stable")[:n]
    return choose_arms(survey, [survey.arms[code] for code in order])


def tally_of(survey: Survey, people: NDArray[np.bool_]) -> Tally:
    """Count the ratings of some people; `people` is a boolean array of shape (P,)."""
    kept = people[survey.person]
    return sparse_tally(
        survey.person[kept],
        survey.arm[kept],
        survey.value[kept],
        survey.weight[kept],
        survey.n_people,
        survey.n_arms,
        survey.values,
    )


def rated_together(tally: Tally) -> NDArray[np.int64]:
    """Return how many people rated both of two arms, shape (K, K); the bound is b if nobody did."""
    rated = tally.per_arm(np.ones_like(tally.values))
    rated.data = np.ones_like(rated.data)
    return np.asarray((rated.T @ rated).toarray(), dtype=np.int64)


def _number_of_people(person: ArrayLike, columns: Mapping[str, NDArray[Any]]) -> int:
    largest = int(np.asarray(person).max(initial=-1))
    return max(largest + 1, *(len(column) for column in columns.values()), 0)


def _check_columns(columns: Mapping[str, NDArray[Any]], n_people: int) -> None:
    for name, column in columns.items():
        if column.shape != (n_people,):
            raise ValueError(
                f"column {quoted(name)} must hold {n_people} entries, one a person, "
                f"got shape {column.shape}."
            )


def _codes(name: str, codes: ArrayLike, length: int, below: int) -> NDArray[np.int32]:
    found = np.asarray(codes)
    if found.shape != (length,) or (length and not np.issubdtype(found.dtype, np.integer)):
        raise ValueError(
            f"{name} must be {length} whole numbers, got {found.dtype} of shape {found.shape}."
        )
    if length and (found.min() < 0 or found.max() >= below):
        raise ValueError(
            f"{name} must lie in [0, {below}), got from {found.min()} to {found.max()}."
        )
    return found.astype(np.int32)


def _weights(weights: ArrayLike, length: int) -> NDArray[np.float64]:
    found = np.asarray(weights, dtype=np.float64)
    if not found.size:
        return np.ones(length)
    found = checks.array("weight", found, (length,))
    checks.entries_between("weight", found, 0.0, np.inf)
    return np.maximum(found, 0.0)


def _shown(names: Sequence[str]) -> str:
    return repr(list(names[:5])) + (" ..." if len(names) > 5 else "")
