"""Results of trials: summaries with intervals, competitive arms."""

from cbai.results.budget import (
    Loss,
    budget_error,
    budget_loss,
    halving_bound,
    summarise_budget,
)
from cbai.results.competitive import Competitive, estimated_competitive, true_competitive
from cbai.results.summary import (
    Rate,
    Ratio,
    cheapest_ratio,
    clopper_pearson,
    error_rates,
    pulls_per_arm,
    sample_ratio,
    summarise,
)

__all__ = [
    "Competitive",
    "Loss",
    "Rate",
    "Ratio",
    "budget_error",
    "budget_loss",
    "cheapest_ratio",
    "clopper_pearson",
    "error_rates",
    "estimated_competitive",
    "halving_bound",
    "pulls_per_arm",
    "sample_ratio",
    "summarise",
    "summarise_budget",
    "true_competitive",
]
