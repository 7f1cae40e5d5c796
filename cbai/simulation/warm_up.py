"""Compile the simulation core ahead of its first use."""

from __future__ import annotations

from collections.abc import Callable

from cbai.problem import Problem
from cbai.simulation.coverage import first_misses
from cbai.simulation.rules.rows import ALGORITHMS
from cbai.simulation.streams import paths
from cbai.simulation.trace import trace
from cbai.simulation.trials import replay, simulate


def warm_up(report: Callable[[int, int], None] | None = None) -> None:
    """Play one tiny trial of each family and one stream. Everything is then compiled and stored.

    This takes 25 to 80 seconds the first time on a machine, and about a second later. One trial of
    each family is enough, because its algorithms share one compiled loop.

    Parameters
    ----------
    report : callable, optional
        Called with the number of parts done and of all parts, before each part and at the end.
    """
    own, other = [0.0, 1.0], [0.5, 0.5]
    problem = Problem(["a", "b"], [0, 1], [[0.1, 0.9], [0.9, 0.1]], [[own, other], [other, own]])
    families = {row.family: row for row in ALGORITHMS.values()}
    parts: list[Callable[[], object]] = [
        *(
            lambda row=row: simulate(problem, [row], delta=0.1, trials=1, p=0.5)
            for row in families.values()
        ),
        lambda: simulate(problem, ["c_halving"], budget=10, trials=1, p=0.5),
        lambda: trace(problem, "lucb", delta=0.1),
        lambda: replay(problem, "lucb", delta=0.1, rewards=[[1] * 1000, [0] * 1000]),
        lambda: first_misses([0.5, 0.5], [0, 1], 1.0, ["howard", "kl_lucb"], 0.1, 10, 1),
        lambda: paths([0.5, 0.5], [0, 1], [1, 10], streams=1),
    ]
    for done, part in enumerate(parts):
        if report is not None:
            report(done, len(parts))
        part()
    if report is not None:
        report(len(parts), len(parts))
