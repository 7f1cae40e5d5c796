"""Pieces that several pages show: question and answer, charts, warnings, answers in words."""
