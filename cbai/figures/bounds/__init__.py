"""Figures of confidence bounds."""
