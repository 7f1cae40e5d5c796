"""Lower bounds on the samples that algorithms need on average, without and with pseudo-rewards."""

from cbai.results.limit.bound import Limit, binds, class_of, evidence
from cbai.results.limit.classical import limit_of, split_factor, transport_costs
from cbai.results.limit.correlated import correlated_limit_of

__all__ = [
    "Limit",
    "binds",
    "class_of",
    "correlated_limit_of",
    "evidence",
    "limit_of",
    "split_factor",
    "transport_costs",
]
