"""Results of trials: summaries with intervals, competitive arms."""

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
    "Rate",
    "Ratio",
    "cheapest_ratio",
    "clopper_pearson",
    "error_rates",
    "estimated_competitive",
    "pulls_per_arm",
    "sample_ratio",
    "summarise",
    "true_competitive",
]
