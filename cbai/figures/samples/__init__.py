"""Figures of many trials: samples until the answer."""
