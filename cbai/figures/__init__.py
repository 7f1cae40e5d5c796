"""Figures: each works out its information as plain data, then draws it."""
