"""Figures of pseudo-rewards and pseudo-gaps."""
