"""Problems that are typed in: tables that may have empty cells, of probabilities or counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from cbai import checks
from cbai.checks import quoted
from cbai.problem.estimate import moments, sparse_tally
from cbai.problem.problem import Problem

PERCENT_SLACK = 1e-6
"""How far the sum of typed probabilities may be from 1. They are divided by their sum."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A problem that was typed in, and which of its pseudo-rewards were left empty.

    Attributes
    ----------
    problem : Problem
        With b for every pseudo-reward that was left empty.
    padded : ndarray of bool, shape (K, K, V)
        The entries that were left empty; never on the diagonal.
    """

    problem: Problem
    padded: NDArray[np.bool_]


def build(
    arms: Sequence[str],
    values: ArrayLike,
    rewards: Sequence[Sequence[Any]],
    pseudo_rewards: Sequence[Sequence[Sequence[Any]]],
    reward_max: float | None = None,
    *,
    counts: bool = False,
) -> Entry:
    """Build a problem from tables as people type them.

    Parameters
    ----------
    arms : sequence of str
        The K arm names.
    values : array_like, shape (V,)
        The rewards, strictly increasing, in [0, `reward_max`].
    rewards : nested sequence, shape (K, V)
        One row for each arm, one column for each reward. The cells are probabilities, or, with
        `counts`, how often the reward occurs in a survey. No cell may be empty; write 0.
    pseudo_rewards : nested sequence, shape (K, K, V)
        Indexed (arm bounded, arm pulled, value). None, NaN or an empty string means unknown. It is
        replaced by b, as in Table 2 of the paper. The diagonal may be empty too: it is the reward
        itself.
    reward_max : float, optional
        The largest possible reward b; default the largest of `values`.
    counts : bool
        Whether `rewards` holds counts.

    Returns
    -------
    Entry

    Raises
    ------
    ValueError
        If a cell cannot be used. The message names the row and the column of the first one.
    """
    names = [str(arm) for arm in arms]
    support = checks.array("values", values, (None,))
    checks.strictly_increasing("values", support)
    top = float(support.max(initial=0.0)) if reward_max is None else reward_max
    b = checks.real("reward_max", top, 0.0, np.inf, open_ends=True)
    probabilities = reward_table(names, support, rewards, counts=counts)
    pseudo, padded = pad_unknown(names, support, pseudo_rewards, b)
    return Entry(Problem(names, support, probabilities, pseudo, b), padded)


def reward_table(
    arms: Sequence[str],
    values: NDArray[np.float64],
    table: Sequence[Sequence[Any]],
    *,
    counts: bool,
) -> NDArray[np.float64]:
    """Return the probabilities of a typed table, shape (K, V): see `build`."""
    _check_length("The table of rewards", table, len(arms), "one an arm")
    result = np.empty((len(arms), values.size))
    for k, arm in enumerate(arms):
        _check_length(f"Row {quoted(arm)} of the rewards", table[k], values.size, "one a reward")
        for v, reward in enumerate(values):
            where = f"Row {quoted(arm)}, column {reward:g} of the rewards"
            result[k, v] = _number(table[k][v], where, np.inf if counts else 1.0)
    sums = result.sum(axis=1)
    for arm, total in zip(arms, sums, strict=True):
        if not math.isfinite(total):
            raise ValueError(f"Row {quoted(arm)} of the rewards must have a finite sum.")
        if counts and total <= 0.0:
            raise ValueError(f"Row {quoted(arm)} of the rewards needs a count above 0, got none.")
        if not counts and abs(total - 1.0) > PERCENT_SLACK:
            raise ValueError(f"Row {quoted(arm)} of the rewards must sum to 1, got {total:g}.")
    probabilities: NDArray[np.float64] = result / sums[:, None]
    return probabilities


def pad_unknown(
    arms: Sequence[str],
    values: NDArray[np.float64],
    table: Sequence[Sequence[Sequence[Any]]],
    reward_max: float,
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the pseudo-rewards of a typed table, and which were empty, each of shape (K, K, V)."""
    n_arms = len(arms)
    pseudo = np.full((n_arms, n_arms, values.size), float(reward_max))
    padded = np.zeros(pseudo.shape, dtype=bool)
    _check_length("The table of pseudo-rewards", table, n_arms, "one an arm bounded")
    for bounded, name in enumerate(arms):
        title = f"Row {quoted(name)} of the pseudo-rewards"
        _check_length(title, table[bounded], n_arms, "one an arm pulled")
        for pulled, other in enumerate(arms):
            cells = table[bounded][pulled]
            _check_length(f"{title}, pulled {quoted(other)},", cells, values.size, "one a reward")
            for v, reward in enumerate(values):
                cell = cells[v]
                if _is_empty(cell):
                    padded[bounded, pulled, v] = bounded != pulled
                    continue
                where = (
                    f"Row {quoted(name)}, column {quoted(other)} = {reward:g} of the pseudo-rewards"
                )
                pseudo[bounded, pulled, v] = _number(cell, where, reward_max)
                _check_own(bounded == pulled, pseudo[bounded, pulled, v], reward, where)
    diagonal = np.arange(n_arms)
    pseudo[diagonal, diagonal] = values
    return pseudo, padded


def from_joint(
    arms: Sequence[str],
    values: ArrayLike,
    outcomes: ArrayLike,
    weights: ArrayLike,
    reward_max: float | None = None,
) -> Entry:
    """Build a problem whose pseudo-rewards are the conditional means of a joint distribution.

    Parameters
    ----------
    arms, values, reward_max
        As in `build`.
    outcomes : array_like of int, shape (N, K)
        One row for each outcome: the value index of every arm.
    weights : array_like, shape (N,)
        The probability of each outcome, or how many people gave it. The weights are divided by
        their sum.

    Returns
    -------
    Entry
        s_{l,k}(r) = E[R_l | R_k = r], the tightest valid pseudo-rewards, as in Table 1 of the
        paper. They are b where R_k = r does not occur.

    Raises
    ------
    ValueError
        If a shape is wrong, an index is not one of a value, or no weight is positive.
    """
    support = checks.array("values", values, (None,))
    checks.strictly_increasing("values", support)
    index = checks.array("outcomes", outcomes, (None, len(arms)))
    checks.entries_between("outcomes", index, 0.0, support.size - 1.0)
    if (index % 1.0).any():
        raise ValueError("outcomes must be indices of values, got one that is not whole.")
    weight = checks.array("weights", weights, (len(index),))
    checks.entries_between("weights", weight, 0.0, np.inf)
    if not 0.0 < weight.sum() < np.inf:
        raise ValueError(
            f"weights must have a sum above 0 that is finite, got {float(weight.sum()):g}."
        )
    n_rows, n_arms = index.shape
    people, pulled = (code.ravel() for code in np.indices((n_rows, n_arms)))
    given = np.repeat(np.maximum(weight, 0.0) / weight.sum(), n_arms)
    tally = sparse_tally(people, pulled, index.astype(int).ravel(), given, n_rows, n_arms, support)
    b = float(support[-1]) if reward_max is None else reward_max
    found = moments(tally)
    pseudo = np.where(found.ratings > 0.0, np.clip(found.mean, 0.0, b), b)
    pseudo[np.arange(n_arms), np.arange(n_arms)] = support
    marginals = tally.counts.sum(axis=0).reshape(n_arms, -1)
    marginals /= marginals.sum(axis=1, keepdims=True)
    padded = (found.ratings == 0.0) & ~np.eye(n_arms, dtype=bool)[:, :, None]
    return Entry(Problem(arms, support, marginals, pseudo, b), padded)


def _is_empty(cell: Any) -> bool:
    if isinstance(cell, str):
        return not cell.strip()
    if cell is None or cell is pd.NA:
        return True
    number = checks.to_float(cell)
    return number is not None and math.isnan(number)


def _number(cell: Any, where: str, high: float) -> float:
    if _is_empty(cell):
        raise ValueError(f"{where} is empty; write 0 for never.")
    number = checks.to_float(cell)
    if number is None or not math.isfinite(number):
        raise ValueError(f"{where} must be a number, got {quoted(cell)}.")
    return checks.real(where, number, 0.0, high)


def _check_own(diagonal: bool, own: float, reward: float, where: str) -> None:
    if diagonal and abs(own - reward) > checks.TOLERANCE:
        raise ValueError(
            f"{where} is an arm's bound on itself: it must be {reward:g} or empty, got {own:g}."
        )


def _check_length(name: str, rows: Any, length: int, what: str) -> None:
    found = len(rows) if hasattr(rows, "__len__") and not isinstance(rows, str) else None
    if found != length:
        got = "no list" if found is None else str(found)
        raise ValueError(f"{name} must have {length} entries, {what}, got {got}.")
