"""Figures and tables of the paper beside this project's own numbers."""
