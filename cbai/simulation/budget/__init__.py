"""Runs that spend a fixed budget: what is asked for, how it is played, and what comes out."""

from cbai.simulation.budget.curve import BudgetCurve, budget_curve
from cbai.simulation.budget.outcomes import BudgetTrials
from cbai.simulation.budget.play import simulate_budget

__all__ = ["BudgetCurve", "BudgetTrials", "budget_curve", "simulate_budget"]
