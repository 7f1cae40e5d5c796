"""Figures of a survey."""
