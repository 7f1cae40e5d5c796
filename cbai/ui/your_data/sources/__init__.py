"""The sources of the user's own data, one file each.

Each has a ``draw()`` that returns a survey in hand, a finished problem, or None.
"""
