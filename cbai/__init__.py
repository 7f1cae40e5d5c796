"""Best-arm identification in correlated multi-armed bandits.

The algorithms and definitions are those of Gupta, Joshi and Yağan, *Best-Arm Identification in
Correlated Multi-Armed Bandits* (IEEE Journal on Selected Areas in Information Theory, 2021).
"""

__version__ = "0.1.0"

from cbai.datasets import DATASETS, load_problem
from cbai.problem import Problem
from cbai.simulation import ALGORITHMS, Trace, Trial, Trials, replay, simulate, trace

__all__ = [
    "ALGORITHMS",
    "DATASETS",
    "Problem",
    "Trace",
    "Trial",
    "Trials",
    "load_problem",
    "replay",
    "simulate",
    "trace",
]
