"""Shared by all figures: layout, style, words, space for labels."""
