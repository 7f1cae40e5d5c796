"""Figures of differences between setups."""
