"""All that the user has chosen, in one object that can be written as a link."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from cbai.datasets import DATASETS, Dataset, load_problem
from cbai.figures.base.words import Words
from cbai.problem import Problem
from cbai.simulation import find
from cbai.simulation.rules.names import LAB
from cbai.ui.visit.link_values import write

DELTAS = (0.2, 0.1, 0.06, 0.05, 0.02, 0.01, 0.005, 0.001, 0.0001)
TRIALS = (10, 25, 50, 100, 200, 500, 1000)
BUDGETS = (20_000, 100_000, 1_000_000, 5_000_000)
DEFAULT_LAB = LAB + "mean-own_ucb-2K-cross_ucb-2K-none-1-1-howard"
"""Samples like LUCB and rules out arms like C-LUCB: this shows which of the two saves samples."""


@dataclass(frozen=True)
class Setup:
    """One choice of everything in the sidebar.

    Attributes
    ----------
    dataset_id : str
    options : tuple of (str, str)
        The choices among the data set's own options.
    algorithms : tuple of str
        Names that `cbai.simulation.find` knows: rows of `cbai.ALGORITHMS` in the order of that
        table, then the user's own; may be empty.
    delta, p, q : float
    trials, seed, max_samples : int
        As in `cbai.simulate`.
    dataset : Dataset
        The row of the data set, or of the user's own problem.
    problem : Problem
        Before p and q are applied.
    fingerprint : str
        The problem's digest; results are kept by it.
    lab : str
        The name of the user's own algorithm, among `algorithms` or not. Results do not depend on
        it, so a setup's text leaves it out.
    epsilon, top : float, int
        As in `cbai.simulate`. The sidebar does not set them.
    """

    dataset_id: str
    options: tuple[tuple[str, str], ...]
    algorithms: tuple[str, ...]
    delta: float
    p: float
    q: float
    trials: int
    seed: int
    max_samples: int
    dataset: Dataset = field(compare=False, repr=False)
    problem: Problem = field(compare=False, repr=False)
    fingerprint: str = ""
    lab: str = field(default=DEFAULT_LAB, repr=False)
    epsilon: float = 0.0
    top: int = 1

    def __post_init__(self) -> None:
        """Note the problem's digest, as problems with the same name may differ."""
        object.__setattr__(self, "fingerprint", self.problem.fingerprint)

    @property
    def words(self) -> Words:
        """What arms and samples are called here."""
        return Words.of(self.dataset)


DEFAULT = Setup(
    dataset_id="movielens-1m",
    options=(),
    algorithms=("lucb", "lucb_pp", "c_lucb", "c_lucb_pp", "c_lucb_bet"),
    delta=0.01,
    p=0.2,
    q=0.0,
    trials=100,
    seed=0,
    max_samples=5_000_000,
    dataset=DATASETS["movielens-1m"],
    problem=load_problem("movielens-1m"),
)
"""The setup of an address that sets nothing but the data set."""


def largest_buffer(problem: Problem) -> float:
    """Return the largest buffer q on the slider: a fifth of the reward scale."""
    return round(problem.reward_max / 5.0, 2)


def round_up(q: float) -> float:
    """Round a buffer up to the steps of the slider, 0.01."""
    return math.ceil(q * 100.0 - 1e-9) / 100.0


def link(setup: Setup, page_parameters: Mapping[str, object]) -> str:
    """Return the query string that restores a view.

    Parameters
    ----------
    setup : Setup
        The settings of the sidebar. Those at their default are left out, but for the data set.
    page_parameters : mapping of str to object
        The current query. Parameters that are not the sidebar's belong to the page.
    """
    values, usual = parameters(setup), parameters(DEFAULT)
    del usual["data"]  # every link names its data set
    mine = {name: value for name, value in values.items() if value != usual.get(name)}
    mine = {name: "" if value == [] else value for name, value in mine.items()}
    others = {name: value for name, value in page_parameters.items() if name not in values}
    query = urlencode(others | mine, doseq=True)
    return f"?{query}" if query else ""


def parameters(setup: Setup) -> dict[str, object]:
    """Return the sidebar's part of a link, by the names of the query parameters."""
    rows = [find(name) for name in setup.algorithms]
    return {
        "data": setup.dataset.title,
        **{name: setup.dataset.options[name][value] for name, value in setup.options},
        "p": write(setup.p),
        "q": write(setup.q),
        "delta": write(setup.delta),
        "algorithms": [row.title for row in rows if not row.beyond],
        "beyond": [row.title for row in rows if row.beyond],
        "lab": setup.lab.removeprefix(LAB),
        "trials": write(setup.trials),
        "seed": write(setup.seed),
        "budget": f"{setup.max_samples:,}",
    }
