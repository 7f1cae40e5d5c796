"""Compile the simulation core ahead of its first use."""

from __future__ import annotations

from cbai.problem import Problem
from cbai.simulation.coverage import first_misses
from cbai.simulation.rules.rows import ALGORITHMS
from cbai.simulation.streams import paths
from cbai.simulation.trace import trace
from cbai.simulation.trials import replay, simulate


def warm_up() -> None:
    """Play one tiny trial of each family and one stream. Everything is then compiled and stored.

    This takes some twenty seconds the first time on a machine, and about a second later. One trial
    of each family is enough, because its algorithms share one compiled loop.
    """
    own, other = [0.0, 1.0], [0.5, 0.5]
    problem = Problem(["a", "b"], [0, 1], [[0.1, 0.9], [0.9, 0.1]], [[own, other], [other, own]])
    families = {row.family: row for row in ALGORITHMS.values()}
    simulate(problem, list(families.values()), delta=0.1, trials=1, p=0.5)
    trace(problem, "lucb", delta=0.1)
    replay(problem, "lucb", delta=0.1, rewards=[[1] * 1000, [0] * 1000])
    first_misses([0.5, 0.5], [0, 1], 1.0, ["howard", "kl_lucb"], d=0.1, n_max=10, n_streams=1)
    paths([0.5, 0.5], [0, 1], [1, 10], streams=1)
