"""Figures of a composed algorithm."""
