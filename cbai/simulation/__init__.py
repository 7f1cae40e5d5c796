"""Playing trials: the table of algorithms, the compiled kernel, many trials, traces."""

from cbai.simulation.bounds.confidence import CONFIDENCE
from cbai.simulation.budget import BudgetCurve, BudgetTrials, budget_curve
from cbai.simulation.outcomes import Trial, Trials
from cbai.simulation.plan import MAX_SAMPLES
from cbai.simulation.rules.algorithms import Algorithm
from cbai.simulation.rules.budget_rows import BUDGET_ALGORITHMS, BudgetAlgorithm
from cbai.simulation.rules.names import find
from cbai.simulation.rules.rows import ALGORITHMS
from cbai.simulation.trace import Elimination, Trace, trace
from cbai.simulation.trials import replay, simulate

__all__ = [
    "ALGORITHMS",
    "BUDGET_ALGORITHMS",
    "CONFIDENCE",
    "MAX_SAMPLES",
    "Algorithm",
    "BudgetAlgorithm",
    "BudgetCurve",
    "BudgetTrials",
    "Elimination",
    "Trace",
    "Trial",
    "Trials",
    "budget_curve",
    "find",
    "replay",
    "simulate",
    "trace",
]
