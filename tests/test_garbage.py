"""Garbage: what lives long is set aside, and what dies among it is collected in the end."""

from __future__ import annotations

import gc
import weakref

from cbai.ui import garbage


class Node:
    """Something that can refer to itself, and so is freed by a collection only."""


def test_what_lives_is_set_aside_and_garbage_among_it_goes_with_the_next_full_collection(
    monkeypatch,
):
    monkeypatch.setattr(garbage, "_frozen_at", -1e9)
    monkeypatch.setattr(garbage, "_full_at", -1e9)
    node = Node()
    node.itself = node
    gone = weakref.ref(node)
    try:
        garbage.set_aside()
        assert gc.get_freeze_count() > 0
        del node
        gc.collect()
        assert gone() is not None
        garbage.set_aside()
        assert gone() is not None
        monkeypatch.setattr(garbage, "_frozen_at", -1e9)
        monkeypatch.setattr(garbage, "_full_at", -1e9)
        garbage.set_aside()
        assert gone() is None
    finally:
        gc.unfreeze()
