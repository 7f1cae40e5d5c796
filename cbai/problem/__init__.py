"""The problem and its pseudo-rewards."""

from cbai.problem.problem import Problem

__all__ = ["Problem"]
