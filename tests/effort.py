"""How much the tests try: enough to find what is planted, or with ``--full`` all of it.

A statistical test needs only as many trials as find the bug that it plants: a file says which that
is. The larger numbers find smaller bugs. They are for a release: ``make test-full``.
"""

from __future__ import annotations

from hypothesis import settings

full = False
"""Set by ``tests/conftest.py`` before any test is collected."""


def quick_or_full(quick: int, complete: int) -> int:
    """Return how many trials, streams or examples to try: `quick` of them, or all."""
    return complete if full else quick


def examples(complete: int, quick: int | None = None) -> settings:
    """Return settings for a property that is tried on `complete` examples, or on a third.

    The examples are the same in every run.
    """
    few = max(10, complete // 3) if quick is None else quick
    return settings(max_examples=quick_or_full(few, complete), deadline=None, derandomize=True)
