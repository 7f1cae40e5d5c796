"""Figures of the proofs against the runs."""
