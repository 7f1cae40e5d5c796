"""The script of bars whose buttons copy something: to be put before a component's own script."""

from __future__ import annotations

from pathlib import Path

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
"""Defines ``copyText(text)``, which returns whether the text was copied, ``linkHere(link)``, the
link under the address of this visitor, and ``buildBar(root, buttons)``."""
