"""Where a problem of the user's own can come from: one file a source.

Each has a ``draw()`` that returns a survey in hand, a finished problem, or None.
"""
