"""The data sets that ship, behind one registry.

A new data set is one `Dataset` row in a file of its own, added to the tuple below.
"""

from __future__ import annotations

from functools import cache

from cbai import checks
from cbai.checks import quoted
from cbai.datasets import captions, genres, paper, poetry, small, stories
from cbai.datasets.dataset import Dataset, Noun
from cbai.problem import Problem

__all__ = ["DATASETS", "Dataset", "Noun", "load_problem"]

DATASETS: dict[str, Dataset] = {
    row.id: row
    for row in (
        genres.DATASET,
        small.DATASET,
        poetry.DATASET,
        stories.AD_DATASET,
        stories.DRUG_DATASET,
        captions.CLEAR,
        captions.CLOSE,
        paper.TWO_ARMS,
        paper.THREE_ARMS,
    )
}
"""Name to data set, in the order shown to the user."""


def load_problem(name: str, **options: str) -> Problem:
    """Return a built-in problem, ready to simulate.

    Parameters
    ----------
    name : str
        A key of `DATASETS`.
    **options : str
        Choices among the data set's ``options``; those left out take their first value.

    Returns
    -------
    Problem
        Built once for each name and choice; later calls return the same read-only object.

    Raises
    ------
    ValueError
        If the name, an option or its value is unknown.

    Examples
    --------
    >>> import cbai
    >>> problem = cbai.load_problem("paper-two-arms", table="a")
    >>> problem.n_arms
    2
    >>> list(cbai.DATASETS["paper-two-arms"].options["table"])
    ['a', 'b']
    """
    dataset = DATASETS[checks.one_of("name", name, DATASETS)]
    for option in options:
        if not dataset.options:
            raise ValueError(f"{name} takes no options; got {quoted(option)}.")
        checks.one_of(f"option of {name}", option, dataset.options)
    chosen = {
        option: checks.one_of(option, options.get(option, next(iter(allowed))), allowed)
        for option, allowed in dataset.options.items()
    }
    return _build(name, tuple(chosen.items()))


@cache
def _build(name: str, options: tuple[tuple[str, str], ...]) -> Problem:
    return DATASETS[name].build(**dict(options))
