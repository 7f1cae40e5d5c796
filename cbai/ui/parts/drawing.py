"""The script that pictures which play in the browser share: to be put before their own."""

from __future__ import annotations

from pathlib import Path

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
"""Defines ``make`` for elements, ``thousands``, ``decoded`` for tables, and ``ticks``."""
