"""Playing trials: the table of algorithms, the compiled kernel, many trials, traces."""

from cbai.simulation.algorithms import ALGORITHMS, Algorithm
from cbai.simulation.trace import Elimination, Trace, trace
from cbai.simulation.trials import MAX_SAMPLES, Trial, Trials, replay, simulate

__all__ = [
    "ALGORITHMS",
    "MAX_SAMPLES",
    "Algorithm",
    "Elimination",
    "Trace",
    "Trial",
    "Trials",
    "replay",
    "simulate",
    "trace",
]
