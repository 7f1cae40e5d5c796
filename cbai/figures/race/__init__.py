"""Figures of one trial."""
