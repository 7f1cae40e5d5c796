"""Figures of many trials: the samples that each algorithm needs until it stops."""
