"""Confidence sequences, and everything that turns counts into a bound or a wealth; compiled."""
