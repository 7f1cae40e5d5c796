"""Slow, plain-Python twins of the compiled code, written from the definitions alone."""
