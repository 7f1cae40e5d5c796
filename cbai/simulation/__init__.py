"""Playing trials: the table of algorithms, the compiled kernel, many trials, traces."""

from cbai.simulation.algorithms import Algorithm
from cbai.simulation.confidence import CONFIDENCE
from cbai.simulation.names import find
from cbai.simulation.outcomes import Trial, Trials
from cbai.simulation.plan import MAX_SAMPLES
from cbai.simulation.rows import ALGORITHMS
from cbai.simulation.trace import Elimination, Trace, trace
from cbai.simulation.trials import replay, simulate

__all__ = [
    "ALGORITHMS",
    "CONFIDENCE",
    "MAX_SAMPLES",
    "Algorithm",
    "Elimination",
    "Trace",
    "Trial",
    "Trials",
    "find",
    "replay",
    "simulate",
    "trace",
]
