"""Figures of what a safety buffer does."""
