"""Keeps the garbage collection after every run of a page cheap, however many sessions there are.

Streamlit collects after every run, and so walks over all that every session holds: with 100
sessions that was half of the app's time.
"""

from __future__ import annotations

import gc
import threading
import time

FREEZE_SECONDS, FULL_SECONDS = 2.0, 60.0

_one = threading.Lock()
_frozen_at = _full_at = 0.0


def set_aside() -> None:
    """Keep the collector from what has lived for a while; call it before a page does its work.

    What is frozen is not walked over. Garbage among it stays until the next full collection, which
    takes a third of a second and comes once a minute at most.
    """
    global _frozen_at, _full_at
    now = time.monotonic()
    if now - _frozen_at < FREEZE_SECONDS or not _one.acquire(blocking=False):
        return
    try:
        if now - _full_at > FULL_SECONDS:
            gc.unfreeze()
            gc.collect()
            _full_at = now
        gc.freeze()
        _frozen_at = now
    finally:
        _one.release()
