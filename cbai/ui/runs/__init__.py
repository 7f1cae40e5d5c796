"""Runs kept by their parameters, in a fair queue, each with its limits."""
