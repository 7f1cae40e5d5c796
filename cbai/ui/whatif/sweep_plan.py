"""Which settings a sweep runs, and in which order; no Streamlit here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from cbai.figures.base.style import percent
from cbai.figures.base.words import Words
from cbai.problem import Problem
from cbai.problem.changes import gap_of, gap_range, keep_best, with_gap
from cbai.problem.validity import Validity
from cbai.results.sweep import Axis
from cbai.simulation import Trials, find
from cbai.simulation.plan import FOR_TOP
from cbai.ui.visit.setup import Setup, largest_buffer

FEW_RUNS = 25
"""Runs of a cell, unless all are asked for."""
MOST_BEST = 5
"""The largest m: how many best arms an algorithm may be asked for."""
MOST_TWO = 5
"""The most values of each parameter when two are swept."""

PARAMETERS = {
    "error δ": "delta",
    "unknown p": "p",
    "buffer q": "q",
    "number of arms": "arms",
    "gap": "gap",
    "good enough ε": "epsilon",
    "how many best m": "top",
    "runs": "trials",
}
"""The parameters that can be swept: the name on the page and in links, and the name in code."""

KNOWN_ONLY = ("p", "q")
"""The parameters that change nothing for algorithms that use no pseudo-rewards."""

EVERY_NUMBER = 12
"""Up to here every number of arms is tried."""

Index = tuple[int, ...]
Job = tuple[Setup, str]
Found = Mapping[Job, Trials | None]


@dataclass(frozen=True)
class Plan:
    """A sweep over one or two parameters.

    Attributes
    ----------
    axes : tuple of Axis
        One or two.
    setups : dict of tuple of int to Setup
        The setting of each cell, by its index on each axis; without algorithms.
    algorithms : tuple of str
    whole : Setup
        The sidebar's setting with all its runs, from which money and days are computed.
    """

    axes: tuple[Axis, ...]
    setups: dict[Index, Setup]
    algorithms: tuple[str, ...]
    whole: Setup

    @property
    def own(self) -> Index:
        """The index of the sidebar's setting."""
        return tuple(axis.own for axis in self.axes)

    def job(self, index: Index, name: str) -> Job:
        """Return the setting and the algorithm to run for a cell.

        An algorithm that uses no pseudo-rewards plays the same trials for every p and q. It is
        run only once, at the sidebar's p and q. The sidebar's setting always has all its runs,
        because money and days are computed from them: one setting has one mean.
        """
        index = self._place(index, name)
        return self.whole if index == self.own else self.setups[index], name

    def trials(self, index: Index, name: str, found: Found) -> Trials | None:
        """Return the runs of a cell: all of them, or the first few until all are done."""
        all_runs = found.get(self.job(index, name))
        if all_runs is not None:
            return all_runs
        return found.get((self.setups[self._place(index, name)], name))

    def _place(self, index: Index, name: str) -> Index:
        if find(name).uses_correlation:
            return index
        return tuple(
            axis.own if axis.name in KNOWN_ONLY else at
            for axis, at in zip(self.axes, index, strict=True)
        )

    @property
    def order(self) -> list[Index]:
        """The cells from coarse to fine: the sidebar's setting, the ends, then what lies between.

        Between, the cell comes next that is farthest from all cells before it.
        """
        ends = product(*({0: 0, len(axis.values) - 1: 0} for axis in self.axes))
        order = list(dict.fromkeys([self.own, *ends]))
        far = {
            index: min(_distance(index, one) for one in order)
            for index in self.setups
            if index not in order
        }
        while far:
            best = max(far, key=lambda index: far[index])
            del far[best]
            order.append(best)
            far = {index: min(one, _distance(index, best)) for index, one in far.items()}
        return order

    @property
    def cells(self) -> list[Job]:
        """What to run for each cell, in their `order`."""
        return [self.job(index, name) for index in self.order for name in self.algorithms]

    @property
    def jobs(self) -> list[Job]:
        """What the page runs, in this order; each job once.

        First a few runs at the sidebar's setting and at the ends of the axes: they make the first
        picture. Then all runs at the sidebar's setting, and then the cells between.
        """
        first = [(self.setups[self._place(self.own, name)], name) for name in self.algorithms]
        ends = 1 + len({*product(*({0, len(axis.values) - 1} for axis in self.axes))} - {self.own})
        outer = [self.job(index, name) for index in self.order[1:ends] for name in self.algorithms]
        whole = [(self.whole, name) for name in self.algorithms]
        return list(dict.fromkeys([*first, *outer, *whole, *self.cells]))


def _distance(index: Index, other: Index) -> int:
    return sum(abs(at - there) for at, there in zip(index, other, strict=True))


def plan_for(
    setup: Setup,
    names: Sequence[str],
    validity: Validity,
    *,
    all_runs: bool,
    every: Problem | None = None,
) -> Plan:
    """Plan a sweep.

    Parameters
    ----------
    setup : Setup
    names : sequence of str
        One or two values of `PARAMETERS`.
    validity : Validity
        Of the setup. The smallest safe buffer is one of the buffers tried.
    all_runs : bool
        Whether each cell has all the runs of the sidebar; else it has `FEW_RUNS` at most.
    every : Problem, optional
        The problem with all arms that there may be, if the setup has the best of them only.
    """
    every = setup.problem if every is None else every
    whole = replace(setup, algorithms=())
    base = whole if all_runs else replace(whole, trials=min(setup.trials, FEW_RUNS))
    axes = tuple(_axis(name, setup, validity, names, every) for name in names)
    setups = {}
    for index in product(*(range(len(axis.values)) for axis in axes)):
        one = base
        for axis, at in sorted(zip(axes, index, strict=True), key=_arms_first):
            if at != axis.own or axis.name == "trials":
                one = changed(one, axis, at, every)
        setups[index] = one
    algorithms = setup.algorithms
    if "top" in names:
        algorithms = tuple(name for name in algorithms if name in FOR_TOP) or FOR_TOP
    return Plan(axes, setups, algorithms, whole)


def _arms_first(step: tuple[Axis, int]) -> bool:
    """Order changes: the number of arms begins with all of them, before other changes."""
    return step[0].name != "arms"


def target(axis: Axis) -> int | None:
    """Return the index of the value that the answer compares with the sidebar's value.

    None if there is no other value.
    """
    own = axis.values[axis.own]
    others = [at for at in range(len(axis.values)) if at != axis.own]
    if not others:
        return None
    if axis.name == "p":
        return 0 if axis.own else others[-1]
    if axis.name in ("q", "epsilon", "top"):
        return others[-1] if axis.own == 0 else 0
    factor = {"delta": 0.1, "arms": 0.5, "gap": 0.5, "trials": 0.25}[axis.name]
    if own == 0.0:  # the gap of a tie
        return others[0]
    return min(others, key=lambda at: abs(np.log(axis.values[at] / (factor * own))))


def changed(setup: Setup, axis: Axis, at: int, every: Problem) -> Setup:
    """Return the setup with one parameter set to a value of its axis."""
    value = axis.values[at]
    if axis.name == "arms":
        return replace(setup, problem=keep_best(every, int(value)))
    if axis.name == "gap":
        return replace(setup, problem=with_gap(setup.problem, value))
    if axis.name in ("trials", "top"):
        return replace(setup, **{axis.name: int(value)})  # type: ignore[arg-type]
    return replace(setup, **{axis.name: value})  # type: ignore[arg-type]


def _axis(
    name: str, setup: Setup, validity: Validity, names: Sequence[str], every: Problem
) -> Axis:
    grid, own = _grid(name, setup, validity, every)
    if {"arms", "top"} <= set(names):  # every number of arms must be more than every m
        most = min(MOST_BEST, max(2, setup.problem.n_arms // 3))
        grid = [n for n in grid if (n > most) == (name == "arms")]
    values = sorted({*grid, own}, reverse=name == "delta")
    if len(names) > 1:
        values = _thinned(values, values.index(own), MOST_TWO)
    return Axis(
        name,
        *_titles(name, setup.words),
        tuple(values),
        tuple(label(name, value) for value in values),
        values.index(own),
        log=name in ("delta", "gap", "trials") and min(values) > 0.0,
    )


def _grid(
    name: str, setup: Setup, validity: Validity, every: Problem
) -> tuple[Iterable[float], float]:
    """Return sensible values of a parameter, and the value that the setup has."""
    problem = setup.problem
    if name == "delta":
        tenth = float(f"{setup.delta / 10.0:.3g}")
        grid = [0.2, 0.1, 0.05, 0.01, 0.001, 0.0001]
        return [*grid, *([tenth] if tenth >= grid[-1] else [])], setup.delta
    if name == "p":
        return [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], setup.p
    if name == "q":
        largest = largest_buffer(problem)
        grid = [round(float(q), 2) for q in np.linspace(0.0, largest, 6)]
        safe = validity.smallest_safe_q
        return [*grid, *([safe] if safe <= largest else [])], setup.q
    if name == "arms":
        steps = (*range(2, EVERY_NUMBER + 1), 18, 25, 35, 50, 70, 100, every.n_arms)
        return [n for n in steps if setup.top < n <= every.n_arms], problem.n_arms
    if name == "trials":
        return [n for n in (10, 25, 50, 100, 200) if n <= max(50, 2 * setup.trials)], setup.trials
    if name == "epsilon":
        b = problem.reward_max
        return [float(f"{b * share:.3g}") for share in (0.0, 0.01, 0.02, 0.05, 0.1)], setup.epsilon
    if name == "top":
        return range(1, min(MOST_BEST, problem.n_arms - 1) + 1), setup.top
    low, high = gap_range(problem)
    own = gap_of(problem)
    span = problem.reward_max
    tied = len(problem.best_arms) > 1
    wanted = [x * span for x in (0.02, 0.05, 0.1, 0.2)] if tied else [
        x * own for x in (0.5, 0.7, 1.4, 2.0, 3.0)
    ]  # fmt: skip
    return [gap for gap in (float(f"{x:.2g}") for x in wanted) if low < gap < high], own


def _thinned(values: list[float], own: int, most: int) -> list[float]:
    """Return at most `most` of the values: the first, the last, the setup's, and some between."""
    if len(values) <= most:
        return values
    keep = {0, own, len(values) - 1}
    for at in np.linspace(0, len(values) - 1, most).round().astype(int).tolist():
        if len(keep) < most:
            keep.add(at)
    return [values[at] for at in sorted(keep)]


def _titles(name: str, words: Words) -> tuple[str, str]:
    return {
        "delta": ("allowed error δ", "δ"),
        "p": ("share unknown, p", "p"),
        "q": ("safety buffer, q", "q"),
        "arms": (f"number of {words.arms}", words.arms),
        "gap": (f"gap: lead of the best {words.arm}", "gap"),
        "epsilon": ("how far below the best is good enough, ε", "ε"),
        "top": (f"number of best {words.arms} to find, m", "m"),
        "trials": ("number of runs", "runs"),
    }[name]


def label(name: str, value: float) -> str:
    """Write a value of a parameter."""
    if name == "p":
        return percent(value)
    if name == "delta":
        return f"{value:.10f}".rstrip("0")
    if name == "gap":
        return f"{value:.3g}"
    return f"{value:,g}" if name in ("q", "epsilon") else f"{value:,.0f}"


def what_was_done(name: str, words: Words) -> str:
    """Say what changing a parameter means; empty if that is plain."""
    arm, arms = words.arm, words.arms
    return {
        "delta": "",
        "p": "A pseudo-reward that is unknown at one p is also unknown at every larger p.",
        "q": "",
        "arms": f"The {arms} with the lowest true means are left out first. The best and the "
        "second best always stay.",
        "gap": f"Only the best {arm} changes. Its {words.samples} are tilted exponentially: this "
        "changes the probabilities as little as possible and keeps the possible values. The "
        f"pseudo-rewards that bound the best {arm} move with its mean, as in a new survey. Their "
        "validity is checked again.",
        "epsilon": f"An answer counts as right if its mean is at most ε below the mean of the best "
        f"{arm}. Algorithms stop once their bounds show this. lil'UCB ignores ε.",
        "top": f"LUCB and C-LUCB can look for the m best {arms}; the other algorithms are left "
        "out. An answer is right only if all m are right.",
        "trials": "More runs make the estimates more precise; the algorithms need no more "
        f"{words.samples}.",
    }[name]
