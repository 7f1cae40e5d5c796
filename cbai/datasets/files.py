"""Where the data that ships is found."""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).parents[2] / "data"
